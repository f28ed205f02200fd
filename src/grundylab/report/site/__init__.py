"""The HTML pages of a catalogue: one folder of files that a browser can open without a server or a network."""
