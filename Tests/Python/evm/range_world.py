"""A chain with Uniswap's contracts, the genuine ones or ours, and what tests trade on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from eth.chains.base import MiningChain
from eth.db.atomic import AtomicDB
from eth.exceptions import Revert
from eth.vm.forks import PragueVM
from eth.vm.spoof import SpoofTransaction
from eth_abi import encode
from eth_utils import to_canonical_address

import uniswap
from compiler import compiled
from deployment import UNLIMITED, build_genesis, mapping_slot
from native_functions import selector

GAS_LIMIT = 100_000_000
START = 1_750_000_000
BUILDER = PragueVM.get_transaction_builder()
CALLER = to_canonical_address("0x9003000000000000000000000000000000000003")
TRADER = to_canonical_address("0x9003000000000000000000000000000000000004")
OTHER = to_canonical_address("0x9003000000000000000000000000000000000005")
# In the order of their addresses, but for wrapped ether, which comes last as on mainnet.
PLAIN, USDT, ZRX, FEE = (f"0x{first:02x}" + "00" * 18 + "07" for first in (0x10, 0x20, 0x30, 0x40))
WETH = "0x" + uniswap.WRAPPED.hex()
KINDS = {PLAIN: "plain", USDT: "usdt", ZRX: "zrx", FEE: "fee", WETH: "weth"}
SPACINGS = {100: 1, 500: 10, 3000: 60, 10000: 200}
# Of the block before.
LAST_HASH = bytes.fromhex("1a" * 32)
# What each owns of each token, in base units; wrapped ether is backed by as much ether.
RICHES = 2**120


def call(signature: str, *values: Any) -> bytes:
    """Call data: the selector of the signature, and the arguments encoded for its types."""
    types, depth = [""], 0
    for letter in signature[signature.index("(") + 1 : -1]:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            types.append("")
        else:
            types[-1] += letter
    kinds = types if types != [""] else []
    return selector(signature) + encode(kinds, values)


@dataclass(frozen=True)
class Answer:
    """What a transaction did.

    failure: REVERT, or py-evm's own word for it; None where it succeeded.
    """

    output: bytes
    logs: Sequence[tuple[bytes, Sequence[int], bytes]]
    gas_used: int
    failure: str | None


class World:
    """A chain, of which each transaction may be at a time of its own; its gas costs nothing."""

    def __init__(self, parameters: dict[str, Any], accounts: dict[bytes, dict[str, Any]]) -> None:
        kind = type("Chain", (MiningChain,), {"chain_id": 1, "vm_configuration": ((0, PragueVM),)})
        chain = kind.from_genesis(AtomicDB(), dict(parameters), accounts)
        header = chain.create_header_from_parent(chain.get_canonical_head()).copy(
            base_fee_per_gas=0
        )
        self._vm = chain.get_vm(header)
        self.state = self._vm.state
        # The first states differ, but what is sent does not.
        self.state.execution_context._prev_hashes = [LAST_HASH]

    def set_time(self, time: int) -> None:
        """Of the transactions from here on."""
        self.state.execution_context._timestamp = time

    def send(
        self, sender: bytes, to: bytes, data: bytes, value: int = 0, *, keeps: bool = True
    ) -> Answer:
        """Runs a transaction, and forgets it again if asked to."""
        state = self.state
        state.lock_changes()
        before = state.snapshot()
        transaction = BUILDER.create_unsigned_transaction(
            nonce=state.get_nonce(sender),
            gas_price=0,
            gas=GAS_LIMIT,
            to=to,
            value=value,
            data=data,
        )
        computation = state.apply_transaction(SpoofTransaction(transaction, from_=sender))
        failure = None
        if computation.is_error:
            is_revert = isinstance(computation.error, Revert)
            failure = "REVERT" if is_revert else type(computation.error).__name__
        answer = Answer(
            output=computation.output,
            logs=[(at, tuple(topics), data) for at, topics, data in computation.get_log_entries()],
            gas_used=self._vm.finalize_gas_used(transaction, computation),
            failure=failure,
        )
        if not keeps:
            state.revert(before)
        return answer

    def word(self, address: bytes, slot: int) -> int:
        """Of the storage."""
        return self.state.get_storage(address, slot)


@cache
def genuine_accounts() -> tuple[dict[str, Any], dict[bytes, dict[str, Any]]]:
    """The header's parameters and the first state with the genuine contracts, without pools."""
    parameters, accounts = build_genesis(_configuration())
    accounts[CALLER] = _account(compiled("PoolCaller").deployed())
    return parameters, accounts


