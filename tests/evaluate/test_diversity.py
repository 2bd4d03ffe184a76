import numpy as np
import pandas as pd
import pytest

from frex.evaluate import Design, Fits, diversity
from frex.evaluate.diversity import over_seeds, unique_share


def test_shares_by_hand():
    assert unique_share(np.array([[0, 1], [2, 3]])) == 1
    assert unique_share(np.array([[0, 1], [1, 2], [0, 2]])) == 0.5


def test_common_words_repeat_in_frequent_words_only(themes):
    fits = Fits(themes, Design(("lda",), (3,)))
    rows = diversity(fits, words=[2, 3])
    shares = rows.set_index(["ranking", "words"])["unique"]
    assert shares["frex"].tolist() == [1, 1]
    assert shares["frequency", 3] == pytest.approx(5 / 9)  # two words lead every topic


def test_every_seed_has_its_rows(themes, tmp_path):
    fits = Fits(themes, Design(("lda",), (3,), seed=4), tmp_path)
    rows = diversity(fits, words=[3], repeats=2, out=tmp_path / "rows.csv")
    assert rows["seed"].tolist() == [4, 4, 5, 5]
    assert len(list(tmp_path.glob("*.npz"))) == 2
    second = diversity(Fits(themes, Design(("lda",), (3,), seed=5), tmp_path), words=[3])
    assert second["unique"].tolist() == rows["unique"].tolist()[2:]


def test_means_and_ranges_over_seeds():
    cells = [("lda", 3, seed, ranking, 5) for seed in (0, 1) for ranking in ("frex", "frequency")]
    rows = pd.DataFrame(cells, columns=["model", "topics", "seed", "ranking", "words"])
    means = over_seeds(rows.assign(unique=[1.0, 0.6, 0.5, 0.6]))
    assert means["ranking"].tolist() == ["frex", "frequency"]
    assert means[["unique", "low", "high"]].to_numpy().tolist() == [[0.75, 0.5, 1], [0.6, 0.6, 0.6]]


def test_the_paper_s_order_of_strategies(shared_data):
    """FREX of LDA is more diverse than its most frequent words, on the first AP stories."""
    from frex.datasets.ap import read_ap  # noqa: PLC0415 - only where the corpus is

    corpus = read_ap([shared_data / "ap" / "ap.tgz"]).take(range(200))
    rows = diversity(Fits(corpus, Design(("lda",), (25,))), words=[5, 10])
    shares = rows.set_index(["ranking", "words"])["unique"]
    assert (shares["frex"] > 0.95).all()
    assert (shares["frequency"] < 0.9).all()
