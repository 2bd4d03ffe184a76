import io

from rich.console import Console

from frex import progress
from frex.sampler.run import Status

ACCEPTANCE = {"rates": 0.803, "dispersion_hyper": 0.96, "documents_interweaving": 0.31}


def test_acceptance_is_told_in_words():
    assert progress.short(ACCEPTANCE) == "accepted 31-96 %"
    assert progress.short({"rates": 0.5}) == "accepted 50 %"
    assert progress.short({}) == ""


def test_the_line_fits_into_80_columns(monkeypatch):
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=80, legacy_windows=False)
    monkeypatch.setattr("rich.console.Console", lambda **_: console)
    with progress.show_progress() as show:
        for scan in range(1, 4):
            show(Status("warm-up", 998 + scan, 12_000, ACCEPTANCE))
        lines = console.render_lines(show.bar.get_renderable())
    assert len(lines) == 1
    text = "".join(segment.text for segment in lines[0])
    assert "accepted 31-96 %" in text
    assert "1001/12000" in text
    assert "…" not in text


def test_a_log_has_a_line_now_and_then(monkeypatch):
    log = io.StringIO()
    console = Console(file=log, width=80)
    monkeypatch.setattr("rich.console.Console", lambda **_: console)
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    with progress.show_progress() as show:
        for scan in range(1, 201):
            now[0] += 1
            show(Status("warm-up" if scan < 100 else "drawing", scan, 12_000, ACCEPTANCE))
    assert log.getvalue().splitlines() == [
        "warm-up: 60 of 12,000, accepted 31-96 %",
        "drawing: 120 of 12,000, accepted 31-96 %",
        "drawing: 180 of 12,000, accepted 31-96 %",
    ]
