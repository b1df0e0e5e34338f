"""A maker and a taker without `dex`: eth-account signs, `requests` posts, web3.py fills."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from checks import Check
from contracts import DAI, EXCHANGE, NOBODY, PROXY, USDC, WETH, ZRX, Order
from peer import Peer
from relay_http import Relay
from relay_schemas import BOOK, ERROR, FEES, ORDER

UNIT = 10**18


def draft(peer: Peer, salt: int, **fields: Any) -> Order:
    """An ask of bob, who has approved ZRX, at a price that nobody has."""
    terms: dict[str, Any] = {
        "maker": peer.bob.address,
        "maker_token": ZRX,
        "taker_token": WETH,
        "maker_amount": 50 * UNIT,
        "taker_amount": UNIT,
        "expiry": peer.w3.eth.get_block("latest").timestamp + 7_200,
        "salt": salt,
    }
    return Order(**(terms | fields))


def path(order: Order) -> str:
    """Where the relay shows the order."""
    return f"order/0x{order.hash.hex()}"


def gone(check: Check, relay: Relay, order: Order) -> None:
    """The relay has to drop an order that cannot be filled any more, within some looks."""
    for _ in range(1000):
        response = relay.raw("GET", "/" + path(order))
        if response.status_code == 404:
            break
        time.sleep(0.1)
    relay.fails(check, 404, 100, None, relay.raw("GET", "/" + path(order)), "an order that is gone")


def trade(check: Check, peer: Peer, relay: Relay) -> None:
    """an order made, posted, read, filled and cancelled by other people's programs alone"""
    order = draft(peer, 1)
    order = order.with_fees(relay.post(check, "fees", order.json(None), FEES, 200).json())
    body = order.json(peer.bob)
    relay.post(check, "order", body, None, 201)
    relay.post(check, "order", body, None, 201)
    check.equal(relay.get(check, path(order), ORDER).json(), body, "the order read back")
    query = {"baseTokenAddress": ZRX.lower(), "quoteTokenAddress": WETH.lower()}
    asks = relay.get(check, "orderbook", BOOK, **query).json()["asks"]
    check.true(body in asks, "the order is not on the book")

    peer.invoke(peer.carol, peer.weth.functions.approve(PROXY, 2**256 - 1))
    amount = UNIT // 3
    tokens = [peer.zrx.functions.balanceOf(a.address) for a in (peer.bob, peer.carol)]
    before = [token.call() for token in tokens]
    fill = peer.exchange.functions.fillOrder(
        order.addresses, order.values, amount, False, *order.signature(peer.bob)
    )
    receipt = peer.invoke(peer.carol, fill, gas=250_000)
    logs = peer.events(peer.exchange.events.LogFill, receipt)
    check.equal(len(logs), 1, "the number of fills")
    check.equal(logs[0].orderHash, order.hash, "the hash in the event")
    check.equal(logs[0].filledTakerTokenAmount, amount, "what was filled")
    got = amount * order.maker_amount // order.taker_amount
    check.equal(logs[0].filledMakerTokenAmount, got, "what was got")
    check.equal(logs[0].taker, peer.carol.address, "the taker")
    after = [token.call() for token in tokens]
    check.equal([b - a for a, b in zip(before, after)], [-got, got], "the tokens that moved")
    unavailable = peer.exchange.functions.getUnavailableTakerTokenAmount(order.hash)
    check.equal(unavailable.call(), amount, "what is not available any more")
    check.equal(relay.get(check, path(order), ORDER).json(), body, "the order partly filled")

    cancel = peer.exchange.functions.cancelOrder(order.addresses, order.values, UNIT)
    receipt = peer.invoke(peer.bob, cancel)
    logs = peer.events(peer.exchange.events.LogCancel, receipt)
    check.equal(
        [log.cancelledTakerTokenAmount for log in logs], [UNIT - amount], "what was cancelled"
    )
    check.equal(unavailable.call(), UNIT, "what is not available at the end")
    gone(check, relay, order)
    response = relay.raw("POST", "/order", json=body)
    relay.fails(check, 400, 100, {"takerTokenAmount": 1004}, response, "a cancelled order")
    receipt = peer.invoke(peer.carol, fill, gas=250_000)
    errors = peer.events(peer.exchange.events.LogError, receipt)
    check.equal([log.errorId for log in errors], [1], "the error of a fill too late")