def _configuration() -> dict[str, Any]:
    owners = [uniswap.PROVIDER, CALLER, TRADER]
    pairs = [(PLAIN, WETH), (USDT, WETH), (PLAIN, ZRX), (FEE, WETH)]
    return {
        "chainId": 1,
        "timestamp": START,
        "gasLimit": GAS_LIMIT,
        "accounts": [
            {"address": "0x" + owner.hex(), "ether": 10**30} for owner in (TRADER, OTHER)
        ],
        "tokens": [
            {
                "address": token,
                "symbol": kind.upper(),
                "name": kind,
                "decimals": 18,
                "kind": kind,
                "feeMillionths": 10_000,
            }
            for token, kind in KINDS.items()
        ],
        "balances": [
            {"token": token, "owner": "0x" + owner.hex(), "amount": RICHES}
            for token in KINDS
            for owner in owners
        ],
        "allowances": [
            {
                "token": token,
                "owner": "0x" + TRADER.hex(),
                "spender": "0x" + uniswap.ROUTER.hex(),
                "amount": UNLIMITED,
            }
            for token in KINDS
        ],
        "uniswap": {
            "pairs": [
                {"tokens": pair, "reserves": [10**24 + 7, 3 * 10**23 + 1]} for pair in pairs
            ]
        },
        "swap": {"pools": []},
        "exchangeProxy": "0x" + "ee" * 20,
    }


def our_accounts(
    accounts: dict[bytes, dict[str, Any]], pools: Sequence[tuple[str, str, int]]
) -> dict[bytes, dict[str, Any]]:
    """The same first state with our contracts instead of the genuine ones, and pools."""
    ours = dict(accounts)
    factory = compiled("V3Factory")
    listed = {
        mapping_slot(factory.slots["feeAmountTickSpacing"], fee.to_bytes(32, "big")): spacing
        for fee, spacing in SPACINGS.items()
    }
    number = {
        name: int.from_bytes(getattr(uniswap, name), "big")
        for name in ("V3_FACTORY", "V2_FACTORY", "WRAPPED")
    }
    for one, other, fee in pools:
        first, second = sorted((to_canonical_address(one), to_canonical_address(other)))
        where = uniswap.pool_address(one, other, fee)
        ours[where] = _account(
            compiled("V3Pool").deployed(
                factory=number["V3_FACTORY"],
                token0=int.from_bytes(first, "big"),
                token1=int.from_bytes(second, "big"),
                fee=fee,
                tickSpacing=SPACINGS[fee],
            )
        )
        for pair in ((first, second), (second, first)):
            slot = mapping_slot(factory.slots["pools"], *pair, fee.to_bytes(32, "big"))
            listed[slot] = int.from_bytes(where, "big")
    ours[uniswap.V3_FACTORY] = _account(factory.deployed(), listed)
    ours[uniswap.LENS] = _account(compiled("TickLens").deployed())
    ours[uniswap.QUOTER] = _account(
        compiled("V3Quoter").deployed(factory=number["V3_FACTORY"], WETH9=number["WRAPPED"])
    )
    router = compiled("V3Router")
    ours[uniswap.ROUTER] = _account(
        router.deployed(
            factoryV2=number["V2_FACTORY"], factory=number["V3_FACTORY"], WETH9=number["WRAPPED"]
        ),
        {router.slots["amount_in"]: UNLIMITED},
    )
    return ours


def _account(code: bytes, storage: dict[int, int] | None = None) -> dict[str, Any]:
    return {"balance": 0, "nonce": 1, "code": code, "storage": storage or {}}
