"""The fit on disk: plain arrays under a manifest, memory-mapped when read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array

from frex.corpus.documents import read_details, write_details
from frex.corpus.folder import vocabulary_in
from frex.posterior.contents import SETTINGS, contents, files_of, trees_in
from frex.posterior.posterior import Moment, Posterior, Scored, Typical
from frex.storage import FolderReader, FolderWriter

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from os import PathLike

    from numpy.typing import NDArray

KIND, VERSION = "frex-fit", 2
_BLOCK = 1 << 16  # document names written at a time


def write_posterior(
    posterior: Posterior, path: str | PathLike[str], *, overwrite: bool = False
) -> None:
    """Save a fit as a folder; `read_posterior` reads it back bit for bit."""
    with FolderWriter(path, kind=KIND, version=VERSION, overwrite=overwrite) as folder:
        folder.meta |= {
            "complete": posterior.complete,
            "mean_length": posterior.mean_length,
            "moments": list(posterior.moments),
            "exclusivity": list(posterior.exclusivity),
            "draws": list(posterior.draws),
            "stats": list(posterior.stats),
            "scored": list(posterior.scored),
        }
        if posterior.analyzer is not None:
            folder.meta["analyzer"] = dict(posterior.analyzer)
        folder.write_json("settings", dict(posterior.settings))
        folder.write_json("tree", posterior.tree.to_dict())
        if posterior.given_taxonomy is not None:
            folder.write_json("taxonomy", posterior.given_taxonomy.to_dict())
        folder.write_json("words", list(posterior.words))
        if posterior.surface is not None:
            folder.write_json("surface", list(posterior.surface))
        ids = folder.strings_appender("ids")
        for start in range(0, len(posterior.ids), _BLOCK):
            ids.append(posterior.ids[start : start + _BLOCK])
        ids.close()
        write_details(folder, posterior.details)
        for name, array in _arrays(posterior):
            folder.write_array(name, array)


def refuse_taken(path: str | PathLike[str], *, overwrite: bool = False) -> None:
    """Raise an error if a fit cannot be written there, before the fit takes hours."""
    FolderWriter(path, kind=KIND, version=VERSION, overwrite=overwrite)  # checks, without writing


def read_posterior(path: str | PathLike[str], *, verify: bool = True) -> Posterior:
    """Read a fit; its arrays stay on disk, memory-mapped.

    Parameters
    ----------
    path
        The folder.
    verify
        Verify every file's checksum. Without it the folder is still read once and validated.

    Returns
    -------
    Posterior
        The fit.

    Examples
    --------
    >>> from frex.posterior import read_posterior
    >>> posterior = read_posterior('FIT')
    >>> posterior.tree.topics
    ('trade', 'metal', 'grain', 'sport')
    """
    # the first version stored means of rates, which need not exist, and topics without documents
    folder = FolderReader(
        path,
        kind=KIND,
        version=VERSION,
        oldest=VERSION,
        contents=contents,
        verify=verify,
        made_by="frex fit CORPUS --out FIT",
    )
    meta = folder.meta
    tree, taxonomy = trees_in(folder)
    words, surface = vocabulary_in(folder)
    indptr, indices = folder.array("labels_indptr"), folder.array("labels_indices")

    def moments(group: str) -> dict[str, Moment]:
        files = zip(meta[group], files_of(group, meta[group]), strict=True)
        return {
            name: Moment(folder.array(f"{file}_mean"), folder.array(f"{file}_sd"))
            for name, file in files
        }

    def arrays(group: str) -> dict[str, NDArray[np.float64]]:
        files = zip(meta[group], files_of(group, meta[group]), strict=True)
        return {name: folder.array(file) for name, file in files}

    scored = meta["scored"]
    return Posterior(
        tree=tree,
        given_taxonomy=taxonomy,
        words=words,
        surface=surface,
        ids=folder.strings("ids"),
        labels=csr_array(
            (np.ones(len(indices), dtype=np.bool_), indices, indptr),
            shape=(len(indptr) - 1, tree.n_topics),
        ),
        mean_length=meta["mean_length"],
        settings=folder.json("settings", SETTINGS),
        moments=moments("moments"),
        exposures=folder.array("exposures"),
        exclusivity=moments("exclusivity"),
        draws=arrays("draws"),
        stats=arrays("stats"),
        traced_rates=folder.array("traced_rates"),
        traced_memberships=folder.array("traced_memberships"),
        complete=meta["complete"],
        scored={
            name: Scored(folder.array(f"{file}_words"), folder.array(f"{file}_values"))
            for name, file in zip(scored, files_of("scored", scored), strict=True)
        },
        typical=_read_typical(folder),
        analyzer=meta.get("analyzer"),
        details=read_details(folder),
    )


def _read_typical(folder: FolderReader) -> Typical | None:
    if "typical_starts" not in folder:
        return None
    return Typical(*(folder.array(f"typical_{field}") for field in Typical._fields))


def _arrays(posterior: Posterior) -> Iterable[tuple[str, NDArray[Any]]]:
    yield "labels_indptr", posterior.labels.indptr
    yield "labels_indices", posterior.labels.indices
    yield "exposures", posterior.exposures
    yield "traced_rates", posterior.traced_rates
    yield "traced_memberships", posterior.traced_memberships
    averaged: dict[str, Mapping[str, Moment]] = {
        "moments": posterior.moments,
        "exclusivity": posterior.exclusivity,
    }
    for group, moments in averaged.items():
        for file, moment in zip(files_of(group, moments), moments.values(), strict=True):
            yield f"{file}_mean", moment.mean
            yield f"{file}_sd", moment.sd
    kept = {"draws": posterior.draws, "stats": posterior.stats}
    for group, arrays in kept.items():
        yield from zip(files_of(group, arrays), arrays.values(), strict=True)
    for file, scored in zip(
        files_of("scored", posterior.scored), posterior.scored.values(), strict=True
    ):
        yield f"{file}_words", scored.words
        yield f"{file}_values", scored.values
    if posterior.typical is not None:
        for field, array in posterior.typical._asdict().items():
            yield f"typical_{field}", array
