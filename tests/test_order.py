"""The order of packages: data flows one way, and a package imports only from those above it."""

import ast
from pathlib import Path

import pytest

import frex

SOURCE = Path(frex.__file__).parent

ORDER = (
    "errors",
    "registry",
    "storage",
    "compiled",
    "progress",
    "tree",
    "corpus",
    "text",
    "scores",
    "model",
    "datasets",
    "posterior",
    "sampler",
    "predict",
    "audit",
    "estimators",
    "evaluate",
    "plots",
    "explorer",
    "export",
    "web",
    "study",
    "serve",
    "paper",
    "cli",
)
"""Top to bottom. `frex` itself stands outside: it says where names are."""

EXCEPTIONS: dict[tuple[str, str], str] = {}
"""Edges that go up all the same, from module to module, each with its reason."""


def is_type_checking(node):
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)


def imports(source):
    """Yield the modules of frex that a module imports, at its top or inside a function."""
    nodes = [ast.parse(source)]
    while nodes:
        node = nodes.pop()
        if is_type_checking(node):
            nodes += node.orelse
            continue
        nodes += ast.iter_child_nodes(node)
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("frex."))
        elif isinstance(node, ast.ImportFrom) and node.level:
            raise AssertionError("imports are absolute, so that they can be read")
        elif isinstance(node, ast.ImportFrom) and node.module == "frex":
            yield from map(home, (alias.name for alias in node.names))
        elif isinstance(node, ast.ImportFrom) and node.module.startswith("frex."):
            yield node.module


def home(name):
    """Return where a name of `frex` is, which may be a package."""
    return frex._PACKAGES.get(name, f"frex.{name}")


def package(module):
    return module.split(".")[1]


def goes_up(module, target):
    """Tell whether an import is of a package that is further down."""
    if target == "frex.__version__":
        return False
    return ORDER.index(package(target)) > ORDER.index(package(module))


def edges():
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE.parent).with_suffix("").parts
        module = ".".join(parts).removesuffix(".__init__")
        if module != "frex":
            yield from ((module, target) for target in imports(path.read_text(encoding="utf-8")))


def test_no_package_imports_from_one_below_it():
    upward = {edge for edge in edges() if goes_up(*edge)}
    assert upward == set(EXCEPTIONS), "import what is above, or move what is in the wrong package"


def test_every_package_has_its_place():
    found = {path.stem for path in SOURCE.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert found - {"__init__", "__pycache__"} == set(ORDER)


def test_the_guide_for_contributors_has_the_same_order():
    guide = (SOURCE.parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in guide.splitlines() if line.startswith("| `")]
    named = [name.strip("`/ ").removesuffix(".py") for row in rows for name in row.split(",")]
    assert named == list(ORDER)


@pytest.mark.parametrize(
    "source",
    [
        "from frex.sampler.run import run",
        "import frex.plots",
        "def later():\n    from frex.estimators import HPC",
        "from frex import HPC",
        "from frex import cli",
        "if TYPE_CHECKING:\n    pass\nelse:\n    import frex.cli.main",
    ],
)
def test_an_upward_import_is_seen(source):
    assert any(goes_up("frex.posterior.words", target) for target in imports(source))


@pytest.mark.parametrize(
    "source",
    [
        "from frex.tree import TopicTree",
        "from frex.posterior.posterior import Posterior",
        "from frex import __version__",
        "if TYPE_CHECKING:\n    from frex.sampler.settings import Settings",
        "import numpy",
    ],
)
def test_other_imports_are_no_fault(source):
    assert not any(goes_up("frex.posterior.words", target) for target in imports(source))
