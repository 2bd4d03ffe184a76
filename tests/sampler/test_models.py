"""HPC and PCM, and that nothing names their blocks but they themselves."""

import re
from pathlib import Path

import pytest
from bits import small_corpus

import frex.sampler
from frex.model import WeakPriors, branching_tree
from frex.sampler.models import HPC, PCM, model_of
from frex.sampler.scan import Sampler
from frex.sampler.settings import Settings

HERE = Path(frex.sampler.__file__).parent


@pytest.mark.parametrize("settings", [Settings(), Settings(n_topics=3)])
def test_settings_and_what_was_reduced_for_them_have_one_model(settings):
    model = model_of(settings)
    assert model is (HPC if settings.n_topics is None else PCM)
    corpus = model.among(small_corpus(branching_tree((2, 2))), settings)
    reduced = model.reduce(corpus, None)
    assert model_of(reduced) is model
    sampler = Sampler(reduced, WeakPriors())
    bare = Sampler(reduced, WeakPriors(), interweave=False)
    along = {"dispersion_interweaving", "affinity_interweaving"}
    along |= {"affinity_scaling"} if model is HPC else set()
    assert set(sampler.blocks) - set(bare.blocks) == along
    assert [block.name for block in sampler.blocks.values()] == list(sampler.blocks)


@pytest.mark.parametrize(
    "module", ["scan", "run", "chain", "checkpoint", "saved", "record", "context", "compiling"]
)
def test_a_new_block_needs_no_word_in(module):
    text = (HERE / f"{module}.py").read_text(encoding="utf-8")
    for name in ("dispersion_hyper", "affinity_hyper", "interweaving", "blocks.rates import Rates"):
        assert not re.search(rf"{name}\b", text), name
