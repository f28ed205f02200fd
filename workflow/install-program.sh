#!/bin/sh
# install-program.sh PROGRAM PACKAGE WITHOUT: if PROGRAM is missing, install the Debian package PACKAGE where that is
# allowed. Otherwise print how to install it; the text WITHOUT says what does not work without the program.
program=$1
package=$2
without=$3
command -v "$program" >/dev/null 2>&1 && exit 0
if [ "$(id -u)" = 0 ]; then
    sudo=
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    sudo=sudo
else
    sudo=no
fi
if [ "$sudo" != no ] && command -v apt-get >/dev/null 2>&1; then
    echo "installing the Debian package $package" >&2
    $sudo apt-get update -qq >/dev/null 2>&1
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$package" \
        >/dev/null 2>&1 && exit 0
fi
echo "$program is not installed, so $without: apt-get install $package, or brew install $package" >&2
exit 0
