"""Other people's WebSocket clients on a relay of API v4: `feed.py URL CHAIN EXCHANGE BASE QUOTE NOW
RECIPIENT FEE`, with the API's URL and addresses in lower case."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
import uuid
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import requests
import websockets
from checks import Check, report
from feed_violations import VIOLATIONS
from relay_v4_http import Market, Order
from websockets.sync.client import ClientConnection, connect
from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, CloseConnection, RejectConnection, Request

WAIT = 600


class Feed:
    """A relay with its WebSocket."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.socket = "ws" + url.removeprefix("http")
        self._salt = 1_000

    def orders(self, market: Market, count: int) -> list[Order]:
        """New orders that the relay takes."""
        first = self._salt
        self._salt += count
        return [market.order(first + index) for index in range(count)]

    def post(self, orders: list[Order]) -> None:
        """Puts orders on the book, all at once."""
        bodies = [order.json() for order in orders]
        answer = requests.post(f"{self.url}/orders", json=bodies, timeout=WAIT)
        answer.raise_for_status()


def subscription(market: Market, identifier: str | None = None, **payload: Any) -> str:
    """The text that asks for the orders of the market's base token."""
    tokens = {"makerToken": market.base, "takerToken": market.quote}
    return json.dumps(
        {
            "type": "subscribe",
            "channel": "orders",
            "requestId": identifier or str(uuid.uuid4()),
            "payload": tokens | payload,
        }
    )


def receive(client: ClientConnection) -> dict[str, Any]:
    """The next message."""
    return json.loads(client.recv(timeout=WAIT))


def websockets_follows(check: Check, feed: Feed, market: Market) -> None:
    """websockets: a snapshot, then each posted order with eth-account's hash, without a gap"""
    with connect(feed.socket) as client:
        identifier = str(uuid.uuid4())
        client.send(subscription(market, identifier, snapshot=True))
        message = receive(client)
        check.equal(message["type"], "snapshot", "the first message")
        for count in (1, 50):
            orders = feed.orders(market, count)
            feed.post(orders)
            wanted = {f"0x{order.hash.hex()}": order.json() for order in orders}
            while wanted:
                previous = message["sequence"]
                message = receive(client)
                check.equal(message["type"], "update", "the type")
                check.equal(message["channel"], "orders", "the channel")
                check.equal(message["requestId"], identifier, "the id")
                check.equal(message["previous"], previous, "the sequence before")
                check.true(message["sequence"] > previous, "the sequence does not grow")
                check.equal(
                    message["pair"],
                    {"makerToken": market.base, "takerToken": market.quote},
                    "the pair",
                )
                for record in message["payload"]:
                    data = record["metaData"]
                    order = wanted.pop(data["orderHash"], None)
                    check.equal(record["order"], order, "an order")
                    check.equal(data["state"], "ADDED", "its state")
                    check.equal(data["remainingFillableTakerAmount"], "2000", "what is left")
        check.true(client.ping(b"are you there").wait(WAIT), "a ping was not answered")


def websockets_resumes(check: Check, feed: Feed, market: Market) -> None:
    """websockets: a client that lost its connection goes on where it was"""
    with connect(feed.socket) as client:
        client.send(subscription(market, snapshot=True))
        last = receive(client)["sequence"]
    orders = feed.orders(market, 3)
    for order in orders:
        feed.post([order])
    with connect(feed.socket) as client:
        client.send(subscription(market, since=last))
        missed: list[str] = []
        while len(missed) < len(orders):
            message = receive(client)
            check.equal(message["type"], "update", "the type")
            check.equal(message["previous"], last, "the sequence before")
            last = message["sequence"]
            missed += [record["metaData"]["orderHash"] for record in message["payload"]]
        check.equal(missed, [f"0x{order.hash.hex()}" for order in orders], "what was missed")


