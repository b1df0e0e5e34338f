"""An HTTPS server before a sandbox, HTTP/2 or HTTP/1.1, with compression: hypercorn and trustme."""

from __future__ import annotations

import asyncio
import gzip
import http.client
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

from hypercorn.asyncio import serve
from hypercorn.config import Config
from trustme import LeafCert


@dataclass(frozen=True)
class Served:
    """One request as it came: HTTP's version, the client's port, what it accepts, the path."""

    version: str
    connection: int
    encodings: str
    path: str


class Gateway:
    """Serves `/rpc` and `/v0/…` of a sandbox on a free port of the loopback.

    `served` lists the requests. It stops with the `with` block.
    """

    def __init__(
        self, folder: Path, certificate: LeafCert, rpc: str, relay: str, *protocols: str
    ) -> None:
        self.served: list[Served] = []
        self._targets = {"rpc": urlsplit(rpc), "v0": urlsplit(relay)}
        listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = listener.getsockname()[1]
        self._config = Config()
        # The server closes it.
        self._config.bind = [f"fd://{listener.detach()}"]
        self._config.certfile = str(folder / f"{self.port}.pem")
        self._config.keyfile = str(folder / f"{self.port}.key")
        certificate.private_key_pem.write_to_path(self._config.keyfile)
        for part in certificate.cert_chain_pems:
            part.write_to_path(self._config.certfile, append=True)
        self._config.alpn_protocols = list(protocols or ("h2", "http/1.1"))
        self._config.errorlog = None
        self._config.graceful_timeout = 1
        self._loop = asyncio.new_event_loop()
        self._end = asyncio.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Gateway:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join(timeout=600)
        if self._thread.is_alive():
            raise RuntimeError("the HTTPS server does not end")

    def flags(self, host: str = "localhost") -> list[str]:
        """The flags that lead `dex` here by a host's name."""
        origin = f"https://{host}:{self.port}"
        return ["--rpc", f"{origin}/rpc", "--relay", f"{origin}/v0"]

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(
            serve(self._answer, self._config, shutdown_trigger=self._end.wait)
        )
        self._loop.close()

    async def _answer(
        self, scope: dict[str, Any], receive: Callable[..., Any], send: Callable[..., Any]
    ) -> None:
        if scope["type"] != "http":
            return
        body = b""
        while True:
            part = await receive()
            body += part.get("body", b"")
            if not part.get("more_body"):
                break
        headers = {name.lower().decode(): value.decode() for name, value in scope["headers"]}
        encodings = headers.get("accept-encoding", "")
        target = scope["raw_path"].decode()
        if scope["query_string"]:
            target += "?" + scope["query_string"].decode()
        self.served.append(
            Served(scope["http_version"], scope["client"][1], encodings, target)
        )
        status, answered, content = await asyncio.to_thread(
            self._forward, scope["method"], target, headers, body
        )
        if "gzip" in encodings:
            content = gzip.compress(content, compresslevel=1)
            answered.append((b"content-encoding", b"gzip"))
        await send({"type": "http.response.start", "status": status, "headers": answered})
        await send({"type": "http.response.body", "body": content})

    def _forward(
        self, method: str, target: str, headers: dict[str, str], body: bytes
    ) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
        """The sandbox's own answer: its status, the headers that matter, its body."""
        server = self._targets[target.split("/")[1].partition("?")[0]]
        path = target if target.startswith("/v0") else server.path or "/"
        client = http.client.HTTPConnection(server.hostname, server.port, timeout=600)
        try:
            kind = {"Content-Type": headers.get("content-type", "application/json")}
            client.request(method, path, body or None, kind)
            answer = client.getresponse()
            kept = [
                (name.lower().encode(), value.encode())
                for name, value in answer.getheaders()
                if name.lower() in ("content-type", "link")
            ]
            return answer.status, kept, answer.read()
        finally:
            client.close()
