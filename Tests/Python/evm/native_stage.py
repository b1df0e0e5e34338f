"""A chain on which 0x v4's Exchange Proxy answers one transaction after another, in one block.

The senders need no keys, since the vectors name none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from eth.abc import ComputationAPI
from eth.chains.base import MiningChain
from eth.consensus import ConsensusApplier, NoProofConsensus
from eth.db.atomic import AtomicDB
from eth.exceptions import Revert
from eth.vm.forks import PragueVM
from eth.vm.spoof import SpoofTransaction
from eth_utils import to_canonical_address

from deployment import build_genesis, chain_id

GAS_LIMIT = 15_000_000
BUILDER = PragueVM.get_transaction_builder()


@dataclass(frozen=True)
class Answer:
    """What a transaction did.

    output: what was returned, or the data of the revert.
    logs: those of the contract that is called by default, with topics and data in hexadecimal.
    token_logs: how many others there are.
    failure: REVERT, or py-evm's own words; None where it succeeded.
    """

    output: bytes
    logs: list[dict[str, Any]]
    token_logs: int
    gas_used: int
    failure: str | None


class Stage:
    """The first block on the state of a configuration (docs/evm.md); its base fee is zero."""

    def __init__(
        self,
        configuration: Mapping[str, Any],
        timestamp: int | None = None,
        contract: str | None = None,
    ) -> None:
        rules = ConsensusApplier(NoProofConsensus).amend_vm_configuration(((0, PragueVM),))
        kind = type("Chain", (MiningChain,), {"chain_id": chain_id(configuration), "vm_configuration": rules})
        chain = kind.from_genesis(AtomicDB(), *build_genesis(configuration))
        header = chain.create_header_from_parent(
            chain.get_canonical_head(), timestamp=timestamp or configuration["timestamp"] + 1
        ).copy(base_fee_per_gas=0)
        self._vm = chain.get_vm(header)
        # Who is called if no other is named; the Exchange Proxy by default.
        self._proxy = to_canonical_address(contract or configuration["exchangeProxy"])

    def send(
        self,
        sender: str,
        data: bytes,
        *,
        value: int = 0,
        gas_price: int = 0,
        to: str | None = None,
    ) -> Answer:
        """Sends a transaction; what it changes stays for those behind it."""
        # What was written becomes what the next one's gas is reckoned from.
        self._vm.state.lock_changes()
        return self._run(sender, data, value, gas_price, to)

    def ask(self, data: bytes, *, sender: str = "0x" + "00" * 20, to: str | None = None) -> Answer:
        """Calls without leaving a trace."""
        self._vm.state.lock_changes()
        snapshot = self._vm.state.snapshot()
        answer = self._run(sender, data, 0, 0, to)
        self._vm.state.revert(snapshot)
        return answer

    def ether(self, owner: str) -> int:
        """What an account owns, in wei."""
        return self._vm.state.get_balance(to_canonical_address(owner))

    def _run(
        self, sender: str, data: bytes, value: int, gas_price: int, to: str | None
    ) -> Answer:
        who = to_canonical_address(sender)
        transaction = BUILDER.create_unsigned_transaction(
            nonce=self._vm.state.get_nonce(who),
            gas_price=gas_price,
            gas=GAS_LIMIT,
            to=self._proxy if to is None else to_canonical_address(to),
            value=value,
            data=data,
        )
        computation = self._vm.state.apply_transaction(
            SpoofTransaction(transaction, from_=who)
        )
        own: list[dict[str, Any]] = []
        others = 0
        for address, topics, content in computation.get_log_entries():
            if address != self._proxy:
                others += 1
                continue
            own.append(
                {
                    "topics": [f"0x{topic:064x}" for topic in topics],
                    "data": f"0x{content.hex()}",
                }
            )
        return Answer(
            output=computation.output,
            logs=own,
            token_logs=others,
            gas_used=self._vm.finalize_gas_used(transaction, computation),
            failure=_failure(computation),
        )


def _failure(computation: ComputationAPI) -> str | None:
    if computation.is_success:
        return None
    return "REVERT" if isinstance(computation.error, Revert) else repr(computation.error)
