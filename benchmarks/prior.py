"""Topics of a labelled fit as the prior of unlabelled documents: recovery of new topics.

Of a corpus, topics with enough documents are kept. Some of them are taken away: the labelled part
is fitted without the documents that have them. The other part loses its labels and is fitted with
that fit for a prior, and extra topics. For each topic that was taken away: the correlation of its
log rates, as a fit to the whole labelled part has them, with the extra topic that is assigned to
it, over words; beside it the best that a known topic reaches, the correlation of what differs from
the root, and that with a fit to the unlabelled part that is given its labels.
Then documents held out from both: half of the tokens decide on memberships, by the same kernel for
all models, and the log probability of a token of the other half is compared with PCM's without a
prior and LDA's (tomotopy), with as many topics. The last are fitted to the unlabelled part alone.

    python benchmarks/prior.py [--corpora reuters,debtags] [--documents 2500] [--removed 3]
        [--extra 10] [--seeds 0,1] [--warmup 100] [--draws 100] [--no-likelihood]

Taken away are topics of 3 to 20 % of the documents, of which 30 % have no other label: what a
document is about that keeps another label, that label explains.
"""

from __future__ import annotations

import argparse
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from empty_topics import read_reuters
from machine import describe
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array
from sklearn.exceptions import ConvergenceWarning

from frex import HPC, PCM
from frex.corpus import Corpus
from frex.datasets import load_debtags
from frex.evaluate.unsupervised import DOCUMENT_PRIOR, lda
from frex.tree import TopicTree

if TYPE_CHECKING:
    from numpy.typing import NDArray

READ = {"reuters": read_reuters, "debtags": load_debtags}


def sampled(corpus: Corpus, args: argparse.Namespace, rng: np.random.Generator) -> Corpus:
    """Take documents at random, of topics with enough of them; rare words go."""
    assert corpus.tree is not None
    taken = corpus.take(np.sort(rng.permutation(len(corpus))[: args.documents]))
    uses = np.bincount(taken.labels.indices, minlength=corpus.tree.n_topics)
    names = [corpus.tree.topics[k] for k in np.flatnonzero(uses >= args.fewest)]
    tree = TopicTree(names, [None] * len(names))
    labels = [[name for name in taken.labels_of(d) if name in tree] for d in range(len(taken))]
    rows = [d for d, own in enumerate(labels) if own]
    counts = csr_array(taken.counts)[rows]
    uses = np.bincount(counts.indices, minlength=counts.shape[1])
    words = np.flatnonzero(uses >= args.uses)
    return Corpus.from_matrices(
        counts[:, words],
        [labels[d] for d in rows],
        tree=tree,
        words=[corpus.words[int(f)] for f in words],
        empty="drop",
        ancestors="keep",
    )


