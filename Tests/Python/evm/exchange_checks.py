"""What docs/protocol/zeroex-v1.md says of the Exchange and the proxy beyond the 62 scenarios."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

from eth_abi import encode
from eth_utils import keccak

from compiler import compiled
from deployment import KINDS
from market import (
    ETHER,
    EXCHANGE,
    FILL,
    FILL_UP_TO,
    IMPLEMENTATION,
    MAKER,
    MAKER_KEY,
    PROXY,
    TAKER,
    TAKER_KEY,
    TOKENS,
    Order,
    call_data,
    configuration,
    selector,
    word,
)
from probe import GAS_LIMIT, Call, Outcome, run

# The functions of section 4, and what they do with no arguments at all, which read as zeros.
FUNCTIONS = {
    "bc61394a": "REVERT",
    "741bcc93": "REVERT",
    "363349be": word(0),
    "b7b2c7d6": b"",
    "4f150787": b"",
    "394c21e7": "REVERT",
    "baa0181d": b"",
    "cfc4d0ec": Order(
        maker="0x" + "00" * 20,
        maker_token="0x" + "00" * 20,
        taker_token="0x" + "00" * 20,
        maker_amount=0,
        taker_amount=0,
        expiration=0,
        salt=0,
    ).hash,
    "8163681e": word(0),
    "288cdc91": word(0),
    "2ac12622": word(0),
    "7e9abb50": word(0),
    "98024a8b": "INVALID",
    "14df96ee": word(0),
    "3b30ba59": word(TOKENS["zrx"]),
    "add1cbc5": word(PROXY),
    "ffa1ad74": encode(["string"], ["1.0.0"]),
    "f06bbf75": word(4_999),
}


def _send(data: bytes, to: str = EXCHANGE, key: str = TAKER_KEY, **changes: Any) -> Outcome:
    return run(configuration(), Call(key=key, to=to, data=data, **changes))


def _ends(outcome: Outcome, expected: str | bytes | None) -> Iterator[str]:
    """The call fails in the expected way, or answers the expected bytes."""
    if isinstance(expected, bytes):
        if outcome.failure is not None or outcome.output != expected:
            yield f"it is {outcome.failure} {outcome.output.hex()}, not {expected.hex()}"
    elif outcome.failure != expected:
        yield f"it is {outcome.failure}, not {expected}"
    burnt = outcome.gas_used == GAS_LIMIT
    if burnt != (expected == "INVALID"):
        yield f"it has used {outcome.gas_used} gas"


def _salted(salt: int) -> Order:
    return Order(salt=salt)


def functions() -> Iterator[str]:
    """Each function answers at its selector; missing arguments are zeros"""
    for name, expected in FUNCTIONS.items():
        for difference in _ends(_send(bytes.fromhex(name)), expected):
            yield f"{name}: {difference}"
    authorized = selector("authorized(address)")
    yield from _ends(_send(authorized + word(EXCHANGE), to=PROXY), word(1))
    yield from _ends(_send(authorized + word(MAKER), to=PROXY), word(0))
    listed = encode(["address[]"], [[EXCHANGE]])
    yield from _ends(_send(selector("getAuthorizedAddresses()"), to=PROXY), listed)


def unknown() -> Iterator[str]:
    """Unknown selectors, three bytes of one and attached ether burn all gas"""
    for to in (EXCHANGE, PROXY):
        yield from _ends(_send(b"\x01\x02\x03\x04", to=to), "INVALID")
        yield from _ends(_send(b"\xbc\x61\x39", to=to), "INVALID")
        yield from _ends(_send(b"", to=to, value=1), "INVALID")
    yield from _ends(_send(selector("VERSION()"), value=1), "INVALID")


def padding() -> Iterator[str]:
    """Bits above an address, a bool or v are dropped, as the compiler of 2017 did"""
    order = Order()
    filled = word(10 * ETHER)
    clean = order.fill(10 * ETHER, True)
    for argument in (0, 1, 2, 3, 4, 13):
        at = 4 + 32 * argument
        yield from _ends(_send(clean[:at] + b"\xff" + clean[at + 1 :]), filled)
    at = 4 + 32 * 12
    yield from _ends(_send(clean[:at] + b"\xff" * 32 + clean[at + 32 :]), filled)
    yield from _ends(_send(clean + b"\x01\x02\x03"), filled)


def cut() -> Iterator[str]:
    """Call data that is cut reads as zeros behind the cut"""
    # One whose signature ends in a zero.
    order = next(order for order in map(_salted, count()) if order.signature()[2][-1] == 0)
    clean = order.fill(10 * ETHER, True)
    yield from _ends(_send(clean[:-1]), word(10 * ETHER))
    yield from _ends(_send(clean[:-2]), "REVERT" if clean[-2] else word(10 * ETHER))
    yield from _ends(_send(clean[:-32]), "REVERT")


def cut_anywhere() -> Iterator[str]:
    """Wherever call data ends, what is missing of an order reads as zeros"""
    order = Order()
    whole = call_data("getOrderHash(address[5],uint256[6])", order.addresses, order.values)
    packed = bytes.fromhex(EXCHANGE[2:])
    # Sizes beside the words' borders, and those that no whole word fits into.
    for size in [*range(4, 37), 67, 68, 69, 163, 164, 165, 195, 196, 197, 254, 355, 356]:
        words = (whole[4:size] + bytes(352))[:352]
        parts = [words[index + 12 : index + 32] for index in range(0, 160, 32)]
        expected = keccak(packed + b"".join(parts) + words[160:])
        for difference in _ends(_send(whole[:size]), expected):
            yield f"{size} bytes: {difference}"


def arrays() -> Iterator[str]:
    """An array that is too short for the orders, or longer than gas can pay for, burns all gas"""
    order = Order()
    v, r, s = order.signature()
    full: list[Any] = [[order.addresses], [order.values], 10 * ETHER, True, [v], [r], [s]]
    yield from _ends(_send(call_data(FILL_UP_TO, *full)), word(10 * ETHER))
    for index in (1, 4, 5, 6):
        short = full.copy()
        short[index] = []
        yield from _ends(_send(call_data(FILL_UP_TO, *short)), "INVALID")
    for index in (0, 1, 4, 5, 6):
        data = call_data(FILL_UP_TO, *full)
        start = 4 + int.from_bytes(data[4 + 32 * index : 36 + 32 * index], "big")
        yield from _ends(_send(data[:start] + word(2**40) + data[start + 32 :]), "INVALID")


def overflow() -> Iterator[str]:
    """A product of 256 bits or more burns all gas, one of just less does not"""
    # 2^255 × 2 is too much; the rounding check multiplies first, but only where there is a rest.
    order = Order(maker_amount=2**255, taker_amount=4)
    yield from _ends(_send(order.fill(2, True)), "INVALID")
    fits = Order(maker_amount=2**255, taker_amount=1)
    # It passes the product and ends in the proxy, as nobody owns so much.
    yield from _ends(_send(fits.fill(1, False)), word(0))


def queries() -> Iterator[str]:
    """A token that needs over 4,999 gas fails where it is asked, and fills where it is not"""
    for kind in ("heavy", "upgradeable", "usdt"):
        order = Order(maker_token=TOKENS[kind])
        yield from _ends(_send(order.fill(10 * ETHER, False)), "INVALID")
        yield from _ends(_send(order.fill(10 * ETHER, True)), word(10 * ETHER))
        flags = ("implementation", "deprecated", "paused")
        slots = compiled(KINDS[kind]).slots
        entries: list[tuple[str, list[int]]] = [
            (TOKENS[kind], [slots[flag] for flag in flags if flag in slots])
        ]
        if kind == "upgradeable":
            entries.append((IMPLEMENTATION, []))
        outcome = _send(order.fill(10 * ETHER, False), access_list=entries)
        yield from _ends(outcome, word(10 * ETHER))


def strangers() -> Iterator[str]:
    """The proxy moves nothing for strangers, and an exchange that it does not know burns all gas"""
    move = call_data(
        "transferFrom(address,address,address,uint256)", TOKENS["plain"], MAKER, TAKER, 1
    )
    yield from _ends(_send(move, to=PROXY), "REVERT")
    call = Call(key=TAKER_KEY, to=EXCHANGE, data=Order().fill(ETHER, False))
    yield from _ends(run(configuration(authorized=[]), call), "INVALID")


def no_token() -> Iterator[str]:
    """A token that is no contract burns all gas"""
    order = Order(maker_token="0x" + "cc" * 20)
    for throws in (True, False):
        yield from _ends(_send(order.fill(ETHER, throws)), "INVALID")


def nobody() -> Iterator[str]:
    """The zero address signs nothing"""
    order = Order(maker="0x" + "00" * 20)
    data = call_data(FILL, order.addresses, order.values, ETHER, True, 29, word(1), word(1))
    yield from _ends(_send(data), "REVERT")


def own() -> Iterator[str]:
    """Only its maker cancels an order, and what is cancelled is not filled"""
    order = Order()
    cancel = call_data(
        "cancelOrder(address[5],uint256[6],uint256)", order.addresses, order.values, ETHER
    )
    yield from _ends(_send(cancel), "REVERT")
    yield from _ends(_send(cancel, key=MAKER_KEY), word(ETHER))
    used_up = [{"hash": f"0x{order.hash.hex()}", "cancelled": 200 * ETHER}]
    call = Call(key=TAKER_KEY, to=EXCHANGE, data=order.fill(ETHER, True))
    yield from _ends(run(configuration(orders=used_up), call), word(0))


CHECKS: list[Callable[[], Iterator[str]]] = [
    functions,
    unknown,
    padding,
    cut,
    cut_anywhere,
    arrays,
    overflow,
    queries,
    strangers,
    no_token,
    nobody,
    own,
]
