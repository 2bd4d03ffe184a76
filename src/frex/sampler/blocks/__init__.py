"""The blocks of a scan, one module each; `models.py` has the blocks of a model and their order.

A block updates a part of the state given the rest, and leaves the posterior invariant. `block.py`
is the interface of all blocks.
"""
