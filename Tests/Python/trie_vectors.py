#!/usr/bin/env python3
"""Makes the vectors of tries, state proofs and headers in Tests/EthereumTests/Vectors.

The inputs are chosen here with fixed seeds. Roots and proofs are what PyPI's trie answers, headers
and base fees what py-evm answers; no code of dex takes part. After a change:

    .build/python/bin/python Tests/Python/trie_vectors.py Tests/EthereumTests/Vectors

chain.json beside them is no output: it has headers and proofs of chains as nodes gave them, found in
public repositories, and a run checks each hash in it once more.
"""

import json
import random
import sys
from pathlib import Path

import rlp
from eth.constants import BLANK_ROOT_HASH
from eth.rlp.headers import BlockHeader
from eth.vm.forks.cancun.blocks import CancunBlockHeader
from eth.vm.forks.london.blocks import LondonBlockHeader
from eth.vm.forks.london.headers import calculate_expected_base_fee_per_gas
from eth.vm.forks.prague.blocks import PragueBlockHeader
from eth.vm.forks.shanghai.blocks import ShanghaiBlockHeader
from eth_utils import keccak
from trie import HexaryTrie

RANDOM = random.Random(20261129)


def hexed(data):
    return "0x" + bytes(data).hex()


def node_list(trie, key):
    """The nodes of a proof, each in RLP; those below 32 bytes stand in their parents."""
    nodes = [rlp.encode(node) for node in trie.get_proof(key)]
    return [hexed(node) for place, node in enumerate(nodes) if place == 0 or len(node) >= 32]


def trie_of(entries):
    trie = HexaryTrie({})
    for key, value in entries.items():
        trie[key] = value
    return trie


# Tries


def short_entries(count, longest):
    """Keys of a few bytes, so that some begin with others and nodes stand in their parents."""
    entries = {}
    while len(entries) < count:
        key = RANDOM.randbytes(RANDOM.randint(1, longest))
        entries[key] = RANDOM.randbytes(RANDOM.choice((1, 1, 2, 3, 31, 32, 33, 60)))
    return entries


def sets():
    for count, longest in ((1, 1), (2, 1), (3, 2), (9, 2), (16, 1), (40, 2), (120, 3), (200, 6)):
        entries = short_entries(count, longest)
        trie = trie_of(entries)
        asked = RANDOM.sample(sorted(entries), min(count, 8))
        asked += [RANDOM.randbytes(RANDOM.randint(1, longest)) for _ in range(6)]
        yield {
            "entries": [[hexed(key), hexed(value)] for key, value in entries.items()],
            "root": hexed(trie.root_hash),
            "proofs": [
                {
                    "key": hexed(key),
                    "value": hexed(entries[key]) if key in entries else None,
                    "nodes": node_list(trie, key),
                }
                for key in asked
            ],
        }


def sequences():
    """Insertions, changes and removals, with the root after each ten of them."""
    for longest in (1, 2, 4):
        trie = HexaryTrie({}, prune=True)
        kept, steps, roots = {}, [], []
        for step in range(400):
            draining = step % 200 > 140
            if kept and RANDOM.random() < (0.8 if draining else 0.3):
                key, value = RANDOM.choice(sorted(kept)), b""
                del kept[key], trie[key]
            else:
                key = RANDOM.randbytes(RANDOM.randint(1, longest))
                value = RANDOM.randbytes(RANDOM.choice((1, 2, 20, 40)))
                kept[key] = trie[key] = value
            steps.append([hexed(key), hexed(value)])
            if step % 10 == 9:
                roots.append(hexed(trie.root_hash))
        yield {"steps": steps, "roots": roots}


def hashed():
    """The key keccak(i) with a value that follows from it, for i below a count; then without every
    third one."""
    for count in (1, 2, 17, 300, 2000):
        trie = HexaryTrie({}, prune=True)
        for number in range(count):
            key = keccak(number.to_bytes(4, "big"))
            trie[key] = keccak(key)[: 1 + number % 32]
        full = hexed(trie.root_hash)
        for number in range(0, count, 3):
            del trie[keccak(number.to_bytes(4, "big"))]
        yield {"count": count, "root": full, "rest": hexed(trie.root_hash)}


def lists():
    """A list under the RLP of its places; value i is i + 1 bytes of i."""
    for count in (0, 1, 2, 16, 127, 128, 129, 256, 300):
        entries = {
            rlp.encode(rlp.sedes.big_endian_int.serialize(place)): bytes([place & 255]) * (1 + place)
            for place in range(count)
        }
        yield {"count": count, "root": hexed(trie_of(entries).root_hash)}


# State proofs


def account_value(nonce, balance, root, code):
    number = rlp.sedes.big_endian_int.serialize
    return rlp.encode([number(nonce), number(balance), root, code])


def quantity(number):
    return hex(number)


