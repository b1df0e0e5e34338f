"""What docs/protocol/zeroex-v4.md says of cancels and states beyond the vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from eth_abi import encode

from deployment import UNLIMITED
from market import topic
from native_fill_checks import GROUP_ORDER, KINDS
from native_functions import function, selector
from native_market import (
    CANCELLED,
    ETHER,
    FILLABLE,
    INVALID,
    MAKER,
    NOBODY,
    OTHER,
    OTHER_KEY,
    PROXY,
    TAKER,
    TOKENS,
    LimitOrder,
    NativeOrder,
    RfqOrder,
    call,
    error,
    fill,
    filled,
    refused,
    said,
    stage,
    word,
)
from native_stage import Answer

INFO = "(bytes32,uint8,uint128)"
PAIR = "cancelPairLimitOrders(address,address,uint256)"
PAIRS = "batchCancelPairLimitOrders(address[],address[],uint256[])"
STATE = "getLimitOrderRelevantState(ORDER,SIGN)"
STATES = "batchGetLimitOrderRelevantStates(ORDER[],SIGN[])"

def _logs(answer: Answer, event: str, *data: bytes) -> Iterator[str]:
    """The call succeeds, answers nothing, and logs such events and no others."""
    yield from refused(answer, b"", None)
    logs = [{"topics": [topic(event)], "data": f"0x{item.hex()}"} for item in data]
    if answer.logs != logs:
        yield f"it logs {answer.logs}, not {logs}"


def _state(order: NativeOrder, status: int, used: int, amount: int, valid: bool) -> bytes:
    info = (order.hash, status, used)
    return encode([INFO, "uint128", "bool"], [info, amount, valid])


def cancels() -> Iterator[str]:
    """Only the maker or a registered signer cancels, twice as well, and each time it is logged"""
    for order in KINDS:
        limit = order.is_limit
        chain = stage()
        one = call("cancelLimitOrder(ORDER)", order.tuple, limit=limit)
        expected = error(
            "OnlyOrderMakerAllowed(bytes32,address,address)", order.hash, TAKER, MAKER
        )
        yield from refused(chain.send(TAKER, one), expected)
        event, log = "OrderCancelled(bytes32,address)", order.hash + word(MAKER)
        for _ in range(2):
            yield from _logs(chain.send(MAKER, one), event, log)
        chain.send(MAKER, call("registerAllowedOrderSigner(address,bool)", OTHER, True))
        yield from _logs(chain.send(OTHER, one), event, log)
        second = order.but(salt=8)
        orders = [order.tuple, second.tuple]
        both = call("batchCancelLimitOrders(ORDER[])", orders, limit=limit)
        yield from _logs(chain.send(MAKER, both), event, log, second.hash + word(MAKER))
        foreign = [order.tuple, second.but(maker=TAKER).tuple]
        data = call("batchCancelLimitOrders(ORDER[])", foreign, limit=limit)
        answer = chain.send(MAKER, data)
        expected = error(
            "OnlyOrderMakerAllowed(bytes32,address,address)",
            second.but(maker=TAKER).hash,
            MAKER,
            TAKER,
        )
        yield from refused(answer, expected)


def pairs() -> Iterator[str]:
    """The least salt of a pair never goes down, for each kind of order by itself"""
    a, b = TOKENS["plain"], TOKENS["weth"]
    for limit in (True, False):
        kind = "Limit" if limit else "Rfq"
        event = f"PairCancelled{kind}Orders(address,address,address,uint256)"

        def data(salt: int, tokens: tuple[str, str] = (a, b)) -> bytes:
            return b"".join(map(word, (MAKER, *tokens, salt)))

        chain = stage()
        for salt in (5, 5, UNLIMITED):
            answer = chain.send(MAKER, call(PAIR, a, b, salt, limit=limit))
            yield from _logs(answer, event, data(salt))
        low = error("CancelSaltTooLowError(uint256,uint256)", 6, UNLIMITED)
        yield from refused(chain.send(MAKER, call(PAIR, a, b, 6, limit=limit)), low)
        # The other way round, by another maker and of the other kind nothing is cancelled.
        answer = chain.send(MAKER, call(PAIR, b, a, 1, limit=limit))
        yield from _logs(answer, event, data(1, (b, a)))
        for sender, kind_is_limit in ((OTHER, limit), (MAKER, not limit)):
            answer = chain.send(sender, call(PAIR, a, b, 6, limit=kind_is_limit))
            yield from refused(answer, b"", None)
        batch = call(PAIRS, [b, b], [a, a], [2, 3], limit=limit)
        yield from _logs(chain.send(MAKER, batch), event, data(2, (b, a)), data(3, (b, a)))
        low = error("CancelSaltTooLowError(uint256,uint256)", 2, 3)
        yield from refused(chain.send(MAKER, call(PAIRS, [b], [a], [2], limit=limit)), low)
        short = said("NativeOrdersFeature/MISMATCHED_PAIR_ORDERS_ARRAY_LENGTHS")
        for arrays in (([a], [b], []), ([a], [], [1]), ([], [b], [])):
            yield from refused(chain.send(MAKER, call(PAIRS, *arrays, limit=limit)), short)
        form = "cancelPairLimitOrdersWithSigner(address,address,address,uint256)"
        signed = call(form, MAKER, b, a, 9, limit=limit)
        invalid = error("InvalidSignerError(address,address)", MAKER, OTHER)
        yield from refused(chain.send(OTHER, signed), invalid)
        chain.send(MAKER, call("registerAllowedOrderSigner(address,bool)", OTHER, True))
        yield from _logs(chain.send(OTHER, signed), event, data(9, (b, a)))


def helpers() -> Iterator[str]:
    """Registered signers sign and registered origins fill, until they are taken back"""
    order = LimitOrder()
    register = "registerAllowedOrderSigner(address,bool)"
    asked = call("isValidOrderSigner(address,address)", MAKER, OTHER)
    foreign = fill(order, 2 * ETHER, order.signed(key=OTHER_KEY))
    chain = stage()
    event = "OrderSignerRegistered(address,address,bool)"
    for allowed in (True, False):
        log = b"".join(map(word, (MAKER, OTHER, int(allowed))))
        yield from _logs(chain.send(MAKER, call(register, OTHER, allowed)), event, log)
        yield from refused(chain.ask(asked), word(int(allowed)), None)
        answer = chain.send(TAKER, foreign)
        if allowed:
            yield from filled(answer, 2 * ETHER, ETHER)
        elif answer.output[:4] != selector("OrderNotSignedByMakerError(bytes32,address,address)"):
            yield f"a signer that was taken back ends as {answer.output.hex()}"
    quote = RfqOrder()
    event = "RfqOrderOriginsAllowed(address,address[],bool)"
    for allowed in (True, False):
        data = call("registerAllowedRfqOrigins(address[],bool)", [OTHER, MAKER], allowed)
        log = encode(["address", "address[]", "bool"], [TAKER, [OTHER, MAKER], allowed])
        yield from _logs(chain.send(TAKER, data), event, log)
        answer = chain.send(OTHER, fill(quote, 2 * ETHER))
        if allowed:
            yield from filled(answer, 2 * ETHER, ETHER)
        elif answer.failure is None:
            yield "an origin that was taken back fills"


def states() -> Iterator[str]:
    """The relevant state: the maker's funds with both roundings, and whether it is signed"""
    for order in KINDS:
        limit = order.is_limit

        def state(order: NativeOrder, key: str | None = None, limit: bool = limit) -> bytes:
            signature = order.signed(key=key) if key else order.signed()
            return call(STATE, order.tuple, signature, limit=limit)

        odd = order.but(maker_amount=1_000, taker_amount=3_000)
        chain = stage()
        chain.send(TAKER, fill(odd, 100))
        expected = _state(odd, FILLABLE, 100, 2_898, True)
        yield from refused(chain.ask(state(odd)), expected, None)
        info = encode([INFO], [(odd.hash, FILLABLE, 100)])
        data = call("getLimitOrderInfo(ORDER)", odd.tuple, limit=limit)
        yield from refused(chain.ask(data), info, None)
        data = call("getLimitOrderHash(ORDER)", odd.tuple, limit=limit)
        yield from refused(chain.ask(data), odd.hash, None)
        expected = _state(odd, FILLABLE, 100, 2_898, False)
        yield from refused(chain.ask(state(odd, OTHER_KEY)), expected, None)
        poor = order.but(maker_amount=4_000 * ETHER, taker_amount=ETHER)
        # A quarter of it is there.
        expected = _state(poor, FILLABLE, 0, ETHER // 4, True)
        yield from refused(chain.ask(state(poor)), expected, None)
        bound = [{"token": order.maker_token, "owner": MAKER, "amount": 3}]
        less = stage(allowances=bound)
        expected = _state(odd, FILLABLE, 0, 9, True)
        yield from refused(less.ask(state(odd)), expected, None)
        yield from refused(
            chain.ask(state(odd.but(maker_amount=0))),
            _state(odd.but(maker_amount=0), FILLABLE, 0, 0, True),
            None,
        )
        chain.send(MAKER, call("cancelLimitOrder(ORDER)", odd.tuple, limit=limit))
        expected = _state(odd, CANCELLED, 100, 0, True)
        yield from refused(chain.ask(state(odd)), expected, None)
        # A token that is no contract cannot be asked; one that is not fillable is not asked.
        nothing = order.but(maker_token="0x" + "cc" * 20)
        yield from refused(chain.ask(state(nothing)), b"")
        late = nothing.but(expiry=1)
        yield from refused(chain.ask(state(late)), _state(late, 4, 0, 0, True), None)
    quote = RfqOrder(tx_origin=NOBODY)
    data = call(STATE, quote.tuple, quote.signed(), limit=False)
    yield from refused(stage().ask(data), _state(quote, INVALID, 0, 0, True), None)


def batches_of_states() -> Iterator[str]:
    """In a batch of states an order that cannot be asked for leaves zeros"""
    for order in KINDS:
        limit = order.is_limit
        kind, v, r, s = order.signed()
        bad = (kind, 55 - v, r, word(GROUP_ORDER - int.from_bytes(s, "big")))
        nothing = order.but(maker_token="0x" + "cc" * 20)
        orders = [order, order, nothing, order]
        signs = [order.signed(), bad, nothing.signed(), order.signed(key=OTHER_KEY)]
        good, zero = (order.hash, FILLABLE, 0), (bytes(32), 0, 0)
        expected = encode(
            [f"{INFO}[]", "uint128[]", "bool[]"],
            [
                [good, zero, zero, good],
                [200 * ETHER, 0, 0, 200 * ETHER],
                [True, False, False, False],
            ],
        )
        data = call(STATES, [item.tuple for item in orders], signs, limit=limit)
        yield from refused(stage().ask(data), expected, None)
        yield from refused(stage().send(TAKER, data), expected, None)
        # Each is asked for by a function of the contract, which need not be there.
        alone = f"0x{selector(function(STATE, limit=limit)).hex()}"
        zeros = encode(
            [f"{INFO}[]", "uint128[]", "bool[]"], [[zero] * 4, [0] * 4, [False] * 4]
        )
        yield from refused(stage(missing=[alone]).ask(data), zeros, None)
        # What answers is a token, as a contract of the chain that repeats the question.
        odd = [order.but(maker_token=token) for token in (PROXY, "0x" + "00" * 19 + "04")]
        data = call(
            STATES, [item.tuple for item in odd], [item.signed() for item in odd], limit=limit
        )
        expected = encode(
            [f"{INFO}[]", "uint128[]", "bool[]"],
            [[zero, (odd[1].hash, FILLABLE, 0)], [0, 200 * ETHER], [False, True]],
        )
        yield from refused(stage().ask(data), expected, None)
        short = said("NativeOrdersFeature/MISMATCHED_ARRAY_LENGTHS")
        data = call(STATES, [order.tuple], [], limit=limit)
        yield from refused(stage().ask(data), short)


CHECKS: list[Callable[[], Iterator[str]]] = [
    cancels,
    pairs,
    helpers,
    states,
    batches_of_states,
]
