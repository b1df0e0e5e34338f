"""Calls of contracts that eth-abi encodes, in the texts that people write.

`contract_calls.py make SEED COUNT` prints COUNT random functions with their arguments:
[{"function": "f(uint8,(bool,bytes)[])", "arguments": ["7", "[(true,0xbe)]"], "data": "0x..."}].
`data` is the selector and eth-abi's encoding; texts are those of docs/money.md, without spaces.
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any

from eth_abi import encode
from eth_utils import keccak, to_checksum_address

# What a text may be made of, quotes, brackets and characters of several bytes among it.
LETTERS = "ab ,[](){}\"\\'0x\u00e9\u6cf0\U0001f600\n"


def scalar(generator: random.Random) -> tuple[str, Any, str]:
    """A type that stands for itself, a value of it, and the value's text."""
    bits = 8 * generator.randrange(1, 33)
    size = generator.randrange(1, 33)
    kind = generator.choice(["uint", "int", "bool", "address", "fixed", "bytes", "string"])
    if kind == "uint":
        value = generator.choice([0, 2**bits - 1, generator.getrandbits(bits)])
        return f"uint{bits}", value, str(value)
    if kind == "int":
        least = -(2 ** (bits - 1))
        value = generator.choice([least, -least - 1, -1, least + generator.getrandbits(bits)])
        return f"int{bits}", value, str(value)
    if kind == "bool":
        flag = generator.random() < 0.5
        return "bool", flag, "true" if flag else "false"
    if kind == "address":
        address = to_checksum_address(generator.randbytes(20))
        return "address", address, address
    if kind == "fixed":
        content = generator.randbytes(size)
        return f"bytes{size}", content, "0x" + content.hex()
    if kind == "bytes":
        content = generator.randbytes(generator.choice([0, 1, 31, 32, 33, 100]))
        return "bytes", content, "0x" + content.hex()
    words = "".join(generator.choices(LETTERS, k=generator.choice([0, 1, 5, 31, 40])))
    return "string", words, words


def inner(name: str, text: str) -> str:
    """A text within brackets: strings stand in quotes."""
    if name != "string":
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def one(generator: random.Random, depth: int) -> tuple[str, Any, str]:
    """A type with at most so many levels of arrays and tuples, a value and its text."""
    kind = generator.choice(["scalar", "scalar", "array", "tuple"]) if depth else "scalar"
    if kind == "scalar":
        return scalar(generator)
    if kind == "tuple":
        parts = [one(generator, depth - 1) for _ in range(generator.randrange(1, 4))]
        name = "(" + ",".join(part[0] for part in parts) + ")"
        text = "(" + ",".join(inner(part[0], part[2]) for part in parts) + ")"
        return name, tuple(part[1] for part in parts), text
    # Elements are alike, so the value is repeated and not made anew.
    name, value, text = one(generator, depth - 1)
    count = generator.randrange(4)
    suffix = "[]" if count == 0 or generator.random() < 0.5 else f"[{count}]"
    listed = "[" + ",".join([inner(name, text)] * count) + "]"
    return name + suffix, [value] * count, listed


def make(seed: int, count: int) -> list[dict[str, Any]]:
    """Functions with up to four arguments, which follow from the seed."""
    generator = random.Random(seed)
    made: list[dict[str, Any]] = []
    for index in range(count):
        parts = [one(generator, 3) for _ in range(generator.randrange(5))]
        function = f"f{index}(" + ",".join(part[0] for part in parts) + ")"
        data = encode([part[0] for part in parts], [part[1] for part in parts])
        made.append({
            "function": function,
            "arguments": [part[2] for part in parts],
            "data": "0x" + (keccak(text=function)[:4] + data).hex(),
        })
    return made


if __name__ == "__main__":
    json.dump(make(int(sys.argv[2]), int(sys.argv[3])), sys.stdout)
