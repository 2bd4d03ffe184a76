import pytest

from frex.errors import InputError
from frex.evaluate.comparison import check_words, compare, summary_cells
from frex.evaluate.fitted import Design, Fits


class Counted(Fits):
    """Fits that find nothing, and remember what they were asked for."""

    def __init__(self, corpus, design):
        super().__init__(corpus, design)
        self.asked = []

    def topics(self, model, n_topics):
        self.asked.append((model, n_topics))
        return n_topics


def run(fits, out=None, cells=("a", "b"), setting=1, **options):
    return compare(
        fits,
        lambda topics: [{"value": topics / 3} for _ in cells],
        cells=[{"measure": cell} for cell in cells],
        values=["value"],
        settings={"setting": setting},
        out=out,
        **options,
    )


def test_every_model_and_number_of_topics_has_its_rows(themes):
    fits, done = Counted(themes, Design(("lda", "pcm"), (4, 2))), []
    rows = run(fits, progress=done.append)
    assert fits.asked == [("lda", 4), ("pcm", 4), ("lda", 2), ("pcm", 2)]
    assert list(rows.columns) == ["experiment", "model", "topics", "measure", "value"]
    assert rows["topics"].tolist() == [4] * 4 + [2] * 4
    assert rows["value"].tolist() == [4 / 3] * 4 + [2 / 3] * 4
    assert rows["measure"].tolist() == ["a", "b"] * 4
    assert done == [1] * 4


def test_rows_that_are_known_are_not_measured_anew(themes, tmp_path):
    out = tmp_path / "rows.csv"
    first = Counted(themes, Design(("lda",), (4,)))
    rows = run(first, out)
    more = Counted(themes, Design(("lda", "lda-sklearn"), (4,)))
    both = run(more, out)
    assert more.asked == [("lda-sklearn", 4)]
    assert both.iloc[:2].equals(rows)
    kept = out.read_bytes()
    run(more, out)
    assert (len(more.asked), out.read_bytes()) == (1, kept)
    run(more, out, cells=("a", "c"))  # one is known, and written once
    assert out.read_bytes().count(b'"lda","4","a",') == 1
    run(more, out, setting=2)
    assert len(more.asked) == 5


def test_lengths_of_summaries_are_checked(themes):
    assert [cell["words"] for cell in summary_cells([5, 10])] == [5, 10, 5, 10]
    check_words(themes, [1, 23])
    for words, complaint in [
        ([], "none"),
        ([5, 5], "5, 5"),
        ([0], "0 words"),
        ([24], "most .* 23"),
    ]:
        with pytest.raises(InputError, match=complaint):
            check_words(themes, words)
