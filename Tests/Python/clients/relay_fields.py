"""Hostile fields, foreign hosts and other sites on a served relay: `relay_fields.py DEX`."""

from __future__ import annotations

import json
import sys
from typing import Any

import requests
from checks import Check, report
from hostile_clients import connected, drained, upgraded
from sandbox import Sandbox
from served_relay import WAIT, ServedRelay, market_orders

# JSON texts that are the value of no member of an order.
VALUES = [
    "-1", "1.5", "1e400", "-0", "9" * 400, "true", "null", "[]", "{}", '""', '" "', '"\\u0000"',
    '"0x"', '"0x%s"' % ("g" * 40), '"0x%s"' % ("f" * 41), '"0x%s\\u0000"' % ("f" * 40),
    '"%s"' % ("9" * 79), '"%s"' % ("9" * 9_000), '"-1"', '"+1"', '"1e3"', '"1.0"', '" 1"', '"0x1"',
    '"\uff11\uff12"', '"\u0661"', '"1\u202e2"', '"\U0001f600"', '"\u0000"', '"%s"' % ("a" * 5_000),
    "[" * 6 + "]" * 6, '{"v":{"v":{"v":{"v":1}}}}', '{"toString":"1"}', '"__proto__"',
    "\"'; DROP TABLE orders; --\"", '"%s"' % (2**256), '"<script>"',
]
# What is no JSON at all, or more than one text.
BROKEN = [
    b"", b"{", b"[" * 8_000, b'{"a":' * 2_000, b"\xef\xbb\xbf{}", b"{}\x00", b"\x00{}", b"{} {}",
    b'{"salt":"\xff"}', b'{"salt":"\xed\xa0\x80"}', b'{"salt":"\\ud800"}', b'{"salt":"\\x00"}',
    b"{'salt':1}", b'{"salt":01}', b'{"salt":1,}', b'{"salt":.5}', b'{"salt":1e}', b"NaN",
    b'{"salt":"a\nb"}', b'{"salt":1/*x*/}', b"-", b"1e", b"\xc0\x80", "{}".encode("utf-16"),
]
# Members with a default, by docs/protocol/relay-api-v4.md, section 3.
OPTIONAL = {
    ("v4", name)
    for name in ("taker", "feeRecipient", "pool", "takerTokenFeeAmount", "sender")
}
POSTS = {
    "v0": ("/v0/order",),
    "v4": ("/sra/v4/order", "/sra/v4/orders"),
}


class Stage:
    """A relay and one signed order of each version, which it does not have."""

    def __init__(self, relay: ServedRelay, orders: dict[str, Any]) -> None:
        self.relay, self.orders = relay, orders
        self._session = requests.Session()

    def send(self, path: str, data: bytes, kind: str = "application/json") -> requests.Response:
        """A POST of any bytes."""
        return self._session.post(
            self.relay.url + path, data=data, timeout=WAIT, headers={"Content-Type": kind}
        )


def refused(check: Check, response: requests.Response, what: str) -> None:
    """400 in the shape of the API, with nothing of the request in it that is long."""
    check.equal(response.status_code, 400, f"the status of {what}: {response.text[:300]}")
    check.equal(response.headers.get("Content-Type"), "application/json", f"the type of {what}")
    check.true(len(response.content) < 4_000, f"the answer to {what} has {len(response.content)} bytes")
    body = response.json()
    check.true(body.get("code") in (100, 101) and body.get("reason"), f"the shape of {what}: {body}")


def fields(check: Check, stage: Stage) -> None:
    """each member of an order with each hostile value, missing, twice or misspelt is refused"""
    for version, order in stage.orders.items():
        for path in POSTS[version]:
            wrap = (lambda text: f"[{text}]") if path.endswith("orders") else (lambda text: text)
            values = VALUES if path == POSTS[version][0] else VALUES[::6]
            for name in order:
                rest = {key: value for key, value in order.items() if key != name}
                start = json.dumps(rest)[:-1]
                own = json.dumps(order[name])
                texts = [f'{start},"{name}":{value}}}' for value in values]
                texts.append(f'{start},"{name}":{own},"{name}":{own}}}')
                if (version, name) not in OPTIONAL:
                    texts += [
                        start + "}", f'{start},"{name}\\u0000":{own}}}',
                        f'{start},"{name.upper()}x":{own}}}',
                    ]
                for text in texts:
                    response = stage.send(path, wrap(text).encode("utf-8", "surrogatepass"))
                    refused(check, response, f"{path} with {text[len(start):][:80]}")
    for path in ("/v0/order", "/v0/fees", "/sra/v4/order", "/sra/v4/orders", "/sra/v4/order_config"):
        for data in BROKEN:
            refused(check, stage.send(path, data), f"{path} of {data[:40]!r}")
    wanted = {"bids": [], "asks": []}
    check.equal((stage.relay.book(), stage.relay.book("v4")), (wanted, wanted), "the books")


