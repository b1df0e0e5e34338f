"""An HTTP proxy that knows CONNECT only, and leads every host to one port of the loopback."""

from __future__ import annotations

import socket
import threading
from types import TracebackType


class Tunnel:
    """A proxy on a free port; `asked` lists the first lines of what came.

    `password` is the value of Proxy-Authorization that it wants, if any.
    """

    def __init__(self, target: int, password: str | None = None) -> None:
        self.asked: list[str] = []
        self._target = target
        self._password = password
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]

    def __enter__(self) -> Tunnel:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client:
            head = b""
            while b"\r\n\r\n" not in head:
                part = client.recv(4096)
                if not part:
                    return
                head += part
            lines = head.split(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
            self.asked.append(lines[0])
            given = [line for line in lines if line.lower().startswith("proxy-authorization:")]
            if self._password and not any(self._password in line for line in given):
                client.sendall(
                    b"HTTP/1.1 407 Proxy Authentication Required\r\n"
                    b"Proxy-Authenticate: Basic realm=proxy\r\nContent-Length: 0\r\n\r\n"
                )
                return
            if not lines[0].startswith("CONNECT "):
                client.sendall(b"HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n\r\n")
                return
            with socket.create_connection(("127.0.0.1", self._target)) as server:
                client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
                forth = threading.Thread(target=_pump, args=(client, server), daemon=True)
                forth.start()
                _pump(server, client)
                forth.join(timeout=5)


def _pump(source: socket.socket, target: socket.socket) -> None:
    """Hands on what comes until one side ends."""
    try:
        while part := source.recv(65_536):
            target.sendall(part)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        return
