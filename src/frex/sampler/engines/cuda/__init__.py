"""One GPU: everything of a scan on the device, but for the small blocks of hyperparameters.

`device.py` finds the GPU, `corpus.py` lays the corpus out on it, or a rank's part; `tables.py` says
what crosses between GPUs, `sums.py` how they sum. `words.py` and `documents.py` launch kernels,
`steps.py` and `recording.py` have the step sizes and the record, `engine.py` has it all.
"""
