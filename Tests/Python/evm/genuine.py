"""Contracts of Uniswap v3 and 0x v3 as they were published: byte code from packages that carry it.

scripts/official-suites downloads the packages into `.build/suites`; none of the code is in this
repository, and what is read is checked against the hashes below.
"""

from __future__ import annotations

import json
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

from eth_utils import keccak

SUITES = Path(__file__).resolve().parents[3] / ".build" / "suites"

# Where a package has each contract, and the hash of its creation code without arguments.
UNISWAP_WHEEL = "web3_ethereum_defi-1.2-py3-none-any.whl"
UNISWAP = {
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


# Uploaded by 0x in December 2019.
ZEROEX_WHEEL = "0x_contract_artifacts-3.0.0-py3-none-any.whl"
ZEROEX = {
    "Exchange": "0d5dd8aceeef1c6cc5bde6ae17755757e4ec7850664d901eb9a575ae5c4958c2",
    "ERC20Proxy": "57316f2830c0954a5f43be96caeb2d365057cbd3f716f315ee9ccf9f5a5ee9ff",
    "MultiAssetProxy": "5b72fbc25e1afe739b9ff4b87f631665155f655fa4baeb80c9c177a80df89d29",
    "StaticCallProxy": "2a829c89f7fc27950aa8d49322d9eaf39505d196cf34a9ec2a4e3e6389c964b2",
    "Staking": "38c9e0b15e9fad4d8ff9b28217dc077dc2bbea08c7a2e4a05535b23bccbdc6f0",
    "StakingProxy": "f72803cd75e62e4e981cbbe9a548ccdf9955cf8e59dcaeae95e2e4e35415c4e7",
    "ZrxVault": "11947b5d3dcf02f8529799211dee446231bdc9aced65715680c21300e7996a9e",
    "WETH9": "8a93339958a33462ad8d173cfa68f1b1052e218c0f867eefd591f3848cf97cc4",
    "ZRXToken": "97319a9e2ee249f6cd37129f222616fa2e8a9c28bbd832f0552047ceb8e2501a",
    # 0x's own token for tests: its owner gives balances.
    "DummyERC20Token": "d7a1965ac8e8010cf31663081f0e75b0619ae972f07f4b5be0454ff037b3eb73",
}


@cache
def creation_code(name: str) -> bytes:
    """What a transaction would carry to create the contract, without the constructor's arguments.

    Raises FileNotFoundError without the package, ValueError where its code is another one.
    """
    if name in ZEROEX:
        expected = ZEROEX[name]
        text = _zeroex(name)["evm"]["bytecode"]["object"]
    else:
        path, expected = UNISWAP[name]
        value = json.loads(_file(UNISWAP_WHEEL, f"eth_defi/abi/{path}"))["bytecode"]
        text = value["object"] if isinstance(value, dict) else value
    code = bytes.fromhex(text.removeprefix("0x"))
    if keccak(code).hex() != expected:
        raise ValueError(f"the package's {name} is not the genuine one")
    return code


@cache
def functions(name: str) -> dict[str, list[str]]:
    """The types that each function of one of 0x's contracts takes, by its published interface."""
    return {
        item["name"]: [_type(parameter) for parameter in item["inputs"]]
        for item in _zeroex(name)["abi"]
        if item["type"] == "function"
    }


@cache
def _zeroex(name: str) -> dict[str, Any]:
    path = f"zero_ex/contract_artifacts/artifacts/{name}.json"
    return json.loads(_file(ZEROEX_WHEEL, path))["compilerOutput"]


def _type(parameter: dict[str, Any]) -> str:
    kind: str = parameter["type"]
    if not kind.startswith("tuple"):
        return kind
    return f"({','.join(map(_type, parameter['components']))}){kind.removeprefix('tuple')}"


def _file(wheel: str, path: str) -> bytes:
    with zipfile.ZipFile(SUITES / wheel) as archive:
        return archive.read(path)
