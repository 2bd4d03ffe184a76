"""Validation of a checkpoint's files: types and shapes must be those of the run that reads them.

Estimates may be infinite or NaN: a run that has overflowed can be resumed, and its diagnosis
reports the overflow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from frex.errors import InputError
from frex.model.priors import DRIFT, HYPERPARAMETERS, Hyperparameters
from frex.posterior import SCORED
from frex.sampler.scored import ScoredDraws
from frex.storage.rules import Numbers

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from frex.sampler.chain import Chain
    from frex.sampler.record import Record
    from frex.sampler.state import State
    from frex.storage import FolderReader
    from frex.storage.rules import Rule

META: dict[str, Any] = {
    "scan": int,
    "identity": {"corpus": str, "names": str, "settings": dict},
    "scored": [str],
}
_FLOATS = (np.float32, np.float64)
_HYPER: dict[str, Any] = dict.fromkeys(HYPERPARAMETERS, float) | {"affinity_mean": [float]}
_HYPER |= {f"{DRIFT}?": [float]}


def hyper_in(folder: FolderReader, chain: int, state: State) -> Hyperparameters:
    """Read the hyperparameters of a chain."""
    name = f"chain{chain}.hyper"
    try:
        values = folder.json(name, _HYPER)
        names = [*HYPERPARAMETERS, *([DRIFT] if len(state.hyper.drift_variance) else [])]
        saved = Hyperparameters(**{n: values[n] for n in names if n in values})
        return saved.checked(len(state.hyper.affinity_mean), len(state.hyper.drift_variance))
    except InputError as error:
        raise folder.damaged(f"{name}.json", error.message) from error


class Sizes(NamedTuple):
    """Sizes of the parts of a run."""

    log_rates: tuple[int, ...]
    dispersions: tuple[int, ...]
    memberships: tuple[int, ...]
    n_topics: int
    n_known: int

    @classmethod
    def of(cls, chain: Chain) -> Sizes:
        """Return the sizes of a chain."""
        shape = {name: chain.sampler.engine.shape(array) for name, array in chain.arrays()}
        return cls(
            shape["log_rates"],
            shape["dispersions"],
            shape["memberships"],
            len(chain.state.hyper.affinity_mean),
            len(chain.state.hyper.drift_variance),
        )


def learned_rules(prefix: str, chain: Chain) -> dict[str, Rule]:
    """Return the rules for a chain's arrays: only their types and shapes."""
    rules: dict[str, Rule] = {}
    for name, learned in chain.arrays():
        kind = np.dtype(learned.array.dtype)
        low = 0 if kind.kind == "i" else None  # integers are counts
        shape = chain.sampler.engine.shape(learned)
        rules[prefix + name] = Numbers((kind.type,), shape, low, finite=False)
    return rules


def moments_rules(files: Mapping[str, str], sizes: Sizes) -> Iterator[tuple[str, Rule]]:
    """Yield the rules for moments.

    Parameters
    ----------
    files
        For each file, the name of its moments, or ``"exclusivity"``.
    sizes
        Sizes of the run's arrays.
    """
    n_words, n_nodes = sizes.log_rates
    shapes = {
        "log_rates": sizes.log_rates,
        "log_dispersions": sizes.dispersions,
        "memberships": sizes.memberships,
        "exclusivity": (n_words, n_nodes - 1),
    }
    for file, name in files.items():
        yield f"{file}.count", Numbers((np.int64,), (), 0)
        yield f"{file}.mean", Numbers(_FLOATS, shapes[name], finite=False)
        yield f"{file}.squares", Numbers(_FLOATS, shapes[name], 0, finite=False)


def scored_rules(folder: FolderReader, record: Record, sizes: Sizes) -> Iterator[tuple[str, Rule]]:
    """Yield the rules for the draws of scores, if the scored words have been chosen."""
    n_words, n_topics = sizes.log_rates[0], sizes.n_topics
    if folder.meta["scored"] not in ([], list(record.sets)):
        raise folder.damaged("manifest.json", "names scores of other comparison sets")
    for number, _ in enumerate(folder.meta["scored"]):
        file = f"scored.{number}"
        n = folder.shape(f"{file}.words", 2)[1]
        n_kept = folder.shape(f"{file}.values", 5)[0]
        most = ScoredDraws.most_scans(record.n_sequences)
        if not 1 <= n <= n_words or n_kept > most:
            raise folder.damaged(f"{file}.values.npy", f"has {n:,} words, {n_kept:,} draws")
        shape = n_kept, record.n_sequences, len(SCORED), n_topics, n
        yield f"{file}.words", Numbers((np.int32,), (n_topics, n), 0, n_words - 1)
        yield f"{file}.counters", Numbers((np.int64,), (3,), 0)
        yield f"{file}.values", Numbers((np.float32,), shape, finite=False)


def check_counters(folder: FolderReader, number: int, n_chains: int) -> None:
    """Raise an error for impossible counters of scored draws."""
    name = f"scored.{number}.counters"
    stride, n_seen, n_kept = map(int, folder.array(name))
    n_scans = -(-n_seen // n_chains)
    kept = folder.array(f"scored.{number}.values").shape[0]
    if stride < 1 or n_kept != kept or n_kept != -(-n_scans // stride):
        raise folder.damaged(f"{name}.npy", f"cannot be: {stride}, {n_seen:,}, {n_kept:,}")


def kept_rules(folder: FolderReader, record: Record, sizes: Sizes) -> Iterator[tuple[str, Rule]]:
    """Yield the rules for each chain's draws and statistics."""
    shapes: dict[str, tuple[int, ...]] = dict.fromkeys(HYPERPARAMETERS, ()) | {
        "affinity_mean": (sizes.n_topics,),
        "log_rates": (len(record.traced_rates),),
        "memberships": (len(record.traced_active),),
    }
    if sizes.n_known:
        shapes[DRIFT] = (sizes.n_known,)
    for kind in ("draw", "stat"):
        chains = folder.json(f"{kind}s", [[str]])
        if len(chains) != len(record.draws):
            raise folder.damaged(f"{kind}s.json", f"is of {len(chains):,} chains")
        for chain, names in enumerate(chains):
            if kind == "draw" and names and set(names) != set(shapes):
                raise folder.damaged(f"{kind}s.json", "names not the draws that a run keeps")
            files = [f"chain{chain}.{kind}.{name}" for name in names]
            axes = 1 + len(shapes[names[0]] if kind == "draw" and names else ())
            n = folder.shape(files[0], axes)[0] if files else 0
            for name, file in zip(names, files, strict=True):
                shape = (n, *(shapes[name] if kind == "draw" else ()))
                yield file, Numbers((np.float64,), shape, finite=False)
