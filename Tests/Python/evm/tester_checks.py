"""Our node beside eth-tester's, both on py-evm: does what we built around the EVM tell the same?

`chain.py`, `pool.py`, `methods.py` and `encoding.py` are ours, and `dex` believes what they answer.
eth-tester has code of its own for all of that (blocks, receipts, logs, JSON-RPC through web3.py),
but neither a pool, nor batches, nor geth's words, so it cannot stand in for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from eth_account import Account
from eth_tester import EthereumTester, PyEVMBackend
from eth_tester.exceptions import TransactionFailed
from eth_utils import to_checksum_address
from web3 import EthereumTesterProvider, Web3
from web3.exceptions import Web3RPCError
from web3.providers import BaseProvider

from chain import EVMChain
from deployment import build_genesis
from failures import RPCError
from market import (
    ETHER,
    EXCHANGE,
    MAKER,
    PROXY,
    TAKER,
    TAKER_KEY,
    TOKENS,
    Order,
    call_data,
    configuration,
    topic,
    word,
)
from methods import Methods

# That of eth-tester cannot be chosen.
CHAIN_ID = 131277322940537
FILLED = topic(
    "LogFill(address,address,address,address,address,"
    "uint256,uint256,uint256,uint256,bytes32,bytes32)"
)
# In a block: what the state roots and the transactions decide. eth-tester draws the random value
# of each block, so hashes differ.
BLOCK = ("number", "timestamp", "gasLimit", "gasUsed", "baseFeePerGas", "miner", "transactions")
ROOTS = ("stateRoot", "transactionsRoot", "receiptsRoot", "size")
RECEIPT = (
    "transactionHash",
    "transactionIndex",
    "blockNumber",
    "from",
    "to",
    "contractAddress",
    "status",
    "type",
    "gasUsed",
    "cumulativeGasUsed",
    "effectiveGasPrice",
    "logs",
)
# eth-tester counts logs from 0 in each transaction, where a node counts through the block.
LOG = ("address", "topics", "data", "transactionIndex", "transactionHash", "blockNumber")
SENT = ("hash", "nonce", "from", "to", "value", "gas", "input", "type", "v", "r", "s")


class _Ours(BaseProvider):
    """web3.py straight on our methods."""

    def __init__(self, methods: Methods) -> None:
        super().__init__()
        self._methods = methods

    def make_request(self, method: str, params: Sequence[Any]) -> Any:
        try:
            return {"jsonrpc": "2.0", "id": 1, "result": self._methods.answer(method, params)}
        except RPCError as error:
            return {"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": str(error)}}


class _Pair:
    """The same first state on both nodes, and the same transactions."""

    def __init__(self) -> None:
        state = configuration(chainId=CHAIN_ID)
        self.backend = PyEVMBackend(*build_genesis(state))
        self.theirs = Web3(EthereumTesterProvider(EthereumTester(self.backend)))
        self.chain = EVMChain(state)
        self.chain.automine = False
        self.ours = Web3(_Ours(Methods(self.chain)))
        self.nonce = 0

    def send(self, to: str, data: bytes = b"", value: int = 0, kind: int = 2) -> bytes:
        """One transaction of the taker's to both; `kind` is its type. Its hash."""
        fields: dict[str, Any] = {
            "chainId": CHAIN_ID,
            "nonce": self.nonce,
            "to": to_checksum_address(to),
            "data": data,
            "value": value,
            "gas": 700_000,
        }
        if kind == 2:
            fields |= {"type": 2, "maxFeePerGas": 3 * 10**9, "maxPriorityFeePerGas": 10**9}
        else:
            fields |= {"gasPrice": 3 * 10**9}
        if kind == 1:
            slots = ["0x" + "00" * 32]
            fields |= {
                "type": 1,
                "accessList": [{"address": to_checksum_address(to), "storageKeys": slots}],
            }
        raw = Account.sign_transaction(fields, TAKER_KEY).raw_transaction
        self.nonce += 1
        # Past eth-tester's validation, which refuses a second transaction of one sender in a block.
        self.backend.send_raw_transaction(raw)
        return bytes(self.ours.eth.send_raw_transaction(raw))

    def mine(self) -> None:
        """A block on both, at the time that eth-tester gives it."""
        self.backend.mine_blocks()
        self.chain.next_timestamp = self.theirs.eth.get_block("latest")["timestamp"]
        self.chain.mine()

    def compare(self, what: str, question: Callable[[Web3], Any]) -> Iterator[str]:
        """A sentence where the two answer a question differently."""
        ours, theirs = question(self.ours), question(self.theirs)
        if ours != theirs:
            yield f"{what}: we answer {ours}, eth-tester {theirs}"


