"""What the Swap API's contracts answer by themselves: registry, pool, and bad call data."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from deployment import PERMIT2, PREVIOUS_SETTLER, REGISTRY, SETTLER
from market import ETHER, MAKER, TAKER
from native_functions import selector
from swap_encoding import (
    EMPTY,
    EXEC,
    EXECUTE,
    PERMIT_TRANSFER_FROM,
    TRANSFER_FROM,
    WETH,
    bought,
    call,
    execute,
    native_check,
    through_holder,
    transfer_from,
)
from swap_market import (
    DAI,
    DEADLINE,
    ZRX,
    ZRX_POOL,
    balance,
    equal,
    four,
    panic,
    permit,
    reserves,
    reverts,
    stage,
    succeeds,
)

SELECTORS = {
    EXEC: "2213bc0b",
    "transferFrom(address,address,address,uint256)": "15dacbea",
    EXECUTE: "1fff991f",
    TRANSFER_FROM: "c1fb425e",
    "NATIVE_CHECK(uint256,uint256)": "bd01c226",
    "CHECK_SLIPPAGE(bool)": "131ad428",
    "ownerOf(uint256)": "6352211e",
    "prev(uint128)": "e2603dc2",
    "TooMuchSlippage(address,uint256,uint256)": "97a6f3b9",
    "SignatureExpired(uint256)": "cd21db4f",
    "MsgValueMismatch(uint256,uint256)": "4a094431",
    PERMIT_TRANSFER_FROM: "30f28b7a",
    "deposit()": "d0e30db0",
    "withdraw(uint256)": "2e1a7d4d",
}
AMOUNT = 10 * ETHER
WETH_OUT = bought(AMOUNT, *reserves(ZRX_POOL, ZRX))


def selectors() -> Iterator[str]:
    """Functions, actions and errors have the selectors of the facts"""
    for signature, expected in SELECTORS.items():
        yield from equal(selector(signature).hex(), expected, signature)


def registry() -> Iterator[str]:
    """The registry answers the current and the previous Settler, and reverts while it is paused"""
    owner, previous = call("ownerOf(uint256)", 2), call("prev(uint128)", 2)
    chain = stage()
    yield from equal(chain.ask(owner, to=REGISTRY).output[12:].hex(), SETTLER[2:], "the current")
    found = chain.ask(previous, to=REGISTRY).output[12:].hex()
    yield from equal(found, PREVIOUS_SETTLER[2:], "the previous")
    missing = call("ERC721NonexistentToken(uint256)", 9)
    yield from reverts(chain.ask(call("ownerOf(uint256)", 9), to=REGISTRY), missing)
    deployed = "0x" + "5e" * 20
    yield from succeeds(
        chain.send(MAKER, call("setCurrent(uint256,address)", 2, deployed), to=REGISTRY)
    )
    yield from equal(chain.ask(owner, to=REGISTRY).output[12:].hex(), deployed[2:], "the new one")
    found = chain.ask(previous, to=REGISTRY).output[12:].hex()
    yield from equal(found, SETTLER[2:], "the previous one then")
    yield from succeeds(chain.send(MAKER, call("setPaused(bool)", True), to=REGISTRY))
    paused = call("ERC721NonexistentToken(uint256)", 2)
    yield from reverts(chain.ask(owner, to=REGISTRY), paused)
    yield from reverts(stage(swap={"paused": True}).ask(owner, to=REGISTRY), paused)


def pool() -> Iterator[str]:
    """A pool pays by its constant product, rounded down, and refuses nothing for something"""
    chain = stage()
    ask = call("tokens()")
    found = chain.ask(ask, to=ZRX_POOL).output
    yield from equal(found[12:32].hex() + found[44:].hex(), ZRX[2:] + WETH[2:], "its tokens")
    data = call("sell(address,address)", ZRX, TAKER)
    yield from reverts(chain.send(TAKER, data, to=ZRX_POOL), b"")
    chain.send(TAKER, call("transfer(address,uint256)", ZRX_POOL, 1), to=ZRX)
    # One base unit brings none.
    yield from reverts(chain.send(TAKER, data, to=ZRX_POOL), b"")
    chain.send(TAKER, call("transfer(address,uint256)", ZRX_POOL, AMOUNT - 1), to=ZRX)
    before = balance(chain, WETH, MAKER)
    answer = chain.send(TAKER, call("sell(address,address)", ZRX, MAKER), to=ZRX_POOL)
    yield from succeeds(answer)
    yield from equal(int.from_bytes(answer.output, "big"), WETH_OUT, "what it answers")
    yield from equal(balance(chain, WETH, MAKER) - before, WETH_OUT, "what it pays")
    mine, other = reserves(ZRX_POOL, ZRX)
    kept = chain.ask(call("reserves()"), to=ZRX_POOL).output
    wanted = call("x(uint256,uint256)", mine + AMOUNT, other - WETH_OUT)[4:]
    yield from equal(kept.hex(), wanted.hex(), "its reserves")
    yield from reverts(
        chain.send(TAKER, call("sell(address,address)", DAI, TAKER), to=ZRX_POOL), b""
    )


def malformed() -> Iterator[str]:
    """Unknown actions say so, and call data that is cut or points elsewhere reverts"""
    chain = stage()
    odd = bytes.fromhex("01020304") + b"\x05" * 37
    for index in (0, 1):
        actions = [call("STAND_IN_WRAP()")] * index + [odd]
        answer = chain.send(TAKER, execute(EMPTY, EMPTY, 0, actions), to=SETTLER)
        expected = call("ActionInvalid(uint256,bytes4,bytes)", index, odd[:4], odd[4:])
        yield from reverts(answer, expected)
    whole = execute(TAKER, WETH, 1, [native_check(DEADLINE, 0)])
    yield from succeeds(chain.send(TAKER, b"", to=SETTLER))
    for size in (4, 100, 163, 164, 196, 228):
        yield from reverts(chain.send(TAKER, whole[:size], to=SETTLER), b"")
    # Zeros follow after the end of the call data: the value may be nothing, the deadline is over.
    none = call("TooMuchSlippage(address,uint256,uint256)", WETH, 1, 0)
    yield from reverts(chain.send(TAKER, whole[:-60], to=SETTLER), none)
    late = call("SignatureExpired(uint256)", 0)
    yield from reverts(chain.send(TAKER, whole[:-92], to=SETTLER), late)
    # Data of exec, and a signature of Permit2, are there up to their end.
    inner = through_holder(execute(EMPTY, EMPTY, 0, []), EMPTY, 0)
    yield from succeeds(chain.send(TAKER, inner[:-28]))
    yield from reverts(chain.send(TAKER, inner[:-29]), b"")
    message = permit(ZRX, 1)
    data = call(PERMIT_TRANSFER_FROM, message.tuple, (TAKER, 1), TAKER, bytes(65))
    invalid = four("InvalidSignature()")
    yield from reverts(chain.send(TAKER, data[:-31], to=PERMIT2), invalid)
    yield from reverts(chain.send(TAKER, data[:-32], to=PERMIT2), b"")
    # An action is as long as it says, whatever is behind it.
    short = whole[:228] + (4 + 63).to_bytes(32, "big") + whole[260:]
    yield from reverts(chain.send(TAKER, short, to=SETTLER), b"")
    cut = whole[:228] + (0xFFFF).to_bytes(32, "big") + odd
    yield from reverts(
        chain.send(TAKER, cut, to=SETTLER),
        call("ActionInvalid(uint256,bytes4,bytes)", 0, odd[:4], odd[4:]),
    )
    for offset in (100, 164, 196):
        for value in (2**64, 2**256 - 1, len(whole)):
            data = whole[:offset] + value.to_bytes(32, "big") + whole[offset + 32 :]
            yield from reverts(chain.send(TAKER, data, to=SETTLER), b"")
    yield from reverts(chain.send(TAKER, b"\x01\x02\x03\x04", to=SETTLER), b"")
    signed = execute(TAKER, WETH, 1, [transfer_from(SETTLER, permit(ZRX, 1), b"\x01")])
    answer = chain.send(TAKER, through_holder(signed, ZRX, 1))
    yield from reverts(answer, four("InvalidSignatureLen()"))
    numbered = execute(TAKER, WETH, 1, [transfer_from(SETTLER, permit(ZRX, 1, nonce=1))])
    yield from reverts(chain.send(TAKER, through_holder(numbered, ZRX, 1)), panic())
    # It is no token to those who ask.
    found = chain.ask(call("balanceOf(address)", TAKER), to=SETTLER)
    yield from equal((found.failure, found.output), (None, b"\0"), "its balance")
    yield from equal(chain.ask(call("DOMAIN_SEPARATOR()"), to=PERMIT2).failure, None, "Permit2")


CHECKS: tuple[Callable[[], Iterator[str]], ...] = (selectors, registry, pool, malformed)
