r"""arXiv: titles and abstracts under the official taxonomy.

Two forms, a JSON object a line, plain, `.gz` or `.xz`: `arxiv-metadata-oai-snapshot.json`, which
arXiv publishes (``categories`` as ``"math.CO cs.DM"``), and lines with ``labels`` as a list.
The snapshot is behind a login, so nothing here downloads it.

The taxonomy (`data/arxiv.tsv`) has the groups ``grp:physics``, ``grp:cs``, ... on top, archives
such as ``astro-ph`` below physics, categories below those.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from frex.datasets.files import OfficialFiles
from frex.datasets.labelled import prepare_labelled
from frex.errors import InputError
from frex.text import Document
from frex.tree import TopicTree, read_tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from frex.text import PrepareReport

WANTED = ("*.json", "*.jsonl")
TAXONOMY = Path(__file__).parent / "data" / "arxiv.tsv"

# Names that arXiv itself treats as another one: aliases, archives since merged into a category,
# and a bare archive that is a group here.
SAME_AS = {
    "cs.NA": "math.NA", "cs.SY": "eess.SY", "math.IT": "cs.IT", "math.MP": "math-ph",
    "q-fin.EC": "econ.GN", "stat.TH": "math.ST",
    "acc-phys": "physics.acc-ph", "adap-org": "nlin.AO", "alg-geom": "math.AG",
    "ao-sci": "physics.ao-ph", "atom-ph": "physics.atom-ph", "bayes-an": "physics.data-an",
    "chao-dyn": "nlin.CD", "chem-ph": "physics.chem-ph", "cmp-lg": "cs.CL",
    "comp-gas": "nlin.CG", "dg-ga": "math.DG", "funct-an": "math.FA",
    "mtrl-th": "cond-mat.mtrl-sci", "patt-sol": "nlin.PS", "plasm-ph": "physics.plasm-ph",
    "q-alg": "math.QA", "solv-int": "nlin.SI", "supr-con": "cond-mat.supr-con",
    "q-bio": "grp:q-bio",
}  # fmt: skip

_MATH = re.compile(
    r"(?<!\\)\$\$.+?(?<!\\)\$\$"
    r"|(?<!\\)\$.+?(?<!\\)\$"
    r"|\\\(.+?\\\)|\\\[.+?\\\]"
    r"|\\begin\{(equation|align|eqnarray|multline|gather)\*?\}.+?\\end\{\1\*?\}",
    re.DOTALL,
)
_ACCENT = re.compile(r"""\{?\\(?:["'`^~=.]\s*|[uvHtcdbkr](?=[{\s])\s*)\{?\\?([A-Za-z])\}?""")
_ENVIRONMENT = re.compile(r"\\(?:begin|end)\{[^}]*\}")
_COMMAND = re.compile(r"\\[A-Za-z]+\*?|\\.|[{}]|~")


def documents(paths: Sequence[Path], *, latex: bool = False) -> Iterator[Document]:
    """Read the papers: the text is title and abstract; title, address and date are kept.

    Parameters
    ----------
    paths
        The JSON-lines files, or a folder that holds them.
    latex
        Keep formulas and LaTeX commands; by default `strip_latex` takes them out.
    """
    for file in OfficialFiles(paths, WANTED).files:
        for number, line in file.lines():
            if line.strip():
                paper = _parse(line, file.path, number)
                text = f"{paper['title']}\n{paper['abstract']}"
                text = text if latex else strip_latex(text)
                yield Document(
                    paper["id"], text, paper["labels"], str(file.path), number,
                    {
                        "title": paper["title"],
                        "url": f"https://arxiv.org/abs/{paper['id']}",
                        "date": paper.get("date") or paper.get("update_date") or "",
                    },
                )  # fmt: skip


def topic_tree() -> TopicTree:
    """Return arXiv's taxonomy, which comes with the package."""
    return read_tree(TAXONOMY)


def prepare(data: Sequence[Path], out: Path, **options: Any) -> PrepareReport:
    """Turn a snapshot into a corpus.

    Parameters
    ----------
    data
        The JSON-lines files, or a folder that holds them.
    out
        The corpus folder to make.
    **options
        Those of `frex.datasets.labelled.prepare_labelled`.
    """
    return prepare_labelled(documents(data), topic_tree(), out, **options)


def strip_latex(text: str) -> str:
    r"""Drop formulas and commands, keep the words.

    ``Erd\H{o}s, the \emph{random} graph $G(n,p)$`` leaves ``Erdos, the random graph``. An
    unpaired dollar sign is kept, as money.

    Parameters
    ----------
    text
        A title or an abstract.
    """
    if "\\" not in text and "$" not in text:
        return text
    text = _ACCENT.sub(r"\1", _MATH.sub(" ", text))
    return _COMMAND.sub(" ", _ENVIRONMENT.sub(" ", text))


def _parse(line: str, path: Path, number: int) -> dict[str, Any]:
    try:
        paper = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"not JSON: {error}", path=path, line=number) from error
    complaint = _complaint(paper)
    if complaint:
        raise InputError(
            complaint,
            path=path,
            line=number,
            remedy="A line is an object with id, title, abstract and categories (or labels).",
        )
    labels = paper.get("labels", paper.get("categories"))
    parts = [labels] if isinstance(labels, str) else labels
    names = [name for part in parts for name in part.split()]
    return {**paper, "labels": tuple(dict.fromkeys(SAME_AS.get(name, name) for name in names))}


def _complaint(paper: Any) -> str | None:
    """Report what is wrong with a line's object."""
    for field in ("id", "title", "abstract"):
        if not isinstance(paper, dict) or not isinstance(paper.get(field), str):
            return f"no text under {field!r}"
    given = [field for field in ("labels", "categories") if field in paper]
    if not given:
        return "neither 'categories' nor 'labels'"
    labels = paper[given[0]]
    if isinstance(labels, list) and all(isinstance(label, str) for label in labels):
        return None
    return None if isinstance(labels, str) else f"{given[0]!r} is not text or a list of texts"
