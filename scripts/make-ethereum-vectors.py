#!/usr/bin/env python3
"""Makes the RLP and transaction vectors of Tests/EthereumTests from independent libraries.

Needs eth-account and rlp from PyPI. The inputs are chosen here; encodings, hashes, signatures and
senders are what those libraries answer. Usage: make-ethereum-vectors.py FOLDER
"""

import json
import random
import sys
from importlib.metadata import version
from pathlib import Path

import rlp
from eth_account import Account
from eth_keys.constants import SECPK1_N
from eth_utils import keccak, to_checksum_address
from rlp.exceptions import DecodingError

RANDOM = random.Random(20261120)


def hexed(data):
    return "0x" + data.hex()


# RLP


def rlp_inputs():
    yield "no bytes", b""
    for byte in (0, 1, 0x7F, 0x80, 0xFF):
        yield f"the byte {byte}", bytes([byte])
    yield "a word", b"dex"
    for length in (2, 54, 55, 56, 57, 255, 256, 257, 1024):
        yield f"{length} bytes", RANDOM.randbytes(length)
    yield "an empty list", []
    yield "a list of words", [b"maker", b"taker"]
    yield "a list of 55 bytes", [bytes([1])] * 55
    yield "a list of 56 bytes", [bytes([1])] * 56
    yield "a long list", [RANDOM.randbytes(20) for _ in range(40)]
    yield "lists in lists", [[], [[]], [[], [[]]]]
    yield "a pair of pairs", [[b"ask", b"1"], [b"bid", b"2"]]
    nested = b"deep"
    for _ in range(30):
        nested = [nested]
    yield "30 levels", nested
    for number in (1, 15, 127, 128, 255, 256, 1024, 2**64 - 1, 2**64, 2**255, 2**256 - 1):
        yield f"the integer {number}", rlp.sedes.big_endian_int.serialize(number)


def named(value):
    return [named(item) for item in value] if isinstance(value, list) else hexed(value)


def rlp_faults():
    """Byte strings that are nearly RLP; only those that the library refuses are kept."""
    yield "nothing at all", b""
    for text in (
        "80 80", "00 00", "c0 00", "81 00", "81 7f", "81", "82 01", "b7", "b8", "b8 37", "b8 38",
        "b8 00", "b9 00 38", "b9 00 00", "ba 00 00 01", "bf", "bf ff ff ff ff ff ff ff ff",
        "bf 80 00 00 00 00 00 00 00", "c1", "c2 01", "c1 81", "c2 81 00", "c2 82 01", "f7", "f8",
        "f8 00", "f8 01 80", "f8 37 00", "f8 38", "f9 00 38", "fa 00 00 00", "ff",
        "ff ff ff ff ff ff ff ff ff", "ff 00 00 00 00 00 00 00 01", "c3 83 01 02", "c4 c3 82 01",
        "fb 00 00 00 40",
    ):
        yield text, bytes.fromhex(text)
    for name, value in list(rlp_inputs()):
        encoded = rlp.encode(value)
        if len(encoded) > 300:
            continue
        yield f"{name}, cut", encoded[:-1]
        yield f"{name}, one byte more", encoded + b"\x00"


def refused_by_rlp(data):
    try:
        rlp.decode(data, strict=True)
    except DecodingError:
        return True
    return False


# Transactions


def access_list(entries):
    return [
        {
            "address": to_checksum_address(RANDOM.randbytes(20)),
            "storageKeys": [hexed(RANDOM.randbytes(32)) for _ in range(count)],
        }
        for count in entries
    ]


def transaction_inputs():
    edges = [0, 1, 127, 128, 255, 256, 2**32, 2**63]
    for index in range(54):
        kind = index % 3
        fields = {
            "nonce": edges[index % len(edges)],
            "gas": 21_000 + edges[(index * 3) % len(edges)],
            "value": [0, 1, 10**18, 2**128, 2**256 - 1][index % 5],
            "data": hexed(RANDOM.randbytes([0, 1, 4, 55, 56, 388][index % 6])),
            "chainId": [1, 5, 1337, 42_161, 2**31][index % 5],
        }
        if index % 9 != 8:
            fields["to"] = to_checksum_address(RANDOM.randbytes(20))
        if kind == 2:
            fields["type"] = 2
            fields["maxFeePerGas"] = RANDOM.randrange(2**40)
            fields["maxPriorityFeePerGas"] = RANDOM.randrange(2**20)
        else:
            fields["gasPrice"] = RANDOM.randrange(2**40)
        if kind == 1:
            fields["type"] = 1
        if kind > 0:
            fields["accessList"] = access_list([[], [0], [1], [2, 0, 3]][index % 4])
        if kind == 0 and index % 2 == 0:
            del fields["chainId"]
        yield ["legacy", "access list", "dynamic fee"][kind] + f" {index}", fields


def signed(fields):
    return Account.sign_transaction(fields, hexed(RANDOM.randbytes(32)))


