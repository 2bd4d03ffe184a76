"""A run on disk: everything that the next scan depends on, so that a resumed run has the same bits.

Random numbers need no saving: they are a function of the scan's number.

A checkpoint is a folder of folders, one for each time the run was saved, named after the scan. A
new one is put beside the old, which goes only when the new one is whole: there is no moment in
which a kill, or a full disk, leaves nothing to resume from. Whichever is left, the resumed run has
the same bits. While a run goes on, a lock keeps others out.
"""

from __future__ import annotations

import hashlib
import json
import logging
import shutil
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from frex.errors import FolderError, FullDiskError, InputError
from frex.sampler.moments import RunningMoments
from frex.sampler.saved import (
    META,
    check_counters,
    hyper_in,
    kept_rules,
    moments_rules,
    same_arrays,
    scored_rules,
)
from frex.sampler.scored import ScoredDraws
from frex.storage import FolderReader, FolderWriter, forget
from frex.storage.locks import LockedError, lock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from frex.corpus import Corpus
    from frex.model.priors import Hyperparameters
    from frex.sampler.record import Record
    from frex.sampler.scan import Sampler
    from frex.sampler.settings import Settings
    from frex.sampler.state import State
    from frex.storage.rules import Rule

KIND, VERSION = "frex-checkpoint", 4

_LOG = logging.getLogger(__name__)
_BLOCK = 4096  # bytes; a disk gives a file whole ones


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
            forget(part)
    digest.update(np.ascontiguousarray(corpus.exposures).data)
    digest.update(corpus.tree.parents.data if corpus.tree is not None else b"")
    names = [list(corpus.words), [] if corpus.tree is None else list(corpus.tree.topics)]
    plain = settings.to_json()
    del plain["draws"]
    return {
        "corpus": digest.hexdigest(),
        "names": hashlib.blake2b(
            json.dumps(names, allow_nan=False).encode(), digest_size=16
        ).hexdigest(),
        "settings": plain,
    }


def saved_scans(path: Path) -> list[Path]:
    """Return the folders in which a run was saved, the latest first."""
    return sorted(path.glob("scan-*"), reverse=True) if path.is_dir() else []


@contextmanager
def kept_from_others(path: Path | None, *, resume: bool) -> Iterator[None]:
    """Make the folder, and refuse another run that would use it at the same time.

    A place that cannot be written thus shows before the run begins.
    """
    if path is None or (resume and not path.is_dir()):  # which is then told
        yield
        return
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"cannot make the folder: {error.strerror}", path=path, remedy="Choose another place."
        ) from error
    try:
        with lock(path / ".lock", make=True):
            yield
    except LockedError:
        raise InputError(
            "another fit is running there",
            path=path,
            remedy="Wait until it has ended, or choose another name for this one.",
        ) from None


def prepare_checkpoint(path: Path, *, overwrite: bool) -> None:
    """See to it that no run is replaced unasked."""
    if overwrite:
        _remove_scans(path)
    elif saved_scans(path):
        raise InputError(
            "holds a run that can be resumed",
            path=path,
            remedy="Go on with it: --resume, resume=True; or start anew: --overwrite, or remove "
            "the folder.",
        )


