"""One transaction on a chain of its own: what the checks of the contracts are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from eth.abc import ComputationAPI, StateAPI
from eth.chains.base import MiningChain
from eth.consensus import ConsensusApplier, NoProofConsensus
from eth.db.atomic import AtomicDB
from eth.exceptions import InvalidInstruction, OutOfGas, Revert
from eth.vm.forks import PragueVM
from eth_keys import keys
from eth_utils import to_canonical_address

from compiler import compiled
from deployment import KINDS, build_genesis, mapping_slot

GAS_LIMIT = 1_500_000
GAS_PRICE = 10**9


class _Chain(MiningChain):
    chain_id = 1337
    # No check is about who may make blocks.
    vm_configuration = ConsensusApplier(NoProofConsensus).amend_vm_configuration(((0, PragueVM),))


@dataclass(frozen=True)
class Call:
    """A transaction: the sender's private key, the rest as it is sent.

    access_list: addresses with their slots; a transaction of type 1 where it is not empty.
    """

    key: str
    to: str
    data: bytes
    value: int = 0
    gas: int = GAS_LIMIT
    access_list: Sequence[tuple[str, Sequence[int]]] = ()


@dataclass(frozen=True)
class Outcome:
    """What a call did; `state` is the chain's state after it."""

    gas_used: int
    output: bytes
    logs: list[dict[str, Any]]
    # None, or the way in which it failed: REVERT, INVALID, OUT OF GAS, or py-evm's own words.
    failure: str | None
    state: StateAPI


def run(configuration: Mapping[str, Any], call: Call, timestamp: int | None = None) -> Outcome:
    """Runs a call in the first block on the configuration's state.

    timestamp: of the block, in seconds; one after the configuration's unless given.
    """
    chain = _Chain.from_genesis(AtomicDB(), *build_genesis(configuration))
    header = chain.create_header_from_parent(
        chain.get_canonical_head(), timestamp=timestamp or configuration["timestamp"] + 1
    )
    vm = chain.get_vm(header)
    receipt, computation = vm.apply_transaction(header, _signed(call))
    logs = [
        {
            "address": f"0x{address.hex()}",
            "topics": [f"0x{topic:064x}" for topic in topics],
            "data": f"0x{data.hex()}",
        }
        for address, topics, data in computation.get_log_entries()
    ]
    output = computation.output
    return Outcome(receipt.gas_used, output, logs, _failure(computation), vm.state)


def _signed(call: Call) -> Any:
    builder = PragueVM.get_transaction_builder()
    private_key = keys.PrivateKey(bytes.fromhex(call.key.removeprefix("0x")))
    fields: dict[str, Any] = {
        "nonce": 0,
        "gas_price": GAS_PRICE,
        "gas": call.gas,
        "to": to_canonical_address(call.to),
        "value": call.value,
        "data": call.data,
    }
    if not call.access_list:
        unsigned = builder.create_unsigned_transaction(**fields)
        return unsigned.as_signed_transaction(private_key, chain_id=_Chain.chain_id)
    entries = [(to_canonical_address(address), slots) for address, slots in call.access_list]
    return builder.new_unsigned_access_list_transaction(
        chain_id=_Chain.chain_id, access_list=entries, **fields
    ).as_signed_transaction(private_key)


def _failure(computation: ComputationAPI) -> str | None:
    if computation.is_success:
        return None
    if isinstance(computation.error, Revert):
        # The Exchange never gives a reason.
        return "REVERT" if not computation.output else f"REVERT with {computation.output.hex()}"
    if isinstance(computation.error, InvalidInstruction):
        return "INVALID"
    return "OUT OF GAS" if isinstance(computation.error, OutOfGas) else repr(computation.error)


def balance(outcome: Outcome, token: str, kind: str, owner: str) -> int:
    """A token balance after a call, in base units."""
    slot = mapping_slot(compiled(KINDS[kind]).slots["balanceOf"], to_canonical_address(owner))
    return outcome.state.get_storage(to_canonical_address(token), slot)


def allowance(outcome: Outcome, token: str, kind: str, owner: str, spender: str) -> int:
    """A token allowance after a call, in base units."""
    slots = compiled(KINDS[kind]).slots
    slot = mapping_slot(
        slots["allowance"], to_canonical_address(owner), to_canonical_address(spender)
    )
    return outcome.state.get_storage(to_canonical_address(token), slot)


def used(outcome: Outcome, exchange: str, name: str, order_hash: str) -> int:
    """How much of an order is `filled` or `cancelled` after a call, in taker base units."""
    key = bytes.fromhex(order_hash.removeprefix("0x"))
    slot = mapping_slot(compiled("Exchange").slots[name], key)
    return outcome.state.get_storage(to_canonical_address(exchange), slot)
