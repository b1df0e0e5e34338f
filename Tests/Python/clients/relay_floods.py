"""Floods from one address, and each limit with one above, on a served relay: `relay_floods.py DEX`."""

from __future__ import annotations

import json
import sys
import threading
import time
from typing import Any

import requests
from checks import Check, report
from hostile_clients import (
    Others, Quiet, close_code, connected, drained, frame, head, subscription, upgraded,
)
from sandbox import Sandbox
from served_relay import PAIR_V0, WAIT, ServedRelay, market_orders

# What trusted_proxies of these settings lets 127.0.0.1 say; 127.0.0.2 is nobody.
PROXY = 'public = "https://relay.example"\ndrain_seconds = 0\ntrusted_proxies = ["127.0.0.1"]'
LIMITS = """[limits]
times_owned = 0
posts_per_second = 1
post_burst = 5
connections = 40
connections_of_address = 8
subscriptions = 6
message_bytes = 1024
"""


def connections(check: Check, relay: ServedRelay, _: list[Any]) -> None:
    """a thousand idle connections of one address are not kept, and nobody else waits"""
    with Quiet(check, relay), Others(check, relay):
        clients = []
        for _ in range(1_000):
            client = connected(relay, source="127.0.0.2")
            clients.append(client)
        # Each has a share; the bound of all would keep everybody else waiting. Those that the kernel
        # took are ended as the relay comes to them.
        relay.until(
            lambda: sum(not ended(client) for client in clients) <= 300,
            "the connections above the share are ended",
        )
        check.true(relay.get("/healthz").status_code == 200, "others wait")
        open_ones = sum(not ended(client) for client in clients)
        check.true(200 <= open_ones <= 300, f"{open_ones} connections of one address are kept")
        for client in clients:
            client.close()
    check.equal(len(relay.logged("more connections than its share")), 1, "the lines about the flood")


def ended(client: Any) -> bool:
    """Whether the other side has ended the connection."""
    client.setblocking(False)
    try:
        return client.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def posts(check: Check, relay: ServedRelay, orders: list[Any]) -> None:
    """a flood of posts of one address is answered with 429 and Retry-After; others post meanwhile"""
    body = json.dumps(orders[0]).encode()
    answers: list[requests.Response] = []

    def flood() -> None:
        session = requests.Session()
        # Until it is held up, however slow the machine is.
        while sum(one.status_code == 429 for one in answers) < 40 and len(answers) < 4_000:
            answers.append(
                session.post(
                    f"{relay.url}/v0/order", data=body, timeout=WAIT,
                    headers={"Content-Type": "application/json", "X-Forwarded-For": "192.0.2.1"},
                )
            )

    start = time.monotonic()
    with Quiet(check, relay), Others(check, relay):
        threads = [threading.Thread(target=flood) for _ in range(4)]
        for thread in threads:
            thread.start()
        for number, order in enumerate(orders[1:6]):
            answer = relay.post(
                "/v0/order", order, headers={"X-Forwarded-For": f"198.51.100.{number}"}
            )
            check.equal(answer.status_code, 201, f"the post of another address: {answer.text}")
        for thread in threads:
            thread.join(WAIT)
        statuses = [answer.status_code for answer in answers]
        check.equal(set(statuses), {201, 429}, "the answers")
        seconds = time.monotonic() - start
        most = 5 + 1 + seconds
        check.true(statuses.count(201) <= most, f"{statuses.count(201)} in {seconds} s were taken")
        check.true(
            all(int(one.headers["Retry-After"]) >= 1 for one in answers if one.status_code == 429),
            "an answer has no Retry-After",
        )
        codes = {one.json()["code"] for one in answers if one.status_code == 429}
        check.equal(codes, {103}, "the codes")
    hashes = [json.dumps(one, sort_keys=True) for one in relay.book()["asks"]]
    check.equal(len(hashes), len(set(hashes)), "the different orders")
    check.equal(len(hashes), 6, "the orders")


def followers(check: Check, relay: ServedRelay, _: list[Any]) -> None:
    """WebSockets of one address end at its limit, subscriptions at theirs, all at that of all"""
    def opened(address: str) -> Any:
        try:
            return upgraded(relay, "/v0/ws", f"X-Forwarded-For: {address}")
        except ConnectionError as refusal:
            return str(refusal)

    with Quiet(check, relay), Others(check, relay):
        first = [opened("192.0.2.1") for _ in range(12)]
        refused = [one for one in first if isinstance(one, str)]
        check.equal(refused, ["HTTP/1.1 429 Too Many Requests"] * 4, "one address's refusals")
        others = [opened(f"192.0.2.{number}") for number in range(2, 40)]
        refused = [one for one in others if isinstance(one, str)]
        check.equal(refused, ["HTTP/1.1 503 Service Unavailable"] * 6, "the refusals of all")
        taken = [one for one in first + others if not isinstance(one, str)]
        for number in range(7):
            taken[0].sendall(subscription(number))
        data = drained(taken[0])
        check.true(b'"code":103' in data, f"the error is {data[-300:]!r}")
        check.equal(close_code(data), 1008, "the code of one subscription too many")
        again = opened("192.0.2.1")
        check.true(not isinstance(again, str), f"the place is not free again: {again}")
        for client in [*taken[1:], again]:
            client.close()


