#!/bin/sh
# Proofs need MONA, a Debian package. Install it where we may; without it everything else still works.
command -v "${GRUNDYLAB_MONA:-mona}" >/dev/null 2>&1 && exit 0
if [ "$(id -u)" = 0 ]; then
    sudo=
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    sudo=sudo
else
    sudo=no
fi
if [ "$sudo" != no ] && command -v apt-get >/dev/null 2>&1; then
    echo "installing MONA, the decision procedure for proofs (Debian package mona)" >&2
    $sudo apt-get update -qq >/dev/null 2>&1
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq mona >/dev/null 2>&1 && exit 0
fi
echo "MONA is not installed, so proofs will be 'undecided': apt-get install mona, or brew install mona" >&2
exit 0
