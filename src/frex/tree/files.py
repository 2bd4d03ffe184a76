"""The file of a tree: its format by its name, and its decompressed bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from frex.errors import InputError
from frex.storage.packed import PACKED, DamagedError, most_unpacked, unpack

if TYPE_CHECKING:
    from pathlib import Path

LARGEST = 1 << 30
"""Most bytes of a tree's file, also after decompression."""

SYNTAXES = {
    "ttl": "turtle", "skos": "turtle", "rdf": "xml", "xml": "xml", "jsonld": "json-ld", "nt": "nt",
}  # fmt: skip
"""rdflib's name of the RDF syntax, by a file's ending."""

FORMATS = {
    "csv": "csv", "tsv": "csv", "json": "json", "yaml": "yaml", "yml": "yaml",
    "txt": "paths", "paths": "paths", "orig": "rcv1", "hier": "rcv1",
} | dict.fromkeys(SYNTAXES, "skos")  # fmt: skip


def ending_of(file: Path) -> str:
    """Return the ending of a file's name, without that of its compression."""
    suffixes = [suffix.lower() for suffix in file.suffixes]
    if suffixes and suffixes[-1] in PACKED:
        suffixes.pop()
    return suffixes[-1].removeprefix(".") if suffixes else ""


def format_of(file: Path, ending: str) -> str:
    """Return the format by a file's ending."""
    if ending not in FORMATS:
        raise InputError(
            f"cannot tell the format of a tree from the ending {f'.{ending}' if ending else ''!r}",
            path=file,
            remedy=f"Use one of .{', .'.join(FORMATS)}, or name the format.",
        )
    return FORMATS[ending]


def read_bytes(file: Path) -> bytes:
    """Return the decompressed content of a file."""
    packing = file.suffix.lower()
    data = bytearray()
    try:
        most = min(LARGEST, most_unpacked(file.stat().st_size))
        with file.open("rb") as raw:
            for chunk in unpack(raw, packing if packing in PACKED else ""):
                data += chunk
                if len(data) > most:
                    raise InputError(
                        f"the tree is larger than {most >> 20:,} MiB",
                        path=file,
                        remedy="Check that it is one.",
                    )
    except OSError as error:
        raise InputError(
            f"cannot read the tree: {error.strerror}", path=file, remedy="Check the path."
        ) from error
    except DamagedError as error:
        raise InputError(
            f"damaged file: {error}", path=file, remedy="Copy it anew, or pack it again."
        ) from error
    return bytes(data)


def as_text(data: bytes, file: Path) -> str:
    """Return the text of a file that is not RDF."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            "the tree is not UTF-8 text",
            path=file,
            line=data[: error.start].count(b"\n") + 1,
            remedy="Save it as UTF-8.",
        ) from error
