"""Holds the Exchange Proxy in Vyper against docs/protocol/zeroex-v4.md beyond the vectors' calls.

    python native_conformance.py Tests/ZeroExTests/Vectors/order-v4.json

Prints one JSON object: {"checks": [{"name", "differences": [...]}]}; a difference is a sentence.
Those that are about gas also have "gasUsed" and "expectedGas".
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import native_call_checks
import native_fill_checks
import native_state_checks
from native_market import (
    ETHER,
    MAKER,
    NOBODY,
    RECIPIENT,
    START,
    TAKER,
    LimitOrder,
    RfqOrder,
    call,
    fill,
    fill_all,
    stage,
    word,
)
from native_stage import Stage

# Section 9: names, calls, and the gas of the genuine contracts.
_ORDER = LimitOrder(salt=10**18)
GAS: dict[str, tuple[str, bytes, int]] = {
    "fillLimitOrder": (TAKER, fill(_ORDER, ETHER), 108_000),
    "fillLimitOrder with a fee to a fresh recipient": (
        TAKER,
        fill(_ORDER.but(taker_token_fee_amount=ETHER, fee_recipient=RECIPIENT), ETHER),
        133_000,
    ),
    "fillRfqOrder": (TAKER, fill(RfqOrder(salt=10**18), ETHER), 107_000),
    "cancelLimitOrder": (MAKER, call("cancelLimitOrder(ORDER)", _ORDER.tuple), 55_000),
    "cancelPairLimitOrders": (
        MAKER,
        call(
            "cancelPairLimitOrders(address,address,uint256)",
            _ORDER.maker_token,
            _ORDER.taker_token,
            10**12,
        ),
        53_000,
    ),
    **{
        f"batchFillLimitOrders of {count}": (
            TAKER,
            fill_all([_ORDER.but(salt=10**18 + index) for index in range(count)], [ETHER] * count),
            gas,
        )
        for count, gas in ((1, 125_000), (2, 176_000), (5, 330_000), (10, 585_000))
    },
}


def _gas() -> Iterator[dict[str, Any]]:
    for name, (sender, data, expected) in GAS.items():
        answer = stage().send(sender, data)
        yield {
            "name": f"Gas of {name}",
            "gasUsed": answer.gas_used,
            "expectedGas": expected,
            "differences": [] if answer.failure is None else [f"it is {answer.failure}"],
        }


def _number(text: str | int) -> str | int | bytes:
    """A member of an order as the encoder takes it: addresses stay text, words become bytes."""
    if isinstance(text, str) and text.startswith("0x"):
        return text if len(text) == 42 else bytes.fromhex(text[2:])
    return int(text)


def _orders(vectors: list[dict[str, Any]], limit: bool) -> Iterator[str]:
    """The hashes of signed orders, and both signatures of each, on the chain that they are for."""
    places: dict[tuple[int, str], list[dict[str, Any]]] = defaultdict(list)
    for vector in vectors:
        places[vector["chainId"], vector["verifyingContract"]].append(vector)
    for (chain_id, contract), signed in places.items():
        tokens = {vector["order"]["makerToken"] for vector in signed}
        chain = Stage(
            {
                "chainId": chain_id,
                "timestamp": START,
                "exchangeProxy": contract,
                "accounts": [{"address": NOBODY, "ether": 0}],
                "tokens": [
                    {"address": token, "symbol": "T", "name": "Token", "decimals": 18}
                    for token in tokens
                ],
            }
        )
        for vector in signed:
            order = tuple(map(_number, vector["order"].values()))
            expected = bytes.fromhex(vector["orderHash"][2:])
            data = call("getLimitOrderHash(ORDER)", order, limit=limit)
            if chain.ask(data).output != expected:
                yield f"{vector['orderHash']} is {chain.ask(data).output.hex()}"
            for kind, signature in vector["signatures"].items():
                parts = tuple(_number(signature[name]) for name in ("signatureType", "v"))
                words = tuple(word(signature[name]) for name in ("r", "s"))
                form = "getLimitOrderRelevantState(ORDER,SIGN)"
                data = call(form, order, (*parts, *words), limit=limit)
                answer = chain.ask(data).output
                if answer[:32] != expected or answer[-32:] != word(1):
                    yield f"{vector['orderHash']}, {kind}: {answer.hex()}"


def main() -> int:
    if len(sys.argv) != 2:
        print("Name the file of orders: native_conformance.py order-v4.json", file=sys.stderr)
        return 2
    vectors = json.loads(Path(sys.argv[1]).read_text())
    checks: list[dict[str, Any]] = [
        {
            "name": f"The {len(vectors[key])} {key} have their hashes and signatures",
            "differences": list(_orders(vectors[key], limit)),
        }
        for key, limit in (("limitOrders", True), ("rfqOrders", False))
    ]
    modules = (native_fill_checks, native_state_checks, native_call_checks)
    for check in (check for module in modules for check in module.CHECKS):
        checks.append({"name": check.__doc__, "differences": list(check())})
    checks += _gas()
    print(json.dumps({"checks": checks}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
