"""The Game: a second cooperative card game on the same footing as the first."""
