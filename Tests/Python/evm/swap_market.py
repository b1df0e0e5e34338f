"""A small market of the Swap API's contracts for the checks: tokens, pools, two people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from eth_abi import decode
from eth_keys import keys

from deployment import ALLOWANCE_HOLDER, PERMIT2, SETTLER, UNLIMITED
from market import ETHER, MAKER, START, TAKER, TAKER_KEY
from native_functions import selector
from native_stage import Answer, Stage
from swap_encoding import WETH, Permit, call, execute, sell, through_holder, transfer_from

ZRX = "0xe41d2489571d322189246dafa5ebde1f4699f498"
DAI = "0x6b175474e89094c44da98b954eedeac495271d0f"
USDT = "0xdac17f958d2ee523a2206206994597c13d831ec7"
ZRX_POOL, DAI_POOL, USDT_POOL = (f"0x9001{number:036x}" for number in (1, 2, 3))
DECIMALS = {ZRX: 18, WETH: 18, DAI: 18, USDT: 6}
KINDS = {ZRX: "zrx", WETH: "weth", DAI: "plain", USDT: "usdt"}

# Base units of both tokens of each pool, in the order of its tokens.
POOLS = {
    ZRX_POOL: ((ZRX, 1_000_000 * ETHER), (WETH, 100 * ETHER)),
    DAI_POOL: ((WETH, 200 * ETHER), (DAI, 500_000 * ETHER)),
    USDT_POOL: ((WETH, 200 * ETHER), (USDT, 500_000 * 10**6)),
}
DEADLINE = START + 300


def configuration(**changes: Any) -> dict[str, Any]:
    """The first state: both people own 1,000 of everything and approved both spenders."""
    people = (MAKER, TAKER)
    return {
        "chainId": 1337,
        "timestamp": START,
        "accounts": [{"address": owner, "ether": 1_000 * ETHER} for owner in people],
        "tokens": [
            {
                "address": token,
                "symbol": kind.upper(),
                "name": f"Token {kind}",
                "decimals": DECIMALS[token],
                "kind": kind,
            }
            for token, kind in KINDS.items()
        ],
        "balances": [
            {"token": token, "owner": owner, "amount": 1_000 * 10**decimals}
            for token, decimals in DECIMALS.items()
            for owner in people
        ],
        "allowances": [
            {"token": token, "owner": owner, "spender": spender, "amount": UNLIMITED}
            for token in DECIMALS
            for owner in people
            for spender in (ALLOWANCE_HOLDER, PERMIT2)
        ],
        "swap": {
            "pools": [
                {
                    "address": pool,
                    "tokens": [token for token, _ in sides],
                    "reserves": [reserve for _, reserve in sides],
                }
                for pool, sides in POOLS.items()
            ]
        },
        **changes,
    }


def stage(**changes: Any) -> Stage:
    """A chain with that state."""
    return Stage(configuration(**changes), contract=ALLOWANCE_HOLDER)


def reserves(pool: str, sold: str) -> tuple[int, int]:
    """Of a pool at first: what it holds of the token that is sold to it, and of the other."""
    (first, mine), (_, other) = POOLS[pool]
    return (mine, other) if sold == first else (other, mine)


def balance(chain: Stage, token: str, owner: str) -> int:
    """What an account owns of a token, in base units."""
    return int.from_bytes(chain.ask(call("balanceOf(address)", owner), to=token).output, "big")


def allowance(chain: Stage, token: str, owner: str, spender: str) -> int:
    """What a spender may move, in base units."""
    data = call("allowance(address,address)", owner, spender)
    return int.from_bytes(chain.ask(data, to=token).output, "big")


def signature(permit: Permit, key: str = TAKER_KEY) -> bytes:
    """r, s and v, 65 bytes."""
    signed = keys.PrivateKey(bytes.fromhex(key[2:])).sign_msg_hash(permit.hash)
    return signed.to_bytes()[:64] + bytes([27 + signed.v])


def permit(token: str, amount: int, nonce: int = 0, deadline: int = DEADLINE) -> Permit:
    """A message for the current Settler stand-in."""
    return Permit(token=token, amount=amount, nonce=nonce, deadline=deadline)


def sale(
    amount: int,
    least: int,
    *,
    token: str = ZRX,
    pool: str = ZRX_POOL,
    bought: str = WETH,
    recipient: str = TAKER,
    allowed: int | None = None,
    deadline: int = DEADLINE,
    settler: str = SETTLER,
) -> bytes:
    """A sale of tokens through the AllowanceHolder, as the API quotes it."""
    actions = [
        transfer_from(settler, permit(token, amount, deadline=deadline)),
        sell(pool, token, settler),
    ]
    inner = execute(recipient, bought, least, actions)
    return through_holder(inner, token, amount if allowed is None else allowed, settler)


def succeeds(answer: Answer) -> Iterator[str]:
    """The transaction does not fail."""
    if answer.failure is not None:
        yield f"it is {answer.failure} {answer.output.hex()}"


def reverts(answer: Answer, expected: bytes) -> Iterator[str]:
    """The transaction reverts with the expected data."""
    if answer.failure != "REVERT" or answer.output != expected:
        yield (
            f"it is {answer.failure} {answer.output.hex()}, not a revert with {expected.hex()}"
        )


def equal(found: Any, wanted: Any, what: str) -> Iterator[str]:
    """Both have to be the same."""
    if found != wanted:
        yield f"{what} is {found!r}, not {wanted!r}"


def panic() -> bytes:
    """What Solidity's checked arithmetic reverts with."""
    return call("Panic(uint256)", 0x11)


def returned(answer: Answer) -> bytes:
    """What `exec` returns: the answer of its target."""
    return decode(["bytes"], answer.output)[0]


def four(signature: str) -> bytes:
    """A selector, or the data of an error without arguments."""
    return selector(signature)
