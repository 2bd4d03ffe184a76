"""The entry point of the sampler: a corpus and settings in, a posterior out.

It handles ranks, the device and compilation. The command line, the estimators and the experiments
all call it.
"""

from __future__ import annotations

import socket
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from frex.errors import InputError
from frex.model.contrasts import with_every_topic
from frex.posterior import Moment, Posterior
from frex.posterior.drifts import PRIOR
from frex.posterior.titles import titled_by_words
from frex.posterior.typical import typical_documents
from frex.sampler.checkpoint import locked_checkpoint
from frex.sampler.compiling import compile_beside
from frex.sampler.data import Share
from frex.sampler.engines import check_device, engine_for
from frex.sampler.known import prior_of
from frex.sampler.laplace import draw_about_mode, moments_about_mode
from frex.sampler.models import model_of
from frex.sampler.ranks.among import RankExchange
from frex.sampler.ranks.corpus import divide
from frex.sampler.ranks.exchange import started_ranks
from frex.sampler.record import Record
from frex.sampler.run import Run, in_phase
from frex.sampler.scan import Sampler
from frex.sampler.start import find_map, n_steps
from frex.sampler.threads import use_threads
from frex.storage import tidy
from frex.tree.comparisons import compare_fitted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from frex.corpus import Corpus
    from frex.model.known import KnownTopics
    from frex.sampler.arrays import Floats
    from frex.sampler.engines.verbs import Engine
    from frex.sampler.known import Prior
    from frex.sampler.moments import RunningMoments
    from frex.sampler.ranks.exchange import Ranks
    from frex.sampler.record import Outcome
    from frex.sampler.run import Status
    from frex.sampler.settings import Settings
    from frex.tree import TopicTree


def fit(corpus: Corpus, settings: Settings, **how: Any) -> Posterior:
    """Fit the model to a corpus.

    The first Ctrl-C, or SIGTERM, ends the run after the current scan, and the draws so far are
    returned. Under mpirun all ranks compute one fit together, and all of them return the posterior.

    Parameters
    ----------
    corpus
        A corpus with labels; with `settings.n_topics` the labels are ignored.
    settings
        Settings of the fit.
    how
        As for `fit_on_first`.

    Returns
    -------
    Posterior
        Moments and draws.

    Raises
    ------
    InputError
        If the corpus cannot be fitted with these settings.
    StoppedError
        If the run was stopped before its first draw.
    """
    with started_ranks() as ranks:
        found = fit_on_first(corpus, settings, ranks=ranks, **how)
        posterior = found if ranks is None else ranks.broadcast(found)
    assert posterior is not None
    return posterior


