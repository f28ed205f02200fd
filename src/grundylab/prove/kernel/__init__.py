"""The kernel: the only code that can make a Theorem. It checks evidence that it is given, and never searches."""
