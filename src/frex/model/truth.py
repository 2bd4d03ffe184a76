"""`Truth`: what a simulated corpus was drawn from, and how it is saved beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array

from frex.model.priors import HYPERPARAMETERS, Hyperparameters
from frex.storage import FolderReader, FolderWriter
from frex.storage.rules import Numbers, sparse_rules

if TYPE_CHECKING:
    from os import PathLike
    from typing import Self

    from numpy.typing import NDArray

    from frex.storage.rules import Rule

KIND, VERSION = "frex-truth", 1
_HYPER: dict[str, Any] = dict.fromkeys(HYPERPARAMETERS, float) | {"affinity_mean": [float]}


@dataclass(frozen=True, eq=False)
class Truth:
    """The unobserved side of a simulation; rows are the corpus' words and documents."""

    hyper: Hyperparameters
    log_rates: NDArray[np.float64]
    """``V x N``; column 0 is the root."""
    dispersions: NDArray[np.float64]
    """``V x P``; one column for each node that has children, in node order."""
    affinities: csr_array[np.float64]
    """``D x K``; stored where the document has the label, and nowhere else."""
    memberships: csr_array[np.float64]
    """``D x K``; the same pattern."""
    all_affinities: NDArray[np.float64] | None = None
    """``D x K``, dense, with those of inactive labels; None unless asked for."""

    @property
    def rates(self) -> NDArray[np.float64]:
        """``exp(log_rates)``."""
        return np.exp(self.log_rates)

    def of_documents(self, keep: NDArray[np.bool_]) -> Self:
        """Return the truth about the documents that ``keep`` marks."""
        return type(self)(
            self.hyper,
            self.log_rates,
            self.dispersions,
            self.affinities[keep],
            self.memberships[keep],
            None if self.all_affinities is None else self.all_affinities[keep],
        )

    def write(self, path: str | PathLike[str], *, overwrite: bool = False) -> None:
        """Save as a folder; `read_truth` reads it back bit for bit."""
        with FolderWriter(path, kind=KIND, version=VERSION, overwrite=overwrite) as folder:
            folder.meta["n_topics"] = self.affinities.shape[1]
            means = self.hyper.affinity_mean.tolist()
            folder.write_json("hyper", self.hyper.named() | {"affinity_mean": means})
            folder.write_array("log_rates", self.log_rates)
            folder.write_array("dispersions", self.dispersions)
            folder.write_array("labels_indptr", self.affinities.indptr)
            folder.write_array("labels_indices", self.affinities.indices)
            folder.write_array("affinities", self.affinities.data)
            folder.write_array("memberships", self.memberships.data)
            if self.all_affinities is not None:
                folder.write_array("all_affinities", self.all_affinities)


def read_truth(path: str | PathLike[str]) -> Truth:
    """Read what `Truth.write` saved; the arrays are memory-mapped."""
    folder = FolderReader(path, kind=KIND, version=VERSION, contents=_contents)
    hyper = Hyperparameters(**folder.json("hyper", _HYPER))
    indptr, indices = folder.array("labels_indptr"), folder.array("labels_indices")
    shape = (len(indptr) - 1, folder.meta["n_topics"])
    return Truth(
        hyper=hyper.checked(shape[1]),
        log_rates=folder.array("log_rates"),
        dispersions=folder.array("dispersions"),
        affinities=csr_array((folder.array("affinities"), indices, indptr), shape=shape),
        memberships=csr_array((folder.array("memberships"), indices, indptr), shape=shape),
        all_affinities=folder.array("all_affinities") if "all_affinities" in folder else None,
    )


def _contents(folder: FolderReader) -> dict[str, Rule]:
    """Return what the arrays of a truth must be like."""
    folder.check_meta({"n_topics": int})
    n_words, n_nodes = folder.shape("log_rates", 2)
    _, n_groups = folder.shape("dispersions", 2)
    n_documents, (n_labels,) = folder.shape("labels_indptr")[0] - 1, folder.shape("labels_indices")
    if n_documents < 0 or folder.meta["n_topics"] != n_nodes - 1:
        raise folder.damaged("manifest.json", f"declares topics of {n_nodes:,} nodes")
    rules = sparse_rules("labels", n_documents, n_nodes - 1, n_labels) | {
        "log_rates": Numbers((np.float64,), (n_words, n_nodes), high=700),  # exp is finite
        "dispersions": Numbers((np.float64,), (n_words, n_groups), 0),
        "affinities": Numbers((np.float64,), (n_labels,)),
        "memberships": Numbers((np.float64,), (n_labels,), 0, 1),
    }
    if "all_affinities" in folder:
        rules["all_affinities"] = Numbers((np.float64,), (n_documents, n_nodes - 1))
    return rules
