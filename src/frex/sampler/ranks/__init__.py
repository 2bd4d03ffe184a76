"""A fit on several ranks: the same blocks, each rank on its share of the words and documents.

`exchange.py` says what ranks send one another, `tables.py` what those of a machine share,
`corpus.py` who has which part of the corpus; `among.py` is what engines and records are handed.
Sums over words or documents are taken bin by bin and then over the bins in order, with one rank as
with many, so the bits are the same.
"""
