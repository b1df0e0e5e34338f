"""The shapes of the standard relayer API v4 as JSON schemas.

No package publishes them; source: docs/protocol/relay-api-v4.md, sections 1 to 3 and 5.
"""

from __future__ import annotations

from typing import Any

from jsonschema import Draft202012Validator

ADDRESS = {"type": "string", "pattern": "^0x[0-9a-f]{40}$"}
WORD = {"type": "string", "pattern": "^0x[0-9a-f]{64}$"}
NUMBER = {"type": "string", "pattern": "^(0|[1-9][0-9]*)$"}
COUNT = {"type": "integer", "minimum": 0}


def _object(required: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": required | (optional or {}),
        "required": list(required),
        "additionalProperties": False,
    }


ORDER = _object({
    "makerToken": ADDRESS,
    "takerToken": ADDRESS,
    "makerAmount": NUMBER,
    "takerAmount": NUMBER,
    "takerTokenFeeAmount": NUMBER,
    "maker": ADDRESS,
    "taker": ADDRESS,
    "sender": ADDRESS,
    "feeRecipient": ADDRESS,
    "pool": WORD,
    "expiry": NUMBER,
    "salt": NUMBER,
    "chainId": COUNT,
    "verifyingContract": ADDRESS,
    "signature": _object({
        "signatureType": {"enum": [2, 3]}, "v": {"enum": [27, 28]}, "r": WORD, "s": WORD,
    }),
})

STATES = [
    "ADDED", "FILLED", "FULLY_FILLED", "CANCELLED", "EXPIRED", "INVALID", "UNEXPIRED",
    "UNFUNDED", "FILLABILITY_INCREASED", "STOPPED_WATCHING",
]
RECORD = _object({
    "order": ORDER,
    "metaData": _object(
        {"orderHash": WORD, "remainingFillableTakerAmount": NUMBER},
        {"createdAt": {"type": "string"}, "state": {"enum": STATES}},
    ),
})


def _page(record: dict[str, Any]) -> dict[str, Any]:
    return _object({
        "total": COUNT,
        "page": {"type": "integer", "minimum": 1},
        "perPage": {"type": "integer", "minimum": 1, "maximum": 1000},
        "records": {"type": "array", "items": record, "maxItems": 1000},
    })


ORDERS = _page(RECORD)
BOOK = _object({"bids": ORDERS, "asks": ORDERS})
FEE_RECIPIENTS = _page(ADDRESS)
CONFIG = _object({"sender": ADDRESS, "feeRecipient": ADDRESS, "takerTokenFeeAmount": NUMBER})

_WORDS = {"type": "string", "minLength": 1}
# HTTP 400 carries a code, every other failure a reason alone.
REFUSAL = _object(
    {"code": {"type": "integer", "minimum": 100, "maximum": 111}, "reason": _WORDS},
    {
        "validationErrors": {
            "type": "array",
            "minItems": 1,
            "items": _object({
                "field": _WORDS,
                "code": {"type": "integer", "minimum": 1000, "maximum": 1010},
                "reason": _WORDS,
            }),
        }
    },
)
FAILURE = _object({"reason": _WORDS})


def violations(answer: Any, schema: dict[str, Any]) -> list[str]:
    """How an answer differs from a schema; nothing where it fits."""
    found = Draft202012Validator(schema).iter_errors(answer)
    return [f"{error.json_path}: {error.message[:200]}" for error in found][:5]
