"""Comparison of formulas with solved tables: verdicts, counterexamples, and the nearest true statement."""