def fit_on_first(
    corpus: Corpus,
    settings: Settings,
    *,
    ranks: Ranks | None = None,
    threads: int = 0,
    say: Callable[[str], None] | None = None,
    progress: Callable[[Status], None] | None = None,
    checkpoint: Path | None = None,
    checkpoint_seconds: float = 60.0,
    resume: bool = False,
    overwrite: bool = False,
    near: Posterior | None = None,
    prior: Posterior | None = None,
    extra_topics: int = 0,
) -> Posterior | None:
    """Fit the model as `fit` does; with several ranks only the first returns the posterior.

    Parameters
    ----------
    corpus, settings
        As for `fit`. Each of several ranks reads its part of the counts, preferably from a folder.
    ranks
        The ranks, if several were started together.
    threads
        Number of threads; 0 for one per core, divided among the ranks of a machine. The result does
        not depend on the numbers of threads and ranks.
    say
        Called on the first rank with messages for the user before the fit begins.
    progress
        Called after every scan.
    checkpoint
        A folder in which the run is saved regularly, and at its end.
    checkpoint_seconds
        Seconds between two saves.
    resume
        Continue from the checkpoint. The number of draws may be larger than in the saved run.
    overwrite
        Start again although the checkpoint holds a run.
    near
        With method ``"map"``: a fit over the same words, and the same topics or more, from which
        the search for the mode starts.
    prior
        A fit whose topics are the first topics of the unlabelled documents; how far their rates
        drift is estimated.
    extra_topics
        Number of topics in addition to those of `prior`.
    """
    if resume and (checkpoint is None or settings.method == "map"):
        raise InputError(
            "there is no checkpoint to resume from",
            remedy="Name one; a fit with method='map' takes seconds, and makes none.",
        )
    given = None if prior is None else prior_of(prior, corpus, extra_topics)
    if given is not None:
        settings = given.of(settings)
    settings = _agreed(corpus, settings, ranks)
    first = ranks is None or ranks.first
    _find_device(settings, ranks, say if first else None)
    if first:
        compile_beside(settings)
    if given is None:
        corpus = model_of(settings).among(corpus, settings)
    else:
        corpus = with_every_topic(corpus, given.tree.n_topics, given.tree)
    taxonomy = corpus.tree
    corpus, settings = among_topics_with_documents(corpus, settings)
    engine = _engine(corpus, settings, ranks, None if given is None else given.known)
    check_exposures(corpus)
    progress = progress if first else None
    threads = threads if ranks is None else threads or ranks.threads()
    saves = first and settings.method != "map"
    with locked_checkpoint(checkpoint if saves else None, resume=resume), use_threads(threads):
        if settings.method == "map":
            outcome, known = _map(corpus, settings, engine, near, progress)
            complete = True
        else:
            run = Run(corpus, settings, engine, checkpoint, progress)
            if resume:
                run.resume()
            else:
                run.start(overwrite=overwrite)
            run.go(checkpoint_seconds)
            outcome, complete, known = run.record.outcome(), run.complete, {}
            del run
    del engine  # free the chains' memory before the posterior is assembled
    tidy()
    if not first:
        return None
    return posterior_of(
        corpus, settings, outcome, complete=complete, taxonomy=taxonomy, known=known, prior=given
    )


def _agreed(corpus: Corpus, settings: Settings, ranks: Ranks | None) -> Settings:
    """Return the first rank's settings, after checking that all agree, except on the seed."""
    if ranks is None:
        return settings
    shape = corpus.counts.shape, corpus.counts.nnz, corpus.labels.nnz
    every = ranks.gather((shape, replace(settings, seed=0)))
    if every is not None and any(one != every[0] for one in every):
        raise InputError(
            "the ranks ask for different fits",
            remedy="Give all of them the same corpus and settings, or run each without mpirun.",
        )
    return ranks.broadcast(settings)


def _find_device(
    settings: Settings, ranks: Ranks | None, say: Callable[[str], None] | None
) -> None:
    """Check the device; a rank uses one of its machine."""
    if ranks is None:
        check_device(settings)
        return
    check_device(settings, ranks.on_node(), f" on {socket.gethostname()}")
    if settings.device == "cuda":
        from frex.sampler.engines.cuda.tables import gpus_of  # noqa: PLC0415 - an extra

        n_gpus = len(set(gpus_of(ranks)))
        if say is not None and n_gpus < ranks.size:
            say(f"{ranks.size} ranks share {n_gpus} GPU{'s' if n_gpus > 1 else ''}.")


def _engine(
    corpus: Corpus, settings: Settings, ranks: Ranks | None, known: KnownTopics | None
) -> Engine:
    """Return the engine, with the corpus or a rank's part of it."""
    model = model_of(settings)
    if ranks is None:
        return engine_for(settings, model.reduce(corpus, known))
    part = divide(corpus, ranks, labelled=settings.n_topics is None, known=known)
    return engine_for(
        settings,
        part.reduced,
        Share(part.data, RankExchange(ranks, part.partitions), lambda: model.reduce(corpus, known)),
    )


def _map(
    corpus: Corpus,
    settings: Settings,
    engine: Engine,
    near: Posterior | None,
    progress: Callable[[Status], None] | None,
) -> tuple[Outcome, Mapping[str, Moment]]:
    """Fit the Gaussian about the mode: its moments, and draws of what has no closed form."""
    sampler = Sampler(engine, settings.prior_family)
    step = in_phase(progress, "start", n_steps(sampler.model))
    mode = find_map(sampler, seed=settings.seed, near=near, progress=step)
    known = moments_about_mode(sampler, mode)
    record = Record(corpus, settings, engine)
    record.add_warm_up(sampler.context(mode))
    step = in_phase(progress, "drawing", settings.fewest_draws)
    for state in draw_about_mode(sampler, mode, settings):
        record.add_shares(sampler.context(state))
        if step is not None:
            step(1)
    return record.outcome(with_draws=False), known


