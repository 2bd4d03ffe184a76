"""A fit on several ranks: the same blocks, each rank with its share of the words and documents.

`exchange.py` has the communication between ranks, `tables.py` the shared memory of a machine,
`corpus.py` the division of the corpus, and `among.py` the interface that engines and records use.
Sums over words or documents are taken bin by bin and then over the bins in order, for any number of
ranks, so the bits are the same.
"""
