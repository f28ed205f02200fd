"""Output for people: documents, the page of a catalogue, grids, pictures and exports."""