def write_checkpoint(
    path: Path, identity: dict[str, Any], scan: int, links: Sequence[Link], record: Record
) -> bool:
    """Save a run after some scans; then remove what was saved before, or half saved.

    Returns whether that was done. Where the disk is full, what was saved before is kept, and a
    message says how much is missing.
    """
    place = path / f"scan-{scan:09d}"
    try:
        with FolderWriter(place, kind=KIND, version=VERSION) as folder:
            folder.meta |= {"scan": scan, "identity": identity, "scored": list(record.scored)}
            for name, array in _arrays(links, record):
                folder.write_array(name, array)
            for chain, link in enumerate(links):
                folder.write_json(f"chain{chain}.hyper", _plain_hyper(link.state.hyper))
            for kind, kept in (("draw", record.draws), ("stat", record.stats)):
                folder.write_json(f"{kind}s", [list(values) for values in kept])
    except FullDiskError as error:
        arrays = (array for _, array in _arrays(links, record))
        needed = sum(_BLOCK * (array.nbytes // _BLOCK + 1) for array in arrays)
        missing = f", {needed - error.free:,} too few" if needed > error.free else ""
        _LOG.warning(
            "%s: the run cannot be saved: %s. It takes some %s bytes, and %s are free%s. What was "
            "saved before is kept, and the next save tries again.",
            path, error.reason, f"{needed:,}", f"{error.free:,}", missing,
        )  # fmt: skip
        return False
    _remove_scans(path, but=place)
    return True


def _arrays(links: Sequence[Link], record: Record) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield all arrays of a run, and the names of their files."""
    for chain, link in enumerate(links):
        for name, array in _chain_arrays(link):
            yield f"chain{chain}.{name}", array
    for file, moments, name in _moments(record):
        for part, array in moments[name].to_arrays().items():
            yield f"{file}.{part}", np.asarray(array)
    for number, scored in enumerate(record.scored.values()):
        for part, array in scored.to_arrays().items():
            yield f"scored.{number}.{part}", array
    for kind, kept in (("draw", record.draws), ("stat", record.stats)):
        for chain, values in enumerate(kept):
            for name, draws in values.items():
                yield f"chain{chain}.{kind}.{name}", np.array(draws)


def _remove_scans(path: Path, *, but: Path | None = None) -> None:
    for place in (*saved_scans(path), *path.glob(".scan-*")):
        if place != but:
            shutil.rmtree(place, ignore_errors=True)


def read_checkpoint(
    path: Path, identity: dict[str, Any], links: Sequence[Link], record: Record
) -> int:
    """Put a saved run into blocks, states and record; return the number of the next scan."""
    folder = _latest_whole(path, partial(_contents, path, identity, links, record))
    for chain, link in enumerate(links):
        for name, array in _chain_arrays(link):
            array[...] = folder.array(f"chain{chain}.{name}")
        link.state.hyper = hyper_in(folder, chain, link.state)
    for file, moments, name in _moments(record):
        parts = {part: folder.array(f"{file}.{part}") for part in ("count", "mean", "squares")}
        moments[name] = RunningMoments.from_arrays(parts)
    for number, name in enumerate(folder.meta["scored"]):
        check_counters(folder, number, record.n_sequences)
        parts = {part: folder.array(f"scored.{number}.{part}") for part in ScoredDraws.PARTS}
        record.scored[name] = ScoredDraws.from_arrays(parts, len(links))
    for kind, kept in (("draw", record.draws), ("stat", record.stats)):
        for chain, names in enumerate(folder.json(f"{kind}s", [[str]])):
            kept[chain] = {
                name: list(np.array(folder.array(f"chain{chain}.{kind}.{name}"))) for name in names
            }
    return int(folder.meta["scan"])


def _latest_whole(
    path: Path, contents: Callable[[FolderReader], Mapping[str, Rule]]
) -> FolderReader:
    """Open the latest folder that is whole; an older one, where there is one, serves as well."""
    first: FolderError | None = None
    for place in saved_scans(path):
        try:
            return FolderReader(
                place, kind=KIND, version=VERSION, oldest=VERSION, contents=contents
            )
        except FolderError as error:
            first = first or error
    raise first or InputError(
        "there is no checkpoint to resume from",
        path=path,
        remedy="Start the fit without resuming.",
    )


def _contents(
    path: Path,
    identity: dict[str, Any],
    links: Sequence[Link],
    record: Record,
    folder: FolderReader,
) -> dict[str, Rule]:
    """Return what the arrays of a run must be like, once it is known to be the same run."""
    folder.check_meta(META)
    _check_identity(folder.meta["identity"], identity, path)
    if folder.meta["scan"] < 0:
        raise folder.damaged("manifest.json", f"declares the scan {folder.meta['scan']}")
    state = links[0].state
    rules: dict[str, Rule] = {}
    for chain, link in enumerate(links):
        hyper_in(folder, chain, link.state)
        rules |= same_arrays(f"chain{chain}.", _chain_arrays(link))
    files = {
        file: name if moments is record.moments else "exclusivity"
        for file, moments, name in _moments(record)
    }
    rules |= dict(moments_rules(files, state))
    rules |= dict(scored_rules(folder, record, state))
    return rules | dict(kept_rules(folder, record, state))


def _check_identity(saved: dict[str, Any], identity: dict[str, Any], path: Path) -> None:
    if saved["corpus"] != identity["corpus"]:
        raise InputError(
            "the run that was saved is of another corpus",
            path=path,
            remedy="Give the same corpus, or start anew without resuming.",
        )
    if saved["names"] != identity["names"]:
        raise InputError(
            "the run that was saved is of a corpus with other words, or other names of topics",
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


def _chain_arrays(link: Link) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield all arrays of a chain by name; they are changed in place, never replaced."""
    sampler, state = link
    yield "log_rates", state.log_rates
    yield "dispersions", state.dispersions
    yield "affinities", state.affinities
    yield "memberships", state.memberships
    yield "rate_curvature", sampler.rates.curvature
    yield "affinity_curvature", sampler.affinities.curvature
    for name, array in sampler.affinity_interweaving.own._asdict().items():
        yield f"document_gaussians.{name}", array
    for name, array in sampler.dispersion_interweaving.own._asdict().items():
        if array is not sampler.rates.curvature:
            yield f"word_gaussians.{name}", array
    yield "dispersion_mass", sampler.dispersion_hyper.lower
    yield "affinity_mass", sampler.affinity_hyper.lower
    yield "affinity_interweaving_mass", sampler.affinity_interweaving.lower
    yield "dispersion_interweaving_mass", sampler.dispersion_interweaving.lower
    for name, step in sampler.steps.items():
        yield f"step.{name}", step.value
        yield f"step_sum.{name}", step.log_sum
        yield f"step_seen.{name}", step.seen


def _moments(record: Record) -> Iterator[tuple[str, dict[str, RunningMoments], str]]:
    """Yield each moment's file, and its dictionary and key.

    A comparison set has a name of the user's choice, so its file has a number instead.
    """
    for name in record.moments:
        yield f"moment.{name}", record.moments, name
    for number, name in enumerate(record.exclusivity):
        yield f"exclusivity.{number}", record.exclusivity, name


def _plain_hyper(hyper: Hyperparameters) -> dict[str, Any]:
    return hyper._asdict() | {"affinity_mean": hyper.affinity_mean.tolist()}
