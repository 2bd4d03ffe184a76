"""A fit on several ranks: the same blocks, each on its share of the words and documents.

`exchange.py` says what ranks send one another, `tables.py` what those of a machine share,
`corpus.py` who has which part of the corpus, `blocks.py` and `sampler.py` where a scan exchanges,
`record.py` and `run.py` how a fit comes together; `gpus.py` and `cuda.py` say the same of ranks
with a GPU each. Sums over words or documents are taken bin by bin and then over the bins in order,
with one rank as with many, so the bits are the same.
"""
