"""A second opinion on proofs: automata of our own over binary digits, which share no code with the logic reader or MONA."""
