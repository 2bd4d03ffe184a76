"""A run on disk: everything that the next scan depends on, so that a resumed run has the same bits.

Random numbers are a function of the scan's number, so they are not saved.

A checkpoint is a folder with one subfolder for each time the run was saved, named after the scan. A
new subfolder is written beside the old one, which is removed only when the new one is complete. So
neither a kill nor a full disk can leave nothing to resume from. The resumed run has the same bits
whichever subfolder is left. A lock excludes other runs while a run is in progress.
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
from frex.sampler.record import WholeRecord
from frex.sampler.saved import (
    META,
    Sizes,
    check_counters,
    hyper_in,
    kept_rules,
    learned_rules,
    moments_rules,
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
    from frex.sampler.chain import Chain
    from frex.sampler.record import Record
    from frex.sampler.settings import Settings
    from frex.storage.rules import Rule

KIND, VERSION = "frex-checkpoint", 6

_LOG = logging.getLogger(__name__)
_BLOCK = 4096  # bytes; a file occupies whole blocks


def fingerprint(corpus: Corpus, settings: Settings) -> dict[str, Any]:
    """Return what must be equal for a run to be resumed; only the draws may increase."""
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
    """Return the subfolders in which a run was saved, the latest first."""
    return sorted(path.glob("scan-*"), reverse=True) if path.is_dir() else []


@contextmanager
def locked_checkpoint(path: Path | None, *, resume: bool) -> Iterator[None]:
    """Make and lock the folder; raise an error if another run uses it.

    A folder that is not writable is thus reported before the run begins.
    """
    if path is None or (resume and not path.is_dir()):  # an error says so later
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
    """Raise an error if the folder holds a run that may not be overwritten."""
    if overwrite:
        _remove_scans(path)
    elif saved_scans(path):
        raise InputError(
            "holds a run that can be resumed",
            path=path,
            remedy="Go on with it: --resume, resume=True; or start anew: --overwrite, or remove "
            "the folder.",
        )


class Saved(NamedTuple):
    """What a run saves: complete arrays on the host."""

    scan: int
    chains: list[dict[str, NDArray[Any]]]  #: states and what blocks have learned
    hyper: list[Hyperparameters]
    whole: WholeRecord
    draws: list[dict[str, list[Any]]]
    stats: list[dict[str, list[float]]]

    def arrays(self) -> Iterator[tuple[str, NDArray[Any]]]:
        """Yield all arrays, and the names of their files."""
        for chain, arrays in enumerate(self.chains):
            for name, array in arrays.items():
                yield f"chain{chain}.{name}", array
        for file, moments in moment_files(self.whole).items():
            for part, array in moments.to_arrays().items():
                yield f"{file}.{part}", np.asarray(array)
        for number, scored in enumerate(self.whole.scored.values()):
            for part, array in scored.to_arrays().items():
                yield f"scored.{number}.{part}", array
        for kind, kept in (("draw", self.draws), ("stat", self.stats)):
            for chain, values in enumerate(kept):
                for name, draws in values.items():
                    yield f"chain{chain}.{kind}.{name}", np.array(draws)


def moment_files(whole: WholeRecord) -> dict[str, RunningMoments]:
    """Return moments by file name; a comparison set has a user's name, so its file has a number."""
    files = {f"moment.{name}": moments for name, moments in whole.moments.items()}
    sets = enumerate(whole.exclusivity.values())
    return files | {f"exclusivity.{number}": moments for number, moments in sets}


