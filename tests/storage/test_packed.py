import bz2
import gzip
import io
import lzma

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
