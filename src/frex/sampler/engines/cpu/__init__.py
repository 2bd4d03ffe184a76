"""The CPU engine: kernels in threads, over all words and documents, or those of a rank's bins."""
