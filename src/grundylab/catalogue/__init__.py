"""What is known: records of formulas, claims, verdicts and proofs, and the papers' statements."""
