"""Models that are fitted once and stored in a folder, for all experiments.

A file has the results of one model: `rates` and `exclusivity`, topics x words; the display forms of
`words`; and the `seed`. Its name has the model, the number of topics, and a fingerprint of the
corpus and of all options of the model.
"""

from __future__ import annotations

import zipfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from frex import __version__
from frex.errors import InputError
from frex.evaluate.baselines import load_tomotopy
from frex.evaluate.rows import fingerprint
from frex.evaluate.unsupervised import MODELS, PCM_RUN, Topics
from frex.storage.files import whole_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike

    from frex.corpus import Corpus

PAPER_TOPICS = (10, 25, 50, 100)
DEFAULT_MODELS = ("pcm", "lda", "lda-sklearn")
PCM_OPTIONS = ("method", "warmup", "draws", "chains", "curvature", "priors")


@dataclass(frozen=True)
class Design:
    """The models to fit, with their options.

    Parameters
    ----------
    models
        Some of `frex.evaluate.unsupervised.MODELS`.
    topics
        Numbers of topics; each model is fitted with each.
    seed
        The same seed gives the same topics.
    pcm
        Options of `frex.PCM`, such as ``{"draws": 300}``, that replace those of `PCM_RUN`.
    """

    models: tuple[str, ...] = DEFAULT_MODELS
    topics: tuple[int, ...] = PAPER_TOPICS
    seed: int = 0
    pcm: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in self.models:
            if name not in MODELS:
                raise InputError(
                    f"there is no model {name!r}", remedy=f"Choose among {', '.join(MODELS)}."
                )
        for name in self.pcm:
            if name not in PCM_OPTIONS:
                raise InputError(
                    f"PCM has no option {name!r}", remedy=f"Choose among {', '.join(PCM_OPTIONS)}."
                )
        for what, values in (("models", self.models), ("numbers of topics", self.topics)):
            if not values or len(set(values)) < len(values):
                listed = ", ".join(map(str, values)) or "none"
                raise InputError(f"the {what} are {listed}", remedy="Name at least one, once.")
        if min(self.topics) < 2:
            raise InputError(f"a number of topics is {min(self.topics)}", remedy="Give 2 or more.")
        if not {"lda", "lda-asymmetric"}.isdisjoint(self.models):
            load_tomotopy("LDA")  # before the other models take hours

    def fingerprint(self, corpus: Corpus, model: str, **more: Any) -> str:
        """Return a fingerprint of a model on a corpus; `more` has an experiment's settings."""
        options = {"pcm": {**PCM_RUN, **self.pcm}} if model == "pcm" else {}
        return fingerprint(
            corpus, model=model, seed=self.seed, version=__version__, **options, **more
        )


class Fits:
    """Fits the models of a design to a corpus, or reads their stored results.

    Parameters
    ----------
    corpus
        The documents; labels are ignored.
    design
        The models and their options.
    folder
        Folder of the results, made if it does not exist. None: in memory.
    threads
        Number of threads for PCM; 0 for one per core.
    """

    def __init__(
        self,
        corpus: Corpus,
        design: Design,
        folder: str | PathLike[str] | None = None,
        *,
        threads: int = 0,
    ) -> None:
        self.corpus, self.design, self.threads = corpus, design, threads
        self.folder = None if folder is None else Path(folder)
        self._found: dict[tuple[str, int], Topics] = {}
        if self.folder is not None:
            if self.folder.exists() and not self.folder.is_dir():
                raise InputError("is a file", path=folder, remedy="Name a folder.")
            self.folder.mkdir(parents=True, exist_ok=True)

    def topics(self, model: str, n_topics: int) -> Topics:
        """Return the topics of a model, fitted or stored."""
        if self.folder is None:
            key = model, n_topics
            if key not in self._found:
                self._found[key] = self._fit(model, n_topics)
            return self._found[key]
        name = f"{model}-{n_topics}-{self.design.fingerprint(self.corpus, model)}.npz"
        file = self.folder / name
        if file.exists():
            return _read(file, (n_topics, self.corpus.n_words))
        found = self._fit(model, n_topics)
        with whole_file(file) as partial, partial.open("wb") as stream:
            words = np.array(self.corpus.surface or self.corpus.words)
            np.savez(stream, **found._asdict(), words=words, seed=np.array(self.design.seed))
        return found

    def with_seed(self, seed: int) -> Fits:
        """Return fits of the same models with another seed."""
        if seed == self.design.seed:
            return self
        design = replace(self.design, seed=seed)
        return Fits(self.corpus, design, self.folder, threads=self.threads)

    def _fit(self, model: str, n_topics: int) -> Topics:
        options: dict[str, Any] = {"seed": self.design.seed}
        if model == "pcm":
            options |= {"threads": self.threads, **self.design.pcm}
        return MODELS[model](self.corpus, n_topics, **options)


class Kept(NamedTuple):
    """The stored results of one model, read without its corpus."""

    model: str
    n_topics: int
    topics: Topics
    words: tuple[str, ...]


def read_kept(folder: str | PathLike[str]) -> list[Kept]:
    """Read the stored results of the models of one corpus, with the lowest seed of each.

    Parameters
    ----------
    folder
        The folder of `Fits`.
    """
    found: dict[tuple[int, str], tuple[int, Kept]] = {}
    for file in sorted(Path(folder).glob("*.npz")):
        model, n_topics, _ = file.stem.rsplit("-", 2)
        if model not in MODELS or not n_topics.isdecimal():
            continue
        words, seed = _words_and_seed(file)
        topics = _read(file, (int(n_topics), len(words)))
        key = int(n_topics), model
        if key not in found or seed < found[key][0]:
            found[key] = seed, Kept(model, int(n_topics), topics, words)
    kept = [entry for _, (_, entry) in sorted(found.items(), key=lambda item: item[0])]
    if not kept:
        raise InputError(
            "holds no fitted models",
            path=folder,
            remedy="Fit some: frex evaluate diversity CORPUS --fits FOLDER.",
        )
    if len({entry.words for entry in kept}) > 1:
        raise InputError(
            "holds models of several corpora", path=folder, remedy="Keep each in its own folder."
        )
    return kept


def _words_and_seed(file: Path) -> tuple[tuple[str, ...], int]:
    try:
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
            return tuple(arrays["words"].tolist()), int(arrays["seed"])
    except (OSError, EOFError, ValueError, TypeError, KeyError, zipfile.BadZipFile) as error:
        raise InputError(
            "does not say which words its model knows",
            path=file,
            remedy="Remove it, and fit the model anew.",
        ) from error


def _read(file: Path, shape: tuple[int, int]) -> Topics:
    try:
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
            found = Topics(arrays["rates"], arrays["exclusivity"])
    except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile):
        found = None
    if found is None or any(array.shape != shape for array in found):
        raise InputError(
            "does not hold the topics of a fit", path=file, remedy="Remove it; it is fitted anew."
        )
    return found
