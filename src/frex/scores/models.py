"""`from_model`: the topics of another library's model, recognised by its attributes."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from frex.errors import InputError
from frex.scores.files import read_topics
from frex.scores.topics import TopicWords

if TYPE_CHECKING:
    from collections.abc import Sequence


def from_model(model: Any, words: Any = None) -> TopicWords:
    """Read the topics of a fitted model or of a file.

    Parameters
    ----------
    model
        A model of gensim with ``get_topics`` (LDA, HDP, NMF); of tomotopy; of scikit-learn with
        ``components_`` (LDA, NMF), or a pipeline of a vectorizer and such a model; of BERTopic,
        without its topic -1 of outliers; a fit or a fitted estimator of frex; a matrix, topics x
        words; or the path of a file, see `frex.scores.files.read_topics`.
    words
        The words, or the vectorizer that has them: for a matrix, and for scikit-learn's models
        outside a pipeline. All other models store their words.

    Returns
    -------
    TopicWords
        The topics; `TopicWords.top_words` returns their best words by FREX.

    Examples
    --------
    >>> from frex.scores import from_model
    >>> rates = [[60, 0, 90, 5, 6], [0, 60, 90, 4, 7]]
    >>> topics = from_model(rates, words=["ball", "vote", "the", "a", "of"])
    >>> topics.top_words(2)[["topic", "rank", "word"]].to_records(index=False).tolist()
    [('0', 1, 'ball'), ('0', 2, 'the'), ('1', 1, 'vote'), ('1', 2, 'the')]
    """
    if isinstance(model, str | PathLike):
        return read_topics(model)
    model = getattr(model, "posterior_", model)
    for has, read in (
        ("membership_matrix", _of_fit),
        ("c_tf_idf_", _of_bertopic),
        ("get_topics", _of_gensim),
        ("get_topic_word_dist", _of_tomotopy),
    ):
        if hasattr(model, has):
            return read(model)
    if hasattr(model, "steps"):
        vectorizer, model = _of_pipeline(model)
        words = vectorizer if words is None else words
    if hasattr(model, "components_"):
        names = getattr(model, "feature_names_in_", None) if words is None else words
        return TopicWords(model.components_, _names(names))
    if hasattr(model, "shape") or isinstance(model, list | tuple):
        return TopicWords(model, _names(words))
    raise InputError(
        f"no topics are found in an object of type {type(model).__name__}",
        remedy="Give a fitted model of gensim, scikit-learn, tomotopy or BERTopic, a matrix of "
        "topics x words with words=, or a file.",
    )


def _of_fit(fit: Any) -> TopicWords:
    return TopicWords(fit.rates[:, 1:].T, fit.words, fit.tree.topics)


def _of_gensim(model: Any) -> TopicWords:
    rates = model.get_topics()
    vocabulary = model.id2word
    counts: Any = getattr(vocabulary, "cfs", None)  # a Dictionary has it, a plain dict does not
    ids = range(rates.shape[1])
    known = bool(counts) and all(word in counts for word in ids)
    return TopicWords(
        rates,
        [vocabulary[word] for word in ids],
        counts=np.array([counts[word] for word in ids], np.float64) if known else None,
    )


def _of_tomotopy(model: Any) -> TopicWords:
    words = list(model.used_vocabs)
    if not words:
        raise InputError("the model is not trained", remedy="Call its train first.")
    is_live = getattr(model, "is_live_topic", lambda _: True)  # HDP: a topic may have died
    live = [topic for topic in range(model.k) if is_live(topic)]
    # (Partially) Labeled LDA: first the topics of each label, then those without a label
    each = range(getattr(model, "topics_per_label", 1))
    labels = getattr(model, "topic_label_dict", ())
    names = [label if len(each) == 1 else f"{label} {n}" for label in labels for n in each]
    names += [str(topic) for topic in range(len(names), model.k)]
    try:
        rates = np.array([model.get_topic_word_dist(topic) for topic in live])
    except TypeError as error:  # a dynamic model requires a time point
        raise InputError(
            f"a {type(model).__name__} has no topics that are the same all the time: {error}",
            remedy="Give the matrix of one time: from_model(rates, words=model.used_vocabs).",
        ) from error
    return TopicWords(
        rates, words, [names[topic] for topic in live], np.array(model.used_vocab_freq, np.float64)
    )


def _of_bertopic(model: Any) -> TopicWords:
    """Recover the frequencies within topics from BERTopic's c-TF-IDF, by removing the weights.

    c-TF-IDF is the frequency of a word within a topic, or its square root, times a weight of the
    word, which is large if the word is rare in all topics. Exclusivity already contains this.
    """
    weights = getattr(model.ctfidf_model, "_idf_diag", None)
    if model.c_tf_idf_ is None or weights is None:
        raise InputError(
            "the model has no c-TF-IDF", remedy="Fit it, or load it with its c-TF-IDF."
        )
    rates = model.c_tf_idf_.toarray() / weights.diagonal()
    if model.ctfidf_model.reduce_frequent_words:
        rates = rates**2
    topics = sorted(model.topic_sizes_)
    first = int(topics[0] == -1)
    return TopicWords(
        rates[first:],
        model.vectorizer_model.get_feature_names_out(),
        [str(topic) for topic in topics[first:]],
    )


def _of_pipeline(pipeline: Any) -> tuple[Any, Any]:
    """Return the step with the words and the step with the topics."""
    steps = [step for _, step in pipeline.steps]
    models = [step for step in steps if hasattr(step, "components_")]
    named = [step for step in steps if hasattr(step, "vocabulary_")]
    if not models or not named:
        raise InputError(
            "the pipeline has no fitted vectorizer before a fitted model with topics",
            remedy="Fit it, or give the model itself, with words=.",
        )
    return named[-1], models[-1]


def _names(words: Any) -> Sequence[str]:
    if words is None:
        raise InputError(
            "the model does not know its words", remedy="Pass words=vectorizer, or their names."
        )
    if hasattr(words, "get_feature_names_out"):
        words = words.get_feature_names_out()
    return [str(word) for word in words]
