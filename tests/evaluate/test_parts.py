import numpy as np

from frex.evaluate.parts import Parts, decide, decide_at_half


def test_parts_share_out_the_documents(clear):
    parts = Parts.of(clear, (0.15, 0.25, 0.6), 0)
    assert [len(part) for part in parts] == [12, 20, 48]
    assert all((part.labels.sum(axis=0)[[0, 1, 2, 3]] > 0).all() for part in parts)
    assert sorted([*parts.both.ids, *parts.test.ids]) == sorted(clear.ids)
    rows = [list(clear.ids).index(name) for name in parts.both.ids]
    both = clear.take(rows)
    assert (parts.both.counts != both.counts).nnz == (parts.both.labels != both.labels).nnz == 0
    np.testing.assert_array_equal(parts.both.given_exposures, both.given_exposures)


def test_the_threshold_comes_from_the_validation_part(clear):
    parts = Parts.of(clear, (0.15, 0.25, 0.6), 0)

    def score(documents):
        """Score a true label 0.3, the rest 0.2; of the last test document all less."""
        scores = 0.2 + 0.1 * documents.labels.toarray()
        if documents is parts.test:
            scores[-1] /= 2.0
        return scores

    answer = decide(parts, score)
    assert (answer.labels != parts.test.labels).nnz == 0  # the last has its likeliest label
    np.testing.assert_array_equal(answer.scores, score(parts.test))
    assert (decide_at_half(parts, lambda d: 2.0 * score(d)).labels != parts.test.labels).nnz == 0
