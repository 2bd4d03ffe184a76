"""The model as scikit-learn estimators: `HPC` with labels, `PCM` without."""

from frex.estimators.hpc import HPC
from frex.estimators.pcm import PCM

__all__ = ["HPC", "PCM"]
