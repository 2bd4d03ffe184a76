import os

import pytest

from frex.errors import InputError
from frex.serve.fits import named_fits, stamp


def test_a_project_is_named_by_its_folder_or_on_the_command_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a=b").mkdir()
    found = named_fits(["FIT/", "news=some where/FIT", "x/../y.1"])
    assert [fit.name for fit in found] == ["FIT", "news", "y.1"]
    with pytest.raises(InputError, match="'a=b' cannot be the name of a project"):
        named_fits(["a=b"])


@pytest.mark.parametrize(
    ("texts", "words"),
    [(["a/FIT", "b/FIT"], "two projects are called FIT"), (["my fit"], "'my fit' cannot be"),
     (["a/b=FIT"], "'a/b' cannot be the name"), (["=FIT"], "'' cannot be the name")],
)  # fmt: skip
def test_names_that_are_refused(texts, words):
    with pytest.raises(InputError, match=words):
        named_fits(texts)


def test_a_folder_that_changes_has_another_stamp(folder, tmp_path):
    assert stamp(tmp_path) is None
    assert stamp(tmp_path / "nowhere") is None
    before = stamp(folder / "small")
    assert stamp(folder / "small") == before != stamp(folder / "other")
    (tmp_path / "manifest.json").write_text("{}")
    first = stamp(tmp_path)
    os.utime(tmp_path / "manifest.json", (1, 1))
    assert stamp(tmp_path) != first
    assert stamp(tmp_path).time.isoformat() == "1970-01-01T00:00:01+00:00"
