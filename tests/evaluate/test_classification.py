"""The experiment: every model on the same parts, and no row is found twice."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from frex.corpus import Corpus
from frex.errors import InputError, MissingExtraError
from frex.evaluate import MEASURES, classification, summarize, summarize_bands
from frex.evaluate.classification import MODELS
from frex.evaluate.hpc import hpc
from frex.evaluate.parts import Answer, Parts
from frex.sampler.settings import Settings


@pytest.fixture
def calls(monkeypatch):
    """Put models that know the answer in the place of two real ones; return how they are called."""
    made = []

    def oracle(name):
        def run(parts, settings=None, *, threads):
            made.append((name, parts.test.ids[:5]))
            return Answer(parts.test.labels.toarray().astype(float), parts.test.labels)

        return run

    for name in ("svm", "hpc"):
        monkeypatch.setitem(MODELS, name, oracle(name))
    return made


def test_all_models_see_the_same_parts(clear, calls):
    done = []
    rows = classification(clear, models=["hpc", "svm"], repeats=2, progress=done.append)
    assert list(rows[["repeat", "model"]].itertuples(index=False, name=None)) == [
        (1, "hpc"), (1, "svm"), (2, "hpc"), (2, "svm"),
    ]  # fmt: skip
    assert calls[0][1] == calls[1][1] != calls[2][1] == calls[3][1]
    assert done == [1] * 4
    assert (rows["micro_f1"] == 1).all()


def test_rows_that_are_known_are_not_found_anew(clear, calls, tmp_path):
    out = tmp_path / "rows.csv"
    first = classification(clear, models=["hpc"], repeats=1, out=out)
    both = classification(clear, models=["svm", "hpc"], repeats=2, out=out)
    assert [name for name, _ in calls] == ["hpc", "svm", "svm", "hpc"]
    assert both.iloc[1].equals(first.iloc[0])
    classification(clear, models=["svm", "hpc"], repeats=2, out=out)
    assert len(calls) == 4
    # HPC's settings are nothing to an SVM; other parts are
    draws = Settings(method="sample")
    classification(clear, models=["svm", "hpc"], repeats=1, settings=draws, out=out)
    assert [name for name, _ in calls[4:]] == ["hpc"]
    classification(clear, models=["svm"], repeats=1, seed=7, out=out)
    classification(clear.take(range(70)), models=["svm"], repeats=1, out=out)
    assert [name for name, _ in calls[5:]] == ["svm", "svm"]


def test_a_given_split_is_kept(clear, calls):
    split = ["test" if d % 4 == 0 else "train" if d % 4 < 3 else "" for d in range(len(clear))]
    classification(clear, models=["svm"], repeats=1, split=split)
    assert list(calls[0][1]) == list(clear.ids[:20:4])
    parts = Parts.given(clear, split, 0)
    assert list(parts.test.ids) == list(clear.ids[::4])
    assert len(parts.both) == 40
    assert len(parts.training) == pytest.approx(15, abs=1)
    assert not {*parts.both.ids, *parts.test.ids} & set(clear.ids[3::4])
    named = ["validation" if part == "train" and d < 20 else part for d, part in enumerate(split)]
    assert len(Parts.given(clear, named, 0).validation) == 10


@pytest.mark.parametrize(
    ("split", "complaint"),
    [(["train"], "names parts of 1 documents"), (["train"] * 80, "is in the part 'test'")],
)
def test_a_split_that_is_none_is_refused(clear, calls, split, complaint):
    with pytest.raises(InputError, match=complaint):
        classification(clear, models=["svm"], repeats=1, split=split)


def test_thresholds_that_are_asked_for_are_told(clear, monkeypatch):
    told = []

    def model(parts, *, threads, rule=None):
        told.append(rule)
        return Answer(parts.test.labels.toarray().astype(float), parts.test.labels)

    monkeypatch.setitem(MODELS, "svm", model)
    classification(clear, models=["svm"], repeats=1)
    classification(clear, models=["svm"], repeats=1, thresholds="topic", criterion="macro")
    assert told == [None, ("topic", "macro")]


def test_bands_are_kept_beside_the_rows(clear, calls, tmp_path):
    out, bands = tmp_path / "rows.csv", tmp_path / "bands.csv"
    rows = classification(clear, models=["svm"], repeats=1, out=out)
    # without its bands the row is found anew, with them it is not
    for _ in range(2):
        classification(clear, models=["svm"], repeats=1, out=out, bands=bands)
    assert len(calls) == 2
    kept = pd.read_csv(bands)
    assert set(kept["experiment"]) == set(rows["experiment"])
    table = summarize_bands(kept)
    assert table[table["by"] == "size"]["labels"].sum() == 48 * clear.n_topics


def test_a_run_that_is_killed_keeps_its_rows(clear, calls, monkeypatch, tmp_path):
    def killed(*_args, **_options):
        raise KeyboardInterrupt

    out = tmp_path / "rows.csv"
    oracle = MODELS["svm"]
    monkeypatch.setitem(MODELS, "svm", killed)
    with pytest.raises(KeyboardInterrupt):
        classification(clear, models=["hpc", "svm"], repeats=2, out=out)
    monkeypatch.setitem(MODELS, "svm", oracle)
    assert len(classification(clear, models=["hpc", "svm"], repeats=2, out=out)) == 4
    assert [name for name, _ in calls] == ["hpc", "svm", "hpc", "svm"]


def test_summary(clear, calls):
    rows = classification(clear, models=["svm", "hpc"], repeats=3)
    rows.loc[rows["model"] == "hpc", "micro_f1"] = [0.2, 0.3, 0.7]
    table = summarize(rows)
    assert list(table["model"].unique()) == ["svm", "hpc"]
    assert list(table["measure"][: len(MEASURES)]) == list(MEASURES)
    row = table[(table["model"] == "hpc") & (table["measure"] == "micro_f1")].iloc[0]
    assert row["mean"] == pytest.approx(0.4)
    assert row["sd"] == pytest.approx(np.std([0.2, 0.3, 0.7], ddof=1))
    assert row["repeats"] == 3


def test_documents_without_labels_or_words_take_no_part(clear, calls):
    counts = sparse.vstack([clear.counts, sparse.csr_array([[0, 0, 0, 0, 0], [1, 0, 0, 0, 0]])])
    labels = [*map(clear.labels_of, range(len(clear))), ["art"], []]
    corpus = Corpus.from_matrices(
        counts.tocsr(), labels, tree=clear.tree, empty="keep", unlabelled="keep"
    )
    rows = classification(corpus, models=["svm"], repeats=1)
    assert np.isfinite(rows["coverage_error"]).all()


def test_wrong_requests_are_told(clear, monkeypatch):
    def check(corpus=clear, **options):
        classification(corpus, **{"models": ["svm"], "repeats": 1} | options)

    for options, complaint in [
        ({"models": ["svn"]}, "there is no model 'svn'. Choose among frex, frex-svm"),
        ({"models": ["svm", "svm"]}, "the models are svm, svm"),
        ({"models": []}, "the models are none"),
        ({"repeats": 0}, "repeats is 0"),
        ({"fractions": (0.5, 0.5)}, "there are 2 fractions"),
        ({"corpus": Corpus.from_matrices([[1]])}, "the corpus has no labels"),
        (
            {"corpus": clear.take([0, 1])},
            r"Each needs some.*--fractions",
        ),
    ]:
        with pytest.raises(InputError, match=complaint):
            check(**options)
    monkeypatch.setitem(__import__("sys").modules, "tomotopy", None)
    with pytest.raises(MissingExtraError, match=r"frex\[baselines\]"):
        check(models=["svm", "llda"])


@pytest.mark.statistical
def test_on_documents_of_the_model_hpc_beats_the_baselines(simulated):
    models = ["hpc", "svm", "svm-both", "logit", "logit-both", "llda"]
    rows = classification(simulated, models=models, repeats=2, threads=1)
    for measure in ("micro_f1", "macro_f1", "hierarchical_f1", "ranking_precision"):
        means = rows.groupby("model")[measure].mean()
        # standard deviations over repeats are 0.01 at most
        assert means["hpc"] > means.drop("hpc").max() + 0.02, (measure, means)


@pytest.mark.statistical
def test_on_documents_of_the_model_probabilities_are_frequencies(simulated):
    """Of the labels given a probability about p, a share p is right, within its error bars."""
    parts = Parts.of(simulated, (0.15, 0.25, 0.6), 0)
    probabilities = hpc(parts, Settings(method="map"), threads=1).scores.ravel()
    labels = parts.test.labels.toarray().ravel()
    bins = np.digitize(probabilities, np.arange(0.1, 1.0, 0.1))
    misses = []
    for number in range(10):
        inside = bins == number
        n, expected = inside.sum(), probabilities[inside].mean()
        assert n > 50
        # learned from a part that has 5 / 12 as many documents, which adds to the error
        error = np.sqrt(expected * (1 - expected) / n * (1 + 12 / 5))
        misses.append((labels[inside].mean() - expected) / error)
    assert np.abs(misses).max() < 3.0
    assert np.mean(np.square(misses)) < 2.0
