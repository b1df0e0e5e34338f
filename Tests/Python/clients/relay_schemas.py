"""The shapes of the standard relayer API v0 as JSON schemas.

0x's package on PyPI still has those of 2018 for addresses, numbers, signatures and errors. Those
for orders, books, pairs and fees are of later versions there, so they are written here from the
facts. Source: docs/protocol/relay-api-v0.md, sections 2 and 3.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT4

sys.path.append(str(Path(__file__).resolve().parents[1] / "suites"))

from packages import Package  # noqa: E402


def _published(*names: str) -> Registry:
    package = Package("0x_json_schemas")
    contents = (
        json.loads(package.text(f"zero_ex/json_schemas/schemas/{name}_schema.json"))
        for name in names
    )
    return Registry().with_resources(
        (content["id"], DRAFT4.create_resource(content)) for content in contents
    )


PUBLISHED = _published(
    "address", "number", "ec_signature", "ec_signature_parameter", "relayer_api_error_response"
)

# The published schema of an address came to allow capital letters later.
ADDRESS = {"allOf": [{"$ref": "/addressSchema"}, {"pattern": "^0x[0-9a-f]{40}$"}]}
NUMBER = {"$ref": "/numberSchema"}


def _object(required: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": required | (optional or {}),
        "required": list(required),
    }


SIGNATURE = {"allOf": [{"$ref": "/ecSignatureSchema"}, _object({"v": {"enum": [27, 28]}})]}

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

ERROR = {
    "allOf": [
        {"$ref": "/relayerApiErrorResponseSchema"},
        # Words for people, and a field for each thing that is wrong.
        _object(
            {"reason": {"minLength": 1}},
            {
                "validationErrors": {
                    "minItems": 1,
                    "items": _object({"field": {"minLength": 1}, "reason": {"minLength": 1}}),
                }
            },
        ),
    ]
}


def violations(answer: Any, schema: dict[str, Any]) -> list[str]:
    """How an answer differs from a schema; nothing where it fits."""
    found = Draft202012Validator(schema, registry=PUBLISHED).iter_errors(answer)
    return [f"{error.json_path}: {error.message[:200]}" for error in found][:5]
