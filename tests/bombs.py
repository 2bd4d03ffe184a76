"""Small files that stand for large ones."""

import bz2
import gzip
import lzma

TREE = "topic,parent\nsport,\nnews,\n"
DOCS = '{"id": "%d", "text": "golf links", "labels": ["sport"]}\n'
PIECE = bytes(32 << 20)

ALIASES = "a: &a [x, x]\n" + "".join(
    f"{later}: &{later} [{', '.join([f'*{name}'] * 9)}]\n"
    for name, later in zip("abcdefgh", "bcdefghi", strict=True)
)
"""YAML of 9^9 topics."""

ENTITIES = (
    '<?xml version="1.0"?>\n<!DOCTYPE r [\n<!ENTITY a "lol">\n'
    + "".join(
        f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )
    + "]>\n<r>&i;</r>"
)
"""XML of 10^8 laughs."""

LEVELS = "a/" * 19_999 + "a\n"
"""A path of 20,000 levels."""


def _zstd(path, size):
    import zstandard  # noqa: PLC0415 - an extra

    with path.open("wb") as file, zstandard.ZstdCompressor().stream_writer(file) as packed:
        for _ in range(size // len(PIECE)):
            packed.write(PIECE)


def _parquet(path, size):
    import pyarrow as pa  # noqa: PLC0415 - an extra
    import pyarrow.parquet as pq  # noqa: PLC0415

    n, text = 200, "golf " * (size // 5000)
    table = pa.table(
        {
            "id": [f"d{number}" for number in range(n)],
            "text": pa.DictionaryArray.from_arrays([0] * n, [text]),
            "labels": [["sport"]] * n,
        }
    )
    pq.write_table(table, path)


def make(folder, size):
    """Yield a name, a file of documents and a tree: an honest pair, then one bomb in each.

    Parameters
    ----------
    folder
        Where to put them.
    size
        Bytes that a packed one stands for.
    """
    tree, docs = folder / "tree.csv", folder / "docs.jsonl"
    tree.write_text(TREE)
    docs.write_text("".join(DOCS % number for number in range(100)))
    yield "honest", docs, tree
    for ending, pack in ((".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)):
        path = folder / f"docs.jsonl{ending}"
        path.write_bytes(pack(PIECE) * (size // len(PIECE)))
        yield f"documents in {ending}", path, tree
        path = folder / f"tree.csv{ending}"
        path.write_bytes(pack(PIECE) * (size // len(PIECE)))
        yield f"tree in {ending}", docs, path
    for name in ("docs.jsonl.zst", "tree.csv.zst"):
        _zstd(folder / name, size)
    yield "documents in .zst", folder / "docs.jsonl.zst", tree
    yield "tree in .zst", docs, folder / "tree.csv.zst"
    for name, text in (("t.yaml", ALIASES), ("t.rdf", ENTITIES), ("t.txt", LEVELS)):
        (folder / name).write_text(text)
        yield f"tree, {name}", docs, folder / name
    _parquet(folder / "docs.parquet", size)
    yield "honest, of 200 texts that are alike", folder / "docs.parquet", tree
