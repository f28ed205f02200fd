"""Certificates of periods that go on for ever: of rows of positions, and of the Grundy numbers of one heap."""
