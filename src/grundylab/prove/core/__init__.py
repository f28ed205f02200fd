"""The core of the prover: what a statement and a game mean, and the rules that make theorems of them."""
