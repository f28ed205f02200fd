"""Expressions as sentences of WS1S, the logic that MONA decides."""
