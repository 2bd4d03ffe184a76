import pytest

from frex.errors import InputError
from frex.storage.files import check_file, whole_file


def test_a_file_is_there_whole_or_not_at_all(tmp_path):
    file = tmp_path / "a.txt"
    file.write_text("old")

    def write(text, *, fail):
        with whole_file(file) as partial:
            partial.write_text(text)
            assert file.read_text() == "old"
            if fail:
                raise OSError

    with pytest.raises(OSError):
        write("half", fail=True)
    assert file.read_text() == "old"
    write("new", fail=False)
    assert file.read_text() == "new"
    assert list(tmp_path.iterdir()) == [file]


def test_a_bad_place_is_told(tmp_path):
    (tmp_path / "there.nc").write_text("")
    (tmp_path / "folder.nc").mkdir()
    complaints = {
        "a.txt": "ends in '.txt'. Let it end in .nc or .ttl.",
        "a": "has no ending",
        "nowhere/a.nc": "there is no folder",
        "folder.nc": "is a folder",
        "there.nc": "exists already",
    }
    for name, complaint in complaints.items():
        with pytest.raises(InputError) as caught:
            check_file(tmp_path / name, endings=(".nc", ".ttl"))
        assert complaint in str(caught.value)
    for name in ("there.nc", "A.TTL"):
        place = tmp_path / name
        assert check_file(place, endings=(".nc", ".ttl"), overwrite=True) == place
