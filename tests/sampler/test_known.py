"""A fit as the prior of another: which topics, which words; the bits; what is found again."""

from dataclasses import replace

import numpy as np
import pytest
from bits import assert_same_bits, fit, small_corpus, stop_at
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from unlabelled import draw_known

from frex.corpus import Corpus
from frex.errors import InputError
from frex.model import branching_tree
from frex.model.known import deviation_squares, drift_gradient, drift_hessian
from frex.model.priors import HalfNormal, WeakPriors
from frex.posterior import diagnose, read_posterior, topic_drifts, word_drifts
from frex.posterior.drifts import EVERYWHERE
from frex.sampler.known import extra_names, prior_of
from frex.sampler.scan import Sampler
from frex.sampler.settings import Settings
from frex.tree import TopicTree

MAP = Settings(method="map", draws=4)
SHORT = Settings(warmup=8, draws=6, chains=2)


@pytest.fixture(scope="module")
def corpus():
    return small_corpus(branching_tree([2, 2]))


@pytest.fixture(scope="module")
def prior(corpus):
    return fit(corpus, MAP)


@pytest.fixture(scope="module")
def whole(corpus, prior):
    return fit(corpus, SHORT, prior=prior, extra_topics=2)


def with_words(corpus, words):
    return replace(corpus, words=tuple(words), surface=None)


def test_known_topics_keep_names_and_places_and_extra_ones_follow(prior, whole):
    known = whole.n_known
    assert whole.tree.topics[:known] == prior.tree.topics
    assert whole.tree.topics[known:] == ("extra 1", "extra 2")
    assert whole.tree.titles[1 : 1 + known] == prior.tree.titles[1:]
    assert len(set(whole.tree.titles[-2:]) & {"extra 1", "extra 2"}) == 0  # they have words
    assert whole.draws["drift_variance"].shape == (2, 6, known)
    assert set(whole.tree.parents[1:]) == {0}


def test_all_is_finite_and_judged(whole, tmp_path):
    for moment in whole.moments.values():
        assert np.isfinite(moment.mean).all()
    text = str(diagnose(whole))
    assert "drift_variance" in text
    assert "root drift" in text
    whole.write(tmp_path / "fit")
    assert_same_bits(read_posterior(tmp_path / "fit"), whole)
    assert len(whole.summary()) == 5 + whole.tree.n_topics + whole.n_known


def test_threads_and_a_stop_change_no_bit(corpus, prior, whole, tmp_path):
    how = {"prior": prior, "extra_topics": 2}
    assert_same_bits(fit(corpus, SHORT, **(how | {"threads": 2})), whole)
    place = tmp_path / "run"
    fit(corpus, SHORT, checkpoint=place, progress=stop_at(11), **how)
    assert_same_bits(fit(corpus, SHORT, checkpoint=place, resume=True, **how), whole)


def test_a_run_goes_on_with_its_own_prior_alone(corpus, prior, tmp_path):
    place = tmp_path / "run"
    fit(corpus, replace(SHORT, draws=1), checkpoint=place, prior=prior, extra_topics=1)
    other = fit(small_corpus(branching_tree([2, 2]), seed=4), MAP)
    with pytest.raises(InputError, match="prior = "):
        fit(corpus, SHORT, checkpoint=place, resume=True, prior=other, extra_topics=1)


def test_the_dense_curvature_is_of_the_same_posterior(corpus, prior):
    made = fit(corpus, replace(SHORT, curvature="dense"), prior=prior, extra_topics=1)
    assert np.isfinite(made.log_rates.mean).all()
    assert made.stats["acceptance_rates"].mean() > 0.5


def test_topics_without_documents_of_their_own_are_left_out():
    counts = np.random.default_rng(1).poisson(1.0, (30, 12))
    tree = TopicTree(["in", "a", "b", "none"], [None, "in", "in", None])
    labels = [["a"] if d % 2 else ["b"] for d in range(30)]
    made = Corpus.from_matrices(counts, labels, tree=tree, ancestors="keep")
    prior = fit(made, MAP)
    assert "in" in prior.tree
    found = prior_of(prior, made, 3)
    assert found.tree.topics == ("a", "b", "extra 1", "extra 2", "extra 3")


