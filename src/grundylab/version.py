"""The version of the installed package; pyproject.toml is the only file that states it."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("grundylab")
except PackageNotFoundError:  # run from a source tree that is not installed
    __version__ = "unknown"
