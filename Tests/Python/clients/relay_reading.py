"""What a relay's client reads: pairs, orders, books, pages; and whether the orders are sound."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

from checks import Check
from contracts import DAI, EXCHANGE, USDC, WETH, ZRX, Order
from eth_account import Account
from eth_account.messages import encode_defunct
from peer import Peer
from relay_http import Relay
from relay_schemas import BOOK, ORDER, ORDERS, PAIRS

MKR = "0x9f8f72aa9304c8b593d555f12ef6589cc3a579a2"


def every_order(check: Check, relay: Relay, **query: Any) -> list[dict[str, Any]]:
    """All orders behind the pages of /orders, by their Link headers."""
    found = []
    response = relay.get(check, "orders", ORDERS, **query)
    found += response.json()
    while "next" in response.links:
        response = relay.raw("GET", response.links["next"]["url"].removeprefix(relay.url))
        check.equal(response.status_code, 200, "the status of the next page")
        found += response.json()
    return found


def pairs(check: Check, peer: Peer, relay: Relay) -> None:
    """the pairs fit the schema and are found by either token and by both"""
    listed = relay.get(check, "token_pairs", PAIRS).json()
    check.equal(len(listed), 5, "the number of pairs")
    for pair in listed:
        a, b = pair["tokenA"]["address"], pair["tokenB"]["address"]
        for query in ({"tokenA": a, "tokenB": b}, {"tokenA": b, "tokenB": a}):
            check.equal(relay.get(check, "token_pairs", PAIRS, **query).json(), [pair], f"{query}")
    weth = [p for p in listed if WETH.lower() in (p["tokenA"]["address"], p["tokenB"]["address"])]
    for name in ("tokenA", "tokenB"):
        found = relay.get(check, "token_pairs", PAIRS, **{name: WETH.lower()}).json()
        check.equal(found, weth, f"the pairs by {name}")
    none = relay.get(check, "token_pairs", PAIRS, tokenA=ZRX.lower(), tokenB=DAI.lower()).json()
    check.equal(none, [], "a pair that is not carried")
    pages = [
        relay.get(check, "token_pairs", PAIRS, page=page, per_page=2).json() for page in (1, 2, 3)
    ]
    check.equal([item for page in pages for item in page], listed, "the pairs by pages")


def orders(check: Check, peer: Peer, relay: Relay) -> None:
    """every order on the book has a signature that eth-account recovers to its maker"""
    found = every_order(check, relay)
    check.true(len(found) > 300, f"there are only {len(found)} orders")
    hashes = set()
    for body in found:
        order = Order.of(body)
        signature = body["ecSignature"]
        signer = Account.recover_message(
            encode_defunct(order.hash),
            vrs=(signature["v"], int(signature["r"], 16), int(signature["s"], 16)),
        )
        check.equal(signer.lower(), body["maker"], f"the signer of {order.hash.hex()}")
        check.equal(body["exchangeContractAddress"], EXCHANGE.lower(), "the exchange")
        check.true(order.expiry > peer.w3.eth.get_block("latest").timestamp - 60, "it has expired")
        hashes.add(order.hash)
    check.equal(len(hashes), len(found), "the number of different orders")
    for body in found[::40]:
        path = f"order/0x{Order.of(body).hash.hex()}"
        check.equal(relay.get(check, path, ORDER).json(), body, "an order by its hash")
        upper = relay.get(check, path.upper().replace("ORDER/0X", "order/0x"), ORDER).json()
        check.equal(upper, body, "an order by its hash in capitals")


def price(body: dict[str, Any], base: str) -> Fraction:
    """Quote for base, in base units."""
    maker, taker = int(body["makerTokenAmount"]), int(body["takerTokenAmount"])
    return Fraction(taker, maker) if body["makerTokenAddress"] == base else Fraction(maker, taker)


def books(check: Check, peer: Peer, relay: Relay) -> None:
    """books fit the schema, hold the orders of their pair, and are sorted best first"""
    for pair in relay.get(check, "token_pairs", PAIRS).json():
        tokens = pair["tokenA"]["address"], pair["tokenB"]["address"]
        listed = every_order(check, relay, tokenAddress=tokens[0])
        for base, quote in (tokens, tokens[::-1]):
            query = {"baseTokenAddress": base, "quoteTokenAddress": quote}
            book = relay.get(check, "orderbook", BOOK, **query).json()
            for name, maker, taker, sign in (("bids", quote, base, -1), ("asks", base, quote, 1)):
                side = book[name]
                wanted = [
                    order for order in listed
                    if (order["makerTokenAddress"], order["takerTokenAddress"]) == (maker, taker)
                ]
                check.true(side != [], f"there are no {name}")
                check.equal(sorted(map(str, side)), sorted(map(str, wanted)), f"the {name}")
                keys = [
                    (
                        sign * price(order, base),
                        int(order["makerFee"]) + int(order["takerFee"]),
                        int(order["expirationUnixTimestampSec"]),
                    )
                    for order in side
                ]
                check.equal(keys, sorted(keys), f"the order of the {name}")
    check.equal(
        relay.get(
            check, "orderbook", BOOK, baseTokenAddress=ZRX.lower(), quoteTokenAddress=DAI.lower()
        ).json(),
        {"bids": [], "asks": []},
        "the book of a pair that is not carried",
    )


def filters(check: Check, peer: Peer, relay: Relay) -> None:
    """each filter of /orders lets through what it names, alone and with another"""
    everything = every_order(check, relay)
    first = next(order for order in everything if int(order["taker"], 16))
    free = "0x" + 40 * "0"

    def matches(order: dict[str, Any], name: str, value: str) -> bool:
        members = {
            "tokenAddress": ("makerTokenAddress", "takerTokenAddress"),
            "trader": ("maker", "taker"),
        }.get(name, (name,))
        return value in [order[member] for member in members]

    values = {
        "exchangeContractAddress": [EXCHANGE.lower(), free],
        "tokenAddress": [USDC.lower(), MKR],
        "makerTokenAddress": [ZRX.lower()],
        "takerTokenAddress": [WETH.lower()],
        "maker": [first["maker"]],
        "taker": [first["taker"], free],
        "trader": [first["taker"], first["maker"]],
        "feeRecipient": [free, peer.sandbox.account("relay").address.lower()],
    }
    pairs = [(name, value) for name, listed in values.items() for value in listed]
    some = 0
    for index, (name, value) in enumerate(pairs):
        other = pairs[(index * 5 + 3) % len(pairs)]
        for query in ({name: value}, {name: value, other[0]: other[1]}):
            wanted = [o for o in everything if all(matches(o, *item) for item in query.items())]
            found = every_order(check, relay, **query)
            check.equal(sorted(map(str, found)), sorted(map(str, wanted)), f"orders by {query}")
            some += bool(wanted)
    check.true(some > 15, f"only {some} filters found anything")
    both = every_order(
        check, relay, makerTokenAddress=ZRX.lower(), takerTokenAddress=WETH.lower()
    )
    prices = [price(order, ZRX.lower()) for order in both]
    check.equal(prices, sorted(prices), "the order of what has both tokens")
    # Addresses are told in lower case; in checksummed form they are the same address.
    found = every_order(check, relay, makerTokenAddress=ZRX, takerTokenAddress=WETH)
    check.equal(found, both, "the orders by checksummed addresses")


def pages(check: Check, peer: Peer, relay: Relay) -> None:
    """pages hold what they should, their Link headers lead through all of them and back"""
    whole = every_order(check, relay)
    for size in (1, 7, 100):
        last = -(-len(whole) // size)
        for page in sorted({1, 2, last - 1, last}):
            response = relay.get(check, "orders", ORDERS, page=page, per_page=size)
            links = {name: link["url"] for name, link in response.links.items()}
            wanted = whole[(page - 1) * size : page * size]
            check.equal(response.json(), wanted, f"page {page} of {size}")
            numbers = {"first": 1, "last": last}
            if page > 1:
                numbers["prev"] = page - 1
            if page < last:
                numbers["next"] = page + 1
            check.equal(
                links,
                {n: f"{relay.url}/orders?page={p}&per_page={size}" for n, p in numbers.items()},
                f"the links of page {page} of {size}",
            )
    beyond = relay.get(check, "orders", ORDERS, page=10**6)
    check.equal(beyond.json(), [], "a page beyond the last")
    check.true("next" not in beyond.links, "it has a next page")
    query = {"baseTokenAddress": ZRX.lower(), "quoteTokenAddress": WETH.lower()}
    book = relay.get(check, "orderbook", BOOK, **query).json()
    parts = [
        relay.get(check, "orderbook", BOOK, page=page, per_page=10, **query) for page in range(1, 6)
    ]
    for name in ("bids", "asks"):
        joined = [order for part in parts for order in part.json()[name]]
        check.equal(joined, book[name], f"the {name} by pages")
    check.equal(["next" in part.links for part in parts], [True] * 4 + [False], "the next pages")
    for earlier, later in pairwise(parts):
        check.true(earlier.json() != later.json(), "two pages are the same")


CHECKS = [pairs, orders, books, filters, pages]
