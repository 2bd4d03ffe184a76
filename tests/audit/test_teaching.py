"""Which unlabelled documents to label next."""

import numpy as np
import pytest

from frex.audit import label_next, teaching
from frex.audit.teaching import _choose, _Known
from frex.errors import InputError
from frex.predict.documents import corpus_documents


def known(name, topics, probabilities):
    return _Known(name, "", "", np.array(topics), np.array(probabilities))


def chosen(documents, sizes, limit=9):
    sizes = np.array(sizes, float)
    return [one.document for one in _choose(documents, sizes, ["a", "b", "c"], limit)]


def test_doubt_and_rare_topics_come_first():
    documents = [
        known("sure", [0, 1], [0.99, 0.01]),
        known("doubt", [0, 1], [0.5, 0.01]),
        known("rare", [2, 1], [0.5, 0.01]),
    ]
    assert chosen(documents, [100, 100, 4]) == ["rare", "doubt", "sure"]


def test_the_second_is_not_one_like_the_first():
    documents = [known(f"c{i}", [2], [0.5]) for i in range(3)] + [known("b", [1], [0.5])]
    assert chosen(documents, [0, 1.2, 1], 2) == ["c0", "b"]


def test_documents_of_a_corpus(found, judged, damaged):
    documents = list(corpus_documents(damaged.take(range(200)), found.posterior.words))
    lessons = label_next(found.posterior, damaged, documents, judged=judged, limit=15)
    assert len({one.document for one in lessons}) == 15
    assert {one.document for one in lessons} <= set(damaged.ids[:200])
    assert all(0 <= p <= 1 for one in lessons for p in one.probabilities)
    assert all(set(one.topics) <= set(damaged.tree.topics) for one in lessons)
    worths = [one.worth for one in lessons]
    assert worths == sorted(worths, reverse=True)
    with pytest.raises(InputError, match="at least one"):
        label_next(found.posterior, damaged, documents, judged=judged, limit=0)


def test_the_scorer_of_all_documents_has_their_penalty(found, judged, damaged, monkeypatch):
    """With that of the judges, which saw fewer documents, its probabilities would be too sure."""
    learn, penalties = teaching.learn_linear, []

    def watched(*arguments, penalty, **options):
        penalties.append(penalty)
        return learn(*arguments, penalty=penalty, **options)

    monkeypatch.setattr(teaching, "learn_linear", watched)
    documents = list(corpus_documents(damaged.take(range(20)), found.posterior.words))
    label_next(found.posterior, damaged, documents, judged=judged, limit=1)
    assert penalties == [pytest.approx(judged.penalty * 2 / 3)]  # three folds
