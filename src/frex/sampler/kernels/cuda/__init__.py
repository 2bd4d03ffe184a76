"""The loops of one GPU, in modules that are named as the CPU's; both call `formulas/`.

Words are taken by thread blocks, documents by threads. A word's tokens in documents with several
labels are cut into stretches, a block each, whose partial sums the word's own block adds up in
order; that block does its tree algebra too, a level of the tree at a time. Nothing that enters the
state is summed by atomics, so a seed gives the same bits on the same device. Sums over items are
taken bin by bin, so they are the same for any number of GPUs.
"""
