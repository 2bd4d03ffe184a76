"""The GPU engine: a scan runs on the device, except for the small blocks of hyperparameters.

`device.py` finds the GPU, and `corpus.py` copies the corpus, or a rank's part, to it. `tables.py`
exchanges data between GPUs, and `sums.py` sums over them. `words.py` and `documents.py` launch
kernels, `steps.py` and `recording.py` have the step sizes and the record, and `engine.py` combines
them.
"""
