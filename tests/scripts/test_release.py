"""A release is refused where something stands against it."""

import os
import runpy
import subprocess
from pathlib import Path

import pytest

RELEASE = runpy.run_path(str(Path(__file__).parents[2] / "scripts" / "release.py"))
FILES = {
    "pyproject.toml": '[project]\nversion = "1.2.3"\n',
    "src/frex/__init__.py": '__version__ = "1.2.3"\n',
    "CITATION.cff": "version: 1.2.3\n",
    "CHANGELOG.md": "## 1.2.3 (2026-01-01)\n",
    "docs/about/citing.md": "Version 1.2.3.\n",
    ".gitignore": "dist/\n",
}
BUILT = ("dist/frex-1.2.3-py3-none-any.whl", "dist/frex-1.2.3.tar.gz")


def git(root, *arguments):
    who = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run(["git", *who, *arguments], cwd=root, check=True, capture_output=True)


@pytest.fixture
def tree(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "all")
    (tmp_path / "dist").mkdir()
    for name in BUILT:
        (tmp_path / name).write_text("")
    return tmp_path


def complaints(root):
    return list(RELEASE["complaints"](root))


def test_a_tree_that_is_clean_built_and_of_one_version_is_released(tree):
    assert complaints(tree) == []


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("new.txt", "x", "not committed"),
        ("CHANGELOG.md", "## Unreleased\n", "CHANGELOG.md does not speak of version 1.2.3"),
        ("CITATION.cff", "version: 1.2\n", "CITATION.cff does not"),
        ("src/frex/__init__.py", '__version__ = "1.2.4"\n', "__init__.py does not"),
    ],
)
def test_what_is_changed_or_of_another_version_is_refused(tree, name, text, complaint):
    (tree / name).write_text(text)
    assert any(complaint in said for said in complaints(tree))


def test_what_is_not_built_built_before_or_tagged_is_refused(tree):
    os.utime(tree / BUILT[0], (0, 0))
    (tree / BUILT[1]).unlink()
    git(tree, "tag", "v1.2.3")
    said = "\n".join(complaints(tree))
    for complaint in ("is older than the last commit", "is missing", "there is a tag v1.2.3"):
        assert complaint in said
