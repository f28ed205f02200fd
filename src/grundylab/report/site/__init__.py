"""The page of a catalogue: one folder of files that works from file:// and needs no network."""
