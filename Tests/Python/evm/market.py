"""A small market for the checks: a maker, a taker, a token of each kind, and signed orders."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from eth_abi import encode
from eth_keys import keys
from eth_utils import keccak, to_canonical_address

from deployment import KINDS, UNLIMITED

START = 1_750_000_000
ETHER = 10**18
NOBODY = "0x" + "00" * 20

EXCHANGE = "0x12459c951127e0c374ff9105dda097662a027093"
PROXY = "0x8da0d80f5007ef1e431dd2127178d224e32c2ef4"
TOKENS = {kind: f"0x{0xA0 + index:02x}" + "00" * 18 + "01" for index, kind in enumerate(KINDS)}
IMPLEMENTATION = "0x" + "b1" * 20

MAKER_KEY = "0x" + "11" * 32
TAKER_KEY = "0x" + "22" * 32
# A millionth of these is kept of what FeeToken moves.
FEE_MILLIONTHS = 1_000

FILL = "fillOrder(address[5],uint256[6],uint256,bool,uint8,bytes32,bytes32)"
FILL_UP_TO = "fillOrdersUpTo(address[5][],uint256[6][],uint256,bool,uint8[],bytes32[],bytes32[])"


def account(key: str) -> str:
    """The address of a private key."""
    return keys.PrivateKey(bytes.fromhex(key[2:])).public_key.to_address()


MAKER = account(MAKER_KEY)
TAKER = account(TAKER_KEY)


def call_data(signature: str, *arguments: Any) -> bytes:
    """A call: the selector of the signature, and the arguments encoded for its types."""
    return selector(signature) + encode(_types(signature), arguments)


def selector(signature: str) -> bytes:
    """The first four bytes of the signature's hash."""
    return keccak(text=signature)[:4]


def topic(event: str) -> str:
    """The first topic of an event, by its signature."""
    return f"0x{keccak(text=event).hex()}"


def word(value: int | str) -> bytes:
    """A number or an address as 32 bytes."""
    number = value if isinstance(value, int) else int(value, 16)
    return number.to_bytes(32, "big")


def _types(signature: str) -> list[str]:
    inner = signature[signature.index("(") + 1 : -1]
    return inner.split(",") if inner else []


@dataclass(frozen=True)
class Order:
    """An order; amounts in base units, expiration in seconds."""

    maker_token: str = TOKENS["plain"]
    taker_token: str = TOKENS["weth"]
    maker_amount: int = 100 * ETHER
    taker_amount: int = 200 * ETHER
    maker: str = MAKER
    taker: str = NOBODY
    fee_recipient: str = NOBODY
    maker_fee: int = 0
    taker_fee: int = 0
    expiration: int = START + 3_600
    salt: int = 7
    exchange: str = EXCHANGE

    @property
    def addresses(self) -> list[str]:
        """As the contract takes them."""
        return [self.maker, self.taker, self.maker_token, self.taker_token, self.fee_recipient]

    @property
    def values(self) -> list[int]:
        """As the contract takes them."""
        amounts = [self.maker_amount, self.taker_amount, self.maker_fee, self.taker_fee]
        return amounts + [self.expiration, self.salt]

    @property
    def hash(self) -> bytes:
        """Keccak-256 of the 312 bytes of docs/protocol/zeroex-v1.md, section 2."""
        packed = b"".join(map(to_canonical_address, [self.exchange, *self.addresses]))
        return keccak(packed + b"".join(map(word, self.values)))

    def signature(self, key: str = MAKER_KEY) -> tuple[int, bytes, bytes]:
        """v, r and s over the personal message of the hash."""
        message = keccak(b"\x19Ethereum Signed Message:\n32" + self.hash)
        signed = keys.PrivateKey(bytes.fromhex(key[2:])).sign_msg_hash(message)
        return 27 + signed.v, word(signed.r), word(signed.s)

    def fill(self, amount: int, throws: bool) -> bytes:
        """The call that fills this one order."""
        return call_data(FILL, self.addresses, self.values, amount, throws, *self.signature())

    def but(self, **changes: Any) -> Order:
        """The order with other terms."""
        return replace(self, **changes)


def configuration(**changes: Any) -> dict[str, Any]:
    """The first state: both own and have approved everything, without a limit."""
    owners = (MAKER, TAKER)
    return {
        "timestamp": START,
        "exchange": EXCHANGE,
        "transferProxy": PROXY,
        "feeToken": TOKENS["zrx"],
        "accounts": [{"address": owner, "ether": 1_000 * ETHER} for owner in owners],
        "tokens": [
            {
                "address": address,
                "symbol": kind.upper(),
                "name": f"Token {kind}",
                "decimals": 6 if kind == "usdt" else 18,
                "kind": kind,
                "feeMillionths": FEE_MILLIONTHS,
                "implementation": IMPLEMENTATION,
            }
            for kind, address in TOKENS.items()
        ],
        "balances": [
            {"token": token, "owner": owner, "amount": 1_000 * ETHER}
            for token in TOKENS.values()
            for owner in owners
        ],
        "allowances": [
            {"token": token, "owner": owner, "amount": UNLIMITED}
            for token in TOKENS.values()
            for owner in owners
        ],
        **changes,
    }
