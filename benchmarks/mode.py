"""Compare lists of words by the mode with lists by draws.

Each corpus is fitted both ways. A topic's ten best words by FREX are compared: how many are on both
lists; and, as a yardstick, how many words of the list by draws a single draw has among its ten
best, on average. Topics are told apart by their documents.

    python benchmarks/mode.py CORPUS... [--warmup 300] [--draws 700] [--threads 1]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from frex import read_corpus
from frex.posterior import Posterior, diagnose, top_words
from frex.sampler.fit import fit
from frex.sampler.settings import Settings

LISTED = 10
SIZES = {"1 to 9": (1, 10), "10 to 49": (10, 50), "50 and more": (50, np.inf)}


def lists(posterior: Posterior) -> dict[str, tuple[set[str], float]]:
    """Return each topic's best words, and how many of them a draw has among its own, on average."""
    made = {}
    for topic in posterior.tree.topics:
        found = top_words(posterior, topic, LISTED, of="topic")
        made[topic] = set(found["stem"]), float(np.nanmean(found["in_top"].to_numpy(float)))
    return made


def main() -> None:
    """Fit, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", type=Path, nargs="+")
    parser.add_argument("--warmup", type=int, default=300)
    parser.add_argument("--draws", type=int, default=700)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    print("| corpus | documents of a topic | topics | on both lists | a draw's on the list |")
    print("|---|---|---:|---:|---:|")
    for path in options.corpora:
        corpus = read_corpus(path)
        mode = lists(fit(corpus, Settings(method="map"), threads=options.threads))
        settings = Settings(warmup=options.warmup, draws=options.draws)
        drawn = fit(corpus, settings, threads=options.threads)
        sampled = lists(drawn)
        n_own = dict(zip(drawn.tree.topics, drawn.labels.sum(axis=0).tolist(), strict=True))
        for name, (low, high) in SIZES.items():
            topics = [topic for topic in sampled if low <= n_own[topic] < high]
            if topics:
                same = np.mean([len(mode[t][0] & sampled[t][0]) / LISTED for t in topics])
                own = np.mean([sampled[t][1] for t in topics])
                print(f"| {path.name} | {name} | {len(topics)} | {100 * same:.0f} % | "
                      f"{100 * own:.0f} % |", flush=True)  # fmt: skip
        worst = ", ".join(diagnose(drawn).worst_figures())
        print(f"{path.name}: {drawn.n_draws:,} draws of each chain; {worst}", flush=True)


if __name__ == "__main__":
    main()