def _fields(item: Any, names: Sequence[str]) -> dict[str, Any]:
    """Those that both tell; `logs` by their own names."""
    values = {name: item.get(name) for name in names}
    if "logs" in values:
        values["logs"] = [_fields(log, LOG) for log in item["logs"]]
    return values


def same_node() -> Iterator[str]:
    """eth-tester's node tells the same blocks, receipts, logs and state as ours"""
    pair = _Pair()
    order = Order(expiration=2**40)
    expired = order.but(expiration=1)
    weth = TOKENS["weth"]
    approve = call_data("approve(address,uint256)", PROXY, 5 * ETHER)
    too_much = call_data("transfer(address,uint256)", MAKER, 2**255)
    blocks = [
        [
            pair.send(weth, call_data("deposit()"), value=3 * ETHER, kind=0),
            pair.send(weth, approve, kind=1),
            pair.send(EXCHANGE, order.fill(20 * ETHER, False)),
        ]
    ]
    pair.mine()
    blocks.append(
        [
            # Tells an error by a log, moves nothing, and its receipt says success.
            pair.send(EXCHANGE, expired.fill(ETHER, False)),
            # Reverts.
            pair.send(TOKENS["plain"], too_much),
            pair.send(MAKER, value=ETHER, kind=0),
        ]
    )
    pair.mine()
    # An empty block lowers the base fee.
    blocks.append([])
    pair.mine()
    blocks.append([pair.send(EXCHANGE, order.fill(ETHER, True), kind=0)])
    pair.mine()
    for number, hashes in enumerate(blocks, start=1):
        yield from pair.compare(
            f"block {number}", lambda web3: _fields(web3.eth.get_block(number), BLOCK)
        )
        # eth-tester leaves out the zeros before it.
        yield from pair.compare(
            f"bloom of block {number}",
            lambda web3: int.from_bytes(web3.eth.get_block(number)["logsBloom"]),
        )
        for name in ROOTS:
            yield from pair.compare(
                f"{name} of block {number}", lambda web3: web3.eth.get_block(number)[name]
            )
        for hash_ in hashes:
            yield from pair.compare(
                f"receipt of {hash_.hex()}",
                lambda web3: _fields(web3.eth.get_transaction_receipt(hash_), RECEIPT),
            )
            yield from pair.compare(
                f"transaction {hash_.hex()}",
                lambda web3: _fields(web3.eth.get_transaction(hash_), SENT),
            )
    yield from _state(pair, order)


def _state(pair: _Pair, order: Order) -> Iterator[str]:
    for who in (MAKER, TAKER, EXCHANGE, TOKENS["weth"], "0x" + "00" * 19 + "77"):
        address = to_checksum_address(who)
        for what, question in {
            "balance": lambda web3: web3.eth.get_balance(address),
            "balance at block 1": lambda web3: web3.eth.get_balance(address, 1),
            "nonce": lambda web3: web3.eth.get_transaction_count(address),
            "code": lambda web3: bytes(web3.eth.get_code(address)),
            "slot 0": lambda web3: bytes(web3.eth.get_storage_at(address, 0)),
        }.items():
            yield from pair.compare(f"{what} of {who}", question)
    calls = {
        "filled": (EXCHANGE, call_data("filled(bytes32)", order.hash)),
        "weth of the taker": (TOKENS["weth"], call_data("balanceOf(address)", TAKER)),
        "what is missing": (EXCHANGE, call_data("nobody()")),
    }
    for what, (to, data) in calls.items():
        yield from pair.compare(f"a call of {what}", lambda web3: _call(web3, to, data))
    filters: list[dict[str, Any]] = [
        {"fromBlock": 0, "toBlock": "latest"},
        {"fromBlock": 1, "toBlock": 1},
        {"fromBlock": 0, "address": to_checksum_address(EXCHANGE)},
        {"fromBlock": 0, "topics": [FILLED]},
        {"fromBlock": 0, "topics": [None, "0x" + word(MAKER).hex()]},
        {"fromBlock": 0, "topics": [[FILLED, "0x" + "00" * 32]]},
    ]
    for wanted in filters:
        yield from pair.compare(
            f"logs of {wanted}",
            lambda web3: [_fields(log, LOG) for log in web3.eth.get_logs(wanted)],
        )


def _call(web3: Web3, to: str, data: bytes) -> str:
    """What a call answers; where it fails, only that it does: the words are geth's with us."""
    message = {"from": to_checksum_address(TAKER), "to": to_checksum_address(to), "data": data}
    try:
        return bytes(web3.eth.call(message)).hex()
    except (TransactionFailed, Web3RPCError):
        return "fails"


CHECKS: list[Callable[[], Iterator[str]]] = [same_node]
