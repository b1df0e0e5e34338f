"""A server that says it is PostgreSQL 12, as far as a client asks before it looks at that."""

from __future__ import annotations

import socketserver
import struct
import threading
from types import TracebackType


def message(kind: bytes, body: bytes) -> bytes:
    """A message of the protocol 3.0."""
    return kind + struct.pack(">I", len(body) + 4) + body


def text(name: str, value: str) -> bytes:
    """A ParameterStatus."""
    return message(b"S", name.encode() + b"\0" + value.encode() + b"\0")


READY = message(b"Z", b"I")


class Session(socketserver.StreamRequestHandler):
    """One connection: everybody may come in, and every query is empty."""

    def handle(self) -> None:
        while True:
            size = struct.unpack(">I", self._read(4))[0]
            code = struct.unpack(">I", self._read(size - 4)[:4])[0]
            if code == 196_608:
                break
            # SSLRequest and GSSENCRequest: neither is spoken here.
            self.wfile.write(b"N")
        self.wfile.write(
            message(b"R", struct.pack(">I", 0)) + text("server_version", "12.22")
            + text("server_encoding", "UTF8") + text("client_encoding", "UTF8")
            + text("standard_conforming_strings", "on") + text("integer_datetimes", "on")
            + message(b"K", struct.pack(">II", 1, 1)) + READY
        )
        while kind := self.rfile.read(1):
            self._read(struct.unpack(">I", self._read(4))[0] - 4)
            if kind == b"Q":
                self.wfile.write(message(b"I", b"") + READY)
            if kind == b"S":
                self.wfile.write(READY)
            if kind == b"X":
                return

    def _read(self, count: int) -> bytes:
        data = self.rfile.read(count)
        if len(data) < count:
            raise ConnectionAbortedError
        return data


class Server(socketserver.ThreadingTCPServer):
    """A client that leaves in the middle is no error here."""

    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        pass


class OldPostgres:
    """Such a server on a free port, for the `with` block."""

    def __enter__(self) -> str:
        self._server = Server(("127.0.0.1", 0), Session)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return f"postgres://dex@127.0.0.1:{self._server.server_address[1]}/relay?sslmode=disable"

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
