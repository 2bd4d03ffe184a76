"""Small corpora with a state of the whole model, for tests of densities and of the sampler."""

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st
from scipy.special import logsumexp
from strategies import trees

from frex.corpus import Corpus
from frex.model.generate import simulate
from frex.model.joint import State, joint_log_density
from frex.model.priors import HalfNormal, Hyperparameters, Normal, WeakPriors
from frex.model.process import active_affinities, memberships
from frex.model.reductions import Reduced, reduce

# each far from 0 and from the others, so that a forgotten or exchanged one shows
PRIORS = WeakPriors(
    root_mean=Normal(0.4, 0.9),
    root_sd=HalfNormal(1.2),
    affinity_mean=Normal(-1.1, 0.8),
    affinity_sd=HalfNormal(1.7),
    log_dispersion_df=Normal(1.8, 0.5),
    log_dispersion_scale=Normal(-1.3, 0.6),
)


class Problem(NamedTuple):
    corpus: Corpus
    reduced: Reduced
    state: State

    @property
    def tree(self):
        return self.corpus.tree

    @property
    def labels(self):
        """D x K, dense."""
        return self.corpus.labels.toarray().astype(bool)

    @property
    def affinities(self):
        """Those of the active labels of documents with two or more labels, flat."""
        several = self.reduced.documents
        return self.state.affinities[several][self.labels[several]]

    @property
    def memberships(self):
        """The same entries of the memberships, flat."""
        several = self.reduced.documents
        return memberships(
            active_affinities(self.state.affinities[several], self.labels[several])
        ).data

    @property
    def rates(self):
        """V x K, of the topics."""
        return np.exp(self.state.log_rates[:, 1:])


def make_problem(tree, seed, n_documents=9, n_words=4, *, conditioned=False):
    """Simulate a corpus, and take its truth.

    It has documents of no, one and several labels; conditioned, each has one at least.
    """
    rng = np.random.default_rng(seed)
    hyper = Hyperparameters(
        root_mean=0.2,
        root_variance=0.6,
        affinity_mean=rng.normal(min(0.0, 2.5 - tree.n_topics), 0.7, tree.n_topics),
        affinity_variance=float(rng.uniform(0.5, 3)),
        dispersion_df=8.0,
        dispersion_scale=0.2,
    )
    corpus, truth = simulate(
        tree,
        n_documents,
        n_words,
        hyper=hyper,
        unlabelled="redraw" if conditioned else "keep",
        keep_affinities=True,
        seed=rng,
    )
    state = State(truth.log_rates, np.log(truth.dispersions), truth.all_affinities, hyper)
    return Problem(corpus, reduce(corpus, conditioned=conditioned), state)


def log_integrated(problem, state, block, entries, grid):
    """Log of the joint density with some entries of a block integrated out, by quadrature.

    The entries must be independent given the rest, which is asserted: then the integrals multiply.
    """
    values = getattr(state, block)

    def joint(changes):
        changed = values.copy()
        for entry, value in changes:
            changed[entry] = value
        return joint_log_density(
            state._replace(**{block: changed}),
            problem.corpus,
            PRIORS,
            conditioned=problem.reduced.conditioned,
        )

    start = total = joint([])
    far, alone = [(entry, grid[i % len(grid)]) for i, entry in enumerate(entries)], 0.0
    for change in far:
        alone += joint([change]) - start
    assert np.isclose(joint(far) - start, alone, rtol=1e-9, atol=1e-7)
    for entry in entries:
        along = [joint([(entry, value)]) - start for value in grid]
        total += logsumexp(along) + np.log(grid[1] - grid[0])
    return total


@st.composite
def problems(draw, max_topics=6, *, conditioned=None):
    """Draw problems over trees of any shape; conditioned or not, or some of each."""
    seed = draw(st.integers(0, 2**32 - 1))
    if conditioned is None:
        conditioned = draw(st.booleans())
    return make_problem(draw(trees(max_topics)), seed, conditioned=conditioned)
