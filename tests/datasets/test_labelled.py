import pytest

from frex.corpus import read_corpus
from frex.datasets import DATASETS, load_debtags
from frex.datasets.labelled import leave_out, prepare_labelled
from frex.errors import InputError
from frex.text import Document, VocabularyRule
from frex.tree import TopicTree

TREE = TopicTree.from_nested({"sport": {"golf": ["clubs"], "tennis": []}, "news": []})
DOCUMENTS = [
    Document("1", "ball green", ("clubs",)),
    Document("2", "ball green", ("clubs", "tennis")),
    Document("3", "votes ball", ("news",)),
    Document("4", "votes ball", ("news", "golf")),
]
EVERY = VocabularyRule(min_documents=1)


def labels(corpus):
    return {name: set(corpus.labels_of(row)) for row, name in enumerate(corpus.ids)}


def test_documents_of_a_topic_left_out_go_to_what_is_left_above_it(tmp_path):
    def prepared(without):
        out = tmp_path / "-".join(without)
        prepare_labelled(DOCUMENTS, TREE, out, without=without, vocabulary=EVERY, jobs=1)
        return read_corpus(out)

    corpus = prepared(["clubs"])
    assert corpus.tree.topics == ("sport", "golf", "tennis", "news")
    assert labels(corpus) == {"1": {"golf"}, "2": {"golf", "tennis"}, "3": {"news"},
                              "4": {"news", "golf"}}  # fmt: skip
    corpus = prepared(["golf", "clubs", "news"])
    assert corpus.tree.topics == ("sport", "tennis")
    assert labels(corpus) == {"1": {"sport"}, "2": {"tennis"}, "4": {"sport"}}
    assert corpus.report["unlabelled_documents"] == 1


def test_what_cannot_be_left_out(tmp_path):
    with pytest.raises(InputError, match="golf cannot be left out: clubs is below it"):
        leave_out(TREE, ["golf"])
    with pytest.raises(InputError, match="there is no topic 'glof'"):
        leave_out(TREE, ["glof"])
    with pytest.raises(InputError, match="no topic is left"):
        leave_out(TREE, TREE.topics)
    with pytest.raises(InputError, match="has no topics, so it cannot leave out golf"):
        prepare_labelled(DOCUMENTS, None, tmp_path / "x", without=["golf"])


def test_a_corpus_of_counts_takes_words_and_topics_too(tmp_path):
    whole = load_debtags()
    leaf = "mail::filters"
    DATASETS["debtags"].prepare(
        [], tmp_path / "c", without=[leaf], vocabulary=VocabularyRule(share=0.1)
    )
    corpus = read_corpus(tmp_path / "c")
    assert corpus.n_words == int(0.1 * whole.n_words)
    totals = dict(zip(whole.words, whole.counts.sum(axis=0), strict=True))
    rarest = min(totals[word] for word in corpus.words)
    assert sum(total > rarest for total in totals.values()) <= corpus.n_words
    assert leaf not in corpus.tree
    assert corpus.n_topics == whole.n_topics - 1
    before, after = labels(whole), labels(corpus)
    moved = [name for name in after if leaf in before[name]]
    assert moved
    assert all("mail" in after[name] or any(t.startswith("mail::") for t in after[name])
               for name in moved)  # fmt: skip
    assert all(after[name] == before[name] for name in after if leaf not in before[name])
    column = {word: v for v, word in enumerate(whole.words)}
    row = whole.ids.index(corpus.ids[0])
    expected = whole.counts[[row]].toarray()[0][[column[word] for word in corpus.words]]
    assert corpus.counts[[0]].toarray()[0].tolist() == expected.tolist()
