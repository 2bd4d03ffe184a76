"""Align the topics of LDA, PCM and BERTopic with labelled fits of real corpora: the docs' table.

    frex fit CORPUS --out FIT
    python scripts/alignment_corpora.py CORPUS FIT [CORPUS FIT ...] [--out ROWS.csv]

LDA is tomotopy's (500 sweeps) and scikit-learn's (30 passes), PCM at its mode, all with frex's
defaults for them; BERTopic, where it is installed, has a truncated SVD of TF-IDF for embeddings and
k-means for its clusters, so that nothing is downloaded. Rows are added to the file as they are
found, and those that it has are not found anew.
"""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.decomposition import LatentDirichletAllocation, TruncatedSVD
from sklearn.feature_extraction.text import TfidfTransformer

from frex import PCM
from frex.corpus import read_corpus
from frex.evaluate import alignment
from frex.evaluate.baselines import load_tomotopy, tokens
from frex.evaluate.rows import RowFile, fingerprint
from frex.evaluate.unsupervised import DOCUMENT_PRIOR, PASSES, SWEEPS, WORD_PRIOR
from frex.posterior import read_posterior
from frex.scores import TopicWords

if TYPE_CHECKING:
    from collections.abc import Callable

    from frex.corpus import Corpus

    Found = tuple[Any, Any]

FIGURES = (
    "topics_resolved", "topics_split", "topics_fused", "topics_junk", "nodes_resolved",
    "nodes_split", "nodes_fused", "nodes_missing", "coverage", "coverage_low", "coverage_high",
    "coverage_possible", "purity", "nmi", "ari",
)  # fmt: skip


def tomotopy(corpus: Corpus, n_topics: int) -> Found:
    """Return LDA's topics and memberships, by Gibbs sampling."""
    model = load_tomotopy("LDA").LDAModel(k=n_topics, alpha=DOCUMENT_PRIOR, eta=WORD_PRIOR, seed=0)
    model.optim_interval = 0
    for words in tokens(corpus):
        if words:
            model.add_doc(words)
    model.train(SWEEPS, workers=1)
    columns = [int(word) for word in model.used_vocabs]
    rates = np.array([model.get_topic_word_dist(topic) for topic in range(n_topics)])
    memberships = np.array([document.get_topic_dist() for document in model.docs])
    whole = memberships if len(memberships) == len(corpus) else None  # a document may be empty
    return TopicWords(rates, [corpus.words[word] for word in columns]), whole


def sklearn(corpus: Corpus, n_topics: int) -> Found:
    """Return LDA's topics and memberships, by variational inference."""
    model = LatentDirichletAllocation(
        n_topics, doc_topic_prior=DOCUMENT_PRIOR, topic_word_prior=WORD_PRIOR,
        learning_method="batch", max_iter=PASSES, random_state=0,
    )  # fmt: skip
    memberships = model.fit_transform(corpus.counts)
    return TopicWords(model.components_, corpus.words), memberships


def pcm(corpus: Corpus, n_topics: int) -> Found:
    """Return a fit of PCM, which has both."""
    return PCM(n_topics, method="map", random_state=0).fit(corpus).posterior_, None


def bertopic(corpus: Corpus, n_topics: int) -> Found:
    """Return BERTopic's topics; its class TF-IDF is undone, so these are counts by cluster."""
    from bertopic import BERTopic  # noqa: PLC0415 - it need not be installed
    from bertopic.dimensionality import BaseDimensionalityReduction  # noqa: PLC0415
    from sklearn.cluster import KMeans  # noqa: PLC0415
    from sklearn.feature_extraction.text import CountVectorizer  # noqa: PLC0415

    dense = TruncatedSVD(100, random_state=0).fit_transform(
        TfidfTransformer(sublinear_tf=True).fit_transform(corpus.counts)
    )
    model = BERTopic(
        embedding_model=None,
        umap_model=BaseDimensionalityReduction(),
        hdbscan_model=KMeans(n_topics, random_state=0, n_init=3),
        vectorizer_model=CountVectorizer(tokenizer=str.split, token_pattern=None, lowercase=False),
    )
    texts = [" ".join(f"w{word}" for word in words) for words in tokens(corpus)]
    model.fit(texts, dense)
    from frex.scores import from_model  # noqa: PLC0415

    topics = from_model(model)
    names = [corpus.words[int(word[1:])] for word in topics.words]
    return TopicWords(topics.rates, names, topics.topics), np.asarray(model.topics_)


MODELS: dict[str, Callable[[Corpus, int], Found]] = {
    "LDA, tomotopy": tomotopy, "LDA, scikit-learn": sklearn, "PCM": pcm,
}  # fmt: skip


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pairs", nargs="+", type=Path, help="CORPUS FIT ...")
    parser.add_argument("--topics", default="25,50")
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    models = dict(MODELS)
    if find_spec("bertopic") is not None:
        models["BERTopic"] = bertopic
    file = RowFile(asked.out, ("mark", "corpus", "model", "n_topics", *FIGURES))
    known = {(row["mark"], row["model"], row["n_topics"]) for row in file.rows}
    for folder, fit in zip(asked.pairs[::2], asked.pairs[1::2], strict=True):
        corpus, posterior = read_corpus(folder), read_posterior(fit)
        mark = fingerprint(corpus)
        for n_topics in asked.topics.split(","):
            for name, model in models.items():
                if (mark, name, n_topics) in known:
                    continue
                topics, memberships = model(corpus, int(n_topics))
                found = alignment(posterior, topics, memberships=memberships).figures
                row = {"mark": mark, "corpus": folder.name, "model": name, "n_topics": n_topics}
                file.append(row | {figure: round(found[figure], 4) for figure in FIGURES})
                print(row, found, flush=True)


if __name__ == "__main__":
    main()
