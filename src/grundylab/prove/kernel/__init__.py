"""The kernel: all that can make a Theorem. It checks evidence that it is given, and never searches."""
