"""The human experiment from fitted models, in one command."""

import numpy as np
import pytest

from frex.corpus import Corpus
from frex.errors import InputError
from frex.evaluate import Design, Fits
from frex.evaluate.fitted import read_kept
from frex.evaluate.unsupervised import MODELS, Topics
from frex.study import make_study
from frex.study.evaluated import summaries_from_evaluated


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return fits of two models with two numbers of topics, and three seeds of one of them."""

    def drawn(corpus, n_topics, *, seed, **options):
        rng = np.random.default_rng(seed)
        return Topics.of(rng.dirichlet(np.full(corpus.n_words, 0.1), n_topics))

    for name in ("pcm", "lda"):
        monkeypatch.setitem(MODELS, name, drawn)
    counts = np.random.default_rng(0).poisson(1.0, (30, 60))
    corpus = Corpus.from_matrices(counts, words=[f"word{v}" for v in range(60)])
    for seed, models in ((2, ("pcm",)), (0, ("pcm", "lda")), (1, ("lda",))):
        fits = Fits(corpus, Design(models, (4, 6), seed), tmp_path / "fits")
        for model in models:
            for n in (4, 6):
                fits.topics(model, n)
    return tmp_path / "fits"


def test_the_papers_strategies_in_a_group_for_each_number_of_topics(folder, tmp_path):
    summaries = summaries_from_evaluated(folder)
    cells = {(summary.group, summary.strategy) for summary in summaries}
    strategies = {"PCM FREX", "LDA FREX", "LDA FREQ"}
    assert cells == {(f"{n} topics", name) for n in (4, 6) for name in strategies}
    assert len(summaries) == 3 * (4 + 6)
    first = Topics.of(np.random.default_rng(0).dirichlet(np.full(60, 0.1), 4))  # the lowest seed
    best = [f"word{v}" for v in np.argsort(-first.rates[0], kind="stable")[:20]]
    found = {s.words for s in summaries if (s.group, s.strategy) == ("4 topics", "LDA FREQ")}
    assert tuple(best) in found
    study = make_study(tmp_path / "study", summaries, evaluators=4, intrusion=2, coherence=2)
    assert {task.group for task in study.tasks} == {"4 topics", "6 topics"}
    assert {len(task.questions) for task in study.tasks if task.kind == "intrusion"} == {6}


def test_what_is_missing_is_said(folder, tmp_path):
    with pytest.raises(InputError, match="holds no fitted models"):
        summaries_from_evaluated(tmp_path)
    for file in folder.glob("lda-4-*"):
        file.unlink()
    assert {s.group for s in summaries_from_evaluated(folder)} == {"6 topics"}
    for file in folder.glob("lda-*"):
        file.unlink()
    with pytest.raises(InputError, match="holds fits of pcm, and the experiment compares"):
        summaries_from_evaluated(folder)
    old = next(folder.glob("pcm-4-*"))
    np.savez(old, rates=np.ones((4, 60)), exclusivity=np.ones((4, 60)))
    with pytest.raises(InputError, match="does not say which words"):
        read_kept(folder)
