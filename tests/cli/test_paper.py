"""`frex paper`: what it says; the experiments have their own tests."""

from frex.paper import EXPERIMENTS


def test_paper(frex, tmp_path):
    page = tmp_path / "page.html"
    result = frex("paper", "--out", page, "--quick", "--only", "model")
    assert result.code == 0
    assert result.out.splitlines() == [f"{'model':<15} Figure 1: the model", str(page)]
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    again = frex("paper", "--out", page, "--quick", "--only", "model")
    assert again.code == 2
    assert "--overwrite" in again.err


def test_what_is_wrong_is_said(frex, tmp_path):
    result = frex("paper", "--out", tmp_path / "page.html", "--only", "table")
    assert result.code == 2
    assert all(name in result.err for name in EXPERIMENTS)
