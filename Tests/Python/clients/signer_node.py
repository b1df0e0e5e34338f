"""A node that holds a key, in eth-account, for the time of a `with` block."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

from eth_account.messages import SignableMessage, encode_defunct, encode_typed_data
from eth_account.signers.local import LocalAccount


class SignerNode:
    """JSON-RPC 2.0 on a free port of loopback: `eth_signTransaction` and some of `eth_sign`,
    `personal_sign` and `eth_signTypedData_v4`.

    `change` gets each transaction before it is signed; `calls` are the methods that were asked for.
    """

    def __init__(
        self,
        account: LocalAccount,
        methods: tuple[str, ...] = ("eth_sign", "personal_sign"),
        change: Callable[[dict[str, Any]], None] = lambda transaction: None,
    ) -> None:
        self.calls: list[str] = []
        self._account = account
        self._methods = methods
        self._change = change
        node = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                question = json.loads(self.rfile.read(length))
                body = json.dumps(node.answer(question)).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments: Any) -> None:
                """Says nothing: what is printed is the report."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> SignerNode:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        """The answer to one call."""
        method, parameters = question["method"], question["params"]
        self.calls.append(method)
        head = {"jsonrpc": "2.0", "id": question["id"]}
        if method == "eth_signTransaction":
            self._change(parameters[0])
            raw = bytes(self._account.sign_transaction(parameters[0]).raw_transaction)
            return head | {"result": {"raw": "0x" + raw.hex(), "tx": parameters[0]}}
        if method not in self._methods:
            text = f"the method {method} does not exist/is not available"
            return head | {"error": {"code": -32601, "message": text}}
        # personal_sign alone has the account behind what is signed.
        account, content = reversed(parameters) if method == "personal_sign" else parameters
        if account != self._account.address:
            return head | {"error": {"code": -32000, "message": "unknown account"}}
        signed = self._account.sign_message(self._message(method, content))
        return head | {"result": "0x" + bytes(signed.signature).hex()}

    @staticmethod
    def _message(method: str, content: str) -> SignableMessage:
        """What is signed: typed data from its JSON text, or the bytes of a message."""
        if method == "eth_signTypedData_v4":
            return encode_typed_data(full_message=json.loads(content))
        return encode_defunct(hexstr=content)