def sweep(check: Check, peer: Peer, relay: Relay) -> None:
    """the best asks of the relay's book are filled at once by a taker with web3.py"""
    query = {"baseTokenAddress": ZRX.lower(), "quoteTokenAddress": WETH.lower()}
    asks = relay.get(check, "orderbook", BOOK, **query).json()["asks"]
    free = [body for body in asks if int(body["taker"], 16) == 0][:3]
    chosen = [Order.of(body) for body in free]
    signatures = [
        (b["ecSignature"]["v"], b["ecSignature"]["r"], b["ecSignature"]["s"]) for b in free
    ]
    peer.invoke(peer.dave, peer.weth.functions.approve(PROXY, 2**256 - 1))
    left = [
        order.taker_amount
        - peer.exchange.functions.getUnavailableTakerTokenAmount(order.hash).call()
        for order in chosen
    ]
    amount = left[0] + left[1] // 2
    function = peer.exchange.functions.fillOrdersUpTo(
        [order.addresses for order in chosen], [order.values for order in chosen], amount, False,
        *(list(part) for part in zip(*signatures)),
    )
    foretold = function.call({"from": peer.dave.address})
    gas = function.estimate_gas({"from": peer.dave.address})
    receipt = peer.invoke(peer.dave, function, gas=gas)
    check.equal(receipt.status, 1, "the status with the gas that was estimated")
    logs = peer.events(peer.exchange.events.LogFill, receipt)
    filled = sum(log.filledTakerTokenAmount for log in logs)
    check.equal((foretold, filled), (amount, amount), "what was foretold, and what was filled")
    check.equal([log.orderHash for log in logs], [o.hash for o in chosen[:2]], "the orders")
    gone(check, relay, chosen[0])


def refused(check: Check, peer: Peer, relay: Relay) -> None:
    """an order that the relay cannot carry is refused by the field and code of what is wrong"""
    dear = 2**256 - 1
    recipient = peer.sandbox.account("relay").address
    cases: list[tuple[str, dict[str, Any], dict[str, int]]] = [
        ("another exchange", {"exchange": PROXY}, {"exchangeContractAddress": 1003}),
        ("an unknown token", {"maker_token": NOBODY}, {"makerTokenAddress": 1003}),
        ("unknown tokens", {"maker_token": EXCHANGE, "taker_token": EXCHANGE},
         {"makerTokenAddress": 1003, "takerTokenAddress": 1003}),
        ("no pair", {"taker_token": DAI}, {"takerTokenAddress": 1003}),
        ("nothing offered", {"maker_amount": 0}, {"makerTokenAmount": 1004}),
        ("nothing asked", {"taker_amount": 0}, {"takerTokenAmount": 1004}),
        ("an expired order", {"expiry": 1}, {"expirationUnixTimestampSec": 1004}),
        ("a maker without funds", {"maker_amount": dear}, {"makerTokenAmount": 1004}),
        ("a maker without allowance",
         {"maker_token": DAI, "maker_amount": UNIT, "taker_fee": 10**17,
          "fee_recipient": recipient},
         {"makerTokenAmount": 1004}),
        ("another fee", {"maker_fee": 1}, {"makerFee": 1004}),
        ("another recipient", {"fee_recipient": PROXY}, {"feeRecipient": 1003}),
        ("several things", {"maker_amount": 0, "taker_amount": 0, "expiry": 0},
         {"makerTokenAmount": 1004, "takerTokenAmount": 1004, "expirationUnixTimestampSec": 1004}),
    ]
    for name, fields, wanted in cases:
        order = draft(peer, 2, **fields)
        response = relay.raw("POST", "/order", json=order.json(peer.bob))
        relay.fails(check, 400, 100, wanted, response, name)
        missing = relay.raw("GET", "/" + path(order))
        check.equal(missing.status_code, 404, f"the status of the order with {name}")
    for fields, wanted in (
        ({"exchange": PROXY}, {"exchangeContractAddress": 1003}),
        ({"maker_token": NOBODY}, {"makerTokenAddress": 1003}),
        ({"taker_token": USDC}, {"takerTokenAddress": 1003}),
    ):
        response = relay.raw("POST", "/fees", json=draft(peer, 2, **fields).json(None))
        relay.fails(check, 400, 100, wanted, response, f"the fees of {fields}")


