"""Proofs for all sizes: sentences of WS1S, decided by MONA."""
