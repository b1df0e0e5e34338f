"""Uniswap's contracts as they were published: byte code from a package that carries it.

scripts/official-suites downloads the package into `.build/suites`; none of the code is in this
repository, and what is read is checked against the hashes by which chains know it.
"""

from __future__ import annotations

import json
import zipfile
from functools import cache
from pathlib import Path

from eth_utils import keccak

SUITES = Path(__file__).resolve().parents[3] / ".build" / "suites"
WHEEL = "web3_ethereum_defi-1.2-py3-none-any.whl"

# Where the package has each contract, and the hash of its creation code without arguments.
CONTRACTS = {
    "UniswapV3Factory": (
        "uniswap_v3/UniswapV3Factory.json",
        "a9cb11ffa1b1bf9a9a2b70b66f6a22db3e8328b37ec44e6ce602749081efdb6d",
    ),
    # The factory carries it too; this is the hash that pools' addresses are made from.
    "UniswapV3Pool": (
        "uniswap_v3/UniswapV3Pool.json",
        "e34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54",
    ),
    "QuoterV2": (
        "uniswap_v3/QuoterV2.json",
        "807900529037b0db5b299ed312e4b1820210b5e9922b6c4fcd4c23de67ee5f1a",
    ),
    "SwapRouter02": (
        "uniswap-swap-contracts/SwapRouter02.json",
        "603dca716e6cc8be026ebc49ab95f5c163b4b2ec4019615e607ec91710734841",
    ),
    "TickLens": (
        "uniswap_v3/TickLens.json",
        "5aa22b1e9d3b0b48f5b5c7d92204903de53b1820bae045c6b55f2c31cf3e558c",
    ),
    "NonfungiblePositionManager": (
        "uniswap_v3/NonfungiblePositionManager.json",
        "6d4a795ab08d4b4737c563d58af66cd9c1fe56a4ff3258fec16fd7c5eeade093",
    ),
    # Not Uniswap's: a token with OpenZeppelin's code.
    "ERC20MockDecimals": (
        "ERC20MockDecimals.json",
        "04d9ea3d7be602998b3e04d77cdbfdeac9bc0c84935c479a9f641a66ad634f41",
    ),
}


@cache
def creation_code(name: str) -> bytes:
    """What a transaction would carry to create the contract, without the constructor's arguments.

    Raises FileNotFoundError without the package, ValueError where its code is another one.
    """
    path, expected = CONTRACTS[name]
    with zipfile.ZipFile(SUITES / WHEEL) as archive:
        value = json.loads(archive.read(f"eth_defi/abi/{path}"))["bytecode"]
    text = value["object"] if isinstance(value, dict) else value
    code = bytes.fromhex(text.removeprefix("0x"))
    if keccak(code).hex() != expected:
        raise ValueError(f"the package's {name} is not the genuine one")
    return code
