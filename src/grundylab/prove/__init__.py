"""Proofs for all sizes, checked by a kernel; MONA, where installed, gives a second opinion."""