def test_words_are_matched_by_name(corpus, prior):
    turned = with_words(corpus, [*corpus.words[:5], *(f"new {f}" for f in range(20))])
    known = prior_of(prior, turned, 1).known
    assert (known.spreads[:5, 0] == 0).all()
    assert (known.spreads[5:, 0] > 0).all()
    made = fit(turned, MAP, prior=prior, extra_topics=1)
    rows = word_drifts(made, made.tree.topics[0], 25)
    assert sorted(rows["known"].tolist()) == [False] * 20 + [True] * 5
    strangers = with_words(corpus, [f"new {f}" for f in range(25)])
    with pytest.raises(InputError, match="no word in common"):
        fit(strangers, MAP, prior=prior, extra_topics=1)


def test_longer_documents_have_higher_rates_and_no_drift(corpus, prior):
    doubled = replace(corpus, counts=2 * corpus.counts)
    once, twice = (prior_of(prior, one, 1).known.offsets for one in (corpus, doubled))
    np.testing.assert_allclose(twice - once, np.log(2))


def test_names_that_are_taken():
    assert extra_names(3, ["extra 2", "a"]) == ["extra 1", "extra 3", "extra 4"]


def test_a_fit_with_a_prior_is_a_prior(corpus, whole):
    again = fit(corpus, MAP, prior=whole, extra_topics=1)
    assert again.tree.topics == (*whole.tree.topics, "extra 3")


@pytest.mark.parametrize(
    ("how", "wrong"),
    [
        ({"extra_topics": -1}, "-1 extra topics"),
        ({"settings": replace(MAP, priors="paper"), "extra_topics": 1}, "paper's priors have none"),
    ],
)
def test_what_is_refused(corpus, prior, how, wrong):
    how = {"settings": MAP} | how
    with pytest.raises(InputError, match=wrong):
        fit(corpus, how.pop("settings"), prior=prior, **how)


def test_one_topic_is_not_enough():
    tree = TopicTree(["a"], [None])
    counts = np.random.default_rng(1).poisson(1.0, (12, 8))
    made = Corpus.from_matrices(counts, [["a"]] * 12, tree=tree)
    with pytest.raises(InputError, match="two to be about"):
        prior_of(fit(made, MAP), made, 0)


def test_the_sums_of_drifts_are_the_models():
    reduced, state = draw_known(np.random.default_rng(2), 6, 40)
    sampler = Sampler(reduced, WeakPriors())
    known, z = reduced.known, np.log([0.4, 0.6])
    sums = sampler.words.drift_sums(state, np.exp(2 * z))
    squares = deviation_squares(known, state.log_rates, state.hyper.root_mean)[:, 1:]
    prior, spreads = HalfNormal(1.0), known.spreads[:, 1:]
    slopes = drift_gradient(z, squares, spreads, prior) - prior.gradient_of_log(z)
    bends = drift_hessian(z, squares, spreads, prior) - prior.second_derivative_of_log(z)
    np.testing.assert_allclose(sums[:, 1], slopes)
    np.testing.assert_allclose(sums[:, 2], bends)


def test_what_topics_say_of_the_root():
    reduced, state = draw_known(np.random.default_rng(2), 6, 40)
    sampler, known = Sampler(reduced, WeakPriors()), reduced.known
    variances = np.repeat(state.dispersions, 4, axis=1)
    variances[:, :2] = known.spreads[:, 1:] + state.hyper.drift_variance
    mean = (state.log_rates[:, 1:] / variances).sum(axis=1) / (1 / variances).sum(axis=1)
    found = sampler.words.about_root(state)
    np.testing.assert_allclose(found[0], mean)
    np.testing.assert_allclose(found[1], 1 / (1 / variances).sum(axis=1))