def ending(trie, key):
    """How the proof of a key that is not there ends."""
    nodes = trie.get_proof(key)
    last = nodes[-1] if nodes else None
    if last is None:
        return "empty trie"
    if len(last) == 17:
        return "empty way"
    return "other leaf" if last[0][0] >= 0x20 else "other path"


def absent_keys(trie, make, kinds):
    """Something whose key is not in a trie, for each way in which that can be."""
    found = {}
    for _ in range(200_000):
        item = make()
        kind = ending(trie, keccak(item))
        if keccak(item) not in trie:
            found.setdefault(kind, item)
        if set(found) >= kinds:
            return found
    raise SystemExit(f"only {sorted(found)}")


def storage_of(size):
    words = {}
    while len(words) < size:
        slot = RANDOM.choice((RANDOM.randrange(8), RANDOM.getrandbits(256)))
        words[slot.to_bytes(32, "big")] = RANDOM.choice(
            (1, 127, 128, RANDOM.getrandbits(64) | 1, 2**256 - 1)
        )
    number = rlp.sedes.big_endian_int.serialize
    trie = trie_of({keccak(slot): rlp.encode(number(word)) for slot, word in words.items()})
    return words, trie


KINDS = {"empty way", "other leaf", "other path"}


def state():
    accounts, storages = {}, {}
    for size in (0, 0, 0, 1, 2, 30, 200) + (0,) * 120:
        address = RANDOM.randbytes(20)
        words, storage = storage_of(size)
        code = keccak(RANDOM.randbytes(8)) if size else keccak(b"")
        nonce = RANDOM.choice((0, 1, 255, 256, 2**64 - 2))
        balance = RANDOM.choice((1, 10**18, RANDOM.getrandbits(90), 2**256 - 1))
        accounts[address] = (nonce, balance, storage.root_hash, code)
        storages[address] = (words, storage)
    trie = trie_of({keccak(address): account_value(*of) for address, of in accounts.items()})
    cases = []

    def case(name, address, slots):
        nonce, balance, root, code = accounts.get(address, (0, 0, BLANK_ROOT_HASH, keccak(b"")))
        words, storage = storages.get(address, ({}, HexaryTrie({})))
        cases.append(
            {
                "name": name,
                "slots": [hexed(slot) for slot in slots],
                "words": [quantity(words.get(slot, 0)) for slot in slots],
                "present": address in accounts,
                "account": {
                    "nonce": quantity(nonce),
                    "balance": quantity(balance),
                    "storageHash": hexed(root),
                    "codeHash": hexed(code),
                },
                "answer": {
                    "address": hexed(address),
                    "accountProof": node_list(trie, keccak(address)),
                    "balance": quantity(balance),
                    "codeHash": hexed(code),
                    "nonce": quantity(nonce),
                    "storageHash": hexed(root),
                    "storageProof": [
                        {
                            "key": hexed(slot),
                            "value": quantity(words.get(slot, 0)),
                            "proof": node_list(storage, keccak(slot)) if words else [],
                        }
                        for slot in slots
                    ],
                },
            }
        )

    by_size = sorted(accounts, key=lambda address: len(storages[address][0]))
    case("an account without storage", by_size[0], [])
    case("words of an account without storage", by_size[1], [bytes(32), RANDOM.randbytes(32)])
    for address in by_size[-4:]:
        words, storage = storages[address]
        present = RANDOM.sample(sorted(words), min(3, len(words)))
        kinds = KINDS if len(words) > 100 else {"empty way", "other leaf"}
        kinds = {"other leaf"} if len(words) == 1 else kinds
        if len(words) == 2:
            kinds = {ending(storage, keccak(bytes(31) + b"\x99"))}
        absent = absent_keys(storage, lambda: RANDOM.randbytes(32), kinds)
        case(f"a contract with {len(words)} words", address, present + sorted(absent.values()))
    for kind, address in sorted(absent_keys(trie, lambda: RANDOM.randbytes(20), KINDS).items()):
        case(f"no account: {kind}", address, [bytes(32)])
    return {"root": hexed(trie.root_hash), "cases": cases}


# Headers


def block(header):
    """A header as a node writes it."""
    texts = {
        "parentHash": hexed(header.parent_hash),
        "sha3Uncles": hexed(header.uncles_hash),
        "miner": hexed(header.coinbase),
        "stateRoot": hexed(header.state_root),
        "transactionsRoot": hexed(header.transaction_root),
        "receiptsRoot": hexed(header.receipt_root),
        "logsBloom": f"0x{header.bloom:0512x}",
        "difficulty": quantity(header.difficulty),
        "number": quantity(header.block_number),
        "gasLimit": quantity(header.gas_limit),
        "gasUsed": quantity(header.gas_used),
        "timestamp": quantity(header.timestamp),
        "extraData": hexed(header.extra_data),
        "mixHash": hexed(header.mix_hash),
        "nonce": hexed(header.nonce),
    }
    later = {
        "baseFeePerGas": ("base_fee_per_gas", quantity),
        "withdrawalsRoot": ("withdrawals_root", hexed),
        "blobGasUsed": ("blob_gas_used", quantity),
        "excessBlobGas": ("excess_blob_gas", quantity),
        "parentBeaconBlockRoot": ("parent_beacon_block_root", hexed),
        "requestsHash": ("requests_hash", hexed),
    }
    names = {name for name, _ in type(header)._meta.fields}
    for name, (member, write) in later.items():
        if member in names:
            texts[name] = write(getattr(header, member))
    return texts | {"hash": hexed(header.hash)}


