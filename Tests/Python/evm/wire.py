"""The values of JSON-RPC: quantities, bytes and calls."""

from __future__ import annotations

from typing import Any

from chain import NOBODY, Message


def message(request: dict[str, Any]) -> Message:
    """The call of eth_call and its like."""
    given = request.get("input", request.get("data", "0x"))
    price = number(request.get("gasPrice", 0))
    return Message(
        to=data(request["to"], 20) if request.get("to") else None,
        data=data(given),
        sender=data(request["from"], 20) if request.get("from") else NOBODY,
        value=number(request.get("value", 0)),
        gas=number(request["gas"]) if request.get("gas") else None,
        access_list=[
            (data(item["address"], 20), [int(key, 16) for key in item["storageKeys"]])
            for item in request.get("accessList") or []
        ],
        max_fee=price or number(request.get("maxFeePerGas", 0)),
        max_tip=price or number(request.get("maxPriorityFeePerGas", 0)),
    )


def listed(value: Any) -> list[str]:
    """One or many, as a list."""
    return [value] if isinstance(value, str) else value


def number(value: Any) -> int:
    """A quantity, or a plain number."""
    return int(value, 16) if isinstance(value, str) else int(value)


def data(digits: str, length: int | None = None) -> bytes:
    """The bytes of hexadecimal text, of which there must be as many as given."""
    if digits[:2] not in ("0x", "0X"):
        raise ValueError(f"{digits[:80]!r} has no 0x in front")
    found = bytes.fromhex(digits[2:])
    if length is not None and len(found) != length:
        raise ValueError(f"{len(found)} bytes where {length} are wanted")
    return found


def text(content: bytes) -> str:
    """`0x` and two digits a byte."""
    return f"0x{content.hex()}"
