import pytest

from frex.corpus import read_corpus
from frex.datasets import ap
from frex.errors import InputError

STORIES = """<DOC>
<DOCNO> AP1 </DOCNO>
<TEXT>
 Apples and cake.
</TEXT>
</DOC>
<DOC>
<DOCNO> AP2 </DOCNO>
<TEXT>
 Bread.
</TEXT>
</DOC>
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "ap").mkdir()
    (tmp_path / "ap" / "ap.dat").write_text("2 2:3 0:1\n1 1:5\n")
    (tmp_path / "ap" / "vocab.txt").write_text("apple\nbread\ncake\n")
    (tmp_path / "ap" / "ap.txt").write_text(STORIES)
    return tmp_path / "ap"


def test_counts_are_named_after_the_stories(folder, tmp_path):
    ap.prepare([folder], tmp_path / "corpus")
    corpus = read_corpus(tmp_path / "corpus")
    assert list(corpus.ids) == ["AP1", "AP2"]
    assert corpus.counts.toarray().tolist() == [[1, 0, 3], [0, 5, 0]]
    (folder / "ap.txt").unlink()
    assert list(ap.read_ap([folder]).ids) == ["0", "1"]


def test_stories_can_be_read_as_text(folder):
    first, second = ap.documents([folder])
    assert (first.id, first.text, second.line) == ("AP1", "Apples and cake.", 7)


def test_counts_and_stories_must_belong_together(folder):
    (folder / "ap.dat").write_text("1 1:5\n")
    with pytest.raises(InputError, match=r"ap\.dat: 1 documents, but 2 names"):
        ap.read_ap([folder])


def test_a_broken_story_is_reported(folder):
    (folder / "ap.txt").write_text(STORIES[:-10])
    with pytest.raises(InputError, match=r"ap\.txt, line 7"):
        list(ap.documents([folder]))


def test_real_corpus(shared_data):
    archive = [shared_data / "ap" / "ap.tgz"]
    corpus = ap.read_ap(archive)
    stories = list(ap.documents(archive))
    assert corpus.counts.shape == (2246, 10473)
    assert corpus.counts.sum() == 435838
    assert [story.id for story in stories] == list(corpus.ids)
    # counts and stories are in the same order: rare words of a row stand in its story
    rarest = [corpus.counts.indices[a:b].max() for a, b in _rows(corpus.counts)]
    found = [
        corpus.words[word] in story.text.lower()
        for word, story in zip(rarest, stories, strict=True)
    ]
    assert sum(found) > 0.9 * len(found)


def _rows(matrix):
    return zip(matrix.indptr[:-1], matrix.indptr[1:], strict=True)
