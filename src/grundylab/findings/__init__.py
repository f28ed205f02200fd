"""Records of formulas, claims, verdicts and proofs, and of the statements in the papers."""