def sizes(check: Check, relay: ServedRelay, orders: list[Any]) -> None:
    """a body, a message, a head at its limit is read; one byte more is refused"""
    cases = [
        ("/v0/order", 16_384, 400, json.dumps({"salt": "1"})),
        ("/v0/fees", 16_384, 400, json.dumps({"salt": "1"})),
        ("/sra/v4/order", 16_384, 400, json.dumps({"salt": "1"})),
        ("/sra/v4/orders", 524_288, 400, json.dumps([{"salt": "1"}])),
    ]
    with Quiet(check, relay), Others(check, relay):
        for path, limit, status, text in cases:
            for size, wanted in ((limit, status), (limit + 1, 413)):
                for chunked in (False, True):
                    data = text.encode().ljust(size)
                    answer = requests.post(
                        relay.url + path, data=iter([data]) if chunked else data, timeout=WAIT,
                        headers={"Content-Type": "application/json"},
                    )
                    what = f"{path} with {size} bytes, in chunks: {chunked}"
                    check.equal(answer.status_code, wanted, f"{what}: {answer.text[:200]}")
                    check.true("reason" in answer.json(), f"the shape of {what}")
        for size, wanted in ((1_024, 1007), (1_025, 1009), (2**16, 1009), (2**20, 1009)):
            client = upgraded(relay)
            try:
                client.sendall(frame(b" " * size))
            except ConnectionError:
                # It has ended before all was sent.
                pass
            check.equal(close_code(drained(client)), wanted, f"the code of a message of {size}")
        for size, wanted in ((125, 1001), (126, 1002)):
            client = upgraded(relay)
            client.sendall(frame(b" " * size, 9) + (frame(b"\x03\xe9", 8) if size < 126 else b""))
            check.equal(close_code(drained(client)), wanted, f"the code of a ping of {size}")
        for announced in (2**31, 2**32, 2**63 - 1, 2**63, 2**64 - 1):
            client = upgraded(relay)
            client.sendall(b"\x81\xff" + announced.to_bytes(8, "big") + b"abcd")
            code = close_code(drained(client))
            check.true(code in (1002, 1009), f"the code of a frame of {announced}: {code}")
        heads(check, relay)


def heads(check: Check, relay: ServedRelay) -> None:
    """Heads that no client needs are refused, and their connections end."""
    for name, data in {
        "one long header": head("GET", "/healthz", "X-A: " + "a" * 200_000),
        "many headers": head("GET", "/healthz", *(f"X-{n}: {n}" for n in range(50_000))),
        "a long target": head("GET", "/" + "a" * 200_000),
        "two lengths": head("POST", "/v0/order", "Content-Length: 1", "Content-Length: 2") + b"ab",
        "length and chunks": head(
            "POST", "/v0/order", "Content-Length: 4", "Transfer-Encoding: chunked"
        ) + b"0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n",
        "a negative length": head("POST", "/v0/order", "Content-Length: -1"),
        "a huge length": head("POST", "/v0/order", "Content-Length: 99999999999999999999"),
        "a chunk of a huge size": head("POST", "/v0/order", "Transfer-Encoding: chunked")
        + b"ffffffffffffffff\r\n",
        "a zero byte": b"GET /\x00 HTTP/1.1\r\nHost: a\r\n\r\n",
        "another version": b"GET / HTTP/9.9\r\n\r\n",
        "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "TLS": bytes.fromhex("1603010200010001fc0303") + b"\x00" * 512,
    }.items():
        client = connected(relay)
        try:
            client.sendall(data)
        except ConnectionError:
            # It has ended before all was sent.
            pass
        answer = drained(client)
        check.true(
            answer == b"" or answer.startswith((b"HTTP/1.1 4", b"HTTP/1.0 4", b"HTTP/1.1 505")),
            f"the answer to {name}: {answer[:200]!r}",
        )
        check.equal(answer.count(b"HTTP/1."), min(answer.count(b"HTTP/1."), 1), f"the answers to {name}")


def afterwards(check: Check, relay: ServedRelay, _: list[Any]) -> None:
    """the log has said little, and nothing of it as a failure of the relay"""
    check.equal([line for line in relay.log if line["level"] == "error"], [], "errors of the relay")
    text = relay.get("/metrics").text
    broken = [
        line for line in text.splitlines()
        if line.startswith("dex_relay_requests_total") and 'status="5' in line
    ]
    check.equal(broken, [], "requests that failed")


def exhausted(check: Check, few: ServedRelay, orders: list[Any]) -> None:
    """a relay with few descriptors keeps some for itself, and goes on behind silent connections"""
    with few, Quiet(check, few):
        clients = [connected(few) for _ in range(120)]
        few.until(lambda: few.descriptors() >= 64, "connections take what they may")
        # Others than clients need some: the store, the chain, the runtime's look at its threads.
        check.true(few.descriptors() <= 80, f"{few.descriptors()} of 100 descriptors are taken")
        check.equal(few.post("/v0/order", orders[0]).status_code, 201, "a post behind the flood")
        check.equal(few.book()["asks"], orders[:1], "the book behind the flood")
        for client in clients:
            client.close()
    check.equal(few.process.returncode, 0, "its exit code")


def named(function: Any, relay: ServedRelay) -> Any:
    """The check on another relay."""
    def check_it(check: Check, _: ServedRelay, orders: list[Any]) -> None:
        function(check, relay, orders)
    check_it.__doc__ = function.__doc__
    return check_it


if __name__ == "__main__":
    with Sandbox(sys.argv[1]) as sandbox:
        few = ServedRelay(sys.argv[1], sandbox, most_descriptors=100)
        with ServedRelay(sys.argv[1], sandbox, PROXY, LIMITS) as served:
            report(
                [posts, followers, sizes, connections, afterwards,
                 named(exhausted, few)],
                served, market_orders(sandbox),
            )
