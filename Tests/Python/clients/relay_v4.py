"""A maker and a reader on a relay of API v4: `relay_v4.py URL BOOK CHAIN EXCHANGE BASE QUOTE NOW
RECIPIENT FEE`, with the path of the book below the URL, addresses in lower case."""

from __future__ import annotations

import json
import random
import sys
from fractions import Fraction
from typing import Any

from checks import Check, report
from relay_v4_http import MEMBERS, NOBODY, Market, Order, RelayV4
from relay_v4_schemas import BOOK, CONFIG, FEE_RECIPIENTS, ORDERS, RECORD

BOOK_PATH = sys.argv[2]


def config(check: Check, relay: RelayV4, market: Market) -> None:
    """what the relay wants of an order has the API's shape and is what its orders must offer"""
    terms = market.order(1).json()
    names = ("maker", "taker", "makerAmount", "takerAmount", "makerToken", "takerToken")
    body = {name: terms[name] for name in (*names, "verifyingContract", "expiry")}
    answer = relay.post(check, "order_config", body, CONFIG)
    wanted = {"sender": NOBODY, "feeRecipient": market.fee_recipient}
    check.equal(answer, wanted | {"takerTokenFeeAmount": str(market.fee)}, "what is wanted")
    recipients = relay.get(check, "fee_recipients", FEE_RECIPIENTS)
    check.equal((recipients["total"], recipients["records"]), (1, [market.fee_recipient]), "them")
    for name in body:
        cut = {key: value for key, value in body.items() if key != name}
        response = relay.raw("POST", "/order_config", json=cut)
        relay.refuses(check, response, {name: 1000}, f"order_config without {name}")


def posting(check: Check, relay: RelayV4, market: Market) -> None:
    """orders that eth-account hashed and signed in both ways are taken and read back whole"""
    for salt, kind in ((11, 2), (12, 3)):
        order = market.order(salt)
        body = order.json(order.signature(kind))
        relay.post(check, "order", body, None)
        relay.post(check, "order", body, None)
        record = relay.get(check, order.path, RECORD)
        check.equal(record["order"], body, "the order read back")
        check.equal(record["metaData"]["orderHash"], f"0x{order.hash.hex()}", "its hash")
        check.equal(record["metaData"]["remainingFillableTakerAmount"], "2000", "what is left")
        check.equal(order.signer(record["order"]["signature"]), order.terms["maker"], "who signed")
    bare = market.order(13)
    body = bare.json()
    for name in ("taker", "sender", "pool"):
        del body[name]
    relay.post(check, "order", body, None)
    check.equal(relay.get(check, bare.path, RECORD)["order"], bare.json(), "what was left out")


def paid(body: dict[str, Any]) -> Fraction:
    """What a taker pays in the end for one of what the maker gives."""
    return Fraction(
        int(body["takerAmount"]) + int(body["takerTokenFeeAmount"]), int(body["makerAmount"])
    )


