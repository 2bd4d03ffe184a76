import gzip

import numpy as np
import pytest

from frex.errors import InputError
from frex.scores import frex, from_model

TABLE = "topic,ball,vote,the\nsport,6,0,4\npolitics,0,5,5\n"
WEIGHTS = "0\tball\t6.01\n0\tthe\t4.01\n0\tvote\t0.01\n1\tball\t0.01\n1\tvote\t5.01\n1\tthe\t5.01\n"
COUNTS = "0 ball 0:6\n1 the 1:5 0:4\n2 vote 1:5 \n3 unused\n"


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("head", ["topic", "", '""'])
def test_a_table_has_a_topic_a_line(tmp_path, separator, head):
    path = tmp_path / "topics.csv"
    path.write_text(TABLE.replace("topic", head, 1).replace(",", separator))
    topics = from_model(path)
    assert topics.topics == ("sport", "politics")
    assert topics.words == ("ball", "vote", "the")
    np.testing.assert_allclose(topics.rates, [[0.6, 0, 0.4], [0, 0.5, 0.5]])
    assert topics.counts is None


def test_mallet_weights_and_counts(tmp_path):
    (tmp_path / "weights.txt").write_text(WEIGHTS)
    weights = from_model(tmp_path / "weights.txt")
    assert weights.words == ("ball", "the", "vote")
    np.testing.assert_allclose(weights.rates[1], np.array([0.01, 5.01, 5.01]) / 10.03)
    (tmp_path / "counts.txt.gz").write_bytes(gzip.compress(COUNTS.encode()))
    counts = from_model(str(tmp_path / "counts.txt.gz"))
    assert counts.topics == ("0", "1")
    assert counts.words == ("ball", "the", "vote")
    assert counts.counts.tolist() == [6, 9, 5]
    np.testing.assert_allclose(counts.rates, [[0.6, 0.4, 0], [0, 0.5, 0.5]])


def test_a_table_of_what_frex_scores_gives_the_same(tmp_path):
    rates = np.random.default_rng(0).gamma(0.5, size=(4, 30))
    lines = [",".join(["topic", *(f"w{v}" for v in range(30))])]
    lines += [",".join([f"t{k}", *map(repr, row.tolist())]) for k, row in enumerate(rates)]
    (tmp_path / "rates.csv").write_text("\n".join(lines))
    best = from_model(tmp_path / "rates.csv").top_words(30, weight=0.3)
    shares = rates / rates.sum(axis=1, keepdims=True)
    expected = frex(shares, weight=0.3)
    for k, rows in best.groupby("topic"):
        columns = [int(word[1:]) for word in rows.word]
        np.testing.assert_allclose(rows.frex, expected[int(k[1:])][columns])
        assert (np.diff(rows.frex) <= 0).all()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the file is empty"),
        ("sport,politics\n1,2\n", "line 1: the first column is called 'sport'"),
        ("topic\nsport\n", "line 1: the first column is called 'topic', and 0 words follow"),
        ("topic,a,a\nx,1,2\n", "the word 'a' is there twice"),
        ("topic,a,b\nx,1,2\nx,1,2\n", "the topic 'x' is there twice"),
        ("topic,a,b\nx,1\n", "line 2: 1 weights for 2 words"),
        ("topic,a,b\nx,1,-3.5\n", "line 2: '-3.5' is not a weight .* exponentiate"),
        ("topic,a,b\nx,1,nan\n", "line 2: 'nan' is not a weight"),
        ("topic,a,b\nx,1,much\n", "line 2: 'much' is not a weight"),
        ("topic,a,b\n", "no topics follow"),
        ("0\ta\t1\n0 b 1\n", "line 2: not a topic, a word and a weight"),
        ("0 a 0:1\n1 b 0:x\n", "line 2: not a number, a word and topic:count"),
        ("0 a\n1 b\n", "no topic has a word"),
    ],
)
def test_a_broken_file_is_reported_with_its_line(tmp_path, content, message):
    path = tmp_path / "topics.csv"
    path.write_text(content)
    with pytest.raises(InputError, match=rf"topics\.csv.*{message}|^{message}"):
        from_model(path)


def test_what_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match=r"nowhere\.csv: cannot read the topics"):
        from_model(tmp_path / "nowhere.csv")
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(TABLE.encode())[:-9])
    with pytest.raises(InputError, match="damaged"):
        from_model(tmp_path / "a.csv.gz")
    (tmp_path / "latin.csv").write_bytes(b"topic,caf\xe9\nx,1\n")
    with pytest.raises(InputError, match="not UTF-8"):
        from_model(tmp_path / "latin.csv")