def write_checkpoint(path: Path, identity: dict[str, Any], saved: Saved) -> bool:
    """Save a run; then remove earlier and incomplete saves.

    Returns whether the run was saved. If the disk is full, the earlier save is kept, and a warning
    says how much space is missing.
    """
    place = path / f"scan-{saved.scan:09d}"
    scored = list(saved.whole.scored)
    try:
        with FolderWriter(place, kind=KIND, version=VERSION) as folder:
            folder.meta |= {"scan": saved.scan, "identity": identity, "scored": scored}
            for name, array in saved.arrays():
                folder.write_array(name, array)
            for chain, hyper in enumerate(saved.hyper):
                folder.write_json(f"chain{chain}.hyper", _plain_hyper(hyper))
            for kind, kept in (("draw", saved.draws), ("stat", saved.stats)):
                folder.write_json(f"{kind}s", [list(values) for values in kept])
    except FullDiskError as error:
        needed = sum(_BLOCK * (array.nbytes // _BLOCK + 1) for _, array in saved.arrays())
        missing = f", {needed - error.free:,} too few" if needed > error.free else ""
        _LOG.warning(
            "%s: the run cannot be saved: %s. It takes some %s bytes, and %s are free%s. What was "
            "saved before is kept, and the next save tries again.",
            path, error.reason, f"{needed:,}", f"{error.free:,}", missing,
        )  # fmt: skip
        return False
    _remove_scans(path, but=place)
    return True


def _remove_scans(path: Path, *, but: Path | None = None) -> None:
    for place in (*saved_scans(path), *path.glob(".scan-*")):
        if place != but:
            shutil.rmtree(place, ignore_errors=True)


def read_checkpoint(
    path: Path, identity: dict[str, Any], chains: Sequence[Chain], record: Record
) -> int:
    """Restore chains and record from a saved run; return the number of the next scan."""
    folder = _latest_whole(path, partial(_contents, path, identity, chains, record))
    for number, chain in enumerate(chains):
        for name, learned in chain.arrays():
            chain.sampler.engine.put(learned, folder.array(f"chain{number}.{name}"))
        chain.state.hyper = hyper_in(folder, number, chain.state)
    moments, exclusivity, scored = {}, {}, {}
    for name in record.moments:
        moments[name] = _moments_in(folder, f"moment.{name}")
    for number, name in enumerate(record.exclusivity):
        exclusivity[name] = _moments_in(folder, f"exclusivity.{number}")
    for number, name in enumerate(folder.meta["scored"]):
        check_counters(folder, number, record.n_sequences)
        parts = {part: folder.array(f"scored.{number}.{part}") for part in ScoredDraws.PARTS}
        scored[name] = ScoredDraws.from_arrays(parts, record.n_sequences)
    record.continue_from(WholeRecord(moments, exclusivity, scored))
    for kind, kept in (("draw", record.draws), ("stat", record.stats)):
        for number, names in enumerate(folder.json(f"{kind}s", [[str]])):
            kept[number] = {
                name: list(np.array(folder.array(f"chain{number}.{kind}.{name}"))) for name in names
            }
    return int(folder.meta["scan"])


def _moments_in(folder: FolderReader, file: str) -> RunningMoments:
    parts = {part: folder.array(f"{file}.{part}") for part in ("count", "mean", "squares")}
    return RunningMoments.from_arrays(parts)


def _latest_whole(
    path: Path, contents: Callable[[FolderReader], Mapping[str, Rule]]
) -> FolderReader:
    """Open the latest complete subfolder; an older one gives the same bits."""
    first: FolderError | None = None
    for place in saved_scans(path):
        try:
            return FolderReader(
                place, kind=KIND, version=VERSION, oldest=VERSION, contents=contents
            )
        except FolderError as error:
            first = first or error
    raise first or InputError(
        "there is no checkpoint to resume from", path=path, remedy="Start the fit without resuming."
    )


def _contents(
    path: Path,
    identity: dict[str, Any],
    chains: Sequence[Chain],
    record: Record,
    folder: FolderReader,
) -> dict[str, Rule]:
    """Return the rules for the arrays of a run, after checking that it is the same run."""
    folder.check_meta(META)
    _check_identity(folder.meta["identity"], identity, path)
    if folder.meta["scan"] < 0:
        raise folder.damaged("manifest.json", f"declares the scan {folder.meta['scan']}")
    rules: dict[str, Rule] = {}
    for number, chain in enumerate(chains):
        hyper_in(folder, number, chain.state)
        rules |= learned_rules(f"chain{number}.", chain)
    files = {f"moment.{name}": name for name in record.moments}
    files |= {f"exclusivity.{number}": "exclusivity" for number in range(len(record.exclusivity))}
    sizes = Sizes.of(chains[0])
    rules |= dict(moments_rules(files, sizes))
    rules |= dict(scored_rules(folder, record, sizes))
    return rules | dict(kept_rules(folder, record, sizes))


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


def _plain_hyper(hyper: Hyperparameters) -> dict[str, Any]:
    return {name: np.asarray(value).tolist() for name, value in hyper.named().items()}
