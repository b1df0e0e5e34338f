"""Runs the scenarios of fills-v1.json on the contracts, and says where an outcome is another.

    python vectors.py Tests/ZeroExTests/Vectors/fills-v1.json

Prints one JSON object: {"scenarios": [{"name", "gasUsed", "expectedGas", "differences": [...]}]}.
A difference is a sentence; no differences at all mean that the contracts did what the genuine ones
(build 2017) did: status, way of failing, answer, logs, balances, allowances, filled and cancelled.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from eth.abc import ComputationAPI, SignedTransactionAPI
from eth.chains.base import MiningChain
from eth.consensus import ConsensusApplier, NoProofConsensus
from eth.db.atomic import AtomicDB
from eth.exceptions import InvalidInstruction, Revert
from eth.vm.forks import PragueVM
from eth_keys import keys
from eth_utils import to_canonical_address

from compiler import compiled
from deployment import KINDS, build_genesis, mapping_slot

GAS_LIMIT = 1_500_000
KIND_OF_TOKEN = {"ZRX": "zrx", "WETH": "weth", "A": "plain", "B": "plain", "NORET": "silent"}
# What a chain without a configured id takes; the scenarios name none.
CHAIN_ID = 1337

# No scenario is about who may make blocks.
VMS = ConsensusApplier(NoProofConsensus).amend_vm_configuration(((0, PragueVM),))


class VectorChain(MiningChain):
    chain_id = CHAIN_ID
    vm_configuration = VMS


class Scenario:
    """One call on a chain of its own."""

    def __init__(self, vectors: Mapping[str, Any], scenario: Mapping[str, Any]) -> None:
        self._contracts = vectors["contracts"]
        self._accounts = vectors["accounts"]
        self._scenario = scenario
        self._outcome = scenario["outcome"]

    def report(self) -> dict[str, Any]:
        chain = VectorChain.from_genesis(AtomicDB(), *build_genesis(self._configuration()))
        header = chain.create_header_from_parent(
            chain.get_canonical_head(), timestamp=self._scenario["blockTimestamp"]
        )
        vm = chain.get_vm(header)
        receipt, computation = vm.apply_transaction(header, self._transaction())
        self._state = vm.state
        build = self._outcome["byBuild"]["2017"]
        return {
            "name": self._scenario["name"],
            "gasUsed": receipt.gas_used,
            "expectedGas": build["gasUsed"],
            "differences": list(self._differences(computation, build["failure"])),
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

    def _transaction(self) -> SignedTransactionAPI:
        call = self._scenario["call"]
        key = next(
            account["privateKey"]
            for account in self._accounts.values()
            if account["address"] == call["from"]
        )
        builder = PragueVM.get_transaction_builder()
        unsigned = builder.create_unsigned_transaction(
            nonce=0,
            gas_price=10**9,
            gas=GAS_LIMIT,
            to=to_canonical_address(call["to"]),
            value=0,
            data=bytes.fromhex(call["data"][2:]),
        )
        private_key = keys.PrivateKey(bytes.fromhex(key[2:]))
        return unsigned.as_signed_transaction(private_key, chain_id=CHAIN_ID)

    # What happened against what should have.

    def _differences(self, computation: ComputationAPI, failure: str | None) -> Iterator[str]:
        yield from _compare("status", int(computation.is_success), self._outcome["status"])
        yield from _compare("failure", _failure(computation), failure and failure.split()[0])
        if computation.is_success:
            value = self._outcome["returnValue"]
            expected = b"" if value is None else int(value).to_bytes(32, "big")
            yield from _compare("answer", computation.output.hex(), expected.hex())
        logs = [
            {
                "address": f"0x{address.hex()}",
                "topics": [f"0x{topic:064x}" for topic in topics],
                "data": f"0x{data.hex()}",
            }
            for address, topics, data in computation.get_log_entries()
        ]
        expected_logs = [
            {part: log[part] for part in ("address", "topics", "data")}
            for log in self._outcome["logs"]
        ]
        yield from _compare("number of logs", len(logs), len(expected_logs))
        for index, (log, expected_log) in enumerate(zip(logs, expected_logs)):
            yield from _compare(f"log {index}", log, expected_log)
        yield from self._orders()
        yield from self._holdings()

    def _orders(self) -> Iterator[str]:
        contract = compiled("Exchange")
        for order in self._outcome["orders"]:
            key = bytes.fromhex(order["orderHash"][2:])
            for name in ("filled", "cancelled"):
                actual = self._read("exchange", mapping_slot(contract.slots[name], key))
                yield from _compare(f"{name} {order['orderHash']}", actual, int(order[name]))

    def _holdings(self) -> Iterator[str]:
        """Every balance and allowance, those that are not named as well: they are zero."""
        proxy = to_canonical_address(self._contracts["tokenTransferProxy"])
        for token, kind in KIND_OF_TOKEN.items():
            slots = compiled(KINDS[kind]).slots
            for owner, account in self._accounts.items():
                holder = to_canonical_address(account["address"])
                balance = self._read(token, mapping_slot(slots["balanceOf"], holder))
                expected = self._outcome["balances"].get(owner, {}).get(token, "0")
                yield from _compare(f"{token} of {owner}", balance, int(expected))
                allowance = self._read(token, mapping_slot(slots["allowance"], holder, proxy))
                expected = (
                    self._outcome["allowancesToTokenTransferProxy"].get(owner, {}).get(token, "0")
                )
                yield from _compare(f"allowance of {token} by {owner}", allowance, int(expected))

    def _read(self, contract: str, slot: int) -> int:
        return self._state.get_storage(to_canonical_address(self._contracts[contract]), slot)


def _failure(computation: ComputationAPI) -> str | None:
    """How a call failed, in the words of the vectors."""
    if computation.is_success:
        return None
    if isinstance(computation.error, Revert):
        return "REVERT" if not computation.output else f"REVERT with {computation.output.hex()}"
    if isinstance(computation.error, InvalidInstruction):
        return "INVALID"
    return repr(computation.error)


def _compare(what: str, actual: Any, expected: Any) -> Iterator[str]:
    if actual != expected:
        yield f"{what} is {actual}, not {expected}"


def main() -> int:
    if len(sys.argv) != 2:
        print("Name the file of vectors: python vectors.py fills-v1.json", file=sys.stderr)
        return 2
    vectors = json.loads(Path(sys.argv[1]).read_text())
    reports = [Scenario(vectors, scenario).report() for scenario in vectors["scenarios"]]
    print(json.dumps({"scenarios": reports}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
