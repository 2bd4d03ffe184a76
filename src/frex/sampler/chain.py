"""A fit from start to end: the corpus reduced, the chains run, the posterior put together."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from frex.errors import InputError
from frex.model.contrasts import reduce_unlabelled, with_every_topic
from frex.model.reductions import reduce
from frex.posterior import Moment, Posterior
from frex.posterior.titles import titled_by_words
from frex.posterior.typical import typical_documents
from frex.sampler.checkpoint import kept_from_others
from frex.sampler.device import check_device, run_on
from frex.sampler.laplace import draw_about_mode, moments_about_mode
from frex.sampler.record import Record
from frex.sampler.run import in_phase
from frex.sampler.scan import Sampler
from frex.sampler.start import find_map, n_steps
from frex.sampler.threads import use_threads
from frex.storage import tidy
from frex.tree.comparisons import compare_fitted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from frex.corpus import Corpus
    from frex.model.reductions import Reduced
    from frex.sampler.moments import RunningMoments
    from frex.sampler.run import Status
    from frex.sampler.settings import Settings
    from frex.tree import TopicTree


def fit(
    corpus: Corpus,
    settings: Settings,
    *,
    threads: int = 0,
    progress: Callable[[Status], None] | None = None,
    checkpoint: Path | None = None,
    checkpoint_seconds: float = 60.0,
    resume: bool = False,
    overwrite: bool = False,
) -> Posterior:
    """Fit the model to a corpus.

    The first Ctrl-C, or SIGTERM, ends the run after the scan, and what was drawn until then is
    returned.

    Parameters
    ----------
    corpus
        A corpus with labels; with `settings.n_topics` they are not looked at.
    settings
        How.
    threads
        How many; 0 for one per core. The result does not depend on it.
    progress
        Called after every scan.
    checkpoint
        A folder in which the run is saved from time to time, and at its end.
    checkpoint_seconds
        How often.
    resume
        Go on from the checkpoint. More draws may be asked for than the saved run had.
    overwrite
        Start anew although the checkpoint holds a run.
    """
    if resume and (checkpoint is None or settings.method == "map"):
        raise InputError(
            "there is no checkpoint to resume from",
            remedy="Name one; a fit with method='map' takes seconds, and makes none.",
        )
    if settings.n_topics is not None:
        corpus = with_every_topic(corpus, settings.n_topics)
    taxonomy = corpus.tree
    corpus, settings = among_topics_with_documents(corpus, settings)
    reduce_it = reduce if settings.n_topics is None else reduce_unlabelled
    check_exposures(corpus)
    check_device(settings)
    if settings.method == "map":
        with use_threads(threads):
            return _fit_map(corpus, reduce_it(corpus), settings, taxonomy, progress)
    with kept_from_others(checkpoint, resume=resume), use_threads(threads):
        run = run_on(settings.device)(corpus, reduce_it(corpus), settings, checkpoint, progress)
        if resume:
            run.resume()
        else:
            run.start(overwrite=overwrite)
        run.go(checkpoint_seconds)
    record, complete = run.record, run.complete
    del run  # what the chains took is free before the posterior is put together
    tidy()
    return posterior_of(corpus, settings, record, complete=complete, taxonomy=taxonomy)


def among_topics_with_documents(corpus: Corpus, settings: Settings) -> tuple[Corpus, Settings]:
    """Leave topics out that have no documents, nor any below them, of corpus and settings."""
    fitted = corpus.without_empty_topics()
    if fitted is corpus or fitted.tree is None or corpus.tree is None:
        return corpus, settings
    left_out = set(corpus.tree.topics) - set(fitted.tree.topics)
    compare = tuple(compare_fitted(choice, left_out) for choice in settings.compare)
    return fitted, replace(settings, compare=compare)


def check_exposures(corpus: Corpus) -> None:
    """Refuse words where none could be: their rates would have no upper end but the prior's."""
    lost = np.flatnonzero((corpus.exposures == 0) & (corpus.lengths > 0))
    if len(lost):
        more = f", and so have {len(lost) - 1:,} more" if len(lost) > 1 else ""
        raise InputError(
            f"document {corpus.ids[int(lost[0])]!r} has words and an exposure of 0{more}",
            remedy="Give every document that has words an exposure above 0.",
        )


