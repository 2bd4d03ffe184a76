"""Documents per second: unlabelled documents to topics, by frex, scikit-learn and tomotopy.

All get the same documents, as many topics and as many threads. frex: the mode of every topic's
affinity. scikit-learn: `transform` of its LDA. tomotopy: `infer` of LDA and of Labeled LDA, 100
iterations, its default; making its documents from words is not timed. Contestants take turns;
medians with their range, as a table.

    python benchmarks/predict.py [--corpus FOLDER] [--docs 2000] [--threads 1] [--runs 5]
"""

from __future__ import annotations

import argparse
import os
import statistics
from typing import TYPE_CHECKING, Any

from claims import Claim, ratios, run, spread, timed

if TYPE_CHECKING:
    from collections.abc import Callable

    from frex import Corpus

TRAINING = 3000  # documents; how well a model is fitted does not matter here
CLAIM = Claim("`frex predict`, 1 thread, debtags: documents per second / the fastest rival", bar=5)


def frex_modes(fitted: Corpus, new: Corpus, threads: int) -> Callable[[], Any]:
    """Return a function that finds affinities of the new documents."""
    from frex.predict import Predictor  # noqa: PLC0415 - after the threads are set
    from frex.sampler.fit import fit  # noqa: PLC0415
    from frex.sampler.settings import Settings  # noqa: PLC0415

    predictor = Predictor(fit(fitted, Settings(method="map")), threads=threads)
    predictor.affinities(new.counts[:8])  # compiles
    return lambda: predictor.affinities(new.counts)


def sklearn_lda(fitted: Corpus, new: Corpus, threads: int) -> Callable[[], Any]:
    """Return a function that transforms the new documents."""
    from sklearn.decomposition import LatentDirichletAllocation  # noqa: PLC0415

    model = LatentDirichletAllocation(
        fitted.n_topics, max_iter=10, random_state=0, n_jobs=threads
    ).fit(fitted.counts)
    return lambda: model.transform(new.counts)


def tomotopy_infer(
    fitted: Corpus, new: Corpus, threads: int, *, labelled: bool
) -> Callable[[], Any]:
    """Return a function that infers the topics of the new documents."""
    from frex.evaluate.baselines import load_tomotopy  # noqa: PLC0415

    tomotopy = load_tomotopy("this benchmark")
    model = (
        # with one topic for each label and none besides it is Labeled LDA
        tomotopy.PLDAModel(latent_topics=0, topics_per_label=1, seed=0)
        if labelled
        else tomotopy.LDAModel(k=fitted.n_topics, seed=0)
    )
    for row, words in enumerate(as_words(fitted)):
        if labelled:
            model.add_doc(words, labels=list(fitted.labels_of(row)))
        else:
            model.add_doc(words)
    model.train(50, workers=threads)
    documents = [model.make_doc(words) for words in as_words(new)]
    return lambda: model.infer(documents, workers=threads)


def as_words(corpus: Corpus) -> list[list[str]]:
    """Return the documents as lists of words."""
    counts = corpus.counts
    return [
        [
            corpus.words[word]
            for word, times in zip(
                counts.indices[start:end].tolist(), counts.data[start:end].tolist(), strict=True
            )
            for _ in range(times)
        ]
        for start, end in zip(counts.indptr[:-1], counts.indptr[1:], strict=True)
    ]


def contestants(fitted: Corpus, new: Corpus, threads: int) -> dict[str, Callable[[], Any]]:
    """Return frex and those of its rivals that are installed."""
    from frex.errors import MissingExtraError  # noqa: PLC0415 - after the threads are set

    found = {
        "frex": frex_modes(fitted, new, threads),
        "scikit-learn LDA": sklearn_lda(fitted, new, threads),
    }
    try:
        for name, labelled in {"tomotopy LDA": False, "tomotopy Labeled LDA": True}.items():
            found[name] = tomotopy_infer(fitted, new, threads, labelled=labelled)
    except MissingExtraError as error:
        print(f"without tomotopy: {error}")
    return found


def measure(args: argparse.Namespace) -> list[Claim]:
    """Let the contestants take turns."""
    os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = str(args.threads)

    import numpy as np  # noqa: PLC0415 - after the threads are set

    from frex import read_corpus  # noqa: PLC0415
    from frex.datasets.debtags import load_debtags  # noqa: PLC0415

    corpus = read_corpus(args.corpus) if args.corpus else load_debtags()
    order = np.random.default_rng(0).permutation(len(corpus))
    fitted, new = corpus.take(order[:TRAINING]), corpus.take(order[TRAINING:][: args.docs])
    print(f"{new.n_topics} topics, {new.n_tokens / len(new):.0f} tokens a document", flush=True)
    runs = contestants(fitted, new, args.threads)
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(args.runs):
        for name, work in runs.items():
            seconds[name].append(timed(work))
    print("| contestant | documents/s: median (range) | frex is faster by |")
    print("|---|---:|---:|")
    ours = seconds["frex"]
    for name, own in seconds.items():
        speeds = spread(len(new) / s for s in own)
        print(f"| {name} | {speeds} | {spread(ratios(own, ours))} |")
    rivals = {name: statistics.median(own) for name, own in seconds.items() if name != "frex"}
    best = min(rivals, key=rivals.__getitem__)
    return [CLAIM.of(ratios(seconds[best], ours), note=f"the rival: {best}")]


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--corpus", help="a corpus folder; debtags, which comes along, if none")
    parser.add_argument("--docs", type=int, default=2000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--runs", type=int, default=5)
    run(parser, measure)


if __name__ == "__main__":
    main()