def spoiled():
    """Signed transactions with one thing wrong; each names what."""
    base = {"nonce": 9, "gas": 21_000, "value": 5, "data": "0x1234", "chainId": 1}
    base["to"] = to_checksum_address(RANDOM.randbytes(20))
    dynamic = base | {"type": 2, "maxFeePerGas": 1000, "maxPriorityFeePerGas": 7, "accessList": []}
    listed = base | {"type": 1, "gasPrice": 1000, "accessList": access_list([2])}
    samples = [
        ("legacy", base | {"gasPrice": 1000}, 0, {"nonce": 0, "to": 3, "v": 6, "list": None}),
        ("access list", listed, 1, {"nonce": 1, "to": 4, "v": 8, "list": 7}),
        ("dynamic fee", dynamic, 1, {"nonce": 1, "to": 5, "v": 9, "list": 8}),
    ]
    for name, fields, prefix, place in samples:
        raw = bytes(signed(fields).raw_transaction)
        head, items = raw[:prefix], rlp.decode(raw[prefix:])

        def changed(index, value, head=head, items=items):
            copy = list(items)
            copy[index] = value
            return head + rlp.encode(copy)

        v, r, s = place["v"], place["v"] + 1, place["v"] + 2
        yield f"{name}: a zero in front of the nonce", changed(place["nonce"], b"\x00\x09")
        yield f"{name}: a nonce written as the byte zero", changed(place["nonce"], b"\x00")
        yield f"{name}: a nonce of 65 bits", changed(place["nonce"], b"\x01" + bytes(8))
        yield f"{name}: the last nonce", changed(place["nonce"], b"\xff" * 8)
        yield f"{name}: a nonce that is a list", changed(place["nonce"], [])
        yield f"{name}: an address of 19 bytes", changed(place["to"], bytes(19))
        yield f"{name}: an address of 21 bytes", changed(place["to"], bytes(21))
        yield f"{name}: an address that is a list", changed(place["to"], [bytes(20)])
        yield f"{name}: a value of 33 bytes", changed(place["to"] + 1, b"\x01" + bytes(32))
        yield f"{name}: a zero in front of the value", changed(place["to"] + 1, b"\x00\x05")
        yield f"{name}: data that is a list", changed(place["to"] + 2, [b"\x12"])
        yield f"{name}: r is zero", changed(r, b"")
        yield f"{name}: s is zero", changed(s, b"")
        yield f"{name}: r is the group's order", changed(r, SECPK1_N.to_bytes(32, "big"))
        yield f"{name}: s is the group's order", changed(s, SECPK1_N.to_bytes(32, "big"))
        high = SECPK1_N - int.from_bytes(items[s], "big")
        yield f"{name}: s in the upper half", changed(s, high.to_bytes(32, "big"))
        yield f"{name}: a zero in front of r", changed(r, b"\x00" + items[r].rjust(32, b"\x01"))
        yield f"{name}: r of 33 bytes", changed(r, b"\x01" + items[r].rjust(32, b"\x00"))
        yield f"{name}: a parity of 2", changed(v, b"\x02" if prefix else b"\x1d")
        yield f"{name}: no parity in range", changed(v, b"\x1a")
        yield f"{name}: one field too few", head + rlp.encode(items[:-1])
        yield f"{name}: one field too many", head + rlp.encode([*items, b"\x01"])
        yield f"{name}: no list", head + rlp.encode(b"".join(i for i in items if i and isinstance(i, bytes)))
        yield f"{name}: a byte behind it", raw + b"\x00"
        yield f"{name}: a byte missing", raw[:-1]
        yield f"{name}: wrapped in a string", rlp.encode(raw)
        if prefix:
            yield f"{name}: an unknown type", b"\x05" + raw[1:]
            yield f"{name}: a reserved type", b"\x7f" + raw[1:]
            yield f"{name}: the type alone", head
            bad = place["list"]
            address, key = bytes(20), bytes(32)
            yield f"{name}: an access list that is bytes", changed(bad, b"\x01")
            yield f"{name}: an entry without keys", changed(bad, [[address]])
            yield f"{name}: an entry of three", changed(bad, [[address, [key], b""]])
            yield f"{name}: a key of 31 bytes", changed(bad, [[address, [key[1:]]]])
            yield f"{name}: an entry with a short address", changed(bad, [[address[1:], []]])
            yield f"{name}: keys that are bytes", changed(bad, [[address, key]])
    yield "no bytes", b""
    yield "a legacy transaction of no fields", rlp.encode([])


# Transactions of type 4 (EIP-7702)


