"""What docs/protocol/zeroex-v4.md says of fills beyond the vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from eth_abi import encode

from native_market import (
    CANCELLED,
    EIP712,
    ETHER,
    ETHSIGN,
    EXPIRED,
    FILLED,
    INVALID,
    MAKER,
    MAKER_KEY,
    NOBODY,
    OTHER,
    OTHER_KEY,
    PROXY,
    RECIPIENT,
    START,
    TAKER,
    TOKENS,
    LimitOrder,
    NativeOrder,
    RfqOrder,
    call,
    collector,
    error,
    fill,
    fill_all,
    filled,
    refused,
    said,
    stage,
    word,
)

GROUP_ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
KINDS: tuple[NativeOrder, NativeOrder] = (LimitOrder(), RfqOrder())
TOO_LITTLE = said("FixinProtocolFees/ETHER_TRANSFER_FALIED")
MULTIPLIER = 70_000
PRICE = 3 * 10**9


def statuses() -> Iterator[str]:
    """An order that is filled, cancelled, expired, below the pair's salt or without an origin"""
    for order in KINDS:
        limit = order.is_limit

        def error_of(status: int, order: NativeOrder = order) -> bytes:
            return error("OrderNotFillableError(bytes32,uint8)", order.hash, status)

        chain = stage()
        chain.send(TAKER, fill(order, 200 * ETHER))
        yield from refused(chain.send(TAKER, fill(order, 1)), error_of(FILLED))
        chain.send(MAKER, call("cancelLimitOrder(ORDER)", order.tuple, limit=limit))
        # Filled wins over a later cancel.
        yield from refused(chain.send(TAKER, fill(order, 1)), error_of(FILLED))
        chain = stage()
        chain.send(TAKER, fill(order, ETHER))
        chain.send(MAKER, call("cancelLimitOrder(ORDER)", order.tuple, limit=limit))
        yield from refused(chain.send(TAKER, fill(order, 1)), error_of(CANCELLED))
        pair = "cancelPairLimitOrders(address,address,uint256)"
        chain = stage()
        chain.send(MAKER, call(pair, order.maker_token, order.taker_token, 8, limit=limit))
        yield from refused(chain.send(TAKER, fill(order, 1)), error_of(CANCELLED))
        equal = order.but(salt=8)
        yield from filled(chain.send(TAKER, fill(equal, 2 * ETHER)), 2 * ETHER, ETHER)
        # The block's time is one after the chain's start.
        for expiry in (0, START, START + 1):
            late = order.but(expiry=expiry)
            yield from refused(stage().send(TAKER, fill(late, 1)), error_of(EXPIRED, late))
        in_time = order.but(expiry=START + 2)
        yield from filled(stage().send(TAKER, fill(in_time, 2 * ETHER)), 2 * ETHER, ETHER)
        nothing = order.but(taker_amount=0)
        yield from refused(stage().send(TAKER, fill(nothing, 1)), error_of(FILLED, nothing))
    nowhere = RfqOrder(tx_origin=NOBODY, taker_amount=0)
    expected = error("OrderNotFillableError(bytes32,uint8)", nowhere.hash, INVALID)
    yield from refused(stage().send(TAKER, fill(nowhere, 1)), expected)


def reserved() -> Iterator[str]:
    """An order for another taker, sender or origin, and which of them is told first"""
    other = LimitOrder(taker=OTHER, sender=OTHER)
    by_taker = "OrderNotFillableByTakerError(bytes32,address,address)"
    by_sender = "OrderNotFillableBySenderError(bytes32,address,address)"
    by_origin = "OrderNotFillableByOriginError(bytes32,address,address)"
    expected = error(by_taker, other.hash, TAKER, OTHER)
    yield from refused(stage().send(TAKER, fill(other, 1, (0, 0, word(0), word(0)))), expected)
    yield from filled(stage().send(OTHER, fill(other, 2 * ETHER)), 2 * ETHER, ETHER)
    sender = LimitOrder(sender=OTHER)
    expected = error(by_sender, sender.hash, TAKER, OTHER)
    yield from refused(stage().send(TAKER, fill(sender, 1, (0, 0, word(0), word(0)))), expected)
    quote = RfqOrder(taker=OTHER, tx_origin=MAKER)
    expected = error(by_origin, quote.hash, TAKER, MAKER)
    yield from refused(stage().send(TAKER, fill(quote, 1)), expected)
    quote = RfqOrder(taker=OTHER)
    expected = error(by_taker, quote.hash, TAKER, OTHER)
    yield from refused(stage().send(TAKER, fill(quote, 1, (0, 0, word(0), word(0)))), expected)


