"""eth-account on the transactions and messages that our own code signs, and the other way round.

`signatures.py judge FILE` judges what FILE holds, in the form that `make` prints.
`signatures.py make SEED COUNT` prints COUNT transactions of each type and as many messages, signed
and tampered with: {"transactions": [...], "messages": [...], "tampered": [...]}. Numbers are
decimal texts, bytes hexadecimal ones.
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any

from checks import Check, report
from eth_account import Account
from eth_account.messages import encode_defunct
from eth_utils import keccak, to_checksum_address

CURVE_ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
NUMBERS = ["chainId", "nonce", "gas", "value", "gasPrice", "maxFeePerGas", "maxPriorityFeePerGas"]


def text(content: bytes) -> str:
    """`0x` and two digits a byte."""
    return "0x" + content.hex()


def content(item: str) -> bytes:
    """The bytes of hexadecimal text."""
    return bytes.fromhex(item.removeprefix("0x"))


def signed_anew(item: dict[str, Any]) -> bytes:
    """The raw transaction that eth-account makes of the fields and the key."""
    fields: dict[str, Any] = {name: int(item[name]) for name in NUMBERS if item.get(name)}
    fields["data"] = content(item["data"])
    fields["to"] = to_checksum_address(item["to"]) if item["to"] else b""
    if item["type"] != "0":
        fields["type"] = int(item["type"])
        fields["accessList"] = item["accessList"]
    return Account.sign_transaction(fields, item["key"]).raw_transaction


def transactions(check: Check, given: dict[str, Any]) -> None:
    """every transaction has the sender, the hash and the bytes that eth-account finds"""
    for item in given["transactions"]:
        raw = content(item["raw"])
        name = f"{item['raw'][:80]} of type {item['type']}"
        check.equal(Account.from_key(item["key"]).address, item["sender"], "the account of a key")
        check.equal(Account.recover_transaction(raw), item["sender"], f"the sender of {name}")
        check.equal(text(keccak(raw)), item["hash"], f"the hash of {name}")
        check.equal(signed_anew(item), raw, f"the bytes of {name}")


def messages(check: Check, given: dict[str, Any]) -> None:
    """every message's signature recovers, and is the one that eth-account makes"""
    for item in given["messages"]:
        message = encode_defunct(content(item["message"]))
        found = Account.recover_message(message, signature=item["signature"])
        check.equal(found, item["sender"], f"the signer of {item['message'][:80]}")
        made = Account.sign_message(message, item["key"])
        check.equal(text(made.signature), item["signature"], f"the signature of {item['message']}")


def number(generator: random.Random, bits: int) -> int:
    """A number whose size is as random as its value."""
    return generator.getrandbits(generator.randrange(bits + 1))


def fields(generator: random.Random, kind: int, index: int) -> dict[str, Any]:
    """The fields of a random transaction, as eth-account takes them."""
    to = generator.randbytes(20)
    made: dict[str, Any] = {
        "nonce": min(number(generator, 64), 2**64 - 2),
        "gas": number(generator, 64),
        "value": number(generator, 256),
        "data": generator.randbytes(generator.choice([0, 1, 4, 55, 56, 68, 300])),
        "to": to_checksum_address(to) if index % 5 else b"",
    }
    # Every seventh legacy transaction is from before EIP-155.
    if kind or index % 7:
        made["chainId"] = 1 + number(generator, 61)
    if kind == 2:
        made["maxFeePerGas"] = number(generator, 256)
        made["maxPriorityFeePerGas"] = number(generator, 256)
    else:
        made["gasPrice"] = number(generator, 256)
    if kind:
        made["type"] = kind
        made["accessList"] = [
            {
                "address": to_checksum_address(generator.randbytes(20)),
                "storageKeys": [
                    text(generator.randbytes(32)) for _ in range(generator.randrange(3))
                ],
            }
            for _ in range(generator.randrange(4))
        ]
    return made


def make(seed: int, count: int) -> dict[str, Any]:
    """Signed and tampered transactions and messages of accounts that follow from the seed."""
    generator = random.Random(seed)
    made: dict[str, list[dict[str, Any]]] = {"transactions": [], "messages": [], "tampered": []}
    for index in range(count):
        account = Account.from_key(generator.randrange(1, CURVE_ORDER).to_bytes(32, "big"))
        for kind in (0, 1, 2):
            given = fields(generator, kind, index)
            signed = account.sign_transaction(given)
            item: dict[str, Any] = {name: str(given[name]) for name in NUMBERS if name in given}
            item |= {
                "type": str(kind),
                "to": given["to"] or "",
                "data": text(given["data"]),
                "accessList": given.get("accessList", []),
                "raw": text(signed.raw_transaction),
                "hash": text(signed.hash),
                "sender": account.address,
                "key": text(account.key),
            }
            made["transactions"].append(item)
            made["tampered"] += tampered(generator, bytes(signed.raw_transaction), account.address)
        message = generator.randbytes(generator.choice([0, 1, 9, 10, 31, 32, 33, 99, 100, 1_000]))
        signature = account.sign_message(encode_defunct(message)).signature
        made["messages"].append({
            "message": text(message), "signature": text(signature), "sender": account.address,
            "key": text(account.key),
        })
    return made


def tampered(generator: random.Random, raw: bytes, sender: str) -> list[dict[str, Any]]:
    """The transaction with a bit flipped in some places, and who signed that, for eth-account."""
    made = []
    for place in generator.sample(range(len(raw)), 4):
        changed = bytearray(raw)
        changed[place] ^= 1 << generator.randrange(8)
        try:
            found = Account.recover_transaction(bytes(changed))
        except Exception:
            # Whatever it finds wrong, it found something.
            found = ""
        made.append({"raw": text(bytes(changed)), "sender": sender, "recovered": found})
    return made


if __name__ == "__main__":
    if sys.argv[1] == "make":
        json.dump(make(int(sys.argv[2]), int(sys.argv[3])), sys.stdout)
    else:
        with open(sys.argv[2], encoding="utf-8") as stream:
            report([transactions, messages], json.load(stream))
