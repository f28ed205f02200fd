"""The search for evidence, which nothing trusts."""
