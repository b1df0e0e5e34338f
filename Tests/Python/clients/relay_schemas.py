"""The shapes of the standard relayer API v0, written as JSON schemas from its facts.

Source: docs/protocol/relay-api-v0.md, sections 2 and 3: what the published schemas of 2018 ask.
"""

from __future__ import annotations

from typing import Any

from jsonschema import Draft202012Validator

ADDRESS = {"type": "string", "pattern": "^0x[0-9a-f]{40}$"}
NUMBER = {"type": "string", "pattern": r"^\d+(\.\d+)?$"}
WORD = {"type": "string", "pattern": "^0[xX][0-9A-Fa-f]{64}$"}


def _object(required: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": required | (optional or {}),
        "required": list(required),
    }


SIGNATURE = _object({"v": {"enum": [27, 28]}, "r": WORD, "s": WORD})

# The published schema does not list the two token addresses as required; a trader needs them.
ORDER = _object({
    "exchangeContractAddress": ADDRESS,
    "maker": ADDRESS,
    "taker": ADDRESS,
    "makerTokenAddress": ADDRESS,
    "takerTokenAddress": ADDRESS,
    "feeRecipient": ADDRESS,
    "makerTokenAmount": NUMBER,
    "takerTokenAmount": NUMBER,
    "makerFee": NUMBER,
    "takerFee": NUMBER,
    "salt": NUMBER,
    "expirationUnixTimestampSec": NUMBER,
    "ecSignature": SIGNATURE,
})

ORDERS = {"type": "array", "items": ORDER, "maxItems": 100}
BOOK = _object({"bids": ORDERS, "asks": ORDERS})

TOKEN = _object(
    {"address": ADDRESS},
    {"minAmount": NUMBER, "maxAmount": NUMBER, "precision": {"type": "number"}},
)
PAIRS = {"type": "array", "items": _object({"tokenA": TOKEN, "tokenB": TOKEN}), "maxItems": 100}

FEES = _object({"feeRecipient": ADDRESS, "makerFee": NUMBER, "takerFee": NUMBER})

FIELD_ERROR = _object({
    "field": {"type": "string", "minLength": 1},
    "code": {"type": "integer", "minimum": 1000, "maximum": 1006},
    "reason": {"type": "string", "minLength": 1},
})
ERROR = _object(
    {
        "code": {"type": "integer", "minimum": 100, "maximum": 103},
        "reason": {"type": "string", "minLength": 1},
    },
    {"validationErrors": {"type": "array", "items": FIELD_ERROR, "minItems": 1}},
)


def violations(answer: Any, schema: dict[str, Any]) -> list[str]:
    """How an answer differs from a schema; nothing where it fits."""
    found = Draft202012Validator(schema).iter_errors(answer)
    return [f"{error.json_path}: {error.message[:200]}" for error in found][:5]
