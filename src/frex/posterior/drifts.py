"""How far topics have drifted from another fit that was their prior, and which words most.

`frex.model.known` has the model. A word's drift in a topic is measured relative to its drift in all
documents, which is the drift at the root.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtri

from frex.errors import InputError
from frex.model.known import drift_of_words
from frex.model.priors import DRIFT
from frex.posterior.intervals import quantiles

if TYPE_CHECKING:
    from frex.posterior.measures import Backend
    from frex.posterior.posterior import Posterior

PRIOR = "prior_log_rates"
"""Name of the moment with the prior: words x (1 + known topics), the root first."""

EVERYWHERE = "all documents"
"""Name of the root's drift."""


def topic_drifts(posterior: Posterior, *, level: float = 0.9, backend: Backend = "pandas") -> Any:
    """Return how far each known topic, and all documents together, have drifted.

    Parameters
    ----------
    posterior
        A fit whose prior was another fit.
    level
        Probability of the interval.
    backend
        The data frame library of the result.

    Returns
    -------
    DataFrame
        Columns `topic` (first ``"all documents"``), `title`, `sd`, `low`, `high`, `exposure`. `sd`
        is the posterior median of the standard deviation of a log rate's drift; `low` and `high`
        are the ends of its interval, NaN without draws. `exposure` is the amount of text about the
        topic, in documents of mean length.

    Raises
    ------
    InputError
        The fit had no other fit as its prior.

    Examples
    --------
    >>> from frex import PCM, read_corpus
    >>> from frex.posterior import topic_drifts
    >>> model = PCM(prior='FIT', extra_topics=1, method='map').fit(read_corpus('CORPUS'))
    >>> topic_drifts(model.posterior_)['topic'].tolist()
    ['all documents', 'trade', 'metal', 'grain', 'sport']
    """
    import narwhals as nw  # noqa: PLC0415 - keeps `import frex` quick

    _refuse_without_prior(posterior)
    shares = 0.5 * (1 - level), 0.5, 0.5 * (1 + level)
    if posterior.n_draws:
        root = np.asarray(posterior.draws["root_variance"])[..., None]
        drawn = np.concatenate([root, posterior.draws[DRIFT]], axis=2)
        low, middle, high = quantiles(np.sqrt(drawn.reshape(-1, drawn.shape[2])), shares)
    else:
        middle = np.sqrt(_variances(posterior))
        low = high = np.full_like(middle, np.nan)
    n_known, tree = posterior.n_known, posterior.tree
    columns = {
        "topic": [EVERYWHERE, *tree.topics[:n_known]],
        "title": [EVERYWHERE, *tree.titles[1 : 1 + n_known]],
        "sd": middle.tolist(),
        "low": low.tolist(),
        "high": high.tolist(),
        "exposure": [float(posterior.exposures.sum()), *posterior.exposures[:n_known].tolist()],
    }
    return nw.from_dict(columns, backend=backend).to_native()


def word_drifts(
    posterior: Posterior,
    topic: str | None = None,
    n: int = 10,
    *,
    level: float = 0.9,
    backend: Backend = "pandas",
) -> Any:
    """Return the words that have drifted most in a known topic.

    They are sorted by certainty: the words whose interval is farthest from no drift come first.

    Parameters
    ----------
    posterior
        A fit whose prior was another fit.
    topic
        A known topic; all documents by default.
    n
        Number of words.
    level
        Probability of the interval.
    backend
        The data frame library of the result.

    Returns
    -------
    DataFrame
        Columns `word`, `times` (ratio of the rate to that of the prior; in a topic, relative to the
        drift in all documents), `low`, `high`, `before` and `now` (typical rates), `known` (False
        for a word that is not in the prior, whose rate before is a guess).

    Raises
    ------
    InputError
        The fit had no other fit as its prior, or the topic is not in it.

    Examples
    --------
    >>> from frex import PCM, read_corpus
    >>> from frex.posterior import word_drifts
    >>> model = PCM(prior='FIT', extra_topics=1, method='map').fit(read_corpus('CORPUS'))
    >>> word_drifts(model.posterior_, 'sport', 3).shape
    (3, 7)
    """
    import narwhals as nw  # noqa: PLC0415 - keeps `import frex` quick

    columns = drift_columns(posterior, topic, n, level)
    return nw.from_dict(columns, backend=backend).to_native()


def drift_columns(
    posterior: Posterior, topic: str | None, n: int, level: float
) -> dict[str, list[Any]]:
    """Return the columns of `word_drifts`."""
    _refuse_without_prior(posterior)
    node = 0 if topic is None else posterior.find(topic)
    if node > posterior.n_known:
        name = posterior.tree.names[node]
        raise InputError(
            f"the topic {name!r} is one of the extra ones, which had no prior",
            remedy="Name a topic of the prior.",
        )
    before, spreads = _column(posterior, PRIOR, node)
    now, sd = _column(posterior, "log_rates", node)
    deviations, variances = now - before, sd**2
    if node:
        root, root_sd = _column(posterior, "log_rates", 0)
        deviations = deviations - (root - _column(posterior, PRIOR, 0)[0])
        variances = variances + root_sd**2
    else:
        deviations = deviations - posterior.hyperparameters.root_mean
    delta = _variances(posterior)[node]
    mean, variance = drift_of_words(deviations, variances, spreads**2, delta)
    reach = float(ndtri(0.5 * (1 + level))) * np.sqrt(variance)
    order = np.argsort(-(np.abs(mean) - reach), kind="stable")[:n]
    forms = posterior.words if posterior.surface is None else posterior.surface
    known = _column(posterior, PRIOR, 0)[1] == 0
    found = {
        "times": np.exp(mean),
        "low": np.exp(mean - reach),
        "high": np.exp(mean + reach),
        "before": np.exp(before),
        "now": np.exp(now),
    }
    return {
        "word": [forms[word] for word in order],
        **{name: values[order].tolist() for name, values in found.items()},
        "known": known[order].tolist(),
    }


def _column(posterior: Posterior, name: str, node: int) -> tuple[Any, Any]:
    """Return mean and standard deviation of a node's log rates, 0 without one."""
    mean, sd = posterior.moments[name]
    return np.asarray(mean[:, node]), np.nan_to_num(np.asarray(sd[:, node]))


def _variances(posterior: Posterior) -> Any:
    """Return the mean variance of the root's drift, and of each known topic's."""
    hyper = posterior.hyperparameters
    return np.append(hyper.root_variance, hyper.drift_variance)


def _refuse_without_prior(posterior: Posterior) -> None:
    if not posterior.n_known or PRIOR not in posterior.moments:
        raise InputError(
            "the fit had no other fit for its prior, so nothing is known of drifts",
            remedy="Fit with one: frex fit CORPUS --unsupervised --prior FIT --extra 10.",
        )
