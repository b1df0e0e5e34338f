"""Calls of the Swap API's contracts, encoded by eth-abi: of its own, beside what Swift encodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from eth_abi import encode
from eth_utils import keccak

from deployment import PERMIT2, SETTLER
from native_functions import selector
from native_market import types

NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
EMPTY = "0x" + "00" * 20

PERMIT_FORM = "((address,uint256),uint256,uint256)"
EXECUTE = "execute((address,address,uint256),bytes[],bytes32)"
EXEC = "exec(address,address,uint256,address,bytes)"
TRANSFER_FROM = f"TRANSFER_FROM(address,{PERMIT_FORM},bytes)"
PERMIT_TRANSFER_FROM = f"permitTransferFrom({PERMIT_FORM},(address,uint256),address,bytes)"

# The words of `execute` before its actions: recipient, token, minimum, offset, id.
_HEAD = 5 * 32


def call(signature: str, *arguments: Any) -> bytes:
    """A function's selector and its arguments."""
    return selector(signature) + encode(types(signature), arguments)


@dataclass(frozen=True)
class Permit:
    """A Permit2 message; amount in base units, deadline in seconds."""

    token: str
    amount: int
    nonce: int
    deadline: int
    spender: str = SETTLER
    chain_id: int = 1337

    @property
    def tuple(self) -> tuple[Any, ...]:
        """As calls take it."""
        return ((self.token, self.amount), self.nonce, self.deadline)

    @property
    def typed_data(self) -> dict[str, Any]:
        """As wallets sign it (EIP-712); numbers of the message as text, as the API sends them."""
        return {
            "types": {
                "EIP712Domain": [
                    {"name": "name", "type": "string"},
                    {"name": "chainId", "type": "uint256"},
                    {"name": "verifyingContract", "type": "address"},
                ],
                "PermitTransferFrom": [
                    {"name": "permitted", "type": "TokenPermissions"},
                    {"name": "spender", "type": "address"},
                    {"name": "nonce", "type": "uint256"},
                    {"name": "deadline", "type": "uint256"},
                ],
                "TokenPermissions": [
                    {"name": "token", "type": "address"},
                    {"name": "amount", "type": "uint256"},
                ],
            },
            "domain": {
                "name": "Permit2",
                "chainId": self.chain_id,
                "verifyingContract": PERMIT2,
            },
            "primaryType": "PermitTransferFrom",
            "message": {
                "permitted": {"token": self.token, "amount": str(self.amount)},
                "spender": self.spender,
                "nonce": str(self.nonce),
                "deadline": str(self.deadline),
            },
        }

    @property
    def hash(self) -> bytes:
        """What is signed."""
        permissions = "TokenPermissions(address token,uint256 amount)"
        kind = (
            "PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,"
            f"uint256 deadline){permissions}"
        )
        token = keccak(
            keccak(text=permissions) + encode(["address", "uint256"], [self.token, self.amount])
        )
        message = keccak(
            keccak(text=kind)
            + token
            + encode(
                ["address", "uint256", "uint256"], [self.spender, self.nonce, self.deadline]
            )
        )
        return keccak(b"\x19\x01" + domain(self.chain_id) + message)

    def but(self, **changes: Any) -> Permit:
        """The message with other terms."""
        return replace(self, **changes)


def domain(chain_id: int) -> bytes:
    """Permit2's domain separator."""
    kind = "EIP712Domain(string name,uint256 chainId,address verifyingContract)"
    return keccak(
        encode(
            ["bytes32", "bytes32", "uint256", "address"],
            [keccak(text=kind), keccak(text="Permit2"), chain_id, PERMIT2],
        )
    )


def transfer_from(recipient: str, permit: Permit, signature: bytes = b"") -> bytes:
    """The action that takes the sold token."""
    return call(TRANSFER_FROM, recipient, permit.tuple, signature)


def sell(pool: str, token: str, recipient: str) -> bytes:
    """The action that sells all of a token to a pool."""
    return call("STAND_IN_SELL(address,address,address)", pool, token, recipient)


def check_slippage(is_exact: bool = True) -> bytes:
    """The action that sends what was bought before later actions."""
    return call("CHECK_SLIPPAGE(bool)", is_exact)


def native_check(deadline: int, value: int) -> bytes:
    """The action that every sale of ether begins with."""
    return call("NATIVE_CHECK(uint256,uint256)", deadline, value)


def execute(
    recipient: str, token: str, least: int, actions: Sequence[bytes], zid: bytes = bytes(32)
) -> bytes:
    """A call of Settler, as ABI has it."""
    return call(EXECUTE, (recipient, token, least), list(actions), zid)


def execute_unsigned(
    recipient: str,
    token: str,
    least: int,
    permit: Permit,
    actions: Sequence[bytes],
    zid: bytes = bytes(32),
    settler: str = SETTLER,
) -> bytes:
    """A call of Settler whose first action, TRANSFER_FROM, lies last and lacks its signature.

    Its length is 0xffff, and its end the offset of the signature that `signed` puts behind it.
    """
    first = selector(TRANSFER_FROM) + encode(
        ["address", PERMIT_FORM, "uint256"], [settler, permit.tuple, 6 * 32]
    )
    tails = [
        encode(["uint256"], [len(action)]) + action + bytes(-len(action) % 32)
        for action in actions
    ]
    table = 32 * (len(actions) + 1)
    places = [table + sum(map(len, tails[:index])) for index in range(len(tails) + 1)]
    offsets = [places[-1], *places[:-1]]
    return b"".join(
        [
            selector(EXECUTE),
            encode(
                ["address", "address", "uint256", "uint256", "bytes32"],
                [recipient, token, least, _HEAD, zid],
            ),
            encode(["uint256"] * (len(offsets) + 1), [len(offsets), *offsets]),
            *tails,
            encode(["uint256"], [0xFFFF]),
            first,
        ]
    )


def signed(data: bytes, signature: bytes) -> bytes:
    """A Permit2 quote's call data with its signature."""
    return data + encode(["uint256"], [len(signature)]) + signature


def through_holder(
    data: bytes, token: str, amount: int, settler: str = SETTLER, operator: str | None = None
) -> bytes:
    """A call of the AllowanceHolder that lets a Settler take so much and calls it."""
    return call(EXEC, operator or settler, token, amount, settler, data)


def bought(amount: int, reserve_in: int, reserve_out: int) -> int:
    """What a pool gives for an amount; 0.3 % of it stays there."""
    kept = amount * 997
    return kept * reserve_out // (reserve_in * 1000 + kept)


def sold(amount: int, reserve_in: int, reserve_out: int) -> int | None:
    """The least that brings so much from a pool; None where it has no more than that."""
    if amount >= reserve_out:
        return None
    return amount * reserve_in * 1000 // ((reserve_out - amount) * 997) + 1
