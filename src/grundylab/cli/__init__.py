"""The command line: one module for each command, and what they share. Nothing is computed here."""
