"""What docs/protocol/zeroex-v4.md says of functions and their call data beyond the vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from native_fill_checks import KINDS
from native_functions import FUNCTIONS, OWN_FUNCTIONS, selector
from native_market import (
    ETHER,
    NOBODY,
    TAKER,
    LimitOrder,
    call,
    error,
    fill,
    fill_all,
    filled,
    refused,
    said,
    stage,
    word,
)
from native_state_checks import PAIR, PAIRS, STATES

# Section 4, in the order of native_functions.py.
SELECTORS = (
    "f6274f66 aa77476c 9240529c 438cdfc5 1baaa00b 75103cb9 7d49ec1a fe55a3ef 9baa45a8 f6e0f6a5 "
    "d0a55fb0 9a4f809c 86a0c8d7 0f0e8cf7 b10a33f4 935c82a4 95480889 346693c5 1fb09795 37f381d8 "
    "b4658bfb ad354eeb dd11d225 016a6d65 487b5c20 b09f1fb1 ea7faa61 6b52a4a8"
).split()


def functions() -> Iterator[str]:
    """Each function is at its selector; what is not registered says so"""
    actual = [selector(signature).hex() for signature in FUNCTIONS]
    if actual != SELECTORS:
        yield f"the selectors are {actual}"

    def missing(four: bytes) -> bytes:
        return error("NotImplementedError(bytes4)", four)

    chain = stage(missing=["0x487b5c20", "0x1baaa00b"])
    for data in (b"\x01\x02\x03\x04", b"\x01\x02\x03\x04" * 9, bytes(4), b"\x01\x02\x03", b"\x01"):
        yield from refused(chain.send(TAKER, data), missing(data[:4].ljust(4, b"\0")))
    yield from refused(chain.ask(bytes.fromhex("487b5c20")), missing(b"\x48\x7b\x5c\x20"))
    answer = chain.send(TAKER, fill_all([LimitOrder()], [1]))
    yield from refused(answer, missing(bytes.fromhex("1baaa00b")))
    # What it calls of itself is there for nobody else.
    order = LimitOrder()
    own = selector(OWN_FUNCTIONS[0])
    form = "_fillLimitOrder(ORDER,SIGN,uint128,address,address)"
    data = call(form, order.tuple, order.signed(), 1, TAKER, TAKER)
    yield from refused(chain.send(TAKER, data), missing(own))
    # Ether alone is taken.
    yield from refused(chain.send(TAKER, b"", value=5), b"", None)
    multiplier = stage(protocolFeeMultiplier=70_000).ask(bytes.fromhex("487b5c20"))
    yield from refused(multiplier, word(70_000), None)


def call_data() -> Iterator[str]:
    """Call data that is cut or dirty reverts without a word, in batches as well"""
    chain = stage()
    for order in KINDS:
        limit = order.is_limit
        data = fill(order, ETHER)
        words = len(order.tuple)
        # An address, both amounts, the expiry, the kind of signature, v and the amount.
        for index in (0, 2, 3, words - 2, words, words + 1, words + 4):
            at = 4 + 32 * index
            yield from refused(chain.send(TAKER, data[:at] + b"\x01" + data[at + 1 :]), b"")
        for size in (4, 5, 100, len(data) - 1):
            yield from refused(chain.send(TAKER, data[:size]), b"")
        yield from filled(chain.send(TAKER, data + b"more"), ETHER, ETHER // 2)
        batch = fill_all([order], [1])
        for size in (4, 131, 132, len(batch) - 32, len(batch) - 1):
            yield from refused(chain.send(TAKER, batch[:size]), b"")
        # The arrays' places and the flag, the number of orders, the first order's first words.
        for index in (0, 1, 2, 3, 4, 5, 7):
            at = 4 + 32 * index
            yield from refused(chain.send(TAKER, batch[:at] + b"\x01" + batch[at + 1 :]), b"")
        form = "batchFillLimitOrders(ORDER[],SIGN[],uint128[],bool)"
        name = f"batchFill{'Limit' if limit else 'Rfq'}Orders"
        short = said(f"BatchFillNativeOrdersFeature::{name}/MISMATCHED_ARRAY_LENGTHS")
        full = ([order.tuple], [order.signed()], [1])
        for index in range(3):
            arrays = [[] if place == index else item for place, item in enumerate(full)]
            yield from refused(chain.send(TAKER, call(form, *arrays, False, limit=limit)), short)
        dirty = call("batchCancelLimitOrders(ORDER[])", [order.tuple] * 2, limit=limit)
        at = 4 + 64 + 32 * words
        # Before any is cancelled all of them are looked at.
        yield from refused(chain.send(TAKER, dirty[:at] + b"\x01" + dirty[at + 1 :]), b"")
        for form, arguments in (
            ("cancelLimitOrder(ORDER)", (order.tuple,)),
            ("batchCancelLimitOrders(ORDER[])", ([],)),
            (PAIR, (NOBODY, NOBODY, 1)),
            (PAIRS, ([], [], [])),
        ):
            answer = chain.send(TAKER, call(form, *arguments, limit=limit), value=1)
            yield from refused(answer, b"")


def state_data() -> Iterator[str]:
    """Call data of batches of states that is cut or dirty reverts without a word"""
    chain = stage()
    for order in KINDS:
        limit = order.is_limit
        words = len(order.tuple)
        data = call(STATES, [order.tuple] * 2, [order.signed()] * 2, limit=limit)
        good = chain.ask(data + b"more")
        yield from refused(good, chain.ask(data).output, None)
        for size in (4, 67, 68, len(data) - 128, len(data) - 1):
            yield from refused(chain.ask(data[:size]), b"")
        # Of the second order whatever has less than 32 bytes, and the same of its signature.
        addresses = (0, 1, 5, 6, 7, 8) if limit else (0, 1, 4, 5, 6)
        amounts = (2, 3, 4) if limit else (2, 3)
        second = 4 + 3 * 32 + 32 * words
        signature = 4 + 4 * 32 + 64 * words + 128
        dirty = [(second + 32 * index, 11) for index in addresses]
        dirty += [(second + 32 * index, 15) for index in amounts]
        dirty += [(second + 32 * (words - 2), 23), (signature, 30), (signature + 32, 30)]
        # Where the arrays are, and how many are in either.
        dirty += [(4, 0), (36, 0), (68, 0), (68, 30), (signature - 160, 0)]
        for at, byte in dirty:
            at += byte
            yield from refused(chain.ask(data[:at] + bytes([data[at] | 16]) + data[at + 1 :]), b"")
        # A kind that is none.
        at = signature + 31
        yield from refused(chain.ask(data[:at] + b"\x05" + data[at + 1 :]), b"")
        yield from refused(chain.send(TAKER, data, value=1), b"")
        # As many as fit, and one more.
        for count, failure in ((256, None), (257, "REVERT")):
            data = call(STATES, [order.tuple] * count, [order.signed()] * count, limit=limit)
            answer = chain.ask(data)
            if answer.failure != failure:
                yield f"{count} states end as {answer.failure}"
            if failure is None and len(answer.output) != 32 * (6 + 5 * count):
                yield f"{count} states are {len(answer.output)} bytes"


CHECKS: list[Callable[[], Iterator[str]]] = [functions, call_data, state_data]
