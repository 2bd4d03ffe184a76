"""Models fitted once: what they found is kept in a folder, for every experiment on it.

A file holds what one model found: `rates` and `exclusivity`, topics x words; the `words` as they
are shown; and the `seed`. Its name has the model, the number of topics, and a fingerprint of the
corpus and of all that the model was told.
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
    """Which models are fitted, and how.

    Parameters
    ----------
    models
        Some of `frex.evaluate.unsupervised.MODELS`.
    topics
        Numbers of topics; each model is fitted with each.
    seed
        The same seed gives the same topics.
    pcm
        Options of `frex.PCM`, such as ``{"draws": 300}``, where they are not to be `PCM_RUN`.
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
            load_tomotopy("LDA")  # now, and not when the others have taken their hours

    def fingerprint(self, corpus: Corpus, model: str, **more: Any) -> str:
        """Return a short text for a model on a corpus; `more` is what an experiment adds."""
        options = {"pcm": {**PCM_RUN, **self.pcm}} if model == "pcm" else {}
        return fingerprint(
            corpus, model=model, seed=self.seed, version=__version__, **options, **more
        )


class Fits:
    """Fits models of a design to a corpus, or reads what was kept of them.

    Parameters
    ----------
    corpus
        The documents; labels are not looked at.
    design
        Which models, and how.
    folder
        Where to keep what they find, and look for it; made if need be. None: in memory.
    threads
        How many for PCM; 0 for one per core.
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
        """Return what a model finds, or found when it was asked before."""
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
        """Return fits of the same models with another seed; these where it is the same."""
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
    """What one model found, read without the corpus that it was fitted to."""

    model: str
    n_topics: int
    topics: Topics
    words: tuple[str, ...]


def read_kept(folder: str | PathLike[str]) -> list[Kept]:
    """Read what the models of one corpus found; of several seeds the lowest.

    Parameters
    ----------
    folder
        The folder that `Fits` kept them in.
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
