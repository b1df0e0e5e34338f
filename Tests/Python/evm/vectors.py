"""Runs the scenarios of fills-v1.json on the contracts, and says where an outcome is another.

    python vectors.py Tests/ZeroExTests/Vectors/fills-v1.json

Prints one JSON object: {"checks": [{"name", "gasUsed", "expectedGas", "differences": [...]}]}.
A difference is a sentence; none at all mean that the contracts did what the genuine ones (build
2017) did: status, way of failing, answer, logs, balances, allowances, filled and cancelled.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from probe import Call, Outcome, allowance, balance, run, used

KIND_OF_TOKEN = {"ZRX": "zrx", "WETH": "weth", "A": "plain", "B": "plain", "NORET": "silent"}


class Scenario:
    """One call on a chain of its own."""

    def __init__(self, vectors: Mapping[str, Any], scenario: Mapping[str, Any]) -> None:
        self._contracts = vectors["contracts"]
        self._accounts = vectors["accounts"]
        self._scenario = scenario
        self._expected = scenario["outcome"]

    def check(self) -> dict[str, Any]:
        outcome = run(self._configuration(), self._call(), self._scenario["blockTimestamp"])
        return {
            "name": self._scenario["name"],
            "gasUsed": outcome.gas_used,
            "expectedGas": self._expected["byBuild"]["2017"]["gasUsed"],
            "differences": list(self._differences(outcome)),
        }

    def _configuration(self) -> dict[str, Any]:
        before = self._scenario["before"]
        return {
            "timestamp": self._scenario["blockTimestamp"] - 1,
            "exchange": self._contracts["exchange"],
            "transferProxy": self._contracts["tokenTransferProxy"],
            "feeToken": self._contracts["ZRX"],
            "accounts": [
                {"address": account["address"], "ether": 10**19}
                for account in self._accounts.values()
            ],
            "tokens": [
                {
                    "address": self._contracts[name],
                    "symbol": name,
                    "name": name,
                    "decimals": 18,
                    "kind": kind,
                }
                for name, kind in KIND_OF_TOKEN.items()
            ],
            "balances": list(self._amounts(before["balances"])),
            "allowances": list(self._amounts(before["allowancesToTokenTransferProxy"])),
            "orders": [
                {
                    "hash": order["orderHash"],
                    "filled": order["filled"],
                    "cancelled": order["cancelled"],
                }
                for order in before["orders"]
            ],
        }

    def _amounts(self, amounts: Mapping[str, Mapping[str, str]]) -> Iterator[dict[str, str]]:
        for owner, held in amounts.items():
            for token, amount in held.items():
                yield {
                    "token": self._contracts[token],
                    "owner": self._accounts[owner]["address"],
                    "amount": amount,
                }

    def _call(self) -> Call:
        call = self._scenario["call"]
        key = next(
            account["privateKey"]
            for account in self._accounts.values()
            if account["address"] == call["from"]
        )
        return Call(key=key, to=call["to"], data=bytes.fromhex(call["data"][2:]))

    # What happened against what should have.

    def _differences(self, outcome: Outcome) -> Iterator[str]:
        failure = self._expected["byBuild"]["2017"]["failure"]
        yield from _compare("status", int(outcome.failure is None), self._expected["status"])
        yield from _compare("failure", outcome.failure, failure and failure.split()[0])
        if outcome.failure is None:
            value = self._expected["returnValue"]
            answer = b"" if value is None else int(value).to_bytes(32, "big")
            yield from _compare("answer", outcome.output.hex(), answer.hex())
        logs = [
            {part: log[part] for part in ("address", "topics", "data")}
            for log in self._expected["logs"]
        ]
        yield from _compare("number of logs", len(outcome.logs), len(logs))
        for index, (log, expected) in enumerate(zip(outcome.logs, logs)):
            yield from _compare(f"log {index}", log, expected)
        for order in self._expected["orders"]:
            for name in ("filled", "cancelled"):
                actual = used(outcome, self._contracts["exchange"], name, order["orderHash"])
                yield from _compare(f"{name} {order['orderHash']}", actual, int(order[name]))
        yield from self._holdings(outcome)

    def _holdings(self, outcome: Outcome) -> Iterator[str]:
        """Every balance and allowance, those that are not named as well: they are zero."""
        balances = self._expected["balances"]
        allowances = self._expected["allowancesToTokenTransferProxy"]
        proxy = self._contracts["tokenTransferProxy"]
        for token, kind in KIND_OF_TOKEN.items():
            where = self._contracts[token]
            for owner, account in self._accounts.items():
                held = balance(outcome, where, kind, account["address"])
                expected = int(balances.get(owner, {}).get(token, "0"))
                yield from _compare(f"{token} of {owner}", held, expected)
                allowed = allowance(outcome, where, kind, account["address"], proxy)
                expected = int(allowances.get(owner, {}).get(token, "0"))
                yield from _compare(f"allowance of {token} by {owner}", allowed, expected)


def _compare(what: str, actual: Any, expected: Any) -> Iterator[str]:
    if actual != expected:
        yield f"{what} is {actual}, not {expected}"


def main() -> int:
    if len(sys.argv) != 2:
        print("Name the file of vectors: python vectors.py fills-v1.json", file=sys.stderr)
        return 2
    vectors = json.loads(Path(sys.argv[1]).read_text())
    checks = [Scenario(vectors, scenario).check() for scenario in vectors["scenarios"]]
    print(json.dumps({"checks": checks}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
