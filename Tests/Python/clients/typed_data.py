"""EIP-712 typed data that eth-account hashes.

`typed_data.py make SEED COUNT` prints COUNT random messages as eth_signTypedData_v4 has them:
[{"data": {types, primaryType, domain, message}, "domain": "0x...", "message": "0x...",
"digest": "0x..."}], the hashes of the domain, of the message and of both.
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any

from eth_account.messages import encode_typed_data
from eth_utils import keccak, to_checksum_address

# Characters of several bytes, quotes and what looks like hexadecimal among it.
LETTERS = "ab ,[]{}\"\\0x\u00e9\u6cf0\U0001f600\n"

DOMAIN = [
    ("name", "string"), ("version", "string"), ("chainId", "uint256"),
    ("verifyingContract", "address"), ("salt", "bytes32"),
]


def scalar(generator: random.Random) -> str:
    """The name of an atomic type."""
    kind = generator.choice(["uint", "int", "bool", "address", "fixed", "bytes", "string"])
    if kind in ("uint", "int"):
        return f"{kind}{8 * generator.randrange(1, 33)}"
    return f"bytes{generator.randrange(1, 33)}" if kind == "fixed" else kind


def number(generator: random.Random, value: int) -> Any:
    """A number as JSON has it: an integer or a text, decimal or hexadecimal."""
    forms: list[Any] = [value, str(value)]
    if value >= 0:
        forms.append(hex(value))
    return generator.choice(forms)


def atom(generator: random.Random, kind: str) -> Any:
    """A value of an atomic type, as JSON has it."""
    if kind == "bool":
        return generator.random() < 0.5
    if kind == "address":
        address = to_checksum_address(generator.randbytes(20))
        return generator.choice([address, address.lower()])
    if kind == "string":
        return "".join(generator.choices(LETTERS, k=generator.choice([0, 1, 5, 31, 40])))
    if kind == "bytes":
        return "0x" + generator.randbytes(generator.choice([0, 1, 31, 32, 33, 100])).hex()
    if kind.startswith("bytes"):
        return "0x" + generator.randbytes(int(kind[5:])).hex()
    if kind.startswith("uint"):
        bits = int(kind[4:])
        choices = [0, 2**bits - 1, generator.getrandbits(bits)]
        return number(generator, generator.choice(choices))
    bits = int(kind[3:])
    least = -(2 ** (bits - 1))
    choices = [least, -least - 1, -1, least + generator.getrandbits(bits)]
    return number(generator, generator.choice(choices))


def value(generator: random.Random, types: dict[str, Any], kind: str) -> Any:
    """A value of any type."""
    if kind.endswith("]"):
        inner, _, count = kind[:-1].rpartition("[")
        length = int(count) if count else generator.randrange(4)
        return [value(generator, types, inner) for _ in range(length)]
    if kind in types:
        return {
            member["name"]: value(generator, types, member["type"]) for member in types[kind]
        }
    return atom(generator, kind)


def structures(generator: random.Random) -> dict[str, Any]:
    """One to four structs; the first refers to all others, be it through another."""
    # Capital and small letters, since names are sorted by their bytes.
    names = generator.sample(["Mail", "mail", "Asset", "Z", "_z", "Person", "a9"], 4)
    names = names[: generator.randrange(1, 5)]
    types: dict[str, Any] = {}
    for index, name in enumerate(names):
        kinds = [scalar(generator) for _ in range(generator.randrange(1, 4))]
        later = names[index + 1 :]
        # The next one for sure, so that all are reached; eth-account refuses others.
        kinds += later[:1] + [other for other in later if generator.random() < 0.4]
        kinds = [
            kind + "".join(
                generator.choice(["[]", f"[{generator.randrange(1, 4)}]"])
                for _ in range(generator.choice([0, 0, 0, 1, 2]))
            )
            for kind in kinds
        ]
        generator.shuffle(kinds)
        types[name] = [{"name": f"m{place}", "type": kind} for place, kind in enumerate(kinds)]
    return types


def make(seed: int, count: int) -> list[dict[str, Any]]:
    """Messages with their hashes, which follow from the seed."""
    generator = random.Random(seed)
    made: list[dict[str, Any]] = []
    for _ in range(count):
        types = structures(generator)
        primary = next(iter(types))
        members = [member for member in DOMAIN if generator.random() < 0.6]
        data = {
            "types": types | {
                "EIP712Domain": [{"name": name, "type": kind} for name, kind in members]
            },
            "primaryType": primary,
            "domain": {name: atom(generator, kind) for name, kind in members},
            "message": value(generator, types, primary),
        }
        signable = encode_typed_data(full_message=data)
        digest = keccak(b"\x19" + signable.version + signable.header + signable.body)
        made.append({
            "data": data,
            "domain": "0x" + signable.header.hex(),
            "message": "0x" + signable.body.hex(),
            "digest": "0x" + digest.hex(),
        })
    return made


if __name__ == "__main__":
    json.dump(make(int(sys.argv[2]), int(sys.argv[3])), sys.stdout)
