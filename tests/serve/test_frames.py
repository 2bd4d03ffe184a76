import asyncio
import io

import pytest

from frex.serve.frames import Frame, packed, read, receive

FRAMES = [Frame({"a": "ü"}, b"\x00" * 70_000), Frame({}), Frame({"n": 1}, b"x")]


def test_messages_are_read_one_by_one():
    source = io.BytesIO(b"".join(map(packed, FRAMES)))
    assert [read(source) for _ in range(4)] == [*FRAMES, None]


def test_half_a_message_is_none():
    whole = packed(FRAMES[2])
    assert all(read(io.BytesIO(whole[:end])) is None for end in (3, 8))


def test_messages_are_received():
    async def receiving():
        source = asyncio.StreamReader()
        source.feed_data(b"".join(map(packed, FRAMES)) + b"\x00")
        source.feed_eof()
        assert [await receive(source) for _ in FRAMES] == FRAMES
        with pytest.raises(asyncio.IncompleteReadError):
            await receive(source)

    asyncio.run(receiving())


def test_no_nan_is_sent():
    with pytest.raises(ValueError, match="not JSON compliant"):
        packed(Frame({"a": float("nan")}))
