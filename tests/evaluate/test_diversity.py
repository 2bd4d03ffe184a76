import numpy as np
import pytest

from frex.evaluate import Design, Fits, diversity
from frex.evaluate.diversity import unique_share


def test_shares_by_hand():
    assert unique_share(np.array([[0, 1], [2, 3]])) == 1
    assert unique_share(np.array([[0, 1], [1, 2], [0, 2]])) == 0.5


def test_common_words_repeat_in_frequent_words_only(themes):
    fits = Fits(themes, Design(("lda",), (3,)))
    rows = diversity(fits, words=[2, 3])
    shares = rows.set_index(["ranking", "words"])["unique"]
    assert shares["frex"].tolist() == [1, 1]
    assert shares["frequency", 3] == pytest.approx(5 / 9)  # two words lead every topic


def test_the_paper_s_order_of_strategies(shared_data):
    """FREX of LDA is more diverse than its most frequent words, on the first AP stories."""
    from frex.datasets.ap import read_ap  # noqa: PLC0415 - only where the corpus is

    corpus = read_ap([shared_data / "ap" / "ap.tgz"]).take(range(200))
    rows = diversity(Fits(corpus, Design(("lda",), (25,))), words=[5, 10])
    shares = rows.set_index(["ranking", "words"])["unique"]
    assert (shares["frex"] > 0.95).all()
    assert (shares["frequency"] < 0.9).all()