def signatures(check: Check, peer: Peer, relay: Relay) -> None:
    """a signature of somebody else, over something else, or in another form is refused"""
    order = draft(peer, 3)
    order = order.with_fees(relay.post(check, "fees", order.json(None), FEES, 200).json())
    body = order.json(peer.bob)
    v, r, s = order.signature(peer.bob)
    other = replace(order, salt=4).json(peer.bob)["ecSignature"]
    bare = peer.bob.unsafe_sign_hash(order.hash)
    words = [f"0x{number:064x}" for number in (bare.r, bare.s)]
    high = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141 - int.from_bytes(s)
    wrong = {"ecSignature": 1005}
    part = {"ecSignature.r": 1001}
    cases: list[tuple[str, Any, dict[str, int]]] = [
        ("carol's", order.json(peer.carol)["ecSignature"], wrong),
        ("that of another order", other, wrong),
        ("that of the bare hash", {"v": bare.v, "r": words[0], "s": words[1]}, wrong),
        ("one with the other v", body["ecSignature"] | {"v": 55 - v}, wrong),
        ("one with r = 0", body["ecSignature"] | {"r": "0x" + 64 * "0"}, wrong),
        ("one with r beyond the order", body["ecSignature"] | {"r": "0x" + 64 * "f"}, wrong),
        ("one with v = 0", body["ecSignature"] | {"v": v - 27}, {"ecSignature.v": 1005}),
        ("one with v as text", body["ecSignature"] | {"v": str(v)}, {"ecSignature.v": 1001}),
        ("one with v = 27.5", body["ecSignature"] | {"v": 27.5}, {"ecSignature.v": 1005}),
        ("one with a short r", body["ecSignature"] | {"r": "0x12"}, part),
        ("one with r without 0x", body["ecSignature"] | {"r": r.hex()}, part),
        ("a text", "0x" + r.hex() + s.hex() + hex(v)[2:], {"ecSignature": 1001}),
        ("none", None, {"ecSignature": 1001}),
        ("an empty one", {}, {"ecSignature.v": 1000, "ecSignature.r": 1000, "ecSignature.s": 1000}),
    ]
    for name, signature, wanted in cases:
        response = relay.raw("POST", "/order", json=body | {"ecSignature": signature})
        relay.fails(check, 400, 100, wanted, response, f"a signature: {name}")
    # The twin with a high s is as good to the contract, so the order is the same order.
    twin = {"v": 55 - v, "r": "0x" + r.hex(), "s": f"0x{high:064x}"}
    valid = peer.exchange.functions.isValidSignature(
        peer.bob.address, order.hash, twin["v"], twin["r"], twin["s"]
    )
    check.equal(valid.call(), True, "the contract's verdict on the twin")
    relay.post(check, "order", body | {"ecSignature": twin}, None, 201)
    shown = relay.get(check, path(order), ORDER).json()
    check.equal(shown, body | {"ecSignature": twin}, "the order with the twin")


def members(check: Check, peer: Peer, relay: Relay) -> None:
    """each member of an order that is missing or malformed is named with its code"""
    body = draft(peer, 5).json(peer.bob)
    request = draft(peer, 5).json(None)
    amounts = {"makerTokenAmount", "takerTokenAmount"}
    bad_numbers: list[tuple[Any, int]] = [
        (5, 1001), ("-1", 1001), ("0x5", 1001), ("1e3", 1001), ("1.5", 1001), ("", 1001),
        (" 1", 1001), (None, 1001), (True, 1001), ("٣", 1001), (str(2**256), 1004), ([], 1001),
    ]
    bad_addresses: list[Any] = [
        "", "0x", "0x12", 5, None, {}, "0X" + 40 * "0", 42 * "0", "0x" + 40 * "g",
        "0x" + 41 * "0", ZRX[:-1] + ("A" if ZRX[-1] != "A" else "B"), ZRX.swapcase(),
    ]
    for name in body:
        if name == "ecSignature":
            continue
        is_address = body[name].startswith("0x")
        worse = [(v, 1002) for v in bad_addresses] if is_address else bad_numbers
        for path_name, whole in (("order", body), ("fees", request)):
            if name not in whole:
                continue
            if path_name == "order" or name not in amounts:
                cut = {key: value for key, value in whole.items() if key != name}
                response = relay.raw("POST", f"/{path_name}", json=cut)
                relay.fails(check, 400, 100, {name: 1000}, response, f"/{path_name} without {name}")
            for value, code in worse:
                response = relay.raw("POST", f"/{path_name}", json=whole | {name: value})
                what = f"/{path_name} with {name} {value!r}"
                relay.fails(check, 400, 100, {name: code}, response, what)
    relay.post(check, "order", {}, ERROR, 400)
    unknown = relay.raw("POST", "/fees", json=request | {"a member": "nobody knows"})
    check.equal(unknown.status_code, 200, "the status with an unknown member")


CHECKS = [trade, sweep, refused, signatures, members]
