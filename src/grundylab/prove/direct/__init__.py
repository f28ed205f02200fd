"""A second opinion on proofs: automata that share no code with the logic reader, nor with MONA."""
