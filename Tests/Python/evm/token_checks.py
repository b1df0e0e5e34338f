"""How the token contracts behave where tokens differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from eth_abi import encode

from market import (
    ETHER,
    EXCHANGE,
    FEE_MILLIONTHS,
    MAKER,
    PROXY,
    TAKER,
    TAKER_KEY,
    TOKENS,
    Order,
    call_data,
    configuration,
    selector,
    topic,
    word,
)
from probe import GAS_LIMIT, Call, Outcome, allowance, balance, run

OWNED = 1_000 * ETHER


def _send(kind: str, data: bytes, value: int = 0, **changes: Any) -> Outcome:
    call = Call(key=TAKER_KEY, to=TOKENS[kind], data=data, value=value)
    return run(configuration(**changes), call)


def _expect(what: str, actual: Any, expected: Any) -> Iterator[str]:
    if actual != expected:
        yield f"{what} is {actual}, not {expected}"


def _topics(outcome: Outcome) -> list[str]:
    """The topics of the first log, none where there is none."""
    return outcome.logs[0]["topics"] if outcome.logs else []


def describes() -> Iterator[str]:
    """Every token tells its name, symbol, decimals, supply, balances and allowances"""
    for kind in TOKENS:
        supply = 2 * OWNED
        answers = {
            "name()": encode(
                ["string"], ["0x Protocol Token" if kind == "zrx" else f"Token {kind}"]
            ),
            "symbol()": encode(["string"], [kind.upper()]),
            "decimals()": word(6 if kind == "usdt" else 18),
            "totalSupply()": word(supply),
        }
        for signature, expected in answers.items():
            actual = _send(kind, selector(signature)).output
            yield from _expect(f"{signature} of {kind}", actual.hex(), expected.hex())
        held = _send(kind, call_data("balanceOf(address)", TAKER)).output
        yield from _expect(f"balance of {kind}", held.hex(), word(OWNED).hex())
        allowed = _send(kind, call_data("allowance(address,address)", TAKER, PROXY)).output
        yield from _expect(f"allowance of {kind}", allowed.hex(), "ff" * 32)


def transfers() -> Iterator[str]:
    """Every token moves what is sent; only the fee token keeps a part, only the silent logs none"""
    for kind, token in TOKENS.items():
        outcome = _send(kind, call_data("transfer(address,uint256)", MAKER, ETHER))
        kept = ETHER * FEE_MILLIONTHS // 1_000_000 if kind == "fee" else 0
        # An upgradeable token's storage is laid out as that of a plain one.
        yield from _expect(f"{kind} sent", balance(outcome, token, kind, TAKER), OWNED - ETHER)
        got = balance(outcome, token, kind, MAKER)
        yield from _expect(f"{kind} received", got, OWNED + ETHER - kept)
        answer = b"" if kind in ("silent", "usdt") else word(1)
        yield from _expect(f"answer of {kind}", outcome.output.hex(), answer.hex())
        expected = {"silent": 0, "fee": 2}.get(kind, 1)
        yield from _expect(f"logs of {kind}", len(outcome.logs), expected)
        if outcome.logs:
            topics = [topic("Transfer(address,address,uint256)")]
            topics += [f"0x{word(owner).hex()}" for owner in (TAKER, MAKER)]
            yield from _expect(f"topics of {kind}", _topics(outcome), topics)
            data = f"0x{word(ETHER - kept).hex()}"
            yield from _expect(f"data of {kind}", outcome.logs[0]["data"], data)


def short() -> Iterator[str]:
    """A transfer of too much: ZRX answers false, USDT burns all gas, the others revert"""
    for kind in TOKENS:
        outcome = _send(kind, call_data("transfer(address,uint256)", MAKER, OWNED + 1))
        failure = {"zrx": None, "usdt": "INVALID"}.get(kind, "REVERT")
        yield from _expect(f"failure of {kind}", outcome.failure, failure)
        if kind == "zrx":
            yield from _expect("answer of zrx", outcome.output.hex(), word(0).hex())
        yield from _expect(f"logs of {kind}", outcome.logs, [])
        burnt = outcome.gas_used == GAS_LIMIT
        yield from _expect(f"{kind} burnt all gas", burnt, failure == "INVALID")


def approvals() -> Iterator[str]:
    """An approval replaces another; USDT alone wants zero between"""
    for kind, token in TOKENS.items():
        outcome = _send(kind, call_data("approve(address,uint256)", PROXY, ETHER))
        refused = kind == "usdt"
        failure = "REVERT" if refused else None
        yield from _expect(f"failure of {kind}", outcome.failure, failure)
        if not refused:
            actual = allowance(outcome, token, kind, TAKER, PROXY)
            yield from _expect(f"allowance of {kind}", actual, ETHER)
            topics = [topic("Approval(address,address,uint256)")]
            topics += [f"0x{word(who).hex()}" for who in (TAKER, PROXY)]
            yield from _expect(f"topics of {kind}", _topics(outcome), topics)
    for data in (
        _send("usdt", call_data("approve(address,uint256)", PROXY, 0)),
        _send("usdt", call_data("approve(address,uint256)", PROXY, 5), allowances=[]),
    ):
        yield from _expect("failure of usdt", data.failure, None)


def allowances() -> Iterator[str]:
    """A limited allowance shrinks by what is moved, and no more than it is moved"""
    for kind, token in TOKENS.items():
        limited = [{"token": token, "owner": MAKER, "spender": TAKER, "amount": 5}]
        move = "transferFrom(address,address,uint256)"
        outcome = _send(kind, call_data(move, MAKER, TAKER, 3), allowances=limited)
        yield from _expect(f"failure of {kind}", outcome.failure, None)
        left = allowance(outcome, token, kind, MAKER, TAKER)
        yield from _expect(f"allowance of {kind}", left, 2)
        outcome = _send(kind, call_data(move, MAKER, TAKER, 6), allowances=limited)
        moved = balance(outcome, token, kind, TAKER) - OWNED
        yield from _expect(f"{kind} moved beyond the allowance", moved, 0)


def wrapping() -> Iterator[str]:
    """Wrapped ether is deposited by a call or by ether alone, and comes back when withdrawn"""
    for data in (selector("deposit()"), b"", b"\x01\x02\x03\x04\x05"):
        outcome = _send("weth", data, value=ETHER)
        held = balance(outcome, TOKENS["weth"], "weth", TAKER)
        yield from _expect("wrapped", held, OWNED + ETHER)
        topics = [topic("Deposit(address,uint256)"), f"0x{word(TAKER).hex()}"]
        yield from _expect("topics", _topics(outcome), topics)
        backing = outcome.state.get_balance(bytes.fromhex(TOKENS["weth"][2:]))
        yield from _expect("ether", backing, 2 * OWNED + ETHER)
    outcome = _send("weth", call_data("withdraw(uint256)", 2 * ETHER))
    held = balance(outcome, TOKENS["weth"], "weth", TAKER)
    yield from _expect("wrapped", held, OWNED - 2 * ETHER)
    topics = [topic("Withdrawal(address,uint256)"), f"0x{word(TAKER).hex()}"]
    yield from _expect("topics", _topics(outcome), topics)
    spent = outcome.gas_used * 10**9
    ether = outcome.state.get_balance(bytes.fromhex(TAKER[2:]))
    yield from _expect("ether", ether, 1_000 * ETHER + 2 * ETHER - spent)
    too_much = _send("weth", call_data("withdraw(uint256)", OWNED + 1))
    yield from _expect("failure", too_much.failure, "REVERT")


def fee_on_transfer() -> Iterator[str]:
    """Of a token with a fee less arrives than LogFill says"""
    order = Order(maker_token=TOKENS["fee"])
    call = Call(key=TAKER_KEY, to=EXCHANGE, data=order.fill(2 * ETHER, False))
    outcome = run(configuration(), call)
    got = balance(outcome, TOKENS["fee"], "fee", TAKER) - OWNED
    yield from _expect("received", got, ETHER - ETHER * FEE_MILLIONTHS // 1_000_000)
    filled = [log["data"][2:][3 * 64 : 4 * 64] for log in outcome.logs[-1:]]
    yield from _expect("LogFill", filled, [word(ETHER).hex()])


CHECKS: list[Callable[[], Iterator[str]]] = [
    describes,
    transfers,
    short,
    approvals,
    allowances,
    wrapping,
    fee_on_transfer,
]
