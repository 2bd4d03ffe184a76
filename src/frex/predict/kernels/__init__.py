"""The loops of prediction in Numba: `modes.py` climbs over all topics, `active.py` among a few."""
