import pytest

from frex.storage.hidden import REPLACED, hidden_folder, hidden_name, remove_abandoned


def test_what_a_killed_process_left_is_removed_by_the_next(tmp_path):
    out, other = tmp_path / "a[1]", tmp_path / "a"
    for path in (out, other):
        for ending in ("spool", "partial"):
            folder = hidden_name(path, ending)
            folder.mkdir()
            (folder / "half.npy").write_bytes(b"half")
    (tmp_path / ".a[1].12345678.file").write_text("not a folder")
    (tmp_path / ".a[1].notes.txt").mkdir()
    with hidden_folder(out, "partial") as mine:
        left = {path.name for path in tmp_path.iterdir() if path.name.startswith(".a[1].")}
        assert left == {mine.name, ".a[1].12345678.file", ".a[1].notes.txt"}
    assert len([path for path in tmp_path.iterdir() if path.name.startswith(".a.")]) == 2


def test_what_another_process_works_in_is_left_alone(tmp_path):
    with hidden_folder(tmp_path / "a", "spool") as first:
        with hidden_folder(tmp_path / "a", "spool") as second:
            assert first != second
            assert first.is_dir()
        assert not second.exists()
    assert not list(tmp_path.iterdir())


def test_old_and_new_are_kept_where_a_process_was_killed_between_two_renames(tmp_path):
    old, new = hidden_name(tmp_path / "a", REPLACED), hidden_name(tmp_path / "a", "partial")
    old.mkdir()
    new.mkdir()
    remove_abandoned(tmp_path / "a")
    assert old.is_dir()
    assert new.is_dir()
    new.rename(tmp_path / "a")
    remove_abandoned(tmp_path / "a")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_folder_that_is_taken_away_before_it_is_locked_is_made_again(tmp_path, monkeypatch):
    made = []
    mkdir = type(tmp_path).mkdir

    def taken_away(self, **options):
        mkdir(self, **options)
        made.append(self)
        if len(made) == 1:
            self.rmdir()

    monkeypatch.setattr(type(tmp_path), "mkdir", taken_away)
    with hidden_folder(tmp_path / "a", "spool") as folder:
        assert folder.is_dir()
        assert made == [made[0], folder]


def test_any_error_removes_the_folder(tmp_path):
    with pytest.raises(KeyboardInterrupt), hidden_folder(tmp_path / "a", "spool") as folder:
        (folder / "file").touch()
        raise KeyboardInterrupt
    assert not list(tmp_path.iterdir())
