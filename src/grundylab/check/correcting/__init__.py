"""The nearest true formula: a claim that is refuted, with as few signs changed as make it true."""
