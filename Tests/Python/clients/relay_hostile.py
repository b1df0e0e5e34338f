"""What nobody should ask a relay: it refuses in the specification's shape, and lives on."""

from __future__ import annotations

import json
import random

from checks import Check
from contracts import WETH, ZRX
from peer import Peer
from relay_http import Relay
from relay_posting import draft
from relay_schemas import PAIRS

BASE, QUOTE = ZRX.lower(), WETH.lower()
BOTH = f"baseTokenAddress={BASE}&quoteTokenAddress={QUOTE}"


def parameters(check: Check, peer: Peer, relay: Relay) -> None:
    """parameters that are missing, malformed, repeated or out of range are named"""
    cases: dict[str, dict[str, int]] = {
        "/orderbook": {"baseTokenAddress": 1000, "quoteTokenAddress": 1000},
        f"/orderbook?baseTokenAddress={BASE}": {"quoteTokenAddress": 1000},
        f"/orderbook?baseTokenAddress=0x12&quoteTokenAddress={QUOTE}": {"baseTokenAddress": 1002},
        f"/orderbook?{BOTH}&page=0": {"page": 1004},
        f"/orderbook?{BOTH}&per_page=101": {"per_page": 1004},
        f"/orderbook?{BOTH}&per_page=0&page=x": {"per_page": 1004, "page": 1001},
        f"/orderbook?{BOTH}&{BOTH}": {"baseTokenAddress": 1001, "quoteTokenAddress": 1001},
        "/orders?maker=": {"maker": 1002},
        "/orders?maker": {"maker": 1002},
        f"/orders?maker={BASE}%00": {"maker": 1002},
        f"/orders?maker={BASE.upper()}": {"maker": 1002},
        "/orders?page=": {"page": 1001},
        "/orders?page=-1": {"page": 1001},
        "/orders?page=1.0": {"page": 1001},
        "/orders?page=1e3": {"page": 1001},
        "/orders?page=%31%32%20": {"page": 1001},
        "/orders?page=" + 400 * "9": {"page": 1004},
        "/orders?page=9223372036854775807&per_page=100": {"page": 1004},
        "/orders?page=1&page=2": {"page": 1001},
        "/orders?per_page=%D9%A3": {"per_page": 1001},
        "/token_pairs?tokenA=0x0&tokenB=0x0": {"tokenA": 1002, "tokenB": 1002},
        "/orders?" + "&".join(f"a{i}=1" for i in range(40)): {"query": 1004},
    }
    for target, wanted in cases.items():
        relay.fails(check, 400, 100, wanted, relay.raw("GET", target), f"GET {target[:80]}")
    for hash in ("", "0x", "0x12", "12", "0x" + 64 * "g", "0x" + 66 * "1", "..%2f..%2f", "%00"):
        response = relay.raw("GET", f"/order/{hash}")
        relay.survives(check, response, f"order {hash!r}")
        check.true(response.status_code in (400, 404, 405), f"order {hash!r}: {response.status_code}")
    relay.fails(
        check, 404, 100, None, relay.raw("GET", "/order/0x" + 64 * "1"), "an unknown order"
    )


def paths(check: Check, peer: Peer, relay: Relay) -> None:
    """paths and methods that are none are refused, in the shape of an error"""
    for method, target in [
        ("GET", ""), ("GET", "/"), ("GET", "/nothing"), ("GET", "/orders/1"), ("GET", "/../orders"),
        ("GET", "/%2e%2e/orders"), ("GET", "/ORDERS"), ("GET", "/" + 3_000 * "a"),
    ]:
        relay.fails(
            check, 404, 100, None, relay.raw(method, target), f"{method} {target[:60]!r}"
        )
    for method, target, allowed in [
        ("GET", "/order", "POST"), ("GET", "/fees", "POST"), ("POST", "/orders", "GET, HEAD"),
        ("PUT", "/order", "POST"), ("DELETE", "/orders", "GET, HEAD"), ("PATCH", "/fees", "POST"),
        ("OPTIONS", "/orders", "GET, HEAD"),
    ]:
        answer = relay.raw(method, target)
        relay.fails(check, 405, 100, None, answer, f"{method} {target!r}")
        check.equal(answer.headers.get("Allow"), allowed, f"what {target!r} allows")
    relay.fails(check, 501, 100, None, relay.raw("PROPFIND", "/orders"), "an unknown method")


def bodies(check: Check, peer: Peer, relay: Relay) -> None:
    """a body that is no JSON has code 101, one that is no order names all that it lacks"""
    whole = json.dumps(draft(peer, 9).json(peer.bob)).encode()
    for name, content in {
        "nothing": b"", "a brace": b"{", "half an order": whole[: len(whole) // 2],
        "two orders": whole + whole, "a comma too many": whole[:-1] + b",}",
        "no text": b'{"maker":"\xff\xfe"}', "a key twice": b'{"maker":"1","maker":"2"}',
        "single quotes": whole.replace(b'"', b"'"), "NaN": b'{"salt":NaN}',
        "depth": b"[" * 9_000, "a zero byte": whole + b"\0",
        "a broken surrogate": b'{"salt":"\\ud800"}',
    }.items():
        for target in ("/order", "/fees"):
            response = relay.raw("POST", target, data=content)
            relay.fails(check, 400, 101, None, response, f"POST {target} of {name}")
    for content in (b"[]", b"1", b'"text"', b"null", b"[[]]", b"{}"):
        response = relay.raw("POST", "/order", data=content)
        relay.survives(check, response, f"an order that is {content!r}")
        found = {item["field"] for item in response.json().get("validationErrors", [])}
        check.equal(len(found), 13, f"the number of members that {content!r} lacks")
    large = relay.raw("POST", "/order", data=b"[" + b" " * 20_000 + b"]")
    relay.fails(check, 413, 100, None, large, "a body that is too large")


def mutations(check: Check, peer: Peer, relay: Relay) -> None:
    """600 mutated queries and orders get answers of the specified shape, and none is taken"""
    generator = random.Random(11)
    order = draft(peer, 10)
    whole = json.dumps(order.json(peer.carol)).encode()
    queries = [
        f"/orderbook?{BOTH}&page=1&per_page=10", f"/orders?maker={BASE}&taker={QUOTE}&page=2",
        f"/token_pairs?tokenA={BASE}&tokenB={QUOTE}", "/order/0x" + 64 * "a",
    ]
    safe = "0123456789abcdefghxyzXYZ%&=?/.-_~+,:;@!$'()*"
    for _ in range(300):
        text = list(generator.choice(queries))
        for _ in range(generator.randrange(1, 5)):
            place = generator.randrange(1, len(text))
            kind = generator.randrange(3)
            if kind == 0:
                text[place] = generator.choice(safe)
            elif kind == 1:
                text.insert(place, generator.choice(safe))
            else:
                del text[place]
        target = "".join(text)
        relay.survives(check, relay.raw("GET", target), f"GET {target}")
    for _ in range(300):
        content = bytearray(whole)
        for _ in range(generator.randrange(1, 6)):
            content[generator.randrange(len(content))] = generator.randrange(256)
        response = relay.raw("POST", "/order", data=bytes(content))
        relay.survives(check, response, f"POST of {bytes(content)!r}")
        check.true(
            response.status_code != 201, f"an order of carol's was taken: {bytes(content)!r}"
        )
    check.equal(len(relay.get(check, "token_pairs", PAIRS).json()), 5, "the pairs afterwards")


CHECKS = [parameters, paths, bodies, mutations]
