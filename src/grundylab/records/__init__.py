"""The record of a statement about a game: where it is from, its comparison with tables, its proofs, its relations."""