def websockets_errors(check: Check, feed: Feed, market: Market) -> None:
    """websockets: a wrong message gets an error without a type, then the close"""
    cases = [
        ("nonsense", 101, 1007),
        ('{"type":"unsubscribe","channel":"orders","requestId":"1"}', 100, 1008),
        (subscription(market, "1", limit=-1), 100, 1008),
    ]
    for text, code, close in cases:
        with connect(feed.socket) as client:
            client.send(text)
            error = receive(client)
            check.true("type" not in error, f"{text} has a type")
            check.equal(error["code"], code, f"the code of {text}")
            try:
                client.recv(timeout=WAIT)
                check.true(False, f"{text} does not close")
            except websockets.ConnectionClosed as closed:
                check.equal(closed.rcvd and closed.rcvd.code, close, f"the close of {text}")


def aiohttp_follows(check: Check, feed: Feed, market: Market) -> None:
    """aiohttp: two connections with one id get the same, and the connection closes in order"""

    async def follow() -> None:
        async with aiohttp.ClientSession() as session:
            clients = []
            for _ in range(2):
                client = await session.ws_connect(feed.socket)
                await client.send_str(subscription(market, "the same", snapshot=True))
                check.equal((await client.receive_json())["type"], "snapshot", "the first")
                clients.append(client)
            order = feed.orders(market, 1)[0]
            await asyncio.to_thread(feed.post, [order])
            for client in clients:
                message = await client.receive_json()
                found = [record["metaData"]["orderHash"] for record in message["payload"]]
                check.equal(found, [f"0x{order.hash.hex()}"], "the order")
                check.equal(message["requestId"], "the same", "the id")
                check.true(await client.close(), "the connection does not close")
                check.equal(client.close_code, 1000, "the close code")

    asyncio.run(asyncio.wait_for(follow(), WAIT))


class Raw:
    """wsproto over a plain socket: it judges what the relay sends, and sends what it never would."""

    def __init__(self, feed: Feed, version: bytes = b"13") -> None:
        parts = urlsplit(feed.socket)
        self.socket = socket.create_connection((parts.hostname, parts.port), WAIT)
        self.protocol = WSConnection(ConnectionType.CLIENT)
        request = self.protocol.send(Request(host=parts.netloc, target=parts.path))
        self.socket.sendall(
            request.replace(b"Sec-WebSocket-Version: 13", b"Sec-WebSocket-Version: " + version)
        )

    def events(self) -> list[Any]:
        """What the relay says until it ends or has said something."""
        found: list[Any] = []
        while not found:
            data = self.socket.recv(65_536)
            self.protocol.receive_data(data or None)
            found = list(self.protocol.events())
            if not data:
                break
        return found


def wsproto_violations(check: Check, feed: Feed, _: Market) -> None:
    """wsproto: each violation is closed with its code, and the connection ends"""
    for name, data, code in VIOLATIONS:
        raw = Raw(feed)
        check.equal([type(e) for e in raw.events()], [AcceptConnection], f"{name}: the handshake")
        raw.socket.sendall(data)
        events = raw.events()
        check.equal([type(event) for event in events], [CloseConnection], f"{name}: the end")
        check.equal(events and int(events[0].code), code, f"{name}: the code")
        raw.socket.shutdown(socket.SHUT_WR)
        check.equal(raw.socket.recv(1), b"", f"{name}: what follows")
        raw.socket.close()


def wsproto_refusal(check: Check, feed: Feed, _: Market) -> None:
    """wsproto: another version of the protocol is refused with 426 and the version that is spoken"""
    raw = Raw(feed, b"7")
    event = raw.events()[0]
    check.equal(type(event), RejectConnection, "the answer")
    check.equal(event.status_code, 426, "the status")
    headers = {name.lower(): value for name, value in event.headers}
    check.equal(headers.get(b"sec-websocket-version"), b"13", "the version")


feed, market = Feed(sys.argv[1]), Market(
    int(sys.argv[2]), *sys.argv[3:6], int(sys.argv[6]), sys.argv[7], int(sys.argv[8])
)
CHECKS = [
    websockets_follows, websockets_resumes, websockets_errors, aiohttp_follows,
    wsproto_violations, wsproto_refusal,
]
report(CHECKS, feed, market)
