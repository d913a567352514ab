"""A server that does not stop: its answer is read up to a size, not into all of our memory."""

from collections.abc import AsyncGenerator

import httpx2

__all__ = ["MOST_BYTES", "cap"]

#: Far more than the largest answer that can be asked for takes, with all that a provider adds to it.
MOST_BYTES = 16 * 1024 * 1024


async def cap(response: httpx2.Response) -> None:
    """Let the body of this response end with an error where it goes beyond the limit."""
    assert isinstance(response.stream, httpx2.AsyncByteStream)
    response.stream = _Capped(response.stream)


class _Capped(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncGenerator[bytes]:
        read = 0
        async for chunk in self._stream:
            read += len(chunk)
            if read > MOST_BYTES:
                raise httpx2.ReadError(f"the answer has more than {MOST_BYTES} bytes")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()
