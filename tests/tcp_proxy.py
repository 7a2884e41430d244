"""A proxy before a server, which cuts connections or lets them fall silent."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from waiting import until

STREAM_REQUEST = b"/events?after="


class Link:
    """One connection of a client, and the one to the server behind it."""

    def __init__(self, proxy: TcpProxy, near: socket.socket) -> None:
        self.proxy = proxy
        self.near = near
        self.far = socket.create_connection(("localhost", proxy.target))
        self.is_stream = False
        self.passed = 0  # how often the browser was sent something
        self.silent = proxy.silent  # whether what is sent is swallowed
        self.cut_at: bytes | None = None  # what the server says when the connection is cut
        threading.Thread(target=self.pass_requests, daemon=True).start()
        threading.Thread(target=self.pass_answers, daemon=True).start()

    def pass_requests(self) -> None:
        with suppress(OSError):
            while data := self.near.recv(65536):
                self.is_stream = self.is_stream or STREAM_REQUEST in data
                if not self.silent:
                    self.far.sendall(data)
        self.close()

    def pass_answers(self) -> None:
        with suppress(OSError):
            while data := self.far.recv(65536):
                if self.cut_at and self.cut_at in data:
                    self.near.sendall(data[: data.index(self.cut_at) + len(self.cut_at)])
                    break
                if not self.silent:
                    self.near.sendall(data)
                    self.passed += 1
        if not self.silent:
            self.close()

    def close(self) -> None:
        for end in (self.near, self.far):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


class TcpProxy:
    """Listens on a port of its own; what comes goes to another port of this machine."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.door = socket.create_server(("127.0.0.1", 0))
        self.links: list[Link] = []
        self.silent = False  # whether new connections are swallowed too
        threading.Thread(target=self.accept, daemon=True).start()

    @property
    def port(self) -> int:
        return int(self.door.getsockname()[1])

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"

    @property
    def streams(self) -> list[Link]:
        return [link for link in self.links if link.is_stream]

    def accept(self) -> None:
        with suppress(OSError):
            while True:
                self.links.append(Link(self, self.door.accept()[0]))

    def silence_all(self, *, new: bool) -> None:
        """Nothing passes any more, and nothing ends; on new connections too, or only the old."""
        self.silent = new
        for link in self.links:
            link.silent = True

    def silence_streams(self) -> None:
        """Open streams, once there are any, say nothing more, and do not end either."""
        for link in until(lambda: self.streams):
            link.silent = True

    def cut_streams_at(self, text: bytes) -> None:
        """Open streams, once there are any, break off right after this."""
        for link in until(lambda: self.streams):
            link.cut_at = text

    def close(self) -> None:
        self.door.close()
        for link in self.links:
            link.close()


@contextmanager
def run_proxy(target: int) -> Iterator[TcpProxy]:
    """A proxy that is gone afterwards."""
    proxy = TcpProxy(target)
    try:
        yield proxy
    finally:
        proxy.close()
