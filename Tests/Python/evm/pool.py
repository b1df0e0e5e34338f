"""The transactions that wait to be mined, taken in as geth takes them in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from eth.abc import SignedTransactionAPI
from eth.constants import GAS_TX
from eth.validation import validate_lt_secpk1n2
from eth.vm.forks.prague.constants import STANDARD_TOKEN_COST, TOTAL_COST_FLOOR_PER_TOKEN
from eth_utils import ValidationError

if TYPE_CHECKING:
    from chain import EVMChain


class Refused(Exception):
    """A transaction that the node does not take, in geth's words."""


class Pool:
    """Transactions by sender and nonce."""

    def __init__(self, chain: EVMChain) -> None:
        self._chain = chain
        self._waiting: dict[bytes, dict[int, SignedTransactionAPI]] = {}
        # When each came, by hash; counts up.
        self._arrivals: dict[bytes, int] = {}
        self._arrived = 0

    def copy(self) -> Pool:
        other = Pool(self._chain)
        other._waiting = {sender: dict(queue) for sender, queue in self._waiting.items()}
        other._arrivals = dict(self._arrivals)
        other._arrived = self._arrived
        return other

    def __iter__(self) -> Iterator[SignedTransactionAPI]:
        for queue in self._waiting.values():
            yield from queue.values()

    def add(self, transaction: SignedTransactionAPI) -> None:
        """Takes a transaction in, or in place of one with its nonce.

        Raises Refused.
        """
        chain = self._chain
        if transaction.chain_id != chain.chain_id:
            if transaction.chain_id is None:
                raise Refused("only replay-protected (EIP-155) transactions allowed over RPC")
            raise Refused(
                f"invalid sender: invalid chain id for signer: have {transaction.chain_id} "
                f"want {chain.chain_id}"
            )
        if chain.is_legacy and (transaction.type_id or 0) > 1:
            raise Refused("transaction type not supported")
        if transaction.gas > chain.head.header.gas_limit:
            raise Refused("exceeds block gas limit")
        if transaction.max_priority_fee_per_gas > transaction.max_fee_per_gas:
            raise Refused("max priority fee per gas higher than max fee per gas")
        sender = _sender(transaction)
        if transaction.gas < transaction.intrinsic_gas:
            raise Refused(
                f"intrinsic gas too low: gas {transaction.gas}, "
                f"minimum needed {transaction.intrinsic_gas}"
            )
        floor = floor_gas(transaction.data)
        if transaction.gas < floor:
            raise Refused(
                f"insufficient gas for floor data gas cost: gas {transaction.gas}, "
                f"minimum needed {floor}"
            )
        state = chain.state(chain.head.header.block_number)
        nonce = state.get_nonce(sender)
        if transaction.nonce < nonce:
            raise Refused(
                f"nonce too low: next nonce {nonce}, tx nonce {transaction.nonce}"
            )
        cost = transaction.gas * transaction.max_fee_per_gas + transaction.value
        balance = state.get_balance(sender)
        if balance < cost:
            raise Refused(
                "insufficient funds for gas * price + value: "
                f"balance {balance}, tx cost {cost}, overshot {cost - balance}"
            )
        queue = self._waiting.setdefault(sender, {})
        other = queue.get(transaction.nonce)
        if other is not None:
            if other.hash == transaction.hash:
                raise Refused("already known")
            # A tenth more, of both prices.
            if (
                transaction.max_fee_per_gas * 10 < other.max_fee_per_gas * 11
                or transaction.max_priority_fee_per_gas * 10
                < other.max_priority_fee_per_gas * 11
            ):
                raise Refused("replacement transaction underpriced")
            del self._arrivals[other.hash]
        queue[transaction.nonce] = transaction
        self._arrivals[transaction.hash] = self._arrived
        self._arrived += 1

    def drop(self, transaction: SignedTransactionAPI) -> None:
        """Forgets a transaction."""
        queue = self._waiting.get(transaction.sender, {})
        queue.pop(transaction.nonce, None)
        self._arrivals.pop(transaction.hash, None)
        if not queue:
            self._waiting.pop(transaction.sender, None)

    def next_nonce(self, sender: bytes, mined: int) -> int:
        """The first nonce that neither is mined nor waits."""
        queue = self._waiting.get(sender, {})
        while mined in queue:
            mined += 1
        return mined

    def ready(self, base_fee: int) -> list[SignedTransactionAPI]:
        """What a block with this base fee may hold: each sender's in order, the best tips first."""
        chain = self._chain
        state = chain.state(chain.head.header.block_number)
        queues = []
        for sender, waiting in self._waiting.items():
            nonce = state.get_nonce(sender)
            queue = []
            while nonce in waiting and waiting[nonce].max_fee_per_gas >= base_fee:
                queue.append(waiting[nonce])
                nonce += 1
            if queue:
                queues.append(queue)
        chosen = []
        while queues:
            # Among equal tips the one that came first.
            best = max(
                queues,
                key=lambda queue: (_tip(queue[0], base_fee), -self._arrivals[queue[0].hash]),
            )
            chosen.append(best.pop(0))
            queues = [queue for queue in queues if queue]
        return chosen


def floor_gas(data: bytes) -> int:
    """The least that a transaction with this call data costs (EIP-7623), in units of gas.

    py-evm charges it, but does not refuse what offers less.
    """
    tokens = data.count(0) + STANDARD_TOKEN_COST * (len(data) - data.count(0))
    return GAS_TX + TOTAL_COST_FLOOR_PER_TOKEN * tokens


def _sender(transaction: SignedTransactionAPI) -> bytes:
    """Who signed a transaction; Refused where nobody can have, or with a high s (EIP-2)."""
    try:
        transaction.check_signature_validity()
        validate_lt_secpk1n2(transaction.s)
        return transaction.sender
    except (ValidationError, ValueError) as error:
        raise Refused("invalid sender: invalid transaction v, r, s values") from error


def _tip(transaction: SignedTransactionAPI, base_fee: int) -> int:
    return min(
        transaction.max_priority_fee_per_gas, transaction.max_fee_per_gas - base_fee
    )
