"""Puts Uniswap's contracts into a chain's first state, by running their constructors.

The v3 contracts are the genuine ones (`genuine.py`), at the addresses that they have on mainnet:
each constructor runs there, since the code keeps its own address. v3 pools are created by the
factory itself; v2's are ours (`V2Pair.vy`, `V2Router.vy`), at the addresses that the genuine ones
would have.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from eth.chains.base import MiningChain
from eth.db.atomic import AtomicDB
from eth.vm.forks import PragueVM
from eth.vm.message import Message
from eth.vm.transaction_context import BaseTransactionContext
from eth_abi import encode
from eth_utils import keccak, to_canonical_address

from genuine import UNISWAP, creation_code
from native_functions import selector

V3_FACTORY = to_canonical_address("0x1f98431c8ad98523631ae4a59f267346ea31f984")
QUOTER = to_canonical_address("0x61ffe014ba17989e743c5f6cb21bf9697530b21e")
V2_ROUTER = to_canonical_address("0x7a250d5630b4cf539739df2c5dacb4c659f2488d")
ROUTER = to_canonical_address("0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45")
LENS = to_canonical_address("0xbfd8137f7d1516d3ea5ca83523914859ec47f573")
V2_FACTORY = to_canonical_address("0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f")
POSITION_MANAGER = to_canonical_address("0xc36442b4a4522e871399cd717abdd847ab11fe88")
WRAPPED = to_canonical_address("0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2")
# Ours: gives the v3 pools their liquidity.
PROVIDER = to_canonical_address("0x9003000000000000000000000000000000000001")
# Who creates everything; the account that may set fees afterwards.
OWNER = to_canonical_address("0x9003000000000000000000000000000000000002")

V2_PAIR_HASH = bytes.fromhex("96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f")
V3_POOL_HASH = bytes.fromhex(UNISWAP["UniswapV3Pool"][1])
GAS = 30_000_000


def pair_address(one: str, other: str) -> bytes:
    """Where the v2 factory would have put a pair."""
    tokens = sorted((to_canonical_address(one), to_canonical_address(other)))
    return _created(V2_FACTORY, keccak(b"".join(tokens)), V2_PAIR_HASH)


def pool_address(one: str, other: str, fee: int) -> bytes:
    """Where the v3 factory puts a pool; its fee in millionths."""
    tokens = sorted((to_canonical_address(one), to_canonical_address(other)))
    salt = keccak(encode(["address", "address", "uint24"], [*tokens, fee]))
    return _created(V3_FACTORY, salt, V3_POOL_HASH)


def _created(factory: bytes, salt: bytes, code_hash: bytes) -> bytes:
    return keccak(b"\xff" + factory + salt + code_hash)[-20:]


def deploy(
    configuration: Mapping[str, Any],
    parameters: Mapping[str, Any],
    accounts: dict[bytes, dict[str, Any]],
) -> None:
    """Adds the contracts and the v3 pools to accounts of block 0.

    Raises ValueError where a constructor or a call fails.
    """
    builder = _Builder(configuration, parameters, accounts)
    uniswap = configuration["uniswap"]
    v2_factory = to_canonical_address(uniswap.get("routerV2Factory", "0x" + V2_FACTORY.hex()))
    builder.create(V3_FACTORY, "UniswapV3Factory", [], [])
    builder.create(QUOTER, "QuoterV2", ["address"] * 2, [V3_FACTORY, WRAPPED])
    builder.create(
        ROUTER,
        "SwapRouter02",
        ["address"] * 4,
        [v2_factory, V3_FACTORY, POSITION_MANAGER, WRAPPED],
    )
    builder.create(LENS, "TickLens", [], [])
    # The tier that governance added later.
    builder.call(V3_FACTORY, "enableFeeAmount(uint24,int24)", [100, 1])
    for pool in uniswap.get("pools", []):
        _add_pool(builder, pool)
    builder.write(accounts)


def _add_pool(builder: _Builder, pool: Mapping[str, Any]) -> None:
    fee = int(pool["fee"])
    tokens = [to_canonical_address(token) for token in pool["tokens"]]
    answer = builder.call(V3_FACTORY, "createPool(address,address,uint24)", [*tokens, fee])
    where = answer[-20:]
    if where != pool_address(*pool["tokens"], fee):
        raise ValueError(f"the factory created 0x{where.hex()}")
    if "sqrtPrice" not in pool:
        return
    builder.call(where, "initialize(uint160)", [int(pool["sqrtPrice"])])
    for lower, upper, liquidity in pool.get("ranges", []):
        builder.call(
            PROVIDER,
            "provide(address,int24,int24,uint128)",
            [where, int(lower), int(upper), int(liquidity)],
        )


class _Builder:
    """Runs messages on a state, and knows which accounts and slots they touched."""

    def __init__(
        self,
        configuration: Mapping[str, Any],
        parameters: Mapping[str, Any],
        accounts: dict[bytes, dict[str, Any]],
    ) -> None:
        chain_id = int(configuration.get("chainId", 1337))
        kind = type(
            "Chain",
            (MiningChain,),
            {"chain_id": chain_id, "vm_configuration": ((0, PragueVM),)},
        )
        chain = kind.from_genesis(AtomicDB(), dict(parameters), accounts)
        self._state = chain.get_vm(chain.get_canonical_head()).state
        self._touched: dict[bytes, set[int]] = {}
        store = self._state.set_storage

        def set_storage(address: bytes, slot: int, value: int) -> None:
            self._touched.setdefault(address, set()).add(slot)
            store(address, slot, value)

        create = self._state.set_code

        def set_code(address: bytes, code: bytes) -> None:
            self._touched.setdefault(address, set())
            create(address, code)

        self._state.set_storage = set_storage
        self._state.set_code = set_code

    def create(self, where: bytes, name: str, types: list[str], values: list[Any]) -> None:
        """Runs a constructor at an address of our choice."""
        code = creation_code(name) + encode(types, values)
        message = Message(GAS, b"", OWNER, 0, b"", code, create_address=where)
        self._run(name, self._state.computation_class.apply_create_message, message)

    def call(self, to: bytes, signature: str, values: list[Any]) -> bytes:
        """Calls a function and returns what it answers."""
        types = signature[signature.index("(") + 1 : -1].split(",")
        data = selector(signature) + encode(types, values)
        message = Message(GAS, to, OWNER, 0, data, self._state.get_code(to))
        return self._run(signature, self._state.computation_class.apply_message, message)

    def _run(self, name: str, apply: Any, message: Message) -> bytes:
        self._state.lock_changes()
        computation = apply(self._state, message, BaseTransactionContext(0, OWNER))
        if computation.is_error:
            raise ValueError(f"{name}: {computation.error!r} {computation.output!r}")
        return computation.output

    def write(self, accounts: dict[bytes, dict[str, Any]]) -> None:
        """Puts what was touched into accounts of block 0."""
        state = self._state
        for address, slots in self._touched.items():
            storage = dict(accounts.get(address, {}).get("storage", {}))
            for slot in slots:
                value = state.get_storage(address, slot)
                storage.pop(slot, None)
                if value:
                    storage[slot] = value
            accounts[address] = {
                "balance": state.get_balance(address),
                "nonce": state.get_nonce(address),
                "code": state.get_code(address),
                "storage": storage,
            }
