import hashlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from frex.datasets import fetch as fetching
from frex.datasets.fetch import Fetched, FetchError, fetch
from frex.errors import InputError

CONTENT = bytes(range(256)) * 4000
SHA256 = hashlib.sha256(CONTENT).hexdigest()


class Owner(BaseHTTPRequestHandler):
    """Serve `/good/*` whole, `/short/*` cut short, and nothing else; count what was asked for."""

    def do_GET(self):
        self.server.asked += 1
        if self.path.startswith(("/good/", "/short/")):
            self.send_response(200)
            self.send_header("Content-Length", str(len(CONTENT)))
            self.end_headers()
            self.wfile.write(CONTENT[: len(CONTENT) // (2 if "short" in self.path else 1)])
        else:
            self.send_error(404)

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    with ThreadingHTTPServer(("127.0.0.1", 0), Owner) as server:
        server.asked = 0
        server.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("FREX_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    return tmp_path / "cache"


def test_a_file_is_downloaded_once_and_whole(server, cache):
    arrived = []
    got = fetch(f"{server.url}/good/a.tgz", sha256=SHA256.upper(), progress=arrived.append)
    assert got == Fetched(cache / "a.tgz", SHA256)
    assert got.path.read_bytes() == CONTENT
    assert sum(arrived) == len(CONTENT)
    assert fetch(f"{server.url}/good/a.tgz", sha256=SHA256) == got
    assert server.asked == 1
    assert [path.name for path in cache.iterdir()] == ["a.tgz"]


def test_a_cached_file_that_changed_is_downloaded_again(server, cache):
    cache.mkdir()
    (cache / "a.tgz").write_bytes(b"other")
    assert fetch(f"{server.url}/good/a.tgz", sha256=SHA256).path.read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("path", "sha256", "message"),
    [
        ("/good/a.tgz", "0" * 64, f"has SHA-256 {SHA256}, expected 000"),
        ("/short/a.tgz", SHA256, "the connection ended 512,000 bytes too early"),
        ("/gone/a.tgz", SHA256, "the server answers 404"),
    ],
)
def test_a_failed_download_leaves_nothing_behind(server, cache, path, sha256, message):
    with pytest.raises(FetchError, match=message):
        fetch(server.url + path, sha256=sha256)
    assert list(cache.iterdir()) == []


def test_without_a_network_the_error_says_so(server):
    url = f"{server.url}/good/a.tgz"
    server.shutdown()
    server.server_close()
    with pytest.raises(FetchError, match="Check the network"):
        fetch(url, sha256=SHA256, timeout=5)


def test_a_file_without_a_known_hash_must_be_trusted_in_so_many_words(server, cache):
    url = f"{server.url}/good/a.tgz"
    with pytest.raises(InputError, match="no SHA-256 is known"):
        fetch(url)
    assert server.asked == 0
    assert fetch(url, trust_first=True).sha256 == SHA256
    assert fetch(url, trust_first=True).sha256 == SHA256
    assert server.asked == 1
    # what was trusted once is remembered: something else under its name is refused
    (cache / "a.tgz.sha256").write_text("0" * 64 + "  a.tgz\n")
    with pytest.raises(FetchError, match="expected 000"):
        fetch(url, trust_first=True)


def test_only_web_addresses_of_files_are_fetched():
    for url in ("file:///etc/passwd", "ftp://x/y", "http://127.0.0.1/"):
        with pytest.raises(InputError):
            fetch(url, sha256=SHA256)


def test_each_corpus_is_fetched_from_its_owner(server, monkeypatch):
    monkeypatch.setattr(fetching, "AP", f"{server.url}/good/ap.tgz")
    monkeypatch.setattr(fetching, "AP_SHA256", SHA256)
    monkeypatch.setattr(fetching, "REUTERS", f"{server.url}/good/reuters21578.tar.gz")
    monkeypatch.setattr(fetching, "RCV1", (f"{server.url}/good/a.gz", f"{server.url}/good/b.gz"))
    assert fetching.fetch_ap().path.name == "ap.tgz"
    assert fetching.fetch_reuters21578(sha256=SHA256).path.name == "reuters21578.tar.gz"
    first, second = fetching.fetch_rcv1(sha256={"a.gz": SHA256, "b.gz": SHA256})
    assert (first.path.name, second.path.name) == ("a.gz", "b.gz")
    with pytest.raises(InputError, match="no SHA-256 is known"):
        fetching.fetch_rcv1(sha256={"a.gz": SHA256})


def test_the_pinned_hash_is_that_of_the_real_file(shared_data):
    assert fetching.sha256_of(shared_data / "ap" / "ap.tgz") == fetching.AP_SHA256
