"""A node for the tests: JSON-RPC over HTTP, on an EVM that others wrote.

    python server.py GENESIS [--port N]

GENESIS is the configuration that docs/evm.md describes. Prints one line of JSON, {"url"}, once it
listens on this machine, and ends when its standard input does: it never outlives who started it.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from chain import EVMChain
from failures import RPCError
from methods import Methods


class Node:
    """Answers bodies, one at a time: the chain is not made for threads."""

    def __init__(self, methods: Methods) -> None:
        self._methods = methods
        self._lock = threading.Lock()

    def answer(self, body: bytes) -> bytes:
        try:
            request = json.loads(body)
        except ValueError:
            return json.dumps(_failure(None, RPCError(-32700, "parse error"))).encode()
        with self._lock:
            if isinstance(request, list):
                if not request:
                    return json.dumps(_failure(None, RPCError(-32600, "empty batch"))).encode()
                return json.dumps([self._one(item) for item in request]).encode()
            return json.dumps(self._one(request)).encode()

    def _one(self, request: Any) -> dict[str, Any]:
        if not isinstance(request, dict) or not isinstance(request.get("method"), str):
            return _failure(None, RPCError(-32600, "invalid request"))
        identifier = request.get("id")
        try:
            result = self._methods.answer(request["method"], request.get("params", []))
        except RPCError as error:
            return _failure(identifier, error)
        return {"jsonrpc": "2.0", "id": identifier, "result": result}


def _failure(identifier: Any, error: RPCError) -> dict[str, Any]:
    content: dict[str, Any] = {"code": error.code, "message": str(error)}
    if error.data is not None:
        content["data"] = error.data
    return {"jsonrpc": "2.0", "id": identifier, "error": content}


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    node: Node

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        answer = self.node.answer(body)
        head = (
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(answer)}\r\n\r\n"
        )
        # In one piece: a second write would wait for the first's acknowledgement.
        self.wfile.write(head.encode() + answer)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Tests want no log."""


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


def serve(configuration: Any, port: int = 0) -> str:
    """Starts a node in this process; the line that says where it listens."""
    handler = type("BoundHandler", (Handler,), {"node": Node(Methods(EVMChain(configuration)))})
    server = Server(("127.0.0.1", port), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return json.dumps({"url": f"http://127.0.0.1:{server.server_port}"})


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("genesis", type=Path)
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()
    print(serve(json.loads(options.genesis.read_text()), options.port), flush=True)
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    main()
