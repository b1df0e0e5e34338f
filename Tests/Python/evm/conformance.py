"""Holds the contracts against docs/protocol/zeroex-v1.md where the scenarios do not reach.

    python conformance.py Tests/ZeroExTests/Vectors/order-v1.json

Prints one JSON object: {"checks": [{"name", "differences": [...]}]}; a difference is a sentence.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import exchange_checks
import tester_checks
import token_checks
from market import TAKER_KEY, call_data, configuration, word
from probe import Call, run


def signed_orders(path: Path) -> Iterator[str]:
    """The order hashes and signatures that the genuine contract answered."""
    for vector in json.loads(path.read_text())["vectors"]:
        order = vector["order"]
        exchange = order["exchangeContractAddress"]
        addresses = [
            order[name]
            for name in (
                "maker",
                "taker",
                "makerTokenAddress",
                "takerTokenAddress",
                "feeRecipient",
            )
        ]
        values = [
            int(order[name])
            for name in (
                "makerTokenAmount",
                "takerTokenAmount",
                "makerFee",
                "takerFee",
                "expirationUnixTimestampSec",
                "salt",
            )
        ]
        order_hash = bytes.fromhex(vector["orderHash"][2:])
        signature = vector["ecSignature"]
        parts = [bytes.fromhex(signature[name][2:]) for name in ("r", "s")]
        questions = {
            order_hash: call_data("getOrderHash(address[5],uint256[6])", addresses, values),
            word(1): call_data(
                "isValidSignature(address,bytes32,uint8,bytes32,bytes32)",
                order["maker"],
                order_hash,
                signature["v"],
                *parts,
            ),
            # Of nobody else.
            word(0): call_data(
                "isValidSignature(address,bytes32,uint8,bytes32,bytes32)",
                exchange,
                order_hash,
                signature["v"],
                *parts,
            ),
        }
        for expected, data in questions.items():
            call = Call(key=TAKER_KEY, to=exchange, data=data)
            answer = run(configuration(exchange=exchange), call).output
            if answer != expected:
                yield f"{vector['orderHash']}: it answers {answer.hex()}, not {expected.hex()}"


def main() -> int:
    if len(sys.argv) != 2:
        print("Name the file of orders: python conformance.py order-v1.json", file=sys.stderr)
        return 2
    checks: list[dict[str, Any]] = [
        {
            "name": "The orders of the vectors have their hashes and signatures",
            "differences": list(signed_orders(Path(sys.argv[1]))),
        }
    ]
    for check in exchange_checks.CHECKS + token_checks.CHECKS + tester_checks.CHECKS:
        checks.append({"name": check.__doc__, "differences": list(check())})
    print(json.dumps({"checks": checks}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
