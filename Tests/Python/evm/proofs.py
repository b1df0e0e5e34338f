"""State proofs (EIP-1186) from py-evm's tries, by py-trie: nothing of them is dex's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import rlp
import wire
from eth.rlp.accounts import Account
from eth_utils import keccak
from trie import HexaryTrie


def proof_object(database: Any, root: bytes, address: bytes, slots: Sequence[int]) -> Any:
    """An account and words of its storage, each with its way from the root of the state."""
    state = HexaryTrie(database, root)
    key = keccak(address)
    value = state[key]
    account = rlp.decode(value, Account) if value else Account()
    storage = HexaryTrie(database, account.storage_root)
    return {
        "address": wire.text(address),
        "accountProof": _nodes(state, key),
        "balance": hex(account.balance),
        "codeHash": wire.text(account.code_hash),
        "nonce": hex(account.nonce),
        "storageHash": wire.text(account.storage_root),
        "storageProof": [_word(storage, slot) for slot in slots],
    }


def _word(storage: HexaryTrie, slot: int) -> Any:
    key = keccak(slot.to_bytes(32, "big"))
    value = storage[key]
    return {
        "key": hex(slot),
        "value": hex(rlp.decode(value, rlp.sedes.big_endian_int) if value else 0),
        "proof": _nodes(storage, key),
    }


def _nodes(trie: HexaryTrie, key: bytes) -> list[str]:
    """The nodes of a way; those below 32 bytes stand in their parents."""
    nodes = [rlp.encode(node) for node in trie.get_proof(key)]
    return [wire.text(node) for place, node in enumerate(nodes) if place == 0 or len(node) >= 32]
