"""A server of a test on 127.0.0.1, which lives as long as a `with` block."""

from http.server import ThreadingHTTPServer
from threading import Thread
from typing import Self

__all__ = ["Loopback"]


class Loopback:
    """Whoever answers sets `_server` when it is made."""

    _server: ThreadingHTTPServer

    @property
    def url(self) -> str:
        """Where it listens, without a path."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
