"""A topic's words against brute force, over draws that the test keeps itself."""

from dataclasses import replace

import numpy as np
import pytest
from bits import fit, small_corpus
from fits import make_map_fit
from scipy.stats import norm

from frex.errors import InputError
from frex.model import branching_tree
from frex.posterior import Moment, score, top_words
from frex.posterior.compared import compared_with
from frex.posterior.words import best_words, in_line
from frex.sampler import record
from frex.sampler import scored as scored_module
from frex.sampler.settings import Settings
from frex.scores import exclusivity, frex, frex_from, lift
from frex.tree import TopicTree

TREE = branching_tree([2, 3])
TOPIC, COLUMN = "t2.1", TREE.node("t2.1") - 1
SETTINGS = Settings(warmup=8, draws=20, chains=2, compare=("siblings", ("t1.1", "t2.1")))
MEASURES = ("frex", "frequency", "exclusivity")


def keep_draws(monkeypatch, kept):
    """Have a fit leave the rates of every draw, topics x words, and moments in double precision."""
    monkeypatch.setattr(record, "KEPT", np.float64)
    add_moments = record.Record.add_moments

    def add(self, context):
        rates, _ = context.rates()
        kept.append(rates[:, 1:].T.copy())
        add_moments(self, context)

    monkeypatch.setattr(record.Record, "add_moments", add)


@pytest.fixture(scope="module")
def corpus():
    return small_corpus(TREE, 80, 30)


@pytest.fixture(scope="module")
def made(corpus):
    """Return a fit, and the rates of all its draws."""
    rates = []
    with pytest.MonkeyPatch.context() as patch:
        keep_draws(patch, rates)
        posterior = fit(corpus, SETTINGS)
    return posterior, np.array(rates)


def scores_of(rates, compare, weight=0.5):
    """Return the scores of the topic's words in every draw."""
    topics = compared_with_rows(compare)
    return {
        "frex": np.array([frex(r, compare=topics, weight=weight)[COLUMN] for r in rates]),
        "frequency": rates[:, COLUMN],
        "exclusivity": np.array([exclusivity(r, compare=topics)[COLUMN] for r in rates]),
    }


def compared_with_rows(compare):
    choice = compare.split(",") if "," in compare else compare
    nodes = [TREE.comparison_set(node, choice) for node in range(1, TREE.n_nodes)]
    return [[node - 1 for node in group] for group in nodes]


@pytest.mark.parametrize("compare", ["siblings", "t1.1,t2.1"])
@pytest.mark.parametrize("weight", [0, 0.3, 1])
def test_intervals_are_quantiles_of_the_draws(made, compare, weight):
    posterior, rates = made
    table = top_words(posterior, TOPIC, 30, compare=compare, weight=weight, level=0.8)
    words = [posterior.words.index(stem) for stem in table["stem"]]
    assert sorted(words) == list(range(30))
    for name, values in scores_of(rates, compare, weight).items():
        low, high = np.quantile(values[:, words], [0.1, 0.9], axis=0, method="weibull")
        np.testing.assert_allclose(table[f"{name}_low"], low, rtol=1e-6)
        np.testing.assert_allclose(table[f"{name}_high"], high, rtol=1e-6)


@pytest.mark.parametrize("by", MEASURES)
@pytest.mark.parametrize("n", [1, 4, 30, 50])
def test_chances_are_shares_of_the_draws(made, by, n):
    posterior, rates = made
    table = top_words(posterior, TOPIC, n, by=by)
    values = scores_of(rates, "siblings")[by].astype(np.float32)
    above = (values[:, None, :] > values[:, :, None]).sum(axis=2)
    words = [posterior.words.index(stem) for stem in table["stem"]]
    np.testing.assert_allclose(table["in_top"], (above < n).mean(axis=0)[words])


@pytest.mark.parametrize("by", MEASURES)
def test_words_are_ordered_by_scores_of_posterior_means_and_shown_with_medians(made, by):
    posterior, rates = made
    means = np.exp(np.log(rates).mean(axis=0))
    shares = np.mean([exclusivity(r, compare=compared_with_rows("siblings")) for r in rates], 0)
    expected = {
        "frex": frex_from(shares, means, weight=0.7),
        "frequency": means,
        "exclusivity": shares,
    }
    np.testing.assert_allclose(score(posterior, by=by, weight=0.7), expected[by])
    table = top_words(posterior, TOPIC, 5, by=by, weight=0.7)
    best = np.argsort(-expected[by][COLUMN], kind="stable")[:5]
    assert table["stem"].tolist() == [posterior.words[word] for word in best]
    drawn = scores_of(rates, "siblings", 0.7)
    for name in MEASURES:  # what is shown beside an interval is of the same draws
        np.testing.assert_allclose(table[name], np.median(drawn[name][:, best], 0), rtol=1e-6)


def test_a_word_that_is_not_followed_has_what_the_moments_say(corpus, monkeypatch):
    monkeypatch.setattr(scored_module, "N_CANDIDATES", 6)
    posterior = fit(corpus, SETTINGS)
    table = top_words(posterior, TOPIC, 30, level=0.5)
    words = np.array([posterior.words.index(stem) for stem in table["stem"]])
    followed = np.isin(words, posterior.scored["siblings"].words[COLUMN])
    assert followed.sum() == 6
    assert (table["frex_low"].isna() == ~followed).all()
    assert table["in_top"].isna().all()  # of 30 words, where 6 are followed
    assert (top_words(posterior, TOPIC, 6)["in_top"].notna()).any()
    log_mean, log_sd = (part[words, COLUMN + 1] for part in posterior.log_rates)
    low = norm(log_mean, log_sd).ppf(0.25)
    np.testing.assert_allclose(np.log(table["frequency_low"])[~followed], low[~followed])
    assert (table["exclusivity_low"] < table["exclusivity"])[~followed].all()
    assert (table["exclusivity"] < table["exclusivity_high"])[~followed].all()
    assert table["exclusivity_high"].max() < 1