def correlations(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the correlations of the columns of two arrays."""
    found: NDArray[np.float64] = np.corrcoef(one.T, other.T)[: one.shape[1], one.shape[1] :]
    return found


def held_out(
    memberships: NDArray[np.float64], rates: NDArray[np.float64], second: csr_array
) -> float:
    """Return the mean log probability of a token; rates are topics x words."""
    shares = memberships * rates.sum(axis=1)
    shares /= shares.sum(axis=1, keepdims=True)
    words = rates / rates.sum(axis=1, keepdims=True)
    rows = np.repeat(np.arange(second.shape[0]), np.diff(second.indptr))
    chances = (shares[rows] * words.T[second.indices]).sum(axis=1)
    return float(second.data @ np.log(chances) / second.data.sum())


def halves(counts: csr_array, rng: np.random.Generator) -> tuple[csr_array, csr_array]:
    """Deal every token to one of two halves."""
    first = counts.copy()
    first.data = rng.binomial(counts.data, 0.5).astype(counts.data.dtype)
    second = csr_array(counts - first)
    return first, second


def folded_in(rates: NDArray[np.float64], counts: csr_array, alpha: float) -> NDArray[np.float64]:
    """Return memberships of documents under LDA's rates: 100 steps of expectation-maximisation."""
    words = rates / rates.sum(axis=1, keepdims=True)
    theta = np.full((counts.shape[0], len(rates)), 1 / len(rates))
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    for _ in range(100):
        parts = theta[rows] * words.T[counts.indices]
        parts *= (counts.data / parts.sum(axis=1))[:, None]
        theta = np.full_like(theta, alpha)
        np.add.at(theta, rows, parts)
        theta /= theta.sum(axis=1, keepdims=True)
    return theta


def one_case(corpus: Corpus, args: argparse.Namespace, seed: int) -> list[tuple[float, ...]]:
    """Take topics away, fit, and print what is found."""
    rng = np.random.default_rng(seed)
    assert corpus.tree is not None
    order = rng.permutation(len(corpus))
    n = len(corpus)
    labelled, unlabelled, test = (
        corpus.take(np.sort(part)) for part in np.split(order, [int(0.45 * n), int(0.9 * n)])
    )
    share = np.bincount(corpus.labels.indices, minlength=corpus.n_topics) / n
    single = np.diff(corpus.labels.indptr) == 1
    only = np.bincount(corpus.labels[single].indices, minlength=corpus.n_topics) / (share * n)
    may_go = np.flatnonzero((share >= args.least) & (share < args.most) & (only >= args.only))
    removed = rng.permutation(may_go)[: args.removed]
    away = {corpus.tree.topics[k] for k in removed}
    left = [d for d in range(len(labelled)) if not away & set(labelled.labels_of(d))]
    run: dict[str, Any] = {"chains": 1, "threads": args.threads, "method": args.method}
    if args.method == "sample":
        run |= {"warmup": args.warmup, "draws": args.draws}
    prior = HPC(method="map").fit(labelled.take(left).without_empty_topics())
    truth = HPC(method="map").fit(labelled)
    with_labels = HPC(method="map").fit(unlabelled)
    model = PCM(prior=prior, extra_topics=args.extra, random_state=seed, **run).fit(unlabelled)
    names = list(truth.posterior_.tree.topics)
    sought = [names.index(name) for name in sorted(away)]
    of_truth, found = truth.posterior_.log_rates.mean, model.posterior_.log_rates.mean
    first = 1 + model.posterior_.n_known
    alike = correlations(of_truth[:, 1:][:, sought], found[:, 1:])
    ceiling = correlations(of_truth[:, 1:], with_labels.posterior_.log_rates.mean[:, 1:])
    of_ceiling = with_labels.posterior_.tree.topics
    rows, columns = linear_sum_assignment(-alike[:, first - 1 :])
    beyond = correlations(
        (of_truth[:, 1:] - of_truth[:, :1])[:, sought], (found[:, first:] - found[:, :1])
    )
    result: list[tuple[float, ...]] = []
    for row, column in zip(rows, columns, strict=True):
        name = sorted(away)[row]
        own = float(alike[row, first - 1 + column])
        known = float(alike[row, : first - 1].max())
        best = float(ceiling[sought[row], of_ceiling.index(name)])
        result.append((own, known, float(beyond[row, column]), best))
        words = ", ".join(model.top_words(model.classes_[first - 1 + column], 5)["word"])
        print(
            f"  {name} ({share[names.index(name)]:.1%} of documents): {own:.3f}, best known topic "
            f"{known:.3f}, beyond the root {beyond[row, column]:.3f}, with labels {best:.3f}: "
            f"{words}",
            flush=True,
        )
    if args.likelihood:
        compare(model, unlabelled, test, run, seed)
    return result


def compare(model: PCM, unlabelled: Corpus, test: Corpus, run: dict[str, Any], seed: int) -> None:
    """Print the held-out log probability of a token for each model."""
    first, second = halves(csr_array(test.counts), np.random.default_rng(seed))
    n_topics = len(model.classes_)
    plain = PCM(n_topics, random_state=seed, **run).fit(unlabelled)
    rates = lda(unlabelled, n_topics, seed=seed).rates
    rates = np.maximum(rates, rates[rates > 0].min())  # words that only held-out documents have
    values = {
        "with the prior": held_out(model.transform(first), model.components_, second),
        "PCM": held_out(plain.transform(first), plain.components_, second),
        "LDA": held_out(folded_in(rates, first, DOCUMENT_PRIOR), rates, second),
    }
    print(
        f"  {n_topics} topics, log probability of a held-out token: "
        + ", ".join(f"{name} {value:.3f}" for name, value in values.items()),
        flush=True,
    )


def main() -> None:
    """Print what is found of each topic, and how many reach 0.8."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--corpora", default="reuters,debtags")
    parser.add_argument("--documents", type=int, default=2500)
    parser.add_argument("--fewest", type=int, default=60, help="documents of a topic")
    parser.add_argument("--uses", type=int, default=20, help="documents that a word is in")
    parser.add_argument("--least", type=float, default=0.03, help="share of a topic taken away")
    parser.add_argument(
        "--only", type=float, default=0.3, help="share of its documents with no other label"
    )
    parser.add_argument("--most", type=float, default=0.2, help="the same")
    parser.add_argument("--method", default="sample")
    parser.add_argument("--removed", type=int, default=3)
    parser.add_argument("--extra", type=int, default=10)
    parser.add_argument("--seeds", default="0,1")
    parser.add_argument("--warmup", type=int, default=100)
    parser.add_argument("--draws", type=int, default=100)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--likelihood", action=argparse.BooleanOptionalAction, default=True)
    args = parser.parse_args()
    warnings.simplefilter("ignore", ConvergenceWarning)  # the runs are short on purpose
    print(describe())
    for name in args.corpora.split(","):
        whole, found = READ[name](), []
        for seed in map(int, args.seeds.split(",")):
            corpus = sampled(whole, args, np.random.default_rng(seed))
            print(f"{name}, seed {seed}: {corpus!r}", flush=True)
            found += one_case(corpus, args, seed)
        own, known, beyond, best = np.array(found).T
        print(
            f"{name}: {np.mean(own > 0.8):.0%} of {len(own)} topics above 0.8, median "
            f"{np.median(own):.3f}; best known topic {np.median(known):.3f}; beyond the root "
            f"{np.median(beyond):.3f}; with labels {np.median(best):.3f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
