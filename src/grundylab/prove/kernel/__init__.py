"""The kernel: the only code that can make a Theorem. It checks evidence from its callers, and searches for none."""
