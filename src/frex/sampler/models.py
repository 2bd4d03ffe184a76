"""HPC and PCM: reductions, blocks and their order, starting points, and alignment of chains.

The two models differ only in the documents. In HPC a document has the labels that editors gave it.
In PCM it has all topics and no labels, and topics have no names, so chains must be aligned.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from frex.model.contrasts import centred, reduce_unlabelled, with_every_topic
from frex.model.reductions import Reduced, reduce
from frex.sampler.blocks.affinities import Affinities
from frex.sampler.blocks.affinity_hyper import AffinityHyper
from frex.sampler.blocks.affinity_interweaving import AffinityInterweaving
from frex.sampler.blocks.affinity_scaling import AffinityScaling
from frex.sampler.blocks.coordinates import Contrasts, Topics
from frex.sampler.blocks.dispersion_hyper import DispersionHyper
from frex.sampler.blocks.dispersion_interweaving import DispersionInterweaving
from frex.sampler.blocks.dispersions import Dispersions
from frex.sampler.blocks.drifts import Drifts
from frex.sampler.blocks.rates import Rates
from frex.sampler.blocks.root import Root
from frex.sampler.blocks.root_drift import RootDrift
from frex.sampler.blocks.swaps import Swaps
from frex.sampler.topics import N_BATCHES, align, find_topics

if TYPE_CHECKING:
    from collections.abc import Callable

    from frex.corpus import Corpus
    from frex.model.known import KnownTopics
    from frex.model.priors import Priors
    from frex.sampler.arrays import Floats
    from frex.sampler.blocks.block import Block
    from frex.sampler.blocks.coordinates import Coordinates
    from frex.sampler.scan import Sampler
    from frex.sampler.settings import Settings
    from frex.sampler.state import State


@dataclass(frozen=True)
class Model:
    """The parts of the sampler that depend on the model.

    Attributes
    ----------
    among
        Returns the corpus with the labels that the model gives its documents.
    reduce
        Makes the exact reductions, with the prior of topics from another fit.
    coordinates
        Coordinates of eta.
    n_rounds
        Rounds of the search for the approximate mode.
    n_topic_steps
        Number of progress reports of the search for topics.
    find_topics
        Sets the topics of a rough state, if there are no labels.
    align
        Permutes a chain's topics into the order of another's.
    perturb
        Maps standard normals to the perturbation of a chain's starting eta.
    """

    among: Callable[[Corpus, Settings], Corpus]
    reduce: Callable[[Corpus, KnownTopics | None], Reduced]
    coordinates: Callable[[Reduced, Priors], Coordinates]
    n_rounds: int
    perturb: Callable[[Floats], Floats]
    find_topics: Callable[[Sampler, State, int, Callable[[int], None] | None], None] | None = None
    n_topic_steps: int = 0
    align: Callable[[Sampler, State, State], None] | None = None

    def blocks(self, sampler: Sampler, *, interweave: bool) -> list[Block]:
        """Return the blocks in the order of a scan.

        Each pair of hyperparameters is drawn twice: with the parameters below it integrated out,
        and, with `interweave`, together with these parameters.
        """
        words: Any = sampler.words
        documents, priors = sampler.documents, sampler.priors
        eta = sampler.coordinates, sampler.engine.exchange
        known, n_labels = sampler.known, int(sampler.engine.labels.label_starts[-1])
        found: list[Block | None] = [
            Rates(words),
            DispersionHyper(sampler.n_children, priors),
            Dispersions(),
            DispersionInterweaving(words, priors) if interweave else None,
            RootDrift(known, words, priors) if known is not None else None,
            Drifts(known.n_known, words, priors) if known is not None else None,
            Swaps() if sampler.coordinates.labelled else None,
            Affinities(documents, sampler.coordinates),
            AffinityHyper(*eta),
            AffinityInterweaving(documents, *eta) if interweave else None,
            AffinityScaling(n_labels, *eta)
            if interweave and sampler.coordinates.labelled
            else None,
            Root(priors) if known is None else None,
        ]
        return [block for block in found if block is not None]


HPC = Model(
    among=lambda corpus, _: corpus,
    reduce=lambda corpus, _: reduce(corpus),
    coordinates=Topics,
    n_rounds=12,
    perturb=lambda noise: noise,
)
"""Hierarchical Poisson Convolution: documents with labels from a tree."""

PCM = Model(
    among=lambda corpus, settings: with_every_topic(corpus, settings.n_topics or 0),
    reduce=reduce_unlabelled,
    coordinates=Contrasts,
    # If rates and memberships are both unknown, modes blur the topics, and blurred topics favour
    # smaller dispersions. On AP sigma2 falls round by round to 1.1, while the posterior has it at 4
    # or more, and a chain would need hundreds of scans to return. So the search stops early.
    n_rounds=2,
    perturb=centred,
    find_topics=find_topics,
    n_topic_steps=N_BATCHES,
    align=align,
)
"""Poisson Convolution: topics without labels, estimated from the words alone."""


def model_of(asked: Reduced | Settings) -> Model:
    """Return the model for a fit's settings, or for a reduced corpus."""
    if isinstance(asked, Reduced):
        return HPC if asked.labelled else PCM
    return HPC if asked.n_topics is None else PCM
