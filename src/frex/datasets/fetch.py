"""Download a corpus from its owner: once, whole, checked.

A file reaches the cache under its final name only when all of it arrived and its SHA-256 is right.
The cache is the platform's, or the folder that ``FREX_CACHE`` names.
"""

from __future__ import annotations

import hashlib
import http.client
import os
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from frex.errors import FrexError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

CHUNK = 1 << 18

AP = "http://www.cs.columbia.edu/~blei/lda-c/ap.tgz"
AP_SHA256 = "92cbe192631874708540db11969211363cf2f5c0a56b2897e0229925e5d4f2a3"
REUTERS = "http://kdd.ics.uci.edu/databases/reuters21578/reuters21578.tar.gz"
_LYRL = "http://www.ai.mit.edu/projects/jmlr/papers/volume5/lewis04a/"
RCV1 = (
    _LYRL + "a02-orig-topics-hierarchy/rcv1.topics.hier.orig",
    _LYRL + "a08-topic-qrels/rcv1-v2.topics.qrels.gz",
    _LYRL + "a12-token-files/lyrl2004_tokens_train.dat.gz",
    *(_LYRL + f"a12-token-files/lyrl2004_tokens_test_pt{part}.dat.gz" for part in range(4)),
)


class FetchError(FrexError):
    """A download that failed, or whose content is not as expected."""


class Fetched(NamedTuple):
    """A file in the cache, and the SHA-256 it has: pass that next time, or to others."""

    path: Path
    sha256: str


def fetch_ap(
    *, folder: Path | None = None, progress: Callable[[int], None] | None = None
) -> Fetched:
    """Download the Associated Press corpus, `ap.tgz`, from David Blei's page.

    Parameters
    ----------
    folder
        Where to keep it; the cache when None.
    progress
        Called with the number of bytes that just arrived.
    """
    return fetch(AP, sha256=AP_SHA256, folder=folder, progress=progress)


def fetch_reuters21578(
    *,
    sha256: str | None = None,
    trust_first: bool = False,
    folder: Path | None = None,
    progress: Callable[[int], None] | None = None,
) -> Fetched:
    """Download Reuters-21578 from the UCI archive; its owner publishes no hash.

    Parameters
    ----------
    sha256, trust_first, folder, progress
        See `fetch`.
    """
    return fetch(REUTERS, sha256=sha256, trust_first=trust_first, folder=folder, progress=progress)


def fetch_rcv1(
    *,
    sha256: Mapping[str, str] | None = None,
    trust_first: bool = False,
    folder: Path | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[Fetched]:
    """Download the seven files of RCV1-v2 that make a corpus; their owners publish no hashes.

    Parameters
    ----------
    sha256
        The hash of each file by its name, e.g. ``{"rcv1-v2.topics.qrels.gz": "..."}``.
    trust_first, folder, progress
        See `fetch`.
    """
    hashes = {} if sha256 is None else sha256
    return [
        fetch(
            url,
            sha256=hashes.get(url.rsplit("/", 1)[1]),
            trust_first=trust_first,
            folder=folder,
            progress=progress,
        )
        for url in RCV1
    ]


def fetch(
    url: str,
    *,
    sha256: str | None = None,
    trust_first: bool = False,
    folder: Path | None = None,
    progress: Callable[[int], None] | None = None,
    timeout: float = 60,
) -> Fetched:
    """Return a file from the cache, downloading it when it is not there or no longer the same.

    Parameters
    ----------
    url
        An http or https address; the file takes its last part as its name.
    sha256
        The hash the file must have.
    trust_first
        Accept a file whose hash nobody has published. Its hash is stored beside it, in
        ``NAME.sha256``, and must be the same from then on.
    folder
        Where to keep it; `cache_folder` when None.
    progress
        Called with the number of bytes that just arrived.
    timeout
        Seconds of silence after which the connection counts as lost.
    """
    if urllib.parse.urlsplit(url).scheme not in {"http", "https"}:
        raise InputError(f"not an http or https address: {url!r}")
    target = (cache_folder() if folder is None else folder) / _name_of(url)
    memory = target.with_name(target.name + ".sha256")
    if sha256 is None and trust_first and memory.is_file():
        sha256 = memory.read_text(encoding="ascii").split()[0]
    if sha256 is None and not trust_first:
        raise InputError(
            f"no SHA-256 is known for {url}",
            remedy="Pass sha256=..., or trust_first=True to accept what comes and remember it.",
        )
    if sha256 is not None and target.is_file() and sha256_of(target) == sha256.lower():
        return Fetched(target, sha256.lower())
    found = _download(url, target, sha256, progress, timeout)
    if sha256 is None:
        memory.write_text(f"{found}  {target.name}\n", encoding="ascii")
    return Fetched(target, found)


def cache_folder() -> Path:
    """Return the folder for downloads: ``FREX_CACHE``, or the platform's cache folder."""
    if chosen := os.environ.get("FREX_CACHE"):
        return Path(chosen)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "frex"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "frex"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "frex"


def sha256_of(path: Path) -> str:
    """Return a file's SHA-256 in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _name_of(url: str) -> str:
    name = Path(urllib.parse.unquote(urllib.parse.urlsplit(url).path)).name
    if not name:
        raise InputError(f"the address names no file: {url!r}")
    return name


def _download(
    url: str,
    target: Path,
    sha256: str | None,
    progress: Callable[[int], None] | None,
    timeout: float,
) -> str:
    """Stream to a temporary neighbour of `target`, check, rename; return the hash."""
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=target.name, suffix=".part", dir=target.parent)
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            digest = hashlib.sha256()
            for chunk in _chunks(url, timeout):
                stream.write(chunk)
                digest.update(chunk)
                if progress is not None:
                    progress(len(chunk))
        found = digest.hexdigest()
        if sha256 is not None and found != sha256.lower():
            raise FetchError(
                f"{url}: what came has SHA-256 {found}, expected {sha256.lower()}. "
                "The owner's file has changed or the way there is tampered with; nothing was kept."
            )
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    return found


def _chunks(url: str, timeout: float) -> Iterator[bytes]:
    """Yield the body; a connection that ends before Content-Length is an error."""
    try:
        with urllib.request.urlopen(url, timeout=timeout) as answer:  # noqa: S310 - http(s) only, checked by `fetch`
            while chunk := answer.read(CHUNK):
                yield chunk
            missing = answer.length
    except urllib.error.HTTPError as error:
        error.close()
        raise FetchError(
            f"{url}: the server answers {error.code} {error.reason}. "
            "The owner may have moved the file: download it by hand and name it as data."
        ) from error
    except (OSError, http.client.HTTPException) as error:
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        raise FetchError(
            f"{url}: cannot download ({reason}). Check the network, or download it by hand."
        ) from error
    if missing:
        raise FetchError(f"{url}: the connection ended {missing:,} bytes too early. Try again.")
