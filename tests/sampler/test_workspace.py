"""Purposes that share memory are asked for by name, and one that is gone is not read."""

import numpy as np
import pytest
from bits import small_corpus

from frex.model import branching_tree
from frex.model.reductions import reduce
from frex.sampler.engines.cpu.engine import CpuEngine
from frex.sampler.workspace import SHARING


@pytest.fixture(params=[np.float32, np.float64])
def workspace(request):
    corpus = small_corpus(branching_tree((2, 2)))
    return CpuEngine(reduce(corpus), precision=request.param).workspace


@pytest.mark.parametrize("purposes", SHARING)
def test_what_another_purpose_has_taken_is_not_read(workspace, purposes):
    for purpose in purposes:
        taken = workspace.take(purpose)
        assert workspace.read(purpose) is taken
        for other in purposes:
            if other != purpose:
                with pytest.raises(AssertionError, match=f"{other} is gone: {purpose} has its"):
                    workspace.read(other)


def test_purposes_share_the_memory_that_is_declared_and_no_other(workspace):
    names = [name for name in vars(workspace) if not name.startswith("_")]
    together = {frozenset((a, b)) for group in SHARING for a in group for b in group if a != b}
    for a in names:
        for b in names:
            if a < b:
                overlap = np.shares_memory(getattr(workspace, a), getattr(workspace, b))
                assert overlap == (frozenset((a, b)) in together), (a, b)
