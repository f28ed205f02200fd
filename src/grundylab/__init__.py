"""grundylab."""
