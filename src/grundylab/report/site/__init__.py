"""The page of a catalogue: one folder of files that works from file:// and needs no network."""

from grundylab.report.site.build import write_site

__all__ = ["write_site"]
