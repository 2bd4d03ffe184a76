"""A run on disk: everything that the next scan depends on, so that a resumed run has the same bits.

Random numbers need no saving: they are a function of the scan's number.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from frex.errors import InputError
from frex.model.priors import Hyperparameters
from frex.sampler.moments import RunningMoments
from frex.storage import FolderReader, FolderWriter

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from frex.corpus import Corpus
    from frex.sampler.record import Record
    from frex.sampler.scan import Sampler
    from frex.sampler.settings import Settings
    from frex.sampler.state import State

KIND, VERSION = "frex-checkpoint", 1


class Link(NamedTuple):
    """A chain as it runs: its blocks, which learn, and its state."""

    sampler: Sampler
    state: State


def fingerprint(corpus: Corpus, settings: Settings) -> dict[str, Any]:
    """Return what must agree for a run to be resumed; more draws may be asked for."""
    digest = hashlib.blake2b(digest_size=16)
    for matrix in (corpus.counts, corpus.labels):
        for part in (matrix.indptr, matrix.indices, matrix.data):
            digest.update(np.ascontiguousarray(part).data)
    digest.update(np.ascontiguousarray(corpus.exposures).data)
    digest.update(corpus.tree.parents.data if corpus.tree is not None else b"")
    plain = settings.to_json()
    del plain["draws"]
    return {"corpus": digest.hexdigest(), "settings": plain}


def write_checkpoint(
    path: Path, identity: dict[str, Any], scan: int, links: Sequence[Link], record: Record
) -> None:
    """Save a run after some scans, in place of what was saved before."""
    with FolderWriter(path, kind=KIND, version=VERSION, overwrite=True) as folder:
        folder.meta |= {"scan": scan, "identity": identity}
        for chain, link in enumerate(links):
            for name, array in _chain_arrays(link):
                folder.write_array(f"chain{chain}.{name}", array)
            folder.write_json(f"chain{chain}.hyper", _plain_hyper(link.state.hyper))
        for kind, moments in (("moment", record.moments), ("exclusivity", record.exclusivity)):
            for name, running in moments.items():
                for part, array in running.to_arrays().items():
                    folder.write_array(f"{kind}.{name}.{part}", np.asarray(array))
        for kind, kept in (("draw", record.draws), ("stat", record.stats)):
            for chain, values in enumerate(kept):
                for name, draws in values.items():
                    folder.write_array(f"chain{chain}.{kind}.{name}", np.array(draws))
            folder.write_json(f"{kind}s", [list(values) for values in kept])


def read_checkpoint(
    path: Path, identity: dict[str, Any], links: Sequence[Link], record: Record
) -> int:
    """Put a saved run into blocks, states and record; return the number of the next scan."""
    folder = FolderReader(path, kind=KIND, version=VERSION)
    saved = folder.meta["identity"]
    if saved["corpus"] != identity["corpus"]:
        raise InputError(
            "the run that was saved is of another corpus",
            path=path,
            remedy="Give the same corpus, or start anew without resuming.",
        )
    for name, value in identity["settings"].items():
        if saved["settings"].get(name) != value:
            raise InputError(
                f"the run that was saved had {name} = {saved['settings'].get(name)}, not {value}",
                path=path,
                remedy="Resume with the same settings (only draws may grow), or start anew.",
            )
    for chain, link in enumerate(links):
        for name, array in _chain_arrays(link):
            array[...] = folder.array(f"chain{chain}.{name}")
        hyper = folder.json(f"chain{chain}.hyper")
        hyper["affinity_mean"] = np.array(hyper["affinity_mean"], dtype=np.float64)
        link.state.hyper = Hyperparameters(**hyper)
    for kind, moments in (("moment", record.moments), ("exclusivity", record.exclusivity)):
        for name in moments:
            parts = {
                part: folder.array(f"{kind}.{name}.{part}") for part in ("count", "mean", "squares")
            }
            moments[name] = RunningMoments.from_arrays(parts)
    for kind, kept in (("draw", record.draws), ("stat", record.stats)):
        for chain, names in enumerate(folder.json(f"{kind}s")):
            kept[chain] = {
                name: list(np.array(folder.array(f"chain{chain}.{kind}.{name}"))) for name in names
            }
    return int(folder.meta["scan"])


def _chain_arrays(link: Link) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield all arrays of a chain by name; they are changed in place, never replaced."""
    sampler, state = link
    yield "log_rates", state.log_rates
    yield "dispersions", state.dispersions
    yield "affinities", state.affinities
    yield "memberships", state.memberships
    yield "rate_curvature", sampler.rates.curvature
    yield "affinity_curvature", sampler.affinities.curvature
    yield "weak", sampler.dispersion_interweaving.weak
    yield "dispersion_mass", sampler.dispersion_hyper.lower
    yield "affinity_mass", sampler.affinity_hyper.lower
    yield "affinity_interweaving_mass", sampler.affinity_interweaving.lower
    yield "dispersion_interweaving_mass", sampler.dispersion_interweaving.lower
    for name, step in sampler.steps.items():
        yield f"step.{name}", step.value
        yield f"step_sum.{name}", step.log_sum
        yield f"step_seen.{name}", step.seen


def _plain_hyper(hyper: Hyperparameters) -> dict[str, Any]:
    return hyper._asdict() | {"affinity_mean": hyper.affinity_mean.tolist()}