def accepted(check: Check, stage: Stage) -> None:
    """the same orders unchanged, and spelt with escapes and white space, are taken"""
    for version, order in stage.orders.items():
        path, status = POSTS[version][0], 201 if version == "v0" else 200
        spelt = json.dumps(order, indent=3).replace('"salt"', '"\\u0073alt"')
        check.equal(stage.send(path, spelt.encode()).status_code, status, f"{version} spelt")
        check.equal(stage.send(path, json.dumps(order).encode()).status_code, status, version)
        check.equal(len(stage.relay.book(version)["asks"]), 1, f"the orders of {version}")


PATHS = [
    "/", "/relay.json", "/markets.json", "/openapi.json", "/healthz", "/readyz", "/metrics",
    "/v0/token_pairs", "/v0/orders", "/sra/v4/orders", "/orderbook/v1/orders",
]


def hosts(check: Check, stage: Stage) -> None:
    """DNS rebinding: under a foreign name no path of a local relay answers, nor does the feed"""
    foreign = [
        "evil.example", f"evil.example:{stage.relay.port}", "127.0.0.1.evil.example", "127.0.0.2",
        "localhost.", "0.0.0.0", "127.1", "2130706433", "[::]", "127.0.0.1:", "127.0.0.1:x",
        "127.0.0.1@evil.example", "evil.example@127.0.0.1", "127.0.0.1, evil.example", "",
    ]
    for host in foreign:
        for path in PATHS:
            answer = raw(stage, f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
            check.true(
                answer.startswith((b"HTTP/1.1 403", b"HTTP/1.1 400")), f"{host} {path}: {answer[:90]!r}"
            )
        try:
            upgraded(stage.relay, "/v0/ws", f"Host: {host}").close()
            check.true(False, f"the feed opens for {host!r}")
        except ConnectionError as error:
            check.true("403" in str(error) or "400" in str(error), f"the feed for {host}: {error}")
    own = [f"localhost:{stage.relay.port}", "127.0.0.1", f"[::1]:{stage.relay.port}", "LOCALHOST"]
    for host in own:
        answer = raw(stage, f"GET /relay.json HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
        check.true(answer.startswith(b"HTTP/1.1 200"), f"{host}: {answer[:90]!r}")


def afterwards(check: Check, stage: Stage) -> None:
    """nothing of all that was a failure of the relay, and its log is short"""
    check.equal(stage.relay.log, [], "the log")
    figures = stage.relay.get("/metrics").text.splitlines()
    broken = [one for one in figures if one.startswith("dex_relay_requests_total") and 'status="5' in one]
    check.equal(broken, [], "requests that failed")


def raw(stage: Stage, text: str) -> bytes:
    """All that is answered to a text."""
    client = connected(stage.relay)
    client.sendall(text.encode())
    return drained(client)


def sites(check: Check, stage: Stage) -> None:
    """a page of another site can read nothing, post nothing and follow nothing of a local relay"""
    url = stage.relay.url
    order = json.dumps(stage.orders["v0"])
    for origin in ("http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1", "file://"):
        for path in PATHS:
            answer = requests.get(url + path, headers={"Origin": origin}, timeout=WAIT)
            check.equal(answer.status_code, 403, f"GET {path} of {origin}")
            granted = [name for name in answer.headers if name.startswith("Access-Control-")]
            check.equal(granted, [], f"what {path} grants to {origin}")
        asks = {"Origin": origin, "Access-Control-Request-Method": "POST",
                "Access-Control-Request-Headers": "content-type"}
        answer = requests.options(f"{url}/v0/order", headers=asks, timeout=WAIT)
        check.true(answer.status_code in (403, 415), f"the preflight of {origin}: {answer.status_code}")
        check.true("Access-Control-Allow-Origin" not in answer.headers, f"{origin} is granted")
        try:
            upgraded(stage.relay, "/v0/ws", f"Origin: {origin}").close()
            check.true(False, f"the feed opens for {origin}")
        except ConnectionError as error:
            check.true("403" in str(error), f"the feed for {origin}: {error}")
    # What a form of any page may send without a preflight, and without an Origin in old browsers.
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""):
        for path in ("/v0/order", "/v0/fees", "/sra/v4/order", "/sra/v4/orders"):
            answer = stage.send(path, order.encode(), kind)
            check.equal(answer.status_code, 415, f"a post of {kind!r} to {path}")


if __name__ == "__main__":
    with Sandbox(sys.argv[1]) as sandbox:
        with ServedRelay(sys.argv[1], sandbox, tables="[limits]\ntimes_owned = 0") as served:
            scene = Stage(
                served,
                {version: market_orders(sandbox, version)[0] for version in ("v0", "v4")},
            )
            report([fields, accepted, hosts, sites, afterwards], scene)
