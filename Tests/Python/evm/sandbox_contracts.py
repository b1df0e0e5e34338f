"""Makes the resource with the byte code of the contracts that the sandbox's chain is born with.

    python sandbox_contracts.py FILE [--check]

The file is JSON, an array of one object a line, sorted by name:

- name: the contract's, as of its source `contracts/<name>.vy`;
- sources: keccak256 over its source and those of the modules that it imports, so a line changes
  only where its contract does: for each in the order of names, the name, a zero byte, the text, a
  zero byte;
- code: the runtime byte code, without immutables;
- slots: the storage slot of each variable; of a mapping the position that keys are hashed with;
- immutables: the offset of each behind the end of `code`, in bytes, 32 bytes each: what a chain
  holds is the code followed by them;
- genesis: the variables and immutables that a constructor would have set, so the genesis has to.

Whether the contracts do what they should is for other scripts; `deployment.py` fills the same slots.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from eth_utils import keccak

from compiler import CONTRACTS, compiled

# By name, what the genesis writes besides balances, allowances, reserves, orders and the like.
GENESIS: dict[str, list[str]] = {
    "AllowanceHolder": [],
    "ConstantPool": ["token_0", "token_1"],
    "ERC20": ["name", "symbol", "decimals"],
    "Exchange": ["zrx_token", "transfer_proxy"],
    "ExchangeProxy": ["features", "protocol_fee_multiplier", "domain"],
    "FeeToken": ["name", "symbol", "decimals", "fee_millionths"],
    "HeavyToken": ["name", "symbol", "decimals"],
    "Permit2": [],
    "SettlerRegistry": ["current", "previous", "locked"],
    "SettlerStandIn": ["wrapped"],
    "SilentToken": ["name", "symbol", "decimals"],
    "TetherToken": ["name", "symbol", "decimals"],
    "TickLens": [],
    "TokenTransferProxy": ["authorized", "authorities"],
    "UpgradeableToken": ["name", "symbol", "decimals", "implementation"],
    "V2Factory": ["pairs", "locked"],
    "V2Pair": ["factory", "token0", "token1"],
    "V2Router": ["factory", "WETH"],
    "V3Factory": ["feeAmountTickSpacing", "pools", "locked"],
    "V3Pool": ["factory", "token0", "token1", "fee", "tickSpacing"],
    "V3Quoter": ["factory", "WETH9"],
    "V3Router": ["factoryV2", "factory", "WETH9", "amount_in"],
    "WETH9": ["name", "symbol", "decimals"],
    "ZRXToken": [],
}

IMPORT = re.compile(r"^import (\w+)", re.MULTILINE)


def sources(name: str) -> list[Path]:
    """A contract's source and those of all modules that it imports, by name."""
    found: dict[str, Path] = {}
    waiting = [name]
    while waiting:
        module = waiting.pop()
        if module not in found:
            found[module] = CONTRACTS / f"{module}.vy"
            waiting += IMPORT.findall(found[module].read_text())
    return [found[module] for module in sorted(found)]


def _line(name: str) -> str:
    contract = compiled(name)
    text = b"".join(
        source.stem.encode() + b"\0" + source.read_bytes() + b"\0" for source in sources(name)
    )
    for variable in GENESIS[name]:
        if variable not in contract.slots and variable not in contract.immutables:
            raise ValueError(f"{name} has no variable {variable}")
    return json.dumps(
        {
            "name": name,
            "sources": "0x" + keccak(text).hex(),
            "code": "0x" + contract.code.hex(),
            "slots": contract.slots,
            "immutables": contract.immutables,
            "genesis": GENESIS[name],
        },
        separators=(",", ":"),
    )


def document() -> str:
    """The whole file."""
    return "[\n" + ",\n".join(_line(name) for name in sorted(GENESIS)) + "\n]\n"


def differences(path: Path) -> list[str]:
    """What of a file is not what the sources make, a sentence each."""
    wanted = document()
    text = path.read_text() if path.exists() else ""
    if text == wanted:
        return []
    try:
        kept = {item["name"]: item for item in json.loads(text or "[]")}
    except (ValueError, TypeError, KeyError):
        return [f"{path} is not what scripts/sandbox-contracts writes"]
    made = {item["name"]: item for item in json.loads(wanted)}
    found = [
        f"{name}: {key} is not what its sources make"
        for name, item in made.items()
        if name in kept
        for key in item
        if kept[name].get(key) != item[key]
    ]
    found += [f"{name} is missing" for name in made.keys() - kept.keys()]
    found += [f"{name} is no contract of the sandbox" for name in kept.keys() - made.keys()]
    return sorted(found) or [f"{path} is written in another way"]


def main() -> int:
    path = Path(sys.argv[1])
    if sys.argv[2:] == ["--check"]:
        found = differences(path)
        for sentence in found:
            print(sentence, file=sys.stderr)
        if found:
            print("Run scripts/sandbox-contracts and commit what it writes.", file=sys.stderr)
        return 1 if found else 0
    if sys.argv[2:]:
        print("usage: sandbox_contracts.py FILE [--check]", file=sys.stderr)
        return 2
    path.write_text(document())
    return 0


if __name__ == "__main__":
    sys.exit(main())
