"""Genuine contracts on py-evm: Uniswap's v3 deployed, a pool filled, and swaps in it.

A line each, as `judge.py` prints them, but each transaction runs in the state that those before it
left. The code is that of the package which scripts/official-suites downloads.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import rlp
from cases import SENDER, WORLD, Case
from eth_abi import encode
from eth_utils import keccak
from judge import Watched, first_state, run

sys.path.append(str(Path(__file__).resolve().parents[1] / "evm"))
from genuine import creation_code  # noqa: E402

ZERO = "0x" + "00" * 20
FIRST_NONCE = WORLD[SENDER][0]
GAS = 16_000_000
SUPPLY = 10**30


def created(nonce: int) -> str:
    """Where the sender's creation with a nonce puts a contract."""
    return "0x" + keccak(rlp.encode([bytes.fromhex(SENDER[2:]), nonce]))[12:].hex()


def asked(signature: str, values: Sequence[Any]) -> bytes:
    """A function's call data."""
    types = signature[signature.index("(") + 1 : -1]
    tuples = types.startswith("(")
    body = encode([types], [tuple(values)]) if tuples else encode(types.split(","), list(values))
    return keccak(signature.encode())[:4] + body


def steps() -> Iterator[tuple[str, str | None, bytes]]:
    """A name, the contract that is called or nothing, and the data."""
    tokens = sorted((created(FIRST_NONCE), created(FIRST_NONCE + 1)))
    factory, manager, router = (created(FIRST_NONCE + index) for index in (2, 3, 4))
    for name in "AB":
        code = creation_code("ERC20MockDecimals")
        arguments = encode(["string", "string", "uint256", "uint8"], [name, name, SUPPLY, 18])
        yield f"token {name}", None, code + arguments
    yield "factory", None, creation_code("UniswapV3Factory")
    arguments = encode(["address"] * 3, [factory, ZERO, ZERO])
    yield "position manager", None, creation_code("NonfungiblePositionManager") + arguments
    arguments = encode(["address"] * 4, [ZERO, factory, manager, ZERO])
    yield "router", None, creation_code("SwapRouter02") + arguments
    yield "pool", factory, asked("createPool(address,address,uint24)", [*tokens, 3_000])
    yield "pool again", factory, asked("createPool(address,address,uint24)", [*tokens, 3_000])
    yield (
        "first price",
        manager,
        asked(
            "createAndInitializePoolIfNecessary(address,address,uint24,uint160)",
            [*tokens, 3_000, 2**96],
        ),
    )
    for token in tokens:
        for spender in (manager, router):
            yield "approval", token, asked("approve(address,uint256)", [spender, 2**256 - 1])
    for lower, upper, amount in ((-60, 60, 10**21), (-6_000, 6_000, 10**22), (600, 1_200, 10**20)):
        yield (
            f"liquidity from {lower} to {upper}",
            manager,
            asked(
                "mint((address,address,uint24,int24,int24,uint256,uint256,uint256,uint256,address,uint256))",
                [*tokens, 3_000, lower, upper, amount, amount, 0, 0, SENDER, 2**64],
            ),
        )
    single = "exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))"
    for sold, amount in ((0, 10**18), (1, 10**18), (0, 10**21), (1, 3 * 10**21), (0, 1)):
        yield (
            f"swap of {amount}",
            router,
            asked(single, [tokens[sold], tokens[1 - sold], 3_000, SENDER, amount, 0, 0]),
        )
    yield "swap for too little", router, asked(single, [*tokens, 3_000, SENDER, 10**18, 10**19, 0])
    yield (
        "swap for an exact amount",
        router,
        asked(
            "exactOutputSingle((address,address,uint24,address,uint256,uint256,uint160))",
            [*tokens, 3_000, SENDER, 10**18, 10**19, 0],
        ),
    )
    yield (
        "swap along a path",
        router,
        asked(
            "exactInput((bytes,address,uint256,uint256))",
            [
                bytes.fromhex(tokens[0][2:])
                + (3_000).to_bytes(3, "big")
                + bytes.fromhex(tokens[1][2:]),
                SENDER,
                10**17,
                0,
            ],
        ),
    )
    yield (
        "liquidity back",
        manager,
        asked(
            "decreaseLiquidity((uint256,uint128,uint256,uint256,uint256))", [1, 10**20, 0, 0, 2**64]
        ),
    )
    yield (
        "collected",
        manager,
        asked("collect((uint256,address,uint128,uint128))", [1, SENDER, 2**128 - 1, 2**128 - 1]),
    )


def main() -> None:
    state: Watched | None = None
    for number, (name, to, data) in enumerate(steps()):
        case = Case(name, to=to, data=data, gas=GAS, nonce=FIRST_NONCE + number)
        state = state or first_state(case)
        entry = case.line()
        entry["results"] = [run(case, state).text(keccak)]
        print(json.dumps(entry, separators=(",", ":")))


if __name__ == "__main__":
    main()
