"""Uniswap v3 as it was published, deployed on the sandbox and on py-evm by the same signed bytes.

`genuine_contracts.py DEX`. The byte code is read from a package (`evm/genuine.py`), and py-evm is
the judge: each transaction has to end with the same status, gas and logs on both chains, and the
contracts have to have the same code, words, nonces and ether after each.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "evm"))

from checks import Check, report
from eth_abi import decode, encode
from eth_utils import keccak
from genuine import creation_code
from sandbox import Sandbox
from two_chains import TwoChains

SEED = 7
# What is traded at random.
TRADES = 40
FEE = 3_000
SPACING = 60
ONE = 2**96
POSITION = "(address,address,uint24,int24,int24,uint256,uint256,uint256,uint256,address,uint256)"
EXACT_IN = "(address,address,uint24,address,uint256,uint256,uint160)"


def selector(signature: str) -> bytes:
    return keccak(text=signature)[:4]


class Pair(TwoChains):
    """The sandbox and py-evm with contracts that are called by their names."""

    def create(self, name: str, types: list[str], values: list[Any], title: str = "") -> str:
        code = creation_code(name) + encode(types, values)
        return self.send(title or name, None, code, succeeds=True)["contractAddress"]

    def call(self, name: str, signature: str, types: list[str], values: list[Any],
             succeeds: bool | None = True) -> dict[str, Any]:
        """Calls a contract by its name; None leaves open whether that succeeds."""
        data = selector(signature) + encode(types, values)
        return self.send(f"{signature.split('(')[0]} of {name}", self.watched[name], data,
                         succeeds=succeeds)

    def ask(self, name: str, signature: str, types: list[str], values: list[Any],
            result: list[str]) -> Any:
        """What a call would answer, the same of both but for a last word of gas.

        That depends on the time at which a node runs a call: the oracle writes once a second.
        """
        data = selector(signature) + encode(types, values)
        answers = [
            decode(result, bytes.fromhex((answer or "")[2:]))
            for _, answer in self.outcomes(self.watched[name], data)
        ]
        size = 3 if name == "QuoterV2" else len(result)
        self.check.equal(answers[0][:size], answers[1][:size], signature)
        return answers[0]


def trades(check: Check, sandbox: Sandbox) -> None:
    """The published contracts are created, get liquidity and trade as on py-evm, word by word"""
    pair = Pair(check, sandbox)
    wrapped = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
    tokens = sorted(
        (pair.create("ERC20MockDecimals", ["string", "string", "uint256", "uint8"],
                     [f"Token {name}", name, 10**30, 18], name) for name in ("one", "two")),
        key=lambda address: int(address, 16),
    )
    # By their order, whatever they are called.
    for name, title in zip(("one", "two"), ("token0", "token1")):
        pair.watched.pop(name)
        pair.watched[title] = tokens[int(title[-1])]
    factory = pair.create("UniswapV3Factory", [], [])
    manager = pair.create("NonfungiblePositionManager", ["address"] * 3,
                          [factory, wrapped, factory])
    router = pair.create("SwapRouter02", ["address"] * 4, [factory, factory, manager, wrapped])
    pair.create("QuoterV2", ["address"] * 2, [factory, wrapped])
    for token in ("token0", "token1"):
        for spender in (manager, router):
            pair.call(token, "approve(address,uint256)", ["address", "uint256"],
                      [spender, 2**256 - 1])
    pair.call("UniswapV3Factory", "createPool(address,address,uint24)",
              ["address", "address", "uint24"], [*tokens, FEE])
    pool = pair.ask("UniswapV3Factory", "getPool(address,address,uint24)",
                    ["address", "address", "uint24"], [*tokens, FEE], ["address"])[0]
    pair.watched["pool"] = pool
    pair.call("pool", "initialize(uint160)", ["uint160"], [ONE])
    # It is so already.
    pair.call("pool", "initialize(uint160)", ["uint160"], [ONE], succeeds=False)
    pair.call("pool", "increaseObservationCardinalityNext(uint16)", ["uint16"], [12])
    for lower, upper, amount in ((-600, 600, 10**24), (-60, 60, 10**23), (-120_000, 120_000, 10**22)):
        pair.call("NonfungiblePositionManager", f"mint({POSITION})", [POSITION], [
            (*tokens, FEE, lower, upper, amount, amount, 0, 0, pair.owner.address, 2**40)
        ])
    source = random.Random(SEED)
    for _ in range(TRADES):
        sells = source.randrange(2)
        amount = 10 ** source.randrange(3, 25)
        paid, bought = tokens[sells], tokens[1 - sells]
        quote = None
        if amount < 10**24:
            quote = pair.ask(
                "QuoterV2", "quoteExactInputSingle((address,address,uint256,uint24,uint160))",
                ["(address,address,uint256,uint24,uint160)"], [(paid, bought, amount, FEE, 0)],
                ["uint256", "uint160", "uint32", "uint256"],
            )
        # Now and then more than the quote, so that the router takes it back.
        least = (quote[0] + source.randrange(2) if quote else 0)
        is_met = None if quote is None else least <= quote[0]
        pair.call("SwapRouter02", f"exactInputSingle({EXACT_IN})", [EXACT_IN],
                  [(paid, bought, FEE, pair.owner.address, amount, least, 0)], succeeds=is_met)
    pair.call("NonfungiblePositionManager",
              "decreaseLiquidity((uint256,uint128,uint256,uint256,uint256))",
              ["(uint256,uint128,uint256,uint256,uint256)"], [(1, 10**20, 0, 0, 2**40)])
    pair.call("NonfungiblePositionManager", "collect((uint256,address,uint128,uint128))",
              ["(uint256,address,uint128,uint128)"],
              [(1, pair.owner.address, 2**128 - 1, 2**128 - 1)])


def main() -> None:
    with Sandbox(sys.argv[1]) as sandbox:
        report([trades], sandbox)


if __name__ == "__main__":
    main()
