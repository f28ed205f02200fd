#!/bin/sh
# install-python.sh PYTHON VENV: make the virtual environment VENV with PYTHON. On Debian the module venv is a separate
# package; if it is missing, it is installed where that is allowed.
set -eu
python=$1
venv=$2
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "grundylab needs Python 3.11 or newer; $python is $("$python" --version 2>&1)." \
        "Try: make PYTHON=python3.12" >&2
    exit 2
}
rm -rf "$venv"
if ! "$python" -m venv "$venv" >/dev/null 2>&1; then
    rm -rf "$venv"
    echo "Python's venv module is incomplete; installing the Debian package python3-venv" >&2
    sudo=$([ "$(id -u)" = 0 ] || echo sudo)
    $sudo apt-get update -qq && $sudo apt-get install -y -qq python3-venv >&2 || {
        echo "could not install it: run 'sudo apt-get install python3-venv', then make again" >&2
        exit 2
    }
    "$python" -m venv "$venv"
fi
