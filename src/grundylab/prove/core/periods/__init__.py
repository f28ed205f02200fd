"""Certificates of periods that hold for ever, of rows of positions and of the Grundy values of one heap."""
