from importlib import import_module

import pytest


@pytest.fixture
def claims():
    return import_module("claims")


@pytest.mark.parametrize(
    ("sense", "at_the_bar", "above", "below"),
    [
        ("at least", True, True, False),
        ("at most", True, False, True),
        ("under", False, False, True),
        ("over", False, True, False),
    ],
)
def test_the_median_decides_whether_a_bar_is_met(claims, sense, at_the_bar, above, below):
    claim = claims.Claim("a", bar=2, sense=sense)
    assert claim.of([1, 2, 9]).met is at_the_bar
    assert claim.of([1, 3, 9]).met is above
    assert claim.of([1, 1, 9]).met is below


def test_what_was_not_measured_says_why_and_meets_nothing(claims):
    claim = claims.Claim("a", bar=2).of([3.0]).missing("no tomotopy")
    assert claim.met is None
    assert claims.rows([claim]) == ["| a | not measured | at least 2 times |  | no tomotopy |"]


def test_a_row_has_median_range_and_verdict(claims):
    claim = claims.Claim("scan", bar=5).of([2.61, 2.48, 10.24], note="a scan: 380 ms")
    (row,) = claims.rows([claim])
    assert row == (
        "| scan | 2.61 (2.48 to 10.2) times | at least 5 times | **no** | a scan: 380 ms |"
    )


def test_claims_survive_json(claims, tmp_path):
    made = [claims.Claim("a", "ms").of([1.0, 2.0]), claims.Claim("b").missing("why")]
    claims.write_claims(made, tmp_path / "claims.json")
    saved = import_module("json").loads((tmp_path / "claims.json").read_text())
    assert claims.read_claims(saved) == made


def test_the_readme_has_the_table_of_the_results():
    table = import_module("table")
    text = table.PAGE.read_text()
    assert table.with_table(text, table.markdown(table.read_results())) == text


def test_every_claim_of_the_makefile_is_a_script():
    bench = import_module("bench")
    for part in (*bench.PARTS, *bench.LONG):
        assert (bench.HERE / f"{part.name}.py").exists()
    assert sum(part.minutes for part in bench.PARTS) < 20
