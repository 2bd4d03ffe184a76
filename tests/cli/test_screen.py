import pytest

from frex.cli.screen import Format, cell_width, complain, counted, padded, show_table, size, tell

LONG = "a very long name " * 9
TABLE = {"topic": ["golf", LONG], "documents": [12, 1234], "a": ["1.0", "2.0"], "b": ["", "3.0"]}


def shown(capsys, monkeypatch, width=None, columns=TABLE, **options):
    """Return the lines of a table in a terminal of some columns, or in a pipe."""
    if width is not None:
        monkeypatch.setenv("FORCE_COLOR", "1")
        monkeypatch.setenv("NO_COLOR", "1")
        monkeypatch.setenv("COLUMNS", str(width))
    show_table(columns, Format.table, **options)
    return capsys.readouterr().out.replace("\x1b[1m", "").replace("\x1b[0m", "").splitlines()


def test_a_pipe_cuts_nothing(capsys, monkeypatch):
    head, _, long = shown(capsys, monkeypatch)
    assert long.startswith(LONG.rstrip())
    assert long.split()[-3:] == ["1234", "2.0", "3.0"]
    assert head.split() == list(TABLE)


def test_a_narrow_terminal_shortens_texts_and_never_figures(capsys, monkeypatch):
    head, _, long = shown(capsys, monkeypatch, 50)
    assert max(map(len, (head, long))) <= 50
    assert "…" in long
    assert long.split()[-3:] == ["1234", "2.0", "3.0"]
    assert head.split() == list(TABLE)


@pytest.mark.parametrize(("width", "gone"), [(45, []), (40, ["b"]), (36, ["a", "b"])])
def test_columns_that_can_be_spared_go_before_figures_break(capsys, monkeypatch, width, gone):
    table = {"topic": ["a name of twenty-four ch"], "documents": [1], "a": ["1.0"], "b": ["2.0"]}
    head, row, *rest = shown(capsys, monkeypatch, width, table, spare=("a", "b"))
    left = [name for name in table if name not in gone]
    assert head.split() == left
    assert row.startswith("a name of twenty-four ch")
    assert row.split()[-len(left) + 1 :] == ["1", "1.0", "2.0"][: len(left) - 1]
    assert bool(rest) == bool(gone)
    if gone:
        assert f"No room for {', '.join(gone)}" in rest[-1]


def test_what_nothing_can_be_taken_off_is_left_to_the_terminal(capsys, monkeypatch):
    table = {"score": ["0.996 (0.987-0.999)"], "in 1,000": ["19.3 (10.7-34.7)"]}
    assert shown(capsys, monkeypatch, 20, table)[1].split() == [
        "0.996", "(0.987-0.999)", "19.3", "(10.7-34.7)",
    ]  # fmt: skip


def test_wide_characters_take_two_columns():
    assert [cell_width(text) for text in ("golf", "Öl", "🎉", "日本")] == [4, 2, 2, 4]
    assert padded("日本", 6) == "日本  "


@pytest.mark.parametrize("mark", ["", "  ", "- ", "  - "])
def test_sentences_are_folded_between_words_for_a_terminal_alone(capsys, monkeypatch, mark):
    sentence = f"{mark}first {'word ' * 30}last"
    tell(sentence)
    assert capsys.readouterr().out == f"{sentence}\n"
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "60")
    tell(f"short\n{sentence}")
    complain(sentence.strip())
    printed = capsys.readouterr()
    short, first, *rest = printed.out.splitlines()
    assert short == "short"
    assert first.startswith(f"{mark}first word")
    assert all(line.startswith(f"{' ' * len(mark)}word") for line in rest)
    assert max(map(len, [first, *rest])) <= 60
    assert len(printed.err.splitlines()) == len(rest) + 1


def test_a_single_thing_and_a_small_file_are_said_so():
    assert [counted(n, "label") for n in (0, 1, 1200)] == ["0 labels", "1 label", "1,200 labels"]
    assert [size(n) for n in (10, 1_400, 1_500_000)] == ["1 kB", "1 kB", "1.5 MB"]
