"""The paper's tables and figures, reproduced on the available corpora, as one page."""

from frex.paper.run import EXPERIMENTS, write_paper
from frex.paper.sizes import FULL, QUICK, Size

__all__ = ["EXPERIMENTS", "FULL", "QUICK", "Size", "write_paper"]
