"""The blocks of a scan, a module each; `models.py` says which a model has, and in which order.

A block changes a part of the state given all else, and leaves the posterior as it is. `block.py`
says what every block can do.
"""
