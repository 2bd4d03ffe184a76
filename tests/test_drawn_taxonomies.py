"""Any tree, any labels, any counts: a valid result, or an error that says what is wrong."""

import numpy as np
from bits import fit
from hypothesis import given, settings
from strategies import labelled_corpora

from frex.cli.description import show_corpus
from frex.corpus import membership_table
from frex.errors import InputError
from frex.posterior import diagnose, score
from frex.predict import Predictor, explain, predict
from frex.predict.documents import Documents
from frex.sampler.settings import Settings


def fit_or_refuse(corpus, **settings):
    """Return the fit, or None where the corpus is refused in a sentence."""
    try:
        posterior = fit(corpus, Settings(**settings))
    except InputError as error:
        assert len(str(error)) > 20
        return None
    return posterior


def check_fit(corpus, posterior):
    assert [name for name in corpus.tree.topics if name in posterior.tree] == list(
        posterior.tree.topics
    )
    for name, moment in (*posterior.moments.items(), *posterior.exclusivity.items()):
        assert np.isfinite(moment.mean).all(), name
    shares = posterior.membership_matrix()
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    ranked = score(posterior)
    assert ((ranked > 0) & (ranked <= 1)).all()
    assert str(diagnose(posterior))


def check_prediction(corpus, posterior):
    predictor = Predictor(posterior, threads=1)
    found = predict(predictor, None, Documents(corpus.ids, corpus.counts, None))
    assert np.isfinite(found.affinities).all()
    assert (np.diff(found.labels.indptr) > 0).tolist() == (corpus.lengths > 0).tolist()
    for row in range(len(corpus)):
        every = np.arange(predictor.tree.n_topics)
        for reasons in explain(predictor, corpus.counts[[row]], found.affinities[row], every):
            assert np.isfinite(reasons.gain)


@settings(deadline=None, max_examples=40)
@given(labelled_corpora())
def test_a_mode_is_found_and_predicts(corpus):
    posterior = fit_or_refuse(corpus, method="map", draws=20)
    if posterior is not None:
        check_fit(corpus, posterior)
        check_prediction(corpus, posterior)


@settings(deadline=None, max_examples=25)
@given(labelled_corpora())
def test_three_scans_are_drawn(corpus):
    posterior = fit_or_refuse(corpus, warmup=3, draws=3)
    if posterior is not None:
        check_fit(corpus, posterior)
        check_prediction(corpus, posterior)


@given(labelled_corpora())
def test_any_corpus_is_described(corpus):
    show_corpus(corpus, "corpus")
    rows = membership_table(corpus)
    assert len(rows) == corpus.n_topics + 1
    mixed = rows["mixed"].dropna()
    assert ((mixed >= 0) & (mixed <= 1)).all()


@given(labelled_corpora())
def test_without_its_empty_topics_a_corpus_says_the_same(corpus):
    smaller = corpus.without_empty_topics()
    documents = np.bincount(smaller.labels.indices, minlength=smaller.n_topics)
    assert (smaller.tree.sum_up(documents) > 0).all()
    for d in range(len(corpus)):
        assert smaller.labels_of(d) == corpus.labels_of(d)
    for name in smaller.tree.topics:
        parents = [t.names[t.parents[t.node(name)]] for t in (corpus.tree, smaller.tree)]
        assert parents[0] == parents[1]
