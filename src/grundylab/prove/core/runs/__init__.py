"""Certificates about runs of P-positions, whose ends are polynomials, values of functions, and sums."""