def number(bits):
    """A number of up to so many bits, near the ends more often than chance would have it."""
    return RANDOM.choice((0, 1, 127, 128, 2**bits - 1, RANDOM.getrandbits(RANDOM.randint(1, bits))))


def header(kind):
    parts = {
        "parent_hash": RANDOM.randbytes(32),
        "uncles_hash": RANDOM.randbytes(32),
        "coinbase": RANDOM.randbytes(20),
        "state_root": RANDOM.randbytes(32),
        "transaction_root": RANDOM.randbytes(32),
        "receipt_root": RANDOM.randbytes(32),
        "bloom": RANDOM.choice((0, 1, 2**2048 - 1, RANDOM.getrandbits(2048))),
        "difficulty": number(256),
        "block_number": number(64),
        "gas_limit": number(64),
        "gas_used": number(64),
        "timestamp": number(64),
        "extra_data": RANDOM.randbytes(RANDOM.choice((0, 1, 32))),
        "mix_hash": RANDOM.randbytes(32),
        "nonce": RANDOM.choice((bytes(8), RANDOM.randbytes(8))),
    }
    names = {name for name, _ in kind._meta.fields}
    later = {
        "base_fee_per_gas": number(256),
        "withdrawals_root": RANDOM.randbytes(32),
        "blob_gas_used": number(64),
        "excess_blob_gas": number(64),
        "parent_beacon_block_root": RANDOM.randbytes(32),
        "requests_hash": RANDOM.randbytes(32),
    }
    return kind(**parts, **{name: value for name, value in later.items() if name in names})


def headers():
    kinds = {
        "Frontier": BlockHeader,
        "London": LondonBlockHeader,
        "Shanghai": ShanghaiBlockHeader,
        "Cancun": CancunBlockHeader,
        "Prague": PragueBlockHeader,
    }
    for name, kind in kinds.items():
        for _ in range(6):
            made = header(kind)
            yield {"fork": name, "rlp": hexed(rlp.encode(made)), "block": block(made)}


def base_fees():
    for _ in range(120):
        limit = RANDOM.choice((5_000, 30_000_000, 60_000_000, RANDOM.getrandbits(48) | 2))
        used = min(limit, RANDOM.choice((0, 1, limit // 2, limit // 2 + 1, limit, RANDOM.randrange(limit))))
        fee = RANDOM.choice((0, 1, 7, 8, 9, 10**9, RANDOM.getrandbits(40), RANDOM.getrandbits(120)))
        parent = LondonBlockHeader(
            difficulty=0, block_number=1, gas_limit=limit, gas_used=used, base_fee_per_gas=fee
        )
        following = calculate_expected_base_fee_per_gas(parent)
        yield [str(fee), str(used), str(limit), str(following)]


def check_chain(path):
    """The headers and proofs that nodes gave hash to what they claim."""
    names = list(block(header(PragueBlockHeader)))[:-1] + ["blockAccessListHash", "slotNumber"]
    numbers = {"difficulty", "number", "gasLimit", "gasUsed", "timestamp", "baseFeePerGas"}
    numbers |= {"blobGasUsed", "excessBlobGas", "slotNumber"}
    given = json.loads(path.read_text())
    for entry in given["headers"]:
        fields = []
        for name in names:
            text = entry["block"].get(name)
            if text is not None and name in numbers:
                fields.append(rlp.sedes.big_endian_int.serialize(int(text, 16)))
            elif text is not None:
                fields.append(bytes.fromhex(text[2:]))
        assert len(fields) == entry["fields"], entry["chain"]
        assert hexed(keccak(rlp.encode(fields))) == entry["block"]["hash"], entry["chain"]
    for entry in given["proofs"]:
        first = bytes.fromhex(entry["answer"]["accountProof"][0][2:])
        assert hexed(keccak(first)) == entry["root"], entry["chain"]


def main():
    folder = Path(sys.argv[1])
    check_chain(folder / "chain.json")
    for name, content in {
        "tries": {
            "sets": list(sets()),
            "sequences": list(sequences()),
            "hashed": list(hashed()),
            "lists": list(lists()),
        },
        "state-proofs": state(),
        "headers": {"headers": list(headers()), "baseFees": list(base_fees())},
    }.items():
        text = json.dumps(content, separators=(",", ":"))
        # One case a line: a change is seen in a comparison.
        text = text.replace("},{", "},\n{")
        (folder / f"{name}.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
