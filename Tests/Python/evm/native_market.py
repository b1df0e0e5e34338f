"""A small market on 0x v4 for the checks: makers, a taker, tokens, and signed orders."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

from eth_abi import encode
from eth_keys import keys
from eth_utils import keccak

from deployment import UNLIMITED, address, native_domain
from market import ETHER, MAKER, MAKER_KEY, NOBODY, START, TAKER, TOKENS, account, word
from native_functions import LIMIT, RFQ, function, selector
from native_stage import Answer, Stage

CHAIN_ID = 1337
PROXY = "0xdef1c0ded9bec7f1a1670819833240f027b25eff"
RECIPIENT = "0x" + "fe" * 19 + "01"
OTHER_KEY = "0x" + "33" * 32
OTHER = account(OTHER_KEY)
PEOPLE = (MAKER, TAKER, OTHER)

EIP712, ETHSIGN = 2, 3
INVALID, FILLABLE, FILLED, CANCELLED, EXPIRED = range(5)

_LIMIT_FIELDS = (
    "LimitOrder(address makerToken,address takerToken,uint128 makerAmount,uint128 takerAmount,"
    "uint128 takerTokenFeeAmount,address maker,address taker,address sender,address feeRecipient,"
    "bytes32 pool,uint64 expiry,uint256 salt)"
)
_RFQ_FIELDS = (
    "RfqOrder(address makerToken,address takerToken,uint128 makerAmount,uint128 takerAmount,"
    "address maker,address taker,address txOrigin,bytes32 pool,uint64 expiry,uint256 salt)"
)

Signature = tuple[int, int, bytes, bytes]


@dataclass(frozen=True)
class NativeOrder:
    """What both kinds of orders can do; their members are in the order of the tuple."""

    @property
    def is_limit(self) -> bool:
        return isinstance(self, LimitOrder)

    @property
    def tuple(self) -> tuple[Any, ...]:
        """As calls take it."""
        return tuple(getattr(self, field.name) for field in fields(self))

    @property
    def hash(self) -> bytes:
        """By EIP-712, for the Exchange Proxy of this market."""
        kind, form = (_LIMIT_FIELDS, LIMIT) if self.is_limit else (_RFQ_FIELDS, RFQ)
        struct = keccak(keccak(text=kind) + encode([form], [self.tuple]))
        return keccak(b"\x19\x01" + native_domain(CHAIN_ID, address(PROXY)) + struct)

    def signed(self, kind: int = EIP712, key: str = MAKER_KEY) -> Signature:
        """A signature by a key, as calls take it."""
        message = self.hash
        if kind == ETHSIGN:
            message = keccak(b"\x19Ethereum Signed Message:\n32" + message)
        signature = keys.PrivateKey(bytes.fromhex(key[2:])).sign_msg_hash(message)
        return kind, 27 + signature.v, word(signature.r), word(signature.s)

    def but(self, **changes: Any) -> Any:
        """The order with other terms."""
        return replace(self, **changes)


@dataclass(frozen=True)
class LimitOrder(NativeOrder):
    """A limit order; amounts in base units, expiry in seconds."""

    maker_token: str = TOKENS["plain"]
    taker_token: str = TOKENS["weth"]
    maker_amount: int = 100 * ETHER
    taker_amount: int = 200 * ETHER
    taker_token_fee_amount: int = 0
    maker: str = MAKER
    taker: str = NOBODY
    sender: str = NOBODY
    fee_recipient: str = NOBODY
    pool: bytes = bytes(32)
    expiry: int = START + 3_600
    salt: int = 7


@dataclass(frozen=True)
class RfqOrder(NativeOrder):
    """An RFQ order; amounts in base units, expiry in seconds."""

    maker_token: str = TOKENS["plain"]
    taker_token: str = TOKENS["weth"]
    maker_amount: int = 100 * ETHER
    taker_amount: int = 200 * ETHER
    maker: str = MAKER
    taker: str = NOBODY
    tx_origin: str = TAKER
    pool: bytes = bytes(32)
    expiry: int = START + 3_600
    salt: int = 7


def call(form: str, *arguments: Any, limit: bool = True) -> bytes:
    """A call of a function in the form of native_functions.py."""
    signature = function(form, limit=limit)
    return selector(signature) + encode(types(signature), arguments)


def types(signature: str) -> list[str]:
    """The types of a function's arguments, split where no tuple is open."""
    parts = [""]
    depth = 0
    for letter in signature[signature.index("(") + 1 : -1]:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part for part in parts if part]


def fill(order: NativeOrder, amount: int, signature: Signature | None = None) -> bytes:
    """The call that fills an order, signed by its maker unless a signature is given."""
    form = "fillLimitOrder(ORDER,SIGN,uint128)"
    return call(form, order.tuple, signature or order.signed(), amount, limit=order.is_limit)


def fill_all(orders: list[NativeOrder], amounts: list[int], must_fill: bool = False) -> bytes:
    """The call that fills a batch of orders of one kind, of which there must be one."""
    return call(
        "batchFillLimitOrders(ORDER[],SIGN[],uint128[],bool)",
        [order.tuple for order in orders],
        [order.signed() for order in orders],
        amounts,
        must_fill,
        limit=orders[0].is_limit,
    )


def collector(pool: bytes) -> str:
    """Who gets the protocol fees of a staking pool."""
    return f"0x{keccak(b'dex sandbox: fee collector' + pool)[12:].hex()}"


def error(signature: str, *arguments: Any) -> bytes:
    """The data of a typed revert."""
    return selector(signature) + encode(types(signature), arguments)


def said(text: str) -> bytes:
    """The data of a revert with a text."""
    return error("Error(string)", text)


def stage(**changes: Any) -> Stage:
    """A chain on which all three have approved everything that they own, without a limit."""
    holdings = [
        {"token": token, "owner": owner} for token in TOKENS.values() for owner in PEOPLE
    ]
    return Stage(
        {
            "chainId": CHAIN_ID,
            "timestamp": START,
            "exchangeProxy": PROXY,
            "accounts": [{"address": owner, "ether": 1_000 * ETHER} for owner in PEOPLE],
            "tokens": [
                {
                    "address": address,
                    "symbol": kind.upper(),
                    "name": f"Token {kind}",
                    "decimals": 18,
                    "kind": kind,
                    "feeMillionths": 1_000,
                    "implementation": "0x" + "b1" * 20,
                }
                for kind, address in TOKENS.items()
            ],
            "balances": [{**holding, "amount": 1_000 * ETHER} for holding in holdings],
            "allowances": [{**holding, "amount": UNLIMITED} for holding in holdings],
            **changes,
        }
    )


def refused(answer: Answer, expected: bytes, failure: str | None = "REVERT") -> Iterator[str]:
    """The call reverts with the expected data; with no failure it answers them."""
    if answer.failure != failure or answer.output != expected:
        yield f"it is {answer.failure} {answer.output.hex()}, not {failure} {expected.hex()}"


def filled(answer: Answer, taker_amount: int, maker_amount: int) -> Iterator[str]:
    """The call answers what was filled, in taker and in maker base units."""
    yield from refused(answer, encode(["uint128", "uint128"], [taker_amount, maker_amount]), None)
