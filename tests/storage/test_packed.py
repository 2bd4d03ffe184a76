import bz2
import gzip
import io
import lzma
import random
import zlib

import pytest

from frex.storage.packed import PACKED, DamagedError, unpack


def pack_zstd(data):
    return pytest.importorskip("zstandard").ZstdCompressor().compress(data)


PACKERS = dict(zip(PACKED, (gzip.compress, lzma.compress, bz2.compress, pack_zstd), strict=True))
TEXT = b"".join(b"line %d of a file\n" % n for n in range(5000))


@pytest.mark.parametrize("ending", ["", *PACKED])
def test_a_file_is_unpacked_in_pieces(ending):
    packed = PACKERS.get(ending, bytes)(TEXT)
    pieces = list(unpack(io.BytesIO(packed), ending, size=1000))
    assert b"".join(pieces) == TEXT
    assert len(pieces) > 1 or ending == ".zst"  # which goes by the packed bytes


@pytest.mark.parametrize("ending", PACKED)
def test_what_is_whole_comes_before_the_error(ending):
    pieces = []
    with pytest.raises(DamagedError):
        pieces.extend(unpack(io.BytesIO(PACKERS[ending](TEXT)[:-4]), ending))
    assert TEXT.startswith(b"".join(pieces))
    assert pieces
    with pytest.raises(DamagedError):
        list(unpack(io.BytesIO(b"not packed at all"), ending))


@pytest.mark.parametrize("ending", PACKED)
def test_a_small_file_that_holds_much_is_unpacked_in_small_pieces(ending):
    bomb = PACKERS[ending](bytes(32 << 20))
    assert len(bomb) < 40_000
    pieces = unpack(io.BytesIO(bomb), ending, size=1 << 20)
    assert max(map(len, pieces)) <= 1 << 20


def test_an_xz_file_that_asks_for_much_memory_is_refused():
    packed = bytearray(lzma.compress(TEXT))
    assert packed[14:16] == b"\x21\x01"  # LZMA2, and after it the size of its dictionary
    packed[16] = 40  # 4 GiB
    n_head = 4 * (packed[12] + 1)
    packed[12 + n_head - 4 : 12 + n_head] = zlib.crc32(packed[12 : 12 + n_head - 4]).to_bytes(
        4, "little"
    )
    with pytest.raises(DamagedError, match="Memory usage limit"):
        list(unpack(io.BytesIO(packed), ".xz"))


@pytest.mark.parametrize("options", [{}, {"write_checksum": True}, {"write_content_size": False}])
@pytest.mark.parametrize("size", [0, 1, 70_000, 700_000])
def test_every_frame_of_zstandard_is_read(size, options):
    library = pytest.importorskip("zstandard")
    data = random.Random(size).randbytes(size // 2) + bytes(size // 2)
    frame = library.ZstdCompressor(**options).compress(data)
    skipped = b"\x50\x2a\x4d\x18\x03\x00\x00\x00abc"
    assert b"".join(unpack(io.BytesIO(frame + skipped + frame), ".zst")) == 2 * data
    with pytest.raises(DamagedError):
        list(unpack(io.BytesIO(frame + frame[:-1]), ".zst"))