def set_code_inputs():
    """Transactions of type 4, with the accounts that signed their authorizations."""
    edges = [0, 1, 127, 128, 2**32, 2**63, 2**64 - 1]
    for index in range(18):
        chain = [1, 1337, 42_161][index % 3]
        keys = [hexed(RANDOM.randbytes(32)) for _ in range([1, 2, 5][index % 3])]
        authorizations = [
            Account.sign_authorization(
                {
                    "chainId": [chain, 0, 5][(index + place) % 3],
                    "address": to_checksum_address(RANDOM.randbytes(20) if index % 4 else bytes(20)),
                    "nonce": edges[(index + place) % len(edges)],
                },
                key,
            )
            for place, key in enumerate(keys)
        ]
        fields = {
            "type": 4,
            "nonce": edges[index % 6],
            "gas": 100_000 + RANDOM.randrange(2**32),
            "value": [0, 1, 10**18, 2**256 - 1][index % 4],
            "data": hexed(RANDOM.randbytes([0, 4, 100][index % 3])),
            "chainId": chain,
            "to": to_checksum_address(RANDOM.randbytes(20)),
            "maxFeePerGas": RANDOM.randrange(2**40),
            "maxPriorityFeePerGas": RANDOM.randrange(2**20),
            "accessList": access_list([[], [0], [2, 1]][index % 3]),
            "authorizationList": authorizations,
        }
        yield f"set code {index}", fields, [Account.from_key(key).address.lower() for key in keys]


def set_code_spoiled(raw):
    """What is wrong with a few transactions of type 4, made of a good one."""
    items = rlp.decode(raw[1:])
    tuple_ = items[9][0]

    def changed(index, value):
        copy = list(items)
        copy[index] = value
        return b"\x04" + rlp.encode(copy)

    def entry(index, value):
        copy = list(tuple_)
        copy[index] = value
        return changed(9, [copy, *items[9][1:]])

    yield "no authorization", changed(9, [])
    yield "authorizations that are bytes", changed(9, b"\x01")
    yield "an authorization that is bytes", changed(9, [b"\x01"])
    yield "an authorization of five", changed(9, [tuple_[:5]])
    yield "an authorization of seven", changed(9, [[*tuple_, b"\x01"]])
    yield "a good authorization and an empty one", changed(9, [tuple_, []])
    yield "a chain of 33 bytes", entry(0, b"\x01" + bytes(32))
    yield "a zero in front of the chain", entry(0, b"\x00\x01")
    yield "a delegate of 19 bytes", entry(1, bytes(19))
    yield "a delegate of no bytes", entry(1, b"")
    yield "a nonce of 65 bits", entry(2, b"\x01" + bytes(8))
    yield "a nonce written as the byte zero", entry(2, b"\x00")
    yield "a nonce that is a list", entry(2, [])
    yield "a parity of 256", entry(3, b"\x01\x00")
    yield "r of 33 bytes", entry(4, b"\x01" + bytes(32))
    yield "s of 33 bytes", entry(5, b"\x01" + bytes(32))
    yield "a creation", changed(5, b"")
    yield "no list of authorizations", b"\x04" + rlp.encode([*items[:9], *items[10:]])
    yield "one field too many", b"\x04" + rlp.encode([*items, b"\x01"])
    yield "the type of a transaction with a tip", b"\x02" + raw[1:]
    yield "a nonce of 64 bits", changed(1, b"\xff" * 8)


def set_code_book():
    valid, first = [], None
    for name, fields, signers in set_code_inputs():
        result = signed(fields)
        raw = bytes(result.raw_transaction)
        first = first or raw
        valid.append(
            {
                "name": name,
                "raw": hexed(raw),
                "hash": hexed(keccak(raw)),
                "sender": Account.recover_transaction(raw).lower(),
                "authorizations": [
                    {"hash": hexed(bytes(entry.authorization_hash)), "signer": signer}
                    for entry, signer in zip(fields["authorizationList"], signers)
                ],
            }
        )
    invalid = [{"name": name, "raw": hexed(raw)} for name, raw in set_code_spoiled(first)]
    return {"valid": valid, "invalid": invalid}


def main():
    folder = Path(sys.argv[1])
    source = ", ".join(f"{name} {version(name)}" for name in ("eth-account", "rlp"))
    faults = [(name, data) for name, data in rlp_faults() if refused_by_rlp(data)]
    codec = {
        "source": f"scripts/make-ethereum-vectors.py with {source}",
        "valid": [
            {"name": name, "in": named(value), "out": hexed(rlp.encode(value))}
            for name, value in rlp_inputs()
        ],
        "invalid": [{"name": name, "out": hexed(data)} for name, data in faults],
    }
    transactions = []
    for name, fields in transaction_inputs():
        result = signed(fields)
        raw = bytes(result.raw_transaction)
        transactions.append(
            {
                "name": name,
                "raw": hexed(raw),
                "hash": hexed(keccak(raw)),
                "sender": Account.recover_transaction(raw).lower(),
            }
        )
    book = {
        "source": f"scripts/make-ethereum-vectors.py with {source}",
        "valid": transactions,
        "invalid": [{"name": name, "raw": hexed(raw)} for name, raw in spoiled()],
    }
    set_code = {"source": book["source"]} | set_code_book()
    for name, content in (("rlp", codec), ("transactions", book), ("set-code", set_code)):
        text = json.dumps(content, indent=1, ensure_ascii=True)
        (folder / f"{name}.json").write_text(text + "\n")
        print(name, len(content["valid"]), "valid,", len(content["invalid"]), "invalid")


main()
