"""Holds the Swap API's contracts in Vyper against what 0x's and Uniswap's do.

    python swap_checks.py

Prints one JSON object: {"checks": [{"name", "differences": [...]}]}; a difference is a sentence.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator

import swap_allowance_checks
import swap_call_checks
import swap_permit_checks
from deployment import ALLOWANCE_HOLDER, PREVIOUS_SETTLER, SETTLER, UNLIMITED
from market import ETHER, MAKER, START, TAKER
from swap_encoding import (
    EMPTY,
    EXEC,
    NATIVE,
    WETH,
    bought,
    call,
    check_slippage,
    execute,
    native_check,
    sell,
    sold,
    through_holder,
    transfer_from,
)
from swap_market import (
    DAI,
    DAI_POOL,
    DEADLINE,
    USDT,
    USDT_POOL,
    ZRX,
    ZRX_POOL,
    allowance,
    balance,
    equal,
    four,
    panic,
    permit,
    reserves,
    returned,
    reverts,
    sale,
    stage,
    succeeds,
)

AMOUNT = 10 * ETHER
WORD = (1).to_bytes(32, "big")
WETH_OUT = bought(AMOUNT, *reserves(ZRX_POOL, ZRX))


def _too_much(token: str, least: int, actual: int) -> bytes:
    return call("TooMuchSlippage(address,uint256,uint256)", token, least, actual)


def sales() -> Iterator[str]:
    """A sale through the AllowanceHolder moves what it should, through both Settlers"""
    for settler in (SETTLER, PREVIOUS_SETTLER):
        chain = stage()
        before = (balance(chain, ZRX, TAKER), balance(chain, WETH, TAKER))
        answer = chain.send(TAKER, sale(AMOUNT, WETH_OUT, settler=settler))
        yield from succeeds(answer)
        if answer.failure is None:
            yield from equal(returned(answer), WORD, "the answer")
        after = (balance(chain, ZRX, TAKER), balance(chain, WETH, TAKER))
        yield from equal(after, (before[0] - AMOUNT, before[1] + WETH_OUT), "the taker has")
        yield from equal(balance(chain, WETH, settler), 0, "Settler's WETH")
        yield from equal(allowance(chain, ZRX, TAKER, ALLOWANCE_HOLDER), UNLIMITED, "allowance")
    # Someone else may get it, and a token that answers nothing works too.
    chain = stage()
    out = bought(10**6, *reserves(USDT_POOL, USDT))
    before = balance(chain, WETH, MAKER)
    data = sale(10**6, out, token=USDT, pool=USDT_POOL, recipient=MAKER)
    yield from succeeds(chain.send(TAKER, data))
    yield from equal(balance(chain, WETH, MAKER) - before, out, "the recipient's WETH")
    back = bought(ETHER, *reserves(USDT_POOL, WETH))
    data = sale(ETHER, back, token=WETH, pool=USDT_POOL, bought=USDT)
    before = balance(stage(), USDT, TAKER)
    chain = stage()
    yield from succeeds(chain.send(TAKER, data))
    yield from equal(balance(chain, USDT, TAKER) - before, back, "the taker's USDT")


def permissions() -> Iterator[str]:
    """Nobody but the named operator moves tokens, never more, never later, never for a token"""
    chain = stage()
    # One base unit more than exec allows.
    yield from reverts(chain.send(TAKER, sale(AMOUNT, 1, allowed=AMOUNT - 1)), panic())
    # Twice, each within it, and both together beyond it.
    take = transfer_from(SETTLER, permit(ZRX, AMOUNT))
    twice = execute(EMPTY, EMPTY, 0, [take, take])
    answer = chain.send(TAKER, through_holder(twice, ZRX, 2 * AMOUNT - 1))
    yield from reverts(answer, panic())
    # Another operator than the one that takes.
    inner = execute(
        TAKER, WETH, 1, [transfer_from(SETTLER, permit(ZRX, AMOUNT)), sell(ZRX_POOL, ZRX, SETTLER)]
    )
    wrong = through_holder(inner, ZRX, AMOUNT, operator=PREVIOUS_SETTLER)
    yield from reverts(chain.send(TAKER, wrong), panic())
    # Another token than the one that is taken.
    yield from reverts(chain.send(TAKER, through_holder(inner, DAI, AMOUNT)), panic())
    # Anyone without a call of exec, then one whose permission was left over by the last one.
    take = call("transferFrom(address,address,address,uint256)", ZRX, TAKER, MAKER, 1)
    yield from reverts(chain.send(MAKER, take), panic())
    unused = execute(EMPTY, EMPTY, 0, [])
    yield from succeeds(chain.send(TAKER, through_holder(unused, ZRX, AMOUNT, operator=MAKER)))
    yield from reverts(chain.send(MAKER, take), panic())
    # Without an allowance of the token it fails whatever exec says; ZRX says it by false.
    failed = four("TransferFromFailed()")
    yield from reverts(stage(allowances=[]).send(TAKER, sale(AMOUNT, 1)), failed)
    other = sale(AMOUNT, 1, token=DAI, pool=DAI_POOL)
    yield from reverts(stage(allowances=[]).send(TAKER, other), b"")
    # A token as the target, also one that is asked for the balance of nobody.
    for data in (call("transferFrom(address,address,uint256)", MAKER, TAKER, 1), b"", b"\x01" * 17):
        for token in (ZRX, WETH, DAI, USDT):
            answer = chain.send(TAKER, call(EXEC, TAKER, ZRX, 0, token, data))
            yield from reverts(answer, four("ConfusedDeputy()"))
    # A target without code.
    yield from reverts(chain.send(TAKER, call(EXEC, TAKER, ZRX, 0, "0x" + "99" * 20, b"")), b"")
    yield from equal(balance(chain, ZRX, TAKER), 1_000 * ETHER, "what the taker has left")


def minimums() -> Iterator[str]:
    """Too little of what is bought reverts and says so; with no minimum nothing is checked"""
    chain = stage()
    answer = chain.send(TAKER, sale(AMOUNT, WETH_OUT + 1))
    yield from reverts(answer, _too_much(WETH, WETH_OUT + 1, WETH_OUT))
    yield from equal(balance(chain, ZRX, TAKER), 1_000 * ETHER, "what the taker has left")
    # Without a minimum the output goes where the actions say.
    actions = [transfer_from(SETTLER, permit(ZRX, AMOUNT)), sell(ZRX_POOL, ZRX, MAKER)]
    before = balance(chain, WETH, MAKER)
    inner = execute(EMPTY, EMPTY, 0, actions)
    yield from succeeds(chain.send(TAKER, through_holder(inner, ZRX, AMOUNT)))
    yield from equal(balance(chain, WETH, MAKER) - before, WETH_OUT, "what the other got")
    # A token with a minimum of zero is checked, and all of it is sent.
    chain = stage()
    before = balance(chain, WETH, TAKER)
    yield from succeeds(chain.send(TAKER, sale(AMOUNT, 0)))
    yield from equal(balance(chain, WETH, TAKER) - before, WETH_OUT, "what the taker got")
    # Nothing bought, no minimum for ether: nothing is sent, and nothing fails.
    yield from succeeds(stage().send(TAKER, execute(TAKER, NATIVE, 0, []), to=SETTLER))


def deadlines() -> Iterator[str]:
    """A quote ends with the second of its deadline"""
    late = call("SignatureExpired(uint256)", START)
    yield from reverts(stage().send(TAKER, sale(AMOUNT, 1, deadline=START)), late)
    yield from succeeds(stage().send(TAKER, sale(AMOUNT, 1, deadline=START + 1)))
    for deadline, value, expected in (
        (START, ETHER, late),
        (DEADLINE, ETHER - 1, call("MsgValueMismatch(uint256,uint256)", ETHER - 1, ETHER)),
    ):
        inner = execute(EMPTY, EMPTY, 0, [native_check(deadline, value)])
        yield from reverts(
            stage().send(TAKER, through_holder(inner, EMPTY, 0), value=ETHER), expected
        )


def exact_out() -> Iterator[str]:
    """An exact purchase sends exactly that, and sells what is left back to the taker"""
    wanted = ETHER // 100
    needed = sold(wanted, *reserves(ZRX_POOL, ZRX))
    if needed is None:
        yield "the pool has too little"
        return
    most = needed * 101 // 100
    inner = execute(
        TAKER,
        WETH,
        wanted,
        [
            transfer_from(SETTLER, permit(ZRX, most)),
            sell(ZRX_POOL, ZRX, SETTLER),
            check_slippage(),
            sell(ZRX_POOL, WETH, TAKER),
        ],
    )
    chain = stage()
    yield from succeeds(chain.send(TAKER, through_holder(inner, ZRX, most)))
    mine, other = reserves(ZRX_POOL, ZRX)
    out = bought(most, mine, other)
    refund = bought(out - wanted, other - out, mine + most)
    yield from equal(balance(chain, WETH, TAKER), 1_000 * ETHER + wanted, "the taker's WETH")
    left = 1_000 * ETHER - most + refund
    yield from equal(balance(chain, ZRX, TAKER), left, "the taker's ZRX")
    # One base unit less than is needed brings too little, and all of it reverts.
    short = needed - 1
    inner = execute(
        TAKER,
        WETH,
        wanted,
        [
            transfer_from(SETTLER, permit(ZRX, short)),
            sell(ZRX_POOL, ZRX, SETTLER),
            check_slippage(),
        ],
    )
    answer = stage().send(TAKER, through_holder(inner, ZRX, short))
    yield from reverts(answer, _too_much(WETH, wanted, bought(short, mine, other)))


def native() -> Iterator[str]:
    """Ether is sold and bought through its wrapped form"""
    chain = stage()
    out = bought(ETHER, *reserves(DAI_POOL, WETH))
    inner = execute(
        TAKER,
        DAI,
        out,
        [
            native_check(DEADLINE, ETHER),
            call("STAND_IN_WRAP()"),
            sell(DAI_POOL, WETH, SETTLER),
        ],
    )
    yield from succeeds(chain.send(TAKER, through_holder(inner, EMPTY, 0), value=ETHER))
    yield from equal(chain.ether(TAKER), 999 * ETHER, "the taker's ether")
    yield from equal(balance(chain, DAI, TAKER), 1_000 * ETHER + out, "the taker's DAI")
    chain = stage()
    actions = [
        transfer_from(SETTLER, permit(ZRX, AMOUNT)),
        sell(ZRX_POOL, ZRX, SETTLER),
        call("STAND_IN_UNWRAP()"),
    ]
    inner = execute(TAKER, NATIVE, WETH_OUT, actions)
    yield from succeeds(chain.send(TAKER, through_holder(inner, ZRX, AMOUNT)))
    yield from equal(chain.ether(TAKER), 1_000 * ETHER + WETH_OUT, "the taker's ether then")
    yield from equal(chain.ether(SETTLER), 0, "Settler's ether")
    inner = execute(TAKER, NATIVE, WETH_OUT + 1, actions)
    answer = stage().send(TAKER, through_holder(inner, ZRX, AMOUNT))
    yield from reverts(answer, _too_much(NATIVE, WETH_OUT + 1, WETH_OUT))


CHECKS: tuple[Callable[[], Iterator[str]], ...] = (
    sales,
    permissions,
    minimums,
    deadlines,
    exact_out,
    native,
)


def main() -> int:
    checks = [
        {"name": check.__doc__, "differences": list(check())}
        for check in CHECKS
        + swap_call_checks.CHECKS
        + swap_permit_checks.CHECKS
        + swap_allowance_checks.CHECKS
    ]
    print(json.dumps({"checks": checks}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
