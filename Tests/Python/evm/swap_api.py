"""A Swap API for the tests: 0x's HTTP interface (version 2) over the contracts of a test chain.

    python swap_api.py --node URL --key KEY --pool ADDRESS... [--port N]

Prints one line of JSON, {"url"}, once it listens on this machine, and ends when its standard input
does. `POST /control` with {"lie": NAME} lets every later quote lie in one way of swap_quotes.LIES,
with {"lie": null} in none.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlsplit

from server import Server
from swap_deals import MILLION, Refusal, Request
from swap_encoding import EMPTY, NATIVE
from swap_quotes import LIES, Quotes

PATHS = {
    f"/swap/{way}/{kind}": (way == "permit2", kind == "quote")
    for way in ("allowance-holder", "permit2")
    for kind in ("price", "quote")
}


def _invalid(field: str, reason: str) -> Refusal:
    return Refusal(400, "INPUT_INVALID", reason, field)


def _address(query: dict[str, str], name: str) -> str | None:
    text = query.get(name)
    if text is None:
        return None
    digits = text.removeprefix("0x").lower()
    if len(digits) != 40 or set(digits) - set("0123456789abcdef") or f"0x{digits}" == EMPTY:
        raise _invalid(name, "Invalid ethereum address")
    return f"0x{digits}"


def _number(query: dict[str, str], name: str, most: int) -> int | None:
    text = query.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit()) or int(text) > most:
        raise _invalid(name, "Invalid number")
    return int(text)


def parse(query: dict[str, str], chain_id: int, is_permit: bool, is_firm: bool) -> Request:
    """The request that a query makes.

    Raises Refusal.
    """
    if _number(query, "chainId", 2**53) != chain_id:
        raise _invalid("chainId", "Invalid chain")
    sell, buy = _address(query, "sellToken"), _address(query, "buyToken")
    if sell is None:
        raise _invalid("sellToken", "Required")
    if buy is None or buy == sell:
        raise _invalid("buyToken", "Required, and not the sold token")
    amounts = [_number(query, name, 2**256 - 1) for name in ("sellAmount", "buyAmount")]
    if amounts.count(None) != 1 or 0 in amounts:
        raise _invalid("buyAmount", "Exactly one of sellAmount and buyAmount, above zero")
    taker = _address(query, "taker")
    if is_firm and taker is None:
        raise _invalid("taker", "Required")
    basis = _number(query, "slippageBps", 10_000)
    parts = _number(query, "slippagePpm", MILLION)
    if basis is not None and parts is not None:
        raise _invalid("slippagePpm", "Only one of slippageBps and slippagePpm")
    slippage = parts if parts is not None else 100 * (100 if basis is None else basis)
    recipient = _address(query, "recipient")
    if recipient == NATIVE:
        raise _invalid("recipient", "Invalid recipient")
    return Request(
        sell=sell,
        buy=buy,
        sell_amount=amounts[0],
        buy_amount=amounts[1],
        taker=taker,
        recipient=recipient,
        slippage=slippage,
        is_permit=is_permit,
        is_firm=is_firm,
    )


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    quotes: Quotes
    key: str

    def do_GET(self) -> None:
        try:
            status, body = 200, self._answer()
        except Refusal as refusal:
            status = refusal.status
            body = {"name": refusal.name, "message": str(refusal), "data": {}}
            if refusal.field is not None:
                reason = {"field": refusal.field, "reason": str(refusal)}
                body["data"] = {"details": [reason]}
        self._write(status, body)

    def do_POST(self) -> None:
        content = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        lie = content.get("lie")
        if self.path != "/control" or (lie is not None and lie not in LIES):
            self._write(404, {"lies": LIES})
            return
        self.quotes.lie = lie
        self._write(200, {"lie": lie})

    def _answer(self) -> dict[str, Any]:
        if self.headers.get("0x-api-key") != self.key:
            raise Refusal(401, "UNAUTHORIZED", "Invalid API key")
        if self.headers.get("0x-version") != "v2":
            raise _invalid("0x-version", "Invalid version")
        url = urlsplit(self.path)
        if url.path == "/swap/chains":
            chain = {"chainId": self.quotes.chain_id, "chainName": "Test"}
            return {"chains": [chain], "zid": "0x" + "00" * 12}
        if url.path == "/sources":
            return {"sources": ["Stand_In_Pool"], "zid": "0x" + "00" * 12}
        if url.path not in PATHS:
            raise Refusal(404, "NOT_FOUND", "There is no such path")
        values = parse_qs(url.query, keep_blank_values=True)
        for name, several in values.items():
            if len(several) > 1:
                raise _invalid(name, "Given twice")
        query = {name: several[0] for name, several in values.items()}
        return self.quotes.answer(parse(query, self.quotes.chain_id, *PATHS[url.path]))

    def _write(self, status: int, body: Any) -> None:
        content = json.dumps(body).encode()
        head = (
            f"HTTP/1.1 {status} .\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(content)}\r\n\r\n"
        )
        # In one piece, as the node.
        self.wfile.write(head.encode() + content)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Tests want no log."""


def serve(
    node: str,
    key: str,
    pools: Sequence[str],
    port: int = 0,
    clock: Callable[[], float] = time.time,
) -> str:
    """Starts the API in this process; its URL."""
    quotes = Quotes(node, pools, clock)
    kind = type("BoundHandler", (Handler,), {"quotes": quotes, "key": key})
    server = Server(("127.0.0.1", port), kind)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--node", required=True)
    parser.add_argument("--key", required=True)
    parser.add_argument("--pool", action="append", default=[])
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()
    url = serve(options.node, options.key, options.pool, options.port)
    print(json.dumps({"url": url}), flush=True)
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    main()
