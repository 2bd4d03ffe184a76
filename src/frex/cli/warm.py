"""The command `warm`: compile ahead, for containers and clusters."""

from __future__ import annotations

from dataclasses import replace

import frex.compiled
import frex.predict
import frex.sampler.compiling
import frex.sampler.fit
import frex.sampler.settings
from frex.cli.screen import progress, say


def warm() -> None:
    """Compile in advance what fits and predictions need.

    What is compiled is kept beside the package, or in the folder that NUMBA_CACHE_DIR names, for
    processors of the same kind.
    """
    compiling, fit = frex.sampler.compiling, frex.sampler.fit.fit
    corpus = compiling.toy_corpus()
    short = frex.sampler.settings.Settings(warmup=12, draws=4, chains=1)
    with (
        progress("compiling", unit="kernels") as step,
        frex.compiled.watch_compiling(lambda _: step(1)) as compiled,
    ):
        posterior = fit(corpus, short)
        fit(corpus, replace(short, n_topics=3))
        fit(corpus, frex.sampler.settings.Settings(method="map", draws=2))
        frex.predict.Predictor(posterior).affinities(corpus.counts)
    if not compiled.kernels:
        say(f"All kernels were compiled before: they are kept in {compiling.cache_folder()}.")
    else:
        say(str(compiled))
