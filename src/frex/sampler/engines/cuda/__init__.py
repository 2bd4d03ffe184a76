"""The sampler on a GPU: the same blocks, the same commands, everything of a scan on the device.

`device.py` finds the GPU, `corpus.py` lays the corpus out on it, or a rank's part; `exchange.py`
says what crosses between GPUs, `sums.py` how they sum. `words.py` and `documents.py` have the
launches, `hyper.py` the blocks that stay on the host and get their sums from the device,
`sampler.py` the scan, `record.py` what is kept of it, `run.py` a fit.
"""
