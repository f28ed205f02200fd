"""The version, read from the installed package: pyproject.toml is the one place where it stands."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("grundylab")
except PackageNotFoundError:  # run from a source tree that is not installed
    __version__ = "unknown"