def signatures() -> Iterator[str]:
    """Both kinds of signature, those of others, and those that nobody can have made"""
    chain = stage()
    for order in KINDS:
        for kind in (EIP712, ETHSIGN):
            answer = chain.send(TAKER, fill(order, 2 * ETHER, order.signed(kind)))
            yield from filled(answer, 2 * ETHER, ETHER)
        others = error(
            "OrderNotSignedByMakerError(bytes32,address,address)", order.hash, OTHER, MAKER
        )
        answer = chain.send(TAKER, fill(order, 1, order.signed(key=OTHER_KEY)))
        yield from refused(answer, others)
        kind, v, r, s = order.signed()
        high = word(GROUP_ORDER - int.from_bytes(s, "big"))
        bad = {
            5: [
                (kind, 55 - v, r, high),
                (kind, v - 27, r, s),
                (kind, 29, r, s),
                (kind, 255, r, s),
                (kind, v, word(0), s),
                (kind, v, word(GROUP_ORDER), s),
                (kind, v, r, word(0)),
                (kind, v, r, word(GROUP_ORDER // 2 + 1)),
                # Its numbers are looked at before its kind.
                (0, v, r, high),
                (1, v, word(GROUP_ORDER), s),
                (4, v, r, high),
            ],
            3: [(0, v, r, s)],
            0: [(1, v, r, s)],
            2: [(4, v, r, s)],
        }
        for code, made in bad.items():
            expected = error("SignatureValidationError(uint8,bytes32)", code, order.hash)
            for signature in made:
                yield from refused(chain.send(TAKER, fill(order, 1, signature)), expected)
        for unknown in (5, 255):
            answer = chain.send(TAKER, fill(order, 1, (unknown, v, r, s)))
            yield from refused(answer, b"")


def amounts() -> Iterator[str]:
    """What is filled: no more than is left, rounded down, nothing where a side comes to nothing"""
    for order in KINDS:
        limit = order.is_limit
        odd = order.but(maker_amount=1_000, taker_amount=3_000)
        chain = stage()
        yield from filled(chain.send(TAKER, fill(odd, 100)), 100, 33)
        yield from filled(chain.send(TAKER, fill(odd, 2**128 - 1)), 2_900, 966)
        for dust in (0, 1, 2):
            answer = stage().send(TAKER, fill(odd, dust))
            yield from filled(answer, 0, 0)
            if answer.token_logs != 0 or len(answer.logs) != 1:
                yield f"filling {dust} moves tokens, or logs {len(answer.logs)} events"
        yield from filled(stage().send(TAKER, fill(order.but(maker_amount=0), ETHER)), 0, 0)
        form = "fillOrKillLimitOrder(ORDER,SIGN,uint128)"
        exact = call(form, odd.tuple, odd.signed(), 3_000, limit=limit)
        yield from refused(stage().send(TAKER, exact), encode(["uint128"], [1_000]), None)
        for asked, left in ((3_001, 3_000), (1, 0)):
            data = call(form, odd.tuple, odd.signed(), asked, limit=limit)
            expected = error(
                "FillOrKillFailedError(bytes32,uint256,uint256)", odd.hash, left, asked
            )
            yield from refused(stage().send(TAKER, data), expected)


def fees() -> Iterator[str]:
    """The taker's fee in taker token is on top, and is moved even where it comes to nothing"""
    order = LimitOrder(taker_token_fee_amount=10 * ETHER, fee_recipient=RECIPIENT)
    answer = stage().send(TAKER, fill(order, 2 * ETHER))
    yield from filled(answer, 2 * ETHER, ETHER)
    fee = int(answer.logs[0]["data"][2:][64 * 8 : 64 * 9], 16)
    if answer.token_logs != 3 or fee != ETHER // 10:
        yield f"a fee of {fee} is logged, with {answer.token_logs} transfers"
    small = order.but(maker_amount=ETHER, taker_amount=ETHER, taker_token_fee_amount=1)
    for amount, transfers in ((5, 3), (0, 1)):
        answer = stage().send(TAKER, fill(small, amount))
        if answer.token_logs != transfers:
            yield f"a fee of nothing makes {answer.token_logs} transfers of {transfers}"
    # All that the taker owns goes to the maker, so nothing is left for the fee.
    large = order.but(taker_amount=1_000 * ETHER)
    yield from refused(stage().send(TAKER, fill(large, 1_000 * ETHER)), b"")


def transfers() -> Iterator[str]:
    """Tokens that answer nothing are taken; one that answers false, or fails, is passed on"""
    for kind in ("plain", "silent", "usdt", "fee", "heavy", "upgradeable", "zrx"):
        order = LimitOrder(maker_token=TOKENS[kind])
        yield from filled(stage().send(TAKER, fill(order, 2 * ETHER)), 2 * ETHER, ETHER)
        poor = order.but(maker_amount=1_000 * ETHER + 1, taker_amount=ETHER)
        reason = word(0) if kind == "zrx" else b""
        yield from refused(stage().send(TAKER, fill(poor, ETHER)), reason)
    # The taker's token comes first, so its reason is told.
    both = LimitOrder(taker_token=TOKENS["zrx"], maker_amount=2_000 * ETHER)
    answer = stage().send(TAKER, fill(both.but(taker_amount=1_001 * ETHER), 1_001 * ETHER))
    yield from refused(answer, word(0))
    # Where there is no contract a call succeeds and answers nothing.
    nothing = LimitOrder(maker_token="0x" + "cc" * 20)
    yield from filled(stage().send(TAKER, fill(nothing, 2 * ETHER)), 2 * ETHER, ETHER)
    own = LimitOrder(maker_token=PROXY)
    expected = said("FixinTokenSpender/CANNOT_INVOKE_SELF")
    yield from refused(stage().send(TAKER, fill(own, ETHER)), expected)
    # The contract at 4 answers what it is asked, which does not begin with a 1.
    echo = LimitOrder(maker_token="0x" + "00" * 19 + "04")
    sent = call("transferFrom(address,address,uint256)", MAKER, TAKER, ETHER)
    yield from refused(stage().send(TAKER, fill(echo, 2 * ETHER)), sent)


def protocol_fee() -> Iterator[str]:
    """The protocol fee is the multiplier times the gas price; more is sent back"""
    chain = stage(protocolFeeMultiplier=MULTIPLIER)
    order = LimitOrder(pool=word(3))
    fee = MULTIPLIER * PRICE
    answer = chain.send(TAKER, fill(order, 1), value=fee - 1, gas_price=PRICE)
    yield from refused(answer, TOO_LITTLE)
    for value in (fee, 3 * fee):
        before = chain.ether(TAKER), chain.ether(collector(order.pool))
        answer = chain.send(TAKER, fill(order, 2 * ETHER), value=value, gas_price=PRICE)
        yield from filled(answer, 2 * ETHER, ETHER)
        if chain.ether(collector(order.pool)) - before[1] != fee:
            yield "the collector gets another amount"
        if before[0] - chain.ether(TAKER) != fee + answer.gas_used * PRICE:
            yield "the taker pays another amount"
        if int(answer.logs[0]["data"][2:][64 * 9 : 64 * 10], 16) != fee:
            yield "another fee is logged"
    form = "fillOrKillLimitOrder(ORDER,SIGN,uint128)"
    before = chain.ether(TAKER)
    data = call(form, order.tuple, order.signed(), ETHER)
    answer = chain.send(TAKER, data, value=2 * fee, gas_price=PRICE)
    if answer.failure or before - chain.ether(TAKER) != fee + answer.gas_used * PRICE:
        yield "fillOrKill costs another amount"
    yield from refused(chain.send(TAKER, fill(RfqOrder(), 1), value=1, gas_price=PRICE), b"")
    # A contract that takes no ether cannot have the rest back.
    taker = TOKENS["plain"]
    rich = stage(accounts=[{"address": taker, "ether": ETHER}])
    dust = fill(LimitOrder(), 0)
    expected = error("ProtocolFeeRefundFailed(address,uint256)", taker, 5)
    yield from refused(rich.send(taker, dust, value=5), expected)


def batches() -> Iterator[str]:
    """In a batch an order that fails is skipped, or fails all of it where that is asked"""
    for order in KINDS:
        late = order.but(expiry=1, salt=8)
        part = order.but(taker_amount=ETHER, maker_amount=ETHER, salt=9)
        orders = [order, late, part, order.but(maker_amount=0, salt=10)]
        wanted = [2 * ETHER, 5, 3 * ETHER, 7]
        sold, bought = [2 * ETHER, 0, ETHER, 0], [ETHER, 0, ETHER, 0]
        expected = encode(["uint128[]", "uint128[]"], [sold, bought])
        yield from refused(stage().send(TAKER, fill_all(orders, wanted)), expected, None)
        incomplete = "BatchFillIncompleteError(bytes32,uint256,uint256)"
        for start, left in ((1, 0), (2, ETHER), (3, 0)):
            data = fill_all(orders[start:], wanted[start:], must_fill=True)
            expected = error(incomplete, orders[start].hash, left, wanted[start])
            yield from refused(stage().send(TAKER, data), expected)
    chain = stage(protocolFeeMultiplier=MULTIPLIER)
    fee = MULTIPLIER * PRICE
    # One that expired costs nothing, one that is filled by nothing costs the fee all the same.
    orders = [LimitOrder(salt=1), LimitOrder(salt=2, expiry=1), LimitOrder(salt=3)]
    data = fill_all(orders, [2 * ETHER, 2 * ETHER, 0])
    for value, sold in ((2 * fee - 1, 1), (9 * fee, 2)):
        before = chain.ether(TAKER)
        answer = chain.send(TAKER, data, value=value, gas_price=PRICE)
        if len(answer.logs) != sold:
            yield f"with {value} wei {len(answer.logs)} orders are filled, not {sold}"
        if before - chain.ether(TAKER) != sold * fee + answer.gas_used * PRICE:
            yield f"with {value} wei the taker pays another amount"


CHECKS: list[Callable[[], Iterator[str]]] = [
    statuses,
    reserved,
    signatures,
    amounts,
    fees,
    transfers,
    protocol_fee,
    batches,
]
