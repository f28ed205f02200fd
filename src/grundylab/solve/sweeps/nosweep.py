"""The refusal that all sweeps share."""

from __future__ import annotations

from grundylab.errors import InstanceError


class NoSweep(InstanceError):
    """The instance is not solved by this sweep; the message says why."""
