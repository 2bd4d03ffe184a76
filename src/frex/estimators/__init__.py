"""scikit-learn estimators: `HPC` with labels, `PCM` without labels, and `FrexSelector`."""

from frex.estimators.counts import WordCounts
from frex.estimators.hpc import HPC
from frex.estimators.pcm import PCM
from frex.estimators.selector import FrexSelector

__all__ = ["HPC", "PCM", "FrexSelector", "WordCounts"]
