"""Parameters in docstrings are those of the signatures, and what is public has them.

All sources are read, public or not. Keyword-only parameters may stand in any order, so that those
with one explanation can stand together; others stand in the order in which they are passed.
"""

import ast
import importlib
import inspect
import re
from pathlib import Path

import pytest
from test_doctests import ENTRIES

import frex

SOURCE = Path(frex.__file__).parent
PAGE = SOURCE.parents[1] / "docs" / "reference" / "python.md"


def documented(docstring):
    """Return the names in a docstring's section of parameters, or None if there is none."""
    section = re.search(
        r"^Parameters\n-{10}\n(.*?)(?=^\w[\w ]*\n-{3,}$|\Z)", docstring, re.MULTILINE | re.DOTALL
    )
    if section is None:
        return None
    lines = [line for line in section[1].splitlines() if line and not line.startswith(" ")]
    return [name.strip().lstrip("*") for line in lines for name in line.split(",")]


def passed(function):
    """Return the names of a function's parameters that have a place, and of all."""
    given = function.args
    placed = [arg.arg for arg in (*given.posonlyargs, *given.args)]
    others = [given.vararg, *given.kwonlyargs, given.kwarg]
    every = [*placed, *(arg.arg for arg in others if arg is not None)]
    return tuple(
        [name for name in names if name not in ("self", "cls")] for names in (placed, every)
    )


def fields(kind):
    """Return the same for a class: those of its constructor, or the fields of a record."""
    for member in kind.body:
        if isinstance(member, ast.FunctionDef) and member.name == "__init__":
            return passed(member)
    names = [
        member.target.id
        for member in kind.body
        if isinstance(member, ast.AnnAssign)
        and not ast.unparse(member.annotation).startswith("ClassVar")
    ]
    return names, names


def faults(text):
    """Yield what is wrong: line, name, documented parameters, and those of the signature."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.FunctionDef | ast.ClassDef):
            continue
        names = documented(ast.get_docstring(node) or "")
        if names is None:
            continue
        placed, every = fields(node) if isinstance(node, ast.ClassDef) else passed(node)
        in_order = [name for name in names if name in placed]
        if sorted(names) != sorted(every) or in_order != placed:
            yield node.lineno, node.name, names, every


def test_parameters_of_docstrings_are_those_of_signatures():
    wrong = {
        str(path.relative_to(SOURCE)): found
        for path in sorted(SOURCE.rglob("*.py"))
        if (found := list(faults(path.read_text(encoding="utf-8"))))
    }
    assert not wrong


@pytest.mark.parametrize(
    ("names", "is_wrong"),
    [
        ("a\n    One.\nb, c\n    Two.\n*d\n    Three.", False),
        ("a\n    One.\nd, c\n    Two.\nb\n    Three.", False),
        ("b\n    One.\na, c, d\n    Two.", True),
        ("a\n    One. b Two.\nc, d\n    Three.", True),
        ("a, b, c, d, e\n    All.", True),
        ("a, b, c, c, d\n    All.", True),
    ],
)
def test_a_parameter_that_is_wanting_strange_or_out_of_order_is_found(names, is_wrong):
    section = "\n".join(f"    {line}" for line in names.splitlines())
    text = (
        f'def f(a, b, *d, c=1):\n    """Do.\n\n    Parameters\n    ----------\n{section}\n    """\n'
    )
    assert bool(list(faults(text))) == is_wrong


def public():
    """Yield the names of the page of reference, and what they stand for."""
    for name in re.findall(r"^   ([\w.]+)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE):
        package, _, member = f"frex.{name}".rpartition(".")
        entry = getattr(importlib.import_module(package), member)
        # packages that commands load lazily, and that no command has run, may have the module of a
        # function in its place, once another module has imported it: frex.evaluate.coherence
        yield name, getattr(entry, member) if inspect.ismodule(entry) else entry


def test_what_is_public_has_its_parameters_explained():
    of_page = list(public())
    assert len(of_page) > 60
    assert len(of_page) == len(dict(of_page)), "a name is listed twice"
    for name, entry in (*ENTRIES.items(), *of_page):
        if hasattr(entry, "_fields"):  # a tuple, whose fields are explained beside them
            continue
        names = set(inspect.signature(entry).parameters) - {"self", "cls"}
        headings = set(re.findall(r"^(\w+)\n-+$", inspect.getdoc(entry), re.MULTILINE))
        # a record's fields may be its attributes
        wanted = {"Parameters", "Attributes"} if inspect.isclass(entry) else {"Parameters"}
        assert not names or headings & wanted, name
