import pytest
from pictures import make_pictured

from frex.errors import InputError
from frex.plots import frex_plot, write_figure


@pytest.mark.parametrize("ending", [".png", ".svg", ".pdf", ".PNG"])
def test_the_same_plot_is_the_same_file(tmp_path, ending):
    for name in ("a", "b"):
        write_figure(frex_plot(make_pictured(), "golf").figure, tmp_path / f"{name}{ending}")
    first = (tmp_path / f"a{ending}").read_bytes()
    assert first[:4] in {b"\x89PNG", b"<?xm", b"%PDF"}
    assert first == (tmp_path / f"b{ending}").read_bytes()


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("plot.gif", r"ends in '\.gif'.*\.png, \.svg, \.pdf"),
        ("plot", "has no ending"),
        ("absent/plot.png", "there is no folder .*absent"),
        ("folder.png", "is a folder"),
        ("taken.png", "exists already.*--overwrite"),
    ],
)
def test_bad_places_are_refused(tmp_path, name, problem):
    (tmp_path / "folder.png").mkdir()
    (tmp_path / "taken.png").touch()
    with pytest.raises(InputError, match=problem):
        write_figure(frex_plot(make_pictured(), "golf").figure, tmp_path / name)


def test_overwrite(tmp_path):
    file = tmp_path / "taken.png"
    file.touch()
    write_figure(frex_plot(make_pictured(), "golf").figure, file, overwrite=True)
    assert file.stat().st_size > 1000
