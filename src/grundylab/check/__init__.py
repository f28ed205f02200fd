"""A formula against solved tables: verdicts, counterexamples, and the nearest true statement."""
