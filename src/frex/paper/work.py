"""Corpora, fits and models shared by experiments, each made once and stored in the work folder."""

from __future__ import annotations

import warnings
from functools import cache
from typing import TYPE_CHECKING

from sklearn.exceptions import ConvergenceWarning

from frex.errors import StoppedError
from frex.estimators import HPC
from frex.evaluate import Design, Fits
from frex.paper.corpora import LABELLED, PAPERS, find_corpora, prepare
from frex.posterior import read_posterior

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from frex.corpus import Corpus
    from frex.paper.sizes import Size
    from frex.posterior import Posterior


class Work:
    """The work folder of the available corpora.

    Parameters
    ----------
    data
        The folder of the corpora; None for the bundled one.
    folder
        Where everything is kept.
    size
        Of the experiments.
    seed, threads
        Of all fits.
    say
        Told what is being done.
    """

    def __init__(
        self,
        data: Path | None,
        folder: Path,
        size: Size,
        *,
        seed: int = 0,
        threads: int = 0,
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.folder, self.size, self.seed, self.threads = folder / size.name, size, seed, threads
        self.found = find_corpora(data)
        self.say = say
        for name in ("corpora", "fits", "models", "sections"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        self.corpus = cache(self._corpus)  # its own cache, which goes with it
        self.fit = cache(self._fit)

    @property
    def labelled(self) -> list[str]:
        """Names of the available corpora with labels, those closest to the paper's first."""
        known = [name for name in LABELLED if name in self.found]
        others = [n for n in self.found if n not in known and n not in (*PAPERS, "ap")]
        others = [name for name in others if self.corpus(name).tree is not None]
        return [*known, *others][: self.size.corpora]

    @property
    def unlabelled(self) -> str:
        """The corpus of the experiments without labels: the paper's, or another."""
        return "ap-text" if "ap-text" in self.found else self.labelled[0]

    def models(self, name: str) -> Fits:
        """Return the models without labels of a corpus, which are fitted at first use.

        Parameters
        ----------
        name
            The corpus.
        """
        design = Design(
            ("pcm", "lda", "lda-sklearn"), self.size.topics, self.seed, pcm=self.size.pcm
        )
        folder = self.folder / "models" / name
        return Fits(self.corpus(name), design, folder, threads=self.threads)

    def hpc(self, corpus: Corpus, folder: Path) -> Posterior:
        """Return a fit to a corpus, made unless it exists; an interrupted run continues.

        Parameters
        ----------
        corpus, folder
            What to fit, and where it is kept.
        """
        if folder.is_dir():
            return read_posterior(folder)
        checkpoint = folder.with_name(f"{folder.name}.checkpoint")
        sampled = self.size.method == "sample"
        model = HPC(
            method=self.size.method,
            random_state=self.seed,
            threads=self.threads,
            checkpoint=checkpoint if sampled else None,
            resume=sampled and checkpoint.is_dir(),
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # the page says how long it ran
            posterior = model.fit(corpus).posterior_
        if not posterior.complete:
            raise StoppedError("the fit was stopped")
        posterior.write(folder)
        return posterior

    def _corpus(self, name: str) -> Corpus:
        self.say(f"corpus {name}")
        out = self.folder / "corpora" / name
        return prepare(self.found[name], out, self.size.documents)

    def _fit(self, name: str) -> Posterior:
        corpus = self.corpus(name)
        self.say(f"fit of {name}")
        return self.hpc(corpus, self.folder / "fits" / name)
