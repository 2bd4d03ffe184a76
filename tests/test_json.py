"""JSON has no NaN and no infinity, and programs that read it stop at one."""

import ast
import json
from pathlib import Path

import pytest

import frex
from frex.cli.screen import Format, show_table
from frex.storage import FolderWriter

SOURCES = sorted(Path(frex.__file__).parent.rglob("*.py"))


def lenient_calls(source):
    """Return the lines where a module writes JSON without refusing what is no number."""
    return [
        call.lineno
        for call in ast.walk(ast.parse(source))
        if isinstance(call, ast.Call)
        and ast.unparse(call.func) in {"json.dump", "json.dumps"}
        and not any(
            word.arg == "allow_nan" and ast.unparse(word.value) == "False" for word in call.keywords
        )
    ]


def test_every_writer_of_json_refuses_what_is_no_number():
    found = {
        str(path): lines for path in SOURCES if (lines := lenient_calls(path.read_text("utf-8")))
    }
    assert found == {}
    assert lenient_calls("import json\njson.dumps(1)\njson.dump(1, f, allow_nan=False)") == [2]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_a_table_for_programs_leaves_it_out(value, capsys):
    show_table({"word": ["golf"], "frex": [value]}, Format.json)
    assert json.loads(capsys.readouterr().out) == [{"word": "golf", "frex": None}]
    show_table({"word": ["golf"], "frex": [value]}, Format.csv)
    assert capsys.readouterr().out == '"word","frex"\n"golf",\n'


def test_a_folder_refuses_it(tmp_path):
    with (
        pytest.raises(ValueError, match="JSON compliant"),
        FolderWriter(tmp_path / "f", kind="k", version=1) as folder,
    ):
        folder.write_json("x", {"gain": float("nan")})
    assert not (tmp_path / "f").exists()