def among_topics_with_documents(corpus: Corpus, settings: Settings) -> tuple[Corpus, Settings]:
    """Remove the topics without documents at or below them from corpus and settings."""
    fitted = corpus.without_empty_topics()
    if fitted is corpus or fitted.tree is None or corpus.tree is None:
        return corpus, settings
    left_out = set(corpus.tree.topics) - set(fitted.tree.topics)
    compare = tuple(compare_fitted(choice, left_out) for choice in settings.compare)
    return fitted, replace(settings, compare=compare)


def check_exposures(corpus: Corpus) -> None:
    """Raise an error for words in documents of exposure 0: their rates would be unbounded."""
    lost = np.flatnonzero((corpus.exposures == 0) & (corpus.lengths > 0))
    if len(lost):
        more = f", and so have {len(lost) - 1:,} more" if len(lost) > 1 else ""
        raise InputError(
            f"document {corpus.ids[int(lost[0])]!r} has words and an exposure of 0{more}",
            remedy="Give every document that has words an exposure above 0.",
        )


def posterior_of(
    corpus: Corpus,
    settings: Settings,
    outcome: Outcome,
    *,
    complete: bool,
    taxonomy: TopicTree | None = None,
    known: Mapping[str, Moment] | None = None,
    prior: Prior | None = None,
) -> Posterior:
    """Assemble the posterior of a fit.

    Parameters
    ----------
    corpus, settings, outcome
        Restricted to the topics that were fitted.
    complete
        Whether the run reached its end.
    taxonomy
        The tree of all topics, if some have no documents.
    known
        Moments in closed form, without draws.
    prior
        The prior of the first topics from another fit.
    """
    assert corpus.tree is not None
    moments = dict(known or {})
    for name, running in outcome.whole.moments.items():
        if name not in moments:
            moments[name] = _moment(running)
    if prior is not None:
        own = prior.known.offsets[:, : 1 + prior.known.n_known]
        moments[PRIOR] = Moment(own, np.sqrt(prior.known.spreads))
    moments["memberships"], rows, columns = _all_memberships(corpus, moments["memberships"])
    traced = outcome.traced_active
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
        exclusivity={name: _moment(running) for name, running in outcome.whole.exclusivity.items()},
        draws=outcome.draws,
        stats=outcome.stats,
        traced_rates=outcome.traced_rates,
        traced_memberships=np.stack([rows[traced], columns[traced]], axis=1),
        complete=complete,
        scored={name: draws.to_scored() for name, draws in outcome.whole.scored.items()},
        typical=typical_documents(corpus, moments["log_rates"].mean, moments["memberships"].mean),
    )
    return posterior if settings.n_topics is None else titled_by_words(posterior, settings.n_known)


def _moment(running: RunningMoments) -> Moment:
    """Return mean and standard deviation in double precision."""
    return Moment(running.mean.astype(np.float64), running.sd)


def _exposures(corpus: Corpus, memberships: Floats) -> Floats:
    """Return ``E[k] = sum_d l_d theta[d,k]`` at the mean memberships, one for each label."""
    lengths = np.repeat(corpus.exposures, np.diff(corpus.labels.indptr))
    sums = np.bincount(corpus.labels.indices, lengths * memberships, corpus.n_topics)
    return np.asarray(sums, dtype=np.float64)


def _all_memberships(corpus: Corpus, active: Moment) -> tuple[Moment, Any, Any]:
    """Return moments of all labels, and rows and columns of the labels of multi-label documents.

    The label of a single-label document has a membership of 1.
    """
    n_labels = np.diff(corpus.labels.indptr)
    rows = np.repeat(np.arange(len(n_labels)), n_labels)
    several = n_labels[rows] > 1
    mean, sd = np.ones(len(rows)), np.zeros(len(rows))
    mean[several], sd[several] = active
    return Moment(mean, sd), rows[several], corpus.labels.indices[several]