@pytest.mark.parametrize("compare", ["all", 1, ["t1.2", "t2.1"]])
def test_another_comparison_set_has_points_from_typical_rates_and_no_intervals(made, compare):
    posterior, rates = made
    means = np.exp(np.log(rates).mean(axis=0))
    sets = [[n - 1 for n in TREE.comparison_set(node, compare)] for node in range(1, len(TREE) + 1)]
    expected = exclusivity(means, compare=sets)
    np.testing.assert_allclose(score(posterior, by="exclusivity", compare=compare), expected)
    table = top_words(posterior, TOPIC, 30, compare=compare)
    assert table[["frex_low", "exclusivity_high", "in_top"]].isna().all(axis=None)
    assert table["frequency_low"].notna().all()
    assert compared_with(posterior, COLUMN + 1, compare) == TREE.comparison_set(TOPIC, compare)


def test_a_set_that_the_fit_averaged_is_known_by_its_name(made):
    posterior, _ = made
    pair = (TREE.node("t1.1"), TREE.node("t2.1"))
    assert compared_with(posterior, COLUMN + 1, "t1.1,t2.1") == pair
    assert compared_with(posterior, COLUMN + 1) == TREE.comparison_set(TOPIC)
    by_name = top_words(posterior, TOPIC, compare="t1.1,t2.1")
    assert by_name.equals(top_words(posterior, TOPIC, compare=["t1.1", "t2.1"]))


def test_lift_and_relevance_order_words_too(made):
    posterior, rates = made
    means = np.exp(np.log(rates).mean(axis=0))
    np.testing.assert_allclose(score(posterior, by="lift"), lift(means))
    table = top_words(posterior, TOPIC, 3, by="lift")
    assert table["stem"][0] == posterior.words[np.argmax(lift(means)[COLUMN])]
    assert table["in_top"].isna().all()
    assert best_words(posterior, TOPIC, 2, by="relevance", weight=1).tolist() == np.argsort(
        -means[COLUMN]
    )[:2].tolist()  # fmt: skip


def test_words_are_shown_as_people_write_them(made):
    posterior, _ = made
    shown = replace(posterior, surface=tuple(word.upper() for word in posterior.words))
    table = top_words(shown, TOPIC, 3)
    assert table["word"].tolist() == [stem.upper() for stem in table["stem"]]
    assert top_words(posterior, TOPIC, 3)["word"].equals(table["stem"].rename("word"))


def test_a_fit_of_before_has_points_and_intervals_of_the_moments(made):
    posterior, _ = made
    table = top_words(replace(posterior, scored={}, typical=None), TOPIC)
    assert table["frex_low"].isna().all()
    assert table["exclusivity_low"].notna().all()


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_any_data_frame_library_serves(made, backend):
    table = top_words(made[0], TOPIC, 2, backend=backend)
    assert type(table).__module__.startswith(backend)
    names = getattr(table, "column_names", None) or list(table.columns)
    assert names == [
        "word", "stem",
        "frex", "frex_low", "frex_high",
        "frequency", "frequency_low", "frequency_high",
        "exclusivity", "exclusivity_low", "exclusivity_high",
        "in_top", "of",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("topic", "options", "complaint"),
    [
        ("t2.9", {}, "no topic 't2.9'.*Did you mean"),
        ("ROOT", {}, "the root is no topic"),
        (TOPIC, {"n": 0}, "n is 0"),
        (TOPIC, {"by": "beauty"}, "no order by 'beauty'.*frex, frequency"),
        (TOPIC, {"weight": 1.5}, r"the weight is 1\.5"),
        (TOPIC, {"level": 1}, "the level is 1"),
        (TOPIC, {"of": "leaves"}, "of is 'leaves'.*auto, topic, branch"),
        (TOPIC, {"compare": "cousins"}, "no comparison set 'cousins'"),
        (TOPIC, {"compare": ["t7"]}, "no topic 't7'"),
    ],
)
def test_what_cannot_be_is_told(made, topic, options, complaint):
    with pytest.raises(InputError, match=complaint):
        top_words(made[0], topic, **options)


def test_a_title_names_a_topic(made):
    posterior, _ = made
    titles = [f"Title {name}" for name in TREE.topics]
    parents = [None if p == 0 else TREE.names[p] for p in TREE.parents[1:]]
    named = replace(posterior, tree=TopicTree(TREE.topics, parents, titles))
    assert top_words(named, "title t2.1").equals(top_words(posterior, TOPIC))


def test_phrases_in_a_line_are_told_apart():
    assert in_line(["gold", "mine"]) == "gold mine"
    assert in_line(["gold", "central bank", "mine"]) == "gold, central bank, mine"


def test_the_end_of_an_interval_is_finite_however_wide_it_is():
    fit = make_map_fit()
    mean, sd = fit.moments["log_rates"]
    wide = replace(fit, moments={**fit.moments, "log_rates": Moment(mean, 1e6 + sd)}, scored={})
    listed = top_words(wide, "golf", 5)
    assert np.isfinite(listed["frequency_high"]).all()
