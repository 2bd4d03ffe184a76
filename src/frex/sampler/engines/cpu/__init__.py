"""The CPU: kernels in threads, on all words and documents, or on those of a rank's bins."""