@given(st.data())
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_taxonomy_is_a_prior(data):
    """Chains of only children, topics of one document or none, one label or many, few words."""
    n_topics, n_words = data.draw(st.integers(1, 8)), data.draw(st.integers(2, 9))
    parents = [data.draw(st.sampled_from([None, *range(k)])) for k in range(n_topics)]
    names = [f"t {k}|é" for k in range(n_topics)]
    tree = TopicTree(names, [None if p is None else names[p] for p in parents])
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    n_documents = data.draw(st.integers(2, 10))
    used = [
        data.draw(st.lists(st.sampled_from(names), min_size=1, unique=True))
        for _ in range(n_documents)
    ]
    counts = rng.poisson(0.7, (n_documents, n_words))
    counts[:, 0] += 1
    corpus = Corpus.from_matrices(counts, used, tree=tree, ancestors="keep")
    prior = fit(corpus, MAP)
    n_extra = data.draw(st.integers(0, 3))
    with_documents = {name for labels in used for name in labels}
    if len(with_documents) + n_extra < 2:
        return
    new = Corpus.from_matrices(
        rng.poisson(0.7, (n_documents, n_words + 2)) + 1,
        words=[*corpus.words[1:], "x", "y", "z"],
    )
    method = data.draw(st.sampled_from([MAP, replace(SHORT, warmup=3, draws=2, chains=2)]))
    made = fit(new, method, prior=prior, extra_topics=n_extra)
    assert set(made.tree.topics[: made.n_known]) == with_documents
    for moment in made.moments.values():
        assert np.isfinite(moment.mean).all()
    assert len(topic_drifts(made)) == 1 + made.n_known
    assert np.isfinite(word_drifts(made)["times"]).all()


@pytest.fixture(scope="module")
def drifted():
    """Simulated: eight topics, six of them known; two drift, and two words of all documents."""
    rng = np.random.default_rng(7)
    n_words, n_topics, n_documents = 300, 8, 800
    root = rng.normal(-1.5, 1.0, n_words)
    old = root[:, None] + rng.normal(0, 1.0, (n_words, n_topics))
    new = old.copy()
    new[:, 2] += rng.normal(0, 0.8, n_words)
    new[:, 4] += rng.normal(0, 0.3, n_words)
    new[[3, 5]] += 2.0
    names = [f"t{k}" for k in range(n_topics)]
    tree = TopicTree(names, [None] * n_topics)

    def documents(rates, labels):
        return rng.poisson(np.array([np.exp(rates[:, own]).mean(axis=1) for own in labels]))

    filed = [[d % 6] for d in range(n_documents)]
    labelled = Corpus.from_matrices(
        documents(old, filed), [[names[k] for k in own] for own in filed], tree=tree
    )
    mixed = [rng.choice(n_topics, 2, replace=False) for _ in range(n_documents)]
    unlabelled = Corpus.from_matrices(documents(new, mixed))
    prior = fit(labelled, Settings(method="map"))
    how = Settings(warmup=120, draws=120, chains=1)
    return new, fit(unlabelled, how, prior=prior, extra_topics=2)


def test_new_topics_are_found_among_the_extra_ones(drifted):
    new, made = drifted
    alike = np.corrcoef(new[:, 6:].T, made.log_rates.mean[:, 1:].T)[:2, 2:]
    assert set(alike.argmax(axis=1)) == {6, 7}
    assert alike.max(axis=1).min() > 0.9


def test_drift_that_was_put_in_is_found(drifted):
    new, made = drifted
    table = topic_drifts(made)
    assert table["topic"].tolist() == [EVERYWHERE, *(f"t{k}" for k in range(6))]
    low, high = table["low"].to_numpy()[1:], table["high"].to_numpy()[1:]
    for topic, put_in in ((2, 0.8), (4, 0.3)):
        assert low[topic] - 0.05 < put_in < high[topic] + 0.05
    assert high[[0, 1, 3, 5]].max() < low[4]
    assert word_drifts(made, n=2)["word"].tolist() in (
        [made.words[3], made.words[5]],
        [made.words[5], made.words[3]],
    )
    rows = word_drifts(made, "t2", 40, level=0.9)
    before = made.moments["prior_log_rates"].mean
    place = {word: f for f, word in enumerate(made.words)}
    now = np.array([place[word] for word in rows["word"]])
    truth = np.exp(new[now, 2] - before[now, 3])  # but for the level, which is near 0
    inside = (rows["low"] < truth) & (truth < rows["high"])
    assert inside.mean() > 0.7


def test_what_a_fit_without_a_prior_and_an_extra_topic_say(prior, whole):
    with pytest.raises(InputError, match="no other fit for its prior"):
        topic_drifts(prior)
    with pytest.raises(InputError, match="'extra 1' is one of the extra ones"):
        word_drifts(whole, "extra 1")