def _fit_map(
    corpus: Corpus,
    reduced: Reduced,
    settings: Settings,
    taxonomy: TopicTree | None,
    progress: Callable[[Status], None] | None,
) -> Posterior:
    """Take the Gaussian about the mode: its moments, and draws for what has no closed form."""
    sampler = Sampler(reduced, settings.prior_family, curvature="tree")
    mode = find_map(
        sampler, seed=settings.seed, progress=in_phase(progress, "start", n_steps(reduced))
    )
    record = Record(corpus, reduced, settings)
    record.foresee(mode.log_rates, sampler.exponentiated(mode)[0], sampler)
    step = in_phase(progress, "drawing", settings.fewest_draws)
    for state, rates in draw_about_mode(sampler, mode, settings):
        record.add_shares(state, rates, sampler)
        if step is not None:
            step(1)
    known = moments_about_mode(sampler, mode)
    return posterior_of(corpus, settings, record, complete=True, taxonomy=taxonomy, known=known)


def posterior_of(
    corpus: Corpus,
    settings: Settings,
    record: Record,
    *,
    complete: bool,
    taxonomy: TopicTree | None = None,
    known: Mapping[str, Moment] | None = None,
) -> Posterior:
    """Put together what a fit leaves.

    Parameters
    ----------
    corpus, settings, record
        Among the topics that were fitted.
    complete
        Whether the run reached its end.
    taxonomy
        All topics, where some have no documents.
    known
        Moments that are known without draws.
    """
    assert corpus.tree is not None
    moments = dict(known or {})
    for name, running in record.moments.items():
        if name not in moments:
            moments[name] = _moment(running)
    moments["memberships"], rows, columns = _all_memberships(corpus, moments["memberships"])
    traced = record.traced_active
    sampled = settings.method == "sample"
    posterior = Posterior(
        tree=corpus.tree,
        given_taxonomy=None if taxonomy is corpus.tree else taxonomy,
        words=corpus.words,
        surface=corpus.surface,
        analyzer=corpus.analyzer,
        ids=corpus.ids,
        details=corpus.details,
        labels=corpus.labels,
        mean_length=corpus.n_tokens / max(float(corpus.exposures.sum()), 1e-300),
        settings=settings.to_json(),
        moments=moments,
        exposures=_exposures(corpus, moments["memberships"].mean),
        exclusivity={name: _moment(running) for name, running in record.exclusivity.items()},
        draws=record.stacked(record.draws) if sampled else {},
        stats=record.stacked(record.stats) if sampled else {},
        traced_rates=record.traced_rates,
        traced_memberships=np.stack([rows[traced], columns[traced]], axis=1),
        complete=complete,
        scored={name: draws.to_scored() for name, draws in record.scored.items()},
        typical=typical_documents(corpus, moments["log_rates"].mean, moments["memberships"].mean),
    )
    return posterior if settings.n_topics is None else titled_by_words(posterior)


def _moment(running: RunningMoments) -> Moment:
    """Return mean and standard deviation in double precision, as all that is made of them."""
    return Moment(running.mean.astype(np.float64), running.sd)


def _exposures(corpus: Corpus, memberships: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ``E[k] = sum_d l_d theta[d,k]`` at the mean memberships, one for each label."""
    lengths = np.repeat(corpus.exposures, np.diff(corpus.labels.indptr))
    sums = np.bincount(corpus.labels.indices, lengths * memberships, corpus.n_topics)
    return np.asarray(sums, dtype=np.float64)


def _all_memberships(corpus: Corpus, active: Moment) -> tuple[Moment, Any, Any]:
    """Return moments over all labels, and rows and columns of those that are not alone.

    A document's only label has a membership of 1.
    """
    n_labels = np.diff(corpus.labels.indptr)
    rows = np.repeat(np.arange(len(n_labels)), n_labels)
    several = n_labels[rows] > 1
    mean, sd = np.ones(len(rows)), np.zeros(len(rows))
    mean[several], sd[several] = active
    return Moment(mean, sd), rows[several], corpus.labels.indices[several]
