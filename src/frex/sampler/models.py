"""HPC and PCM: which reduction, which blocks and in which order, where to start, how to align.

Both are one model but for the documents. In HPC a document has the labels that editors gave it; in
PCM it has all topics and no labels, and topics have no names by which chains would agree.
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
    """What the sampler asks of a model.

    Attributes
    ----------
    among
        Returns the corpus with the labels that the model gives its documents.
    reduce
        The exact reductions, with what a fit knows of the topics.
    coordinates
        Where eta moves.
    n_rounds
        Rounds of the search for the middle of the posterior.
    n_topic_steps
        How often the search for topics reports its progress.
    find_topics
        Puts topics into a rough state, where no label names them.
    align
        Brings a chain's topics into the order of another's.
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

        Each pair of hyperparameters is drawn twice: with what it governs integrated out, and, where
        `interweave`, with what it governs moving along.
        """
        words: Any = sampler.words
        documents, priors = sampler.documents, sampler.priors
        eta = sampler.coordinates, sampler.engine.exchange
        known = sampler.known
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
            AffinityScaling(*eta) if interweave and sampler.coordinates.labelled else None,
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
    # Where rates and memberships are both unknown, modes blur the topics, and blurred topics ask
    # for smaller dispersions: round by round sigma2 falls to 1.1 on AP, and the posterior has it at
    # 4 or more. A chain comes up from there by hundreds of scans; so it leaves early.
    n_rounds=2,
    perturb=centred,
    find_topics=find_topics,
    n_topic_steps=N_BATCHES,
    align=align,
)
"""Poisson Convolution: topics that are found in the words."""


def model_of(asked: Reduced | Settings) -> Model:
    """Return the model of a fit's settings, or of a corpus that was reduced for it."""
    if isinstance(asked, Reduced):
        return HPC if asked.labelled else PCM
    return HPC if asked.n_topics is None else PCM
