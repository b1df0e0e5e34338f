"""Runs the vectors of 0x v4 on the Exchange Proxy in Vyper, and says where it does otherwise.

    python native_vectors.py Tests/ZeroExTests/Vectors/calldata-v4.json

Prints one JSON object: {"checks": [{"name", "gasUsed", "differences": [...]}]}; a difference is a
sentence. The calls were executed one after another on the genuine contracts (build of March 2021),
so they run one after another here.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from deployment import UNLIMITED
from native_stage import Answer, Stage

# Between the expiries of the vectors: one second, and far away.
TIMESTAMP = 1_615_000_000


def _orders(arguments: Any) -> Iterator[list[str]]:
    """The orders among the arguments of a call: tuples of ten or twelve."""
    for argument in arguments:
        if isinstance(argument, list):
            if len(argument) in (10, 12) and not isinstance(argument[0], list):
                yield argument
            else:
                yield from _orders(argument)


def _configuration(vectors: Mapping[str, Any]) -> dict[str, Any]:
    """Everybody owns and has approved more than the calls move."""
    orders = [order for call in vectors["calls"] for order in _orders(call["args"])]
    tokens = sorted({token for order in orders for token in order[:2]})
    makers = {order[5 if len(order) == 12 else 4] for order in orders}
    people = sorted(makers | {call["from"] for call in vectors["calls"] if "from" in call})
    holdings = [{"token": token, "owner": owner} for token in tokens for owner in people]
    return {
        "chainId": vectors["chainId"],
        "timestamp": TIMESTAMP,
        "exchangeProxy": vectors["exchangeProxy"],
        "protocolFeeMultiplier": 0,
        "accounts": [{"address": owner, "ether": 10**20} for owner in people],
        "tokens": [
            {"address": token, "symbol": "T", "name": "Token", "decimals": 18}
            for token in tokens
        ],
        "balances": [{**holding, "amount": 10**24} for holding in holdings],
        "allowances": [{**holding, "amount": UNLIMITED} for holding in holdings],
    }


def _differences(call: Mapping[str, Any], answer: Answer) -> Iterator[str]:
    succeeds = call.get("status", 1) == 1
    yield from _compare("failure", answer.failure, None if succeeds else "REVERT")
    if "returns" in call:
        expected = call["returns"]["data"]
    else:
        expected = call["returnData" if succeeds else "revertData"]
    yield from _compare("output", f"0x{answer.output.hex()}", expected)
    logs = [{part: log[part] for part in ("topics", "data")} for log in call.get("logs", [])]
    yield from _compare("logs", answer.logs, logs)


def _compare(what: str, actual: Any, expected: Any) -> Iterator[str]:
    if actual != expected:
        yield f"{what} is {actual}, not {expected}"


def main() -> int:
    if len(sys.argv) != 2:
        print("Name the file of vectors: native_vectors.py calldata-v4.json", file=sys.stderr)
        return 2
    vectors = json.loads(Path(sys.argv[1]).read_text())
    stage = Stage(_configuration(vectors))
    checks = []
    for call in vectors["calls"]:
        data = bytes.fromhex(call["calldata"][2:])
        answer = stage.send(call["from"], data) if "from" in call else stage.ask(data)
        checks.append(
            {
                "name": call["name"],
                "gasUsed": answer.gas_used,
                "differences": list(_differences(call, answer)),
            }
        )
    print(json.dumps({"checks": checks}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