def book(check: Check, relay: RelayV4, market: Market) -> None:
    """sides are sorted for takers, paged with their totals, and hold every order once"""
    source = random.Random(4)
    orders = []
    for salt in range(100, 160):
        sides = (market.base, market.quote) if salt % 3 else (market.quote, market.base)
        orders.append(
            market.order(
                salt, makerToken=sides[0], takerToken=sides[1],
                makerAmount=source.randrange(900, 1100), takerAmount=source.randrange(1900, 2100),
                expiry=market.now + source.randrange(600, 7200),
            )
        )
    for start in range(0, 60, 20):
        relay.post(check, "orders", [o.json() for o in orders[start : start + 20]], None)
    query = {"baseToken": market.base, "quoteToken": market.quote}
    whole = relay.get(check, BOOK_PATH, BOOK, **query, perPage=1000)
    for name, token in (("asks", market.base), ("bids", market.quote)):
        records = whole[name]["records"]
        check.equal(whole[name]["total"], len(records), f"the total of {name}")
        bodies = [record["order"] for record in records]
        check.equal({body["makerToken"] for body in bodies}, {token}, f"the tokens of {name}")
        ranks = [(paid(body), int(body["expiry"])) for body in bodies]
        check.equal(ranks, sorted(ranks), f"the order of {name}")
        pages = []
        for page in range(1, len(records) // 7 + 3):
            part = relay.get(check, BOOK_PATH, BOOK, **query, perPage=7, page=page)[name]
            check.equal((part["total"], part["page"]), (len(records), page), "a page's numbers")
            pages += part["records"]
        check.equal(pages, records, f"the pages of {name}")
    listed = relay.get(check, "orders", ORDERS, perPage=1000)["records"]
    hashes = [record["metaData"]["orderHash"] for record in listed]
    check.equal(hashes, sorted(set(hashes)), "the order of /orders")
    mine = {f"0x{order.hash.hex()}" for order in orders}
    check.equal(mine - set(hashes), set(), "the orders that are not listed")
    for record in listed:
        order = market.read(record["order"])
        check.equal(record["metaData"]["orderHash"], f"0x{order.hash.hex()}", "a listed hash")
        check.equal(order.signer(record["order"]["signature"]), order.terms["maker"], "a signer")
    for name in ("makerToken", "maker", "salt", "hash", "makerAmount"):
        first = listed[0]["order"] | {"hash": hashes[0]}
        found = relay.get(check, "orders", ORDERS, perPage=1000, **{name: first[name]})
        same = [r for r in listed if (r["order"] | {"hash": r["metaData"]["orderHash"]})[name]
                == first[name]]
        check.equal(found["records"], same, f"the orders by {name}")


def refused(check: Check, relay: RelayV4, market: Market) -> None:
    """an order that the relay cannot carry is refused by the field and code of what is wrong"""
    stranger = "0x" + 38 * "0" + "99"
    cases: list[tuple[dict[str, Any], dict[str, int]]] = [
        ({"makerToken": stranger}, {"makerToken": 1004}),
        ({"makerAmount": 0, "takerAmount": 0}, {"makerAmount": 1004, "takerAmount": 1004}),
        ({"expiry": market.now + 9}, {"expiry": 1004}),
        ({"sender": stranger}, {"sender": 1003}),
        ({"feeRecipient": stranger}, {"feeRecipient": 1003}),
        ({"takerTokenFeeAmount": market.fee + 1}, {"takerTokenFeeAmount": 1004}),
        ({"makerAmount": 2**128 - 1}, {"makerAmount": 1007}),
    ]
    for number, (members, wanted) in enumerate(cases):
        order = market.order(200 + number, **members)
        response = relay.raw("POST", "/order", json=order.json())
        relay.refuses(check, response, wanted, f"an order with {members}")
        check.equal(relay.raw("GET", f"/{order.path}").status_code, 404, "the status of it")
    foreign = Order(
        Market(1, market.exchange, market.base, market.quote, market.now, NOBODY, 0),
        market.order(220).terms,
    )
    response = relay.raw("POST", "/order", json=foreign.json())
    relay.refuses(check, response, {"chainId": 1004}, "an order of another chain")
    order = market.order(221)
    high = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
    good = order.signature()
    twin = {"v": 55 - good["v"], "s": f"0x{high - int(good['s'], 16):064x}"}
    for name, signature in (
        ("another's", order.signature(signer=market.other)),
        ("another order's", market.order(222).signature()),
        ("of the other type", good | {"signatureType": 2}),
        ("with a high s", good | twin),
        ("with r = 0", good | {"r": "0x" + 64 * "0"}),
    ):
        response = relay.raw("POST", "/order", json=order.json(signature))
        relay.refuses(check, response, {"signature": 1005}, f"a signature {name}")
    many = [market.order(230).json(), market.order(231, expiry=1).json()]
    response = relay.raw("POST", "/orders", json=many)
    relay.refuses(check, response, {"[1].expiry": 1004}, "orders of which one is late")
    check.equal(relay.raw("GET", f"/{market.order(230).path}").status_code, 404, "the other one")


def members(check: Check, relay: RelayV4, market: Market) -> None:
    """each member of an order that is missing or malformed is named with its code"""
    body = market.order(300).json()
    optional = {"taker", "sender", "feeRecipient", "pool", "takerTokenFeeAmount"}
    for name, kind in (MEMBERS | {"verifyingContract": "address"}).items():
        if name not in optional:
            cut = {key: value for key, value in body.items() if key != name}
            response = relay.raw("POST", "/order", json=cut)
            relay.refuses(check, response, {name: 1000}, f"an order without {name}")
        worse: list[Any] = ["", "0x", "0x12", None, 5, [], {}, True, "0x" + 40 * "g"]
        if kind.startswith("uint"):
            worse = ["", "-1", "0x5", "1e3", "1.5", " 1", "٣", None, 5, True, [], {}]
        for value in worse:
            response = relay.raw("POST", "/order", json=body | {name: value})
            relay.refuses(check, response, {name: 1001}, f"an order with {name} {value!r}")
        if kind.startswith("uint"):
            large = str(2 ** int(kind.removeprefix("uint")))
            response = relay.raw("POST", "/order", json=body | {name: large})
            relay.refuses(check, response, {name: 1004}, f"an order with {name} {large}")
    for value, code in ((None, 1001), ("1", 1001), (1.5, 1001), (-1, 1001), (2, 1004)):
        response = relay.raw("POST", "/order", json=body | {"chainId": value})
        relay.refuses(check, response, {"chainId": code}, f"an order with chainId {value!r}")


def hostile(check: Check, relay: RelayV4, market: Market) -> None:
    """whatever is asked is answered in the API's shape, and the relay lives on"""
    pair = f"baseToken={market.base}&quoteToken={market.quote}"
    cases: dict[str, dict[str, int]] = {
        f"/{BOOK_PATH}": {"baseToken": 1000, "quoteToken": 1000},
        f"/{BOOK_PATH}?quoteToken=WETH": {"quoteToken": 1001},
        f"/{BOOK_PATH}?{pair}&perPage=1001": {"perPage": 1004},
        f"/{BOOK_PATH}?{pair}&page=0": {"page": 1004},
        f"/{BOOK_PATH}?{pair}&{pair}": {"baseToken": 1001, "quoteToken": 1001},
        "/orders?maker=": {"maker": 1001}, "/orders?page=": {"page": 1001},
        "/orders?page=-1": {"page": 1001}, "/orders?page=" + 400 * "9": {"page": 1004},
        "/orders?chainId=1": {"chainId": 1001}, "/orders?unfillable=true": {"maker": 1000},
        "/orders?unfillable=1": {"unfillable": 1001}, "/orders?hash=0x12": {"hash": 1001},
        "/orders?salt=" + 300 * "9": {"salt": 1001},
        "/orders?" + "&".join(f"a{i}=1" for i in range(40)): {"query": 1004},
    }
    for target, wanted in cases.items():
        relay.refuses(check, relay.raw("GET", target), wanted, f"GET {target[:80]}")
    source = random.Random(44)
    body = json.dumps(market.order(400).json()).encode()
    for _ in range(300):
        changed = bytearray(body)
        for _ in range(source.randrange(1, 4)):
            changed[source.randrange(len(changed))] = source.randrange(256)
        path = source.choice(["/order", "/orders", "/order_config"])
        data = bytes(changed) if path != "/orders" else b"[" + bytes(changed) + b"]"
        relay.survives(check, relay.raw("POST", path, data=data), f"POST {path} {data[:300]!r}")
    for data in (b"", b"[" * 10_000, b"[]", b"null", b'"' + 700_000 * b"x" + b'"', b"\xff\xfe"):
        for path in ("/order", "/orders", "/order_config", "/order/persistent"):
            relay.survives(check, relay.raw("POST", path, data=data), f"POST {path} {data[:9]!r}")
    for method, target in (("GET", "/nothing"), ("DELETE", "/orders"), ("GET", "/order/%00")):
        relay.survives(check, relay.raw(method, target), f"{method} {target}")
    relay.get(check, BOOK_PATH, BOOK, baseToken=market.base, quoteToken=market.quote)


if __name__ == "__main__":
    url, _, chain, exchange, base, quote, now, recipient, fee = sys.argv[1:]
    market = Market(int(chain), exchange, base, quote, int(now), recipient, int(fee))
    report([config, posting, book, refused, members, hostile], RelayV4(url), market)
