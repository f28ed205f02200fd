"""Strategies, which name a winning move for every N-position: learnt from tables, and proved."""
