"""0x v3: how its published contracts are put together, and its orders, signatures and calls.

Nothing of this is taken from `dex`: call data follows the interface that 0x published with the byte
code, and eth-account makes the hashes of EIP-712.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any, NamedTuple

import rlp
from eth_abi import encode
from eth_account.messages import encode_defunct, encode_typed_data
from eth_account.signers.local import LocalAccount
from eth_utils import keccak, to_canonical_address
from genuine import creation_code, functions

NOBODY = "0x" + "00" * 20
CHAIN = 1337
SUPPLY = 10**27
# Units of gas that an order's fee costs, by its governance in 2019.
MULTIPLIER = 150_000
DOMAIN = ("EIP712Domain", [("name", "string"), ("version", "string"), ("chainId", "uint256"),
                           ("verifyingContract", "address")])
ORDER = ("Order", [
    ("makerAddress", "address"), ("takerAddress", "address"), ("feeRecipientAddress", "address"),
    ("senderAddress", "address"), ("makerAssetAmount", "uint256"),
    ("takerAssetAmount", "uint256"), ("makerFee", "uint256"), ("takerFee", "uint256"),
    ("expirationTimeSeconds", "uint256"), ("salt", "uint256"), ("makerAssetData", "bytes"),
    ("takerAssetData", "bytes"), ("makerFeeAssetData", "bytes"), ("takerFeeAssetData", "bytes"),
])
TRANSACTION = ("ZeroExTransaction", [
    ("salt", "uint256"), ("expirationTimeSeconds", "uint256"), ("gasPrice", "uint256"),
    ("signerAddress", "address"), ("data", "bytes"),
])


class Signature(IntEnum):
    """The last byte of a signature: how it is meant."""

    ILLEGAL = 0
    INVALID = 1
    EIP712 = 2
    ETH_SIGN = 3
    WALLET = 4
    VALIDATOR = 5
    PRE_SIGNED = 6
    EIP1271_WALLET = 7


class Order(NamedTuple):
    """An order as the contracts take it."""

    maker: str
    taker: str
    fee_recipient: str
    sender: str
    maker_amount: int
    taker_amount: int
    maker_fee: int
    taker_fee: int
    expiration: int
    salt: int
    maker_asset: bytes
    taker_asset: bytes
    maker_fee_asset: bytes
    taker_fee_asset: bytes


class Transaction(NamedTuple):
    """A call that somebody else sends for its signer."""

    salt: int
    expiration: int
    gas_price: int
    signer: str
    data: bytes


def selector(signature: str) -> bytes:
    return keccak(text=signature)[:4]


def call(contract: str, function: str, *values: Any) -> bytes:
    """The data of a call of a published function."""
    types = functions(contract)[function]
    return selector(f"{function}({','.join(types)})") + encode(types, list(values))


def token_asset(token: str) -> bytes:
    """What stands for an ERC-20 token in an order."""
    return selector("ERC20Token(address)") + encode(["address"], [token])


def multi_asset(*parts: tuple[int, bytes]) -> bytes:
    """Several assets at once, each with how much of it there is in one unit."""
    amounts, assets = zip(*parts)
    return selector("MultiAsset(uint256[],bytes[])") + encode(
        ["uint256[]", "bytes[]"], [amounts, assets]
    )


def static_asset(contract: str, data: bytes, answer: bytes) -> bytes:
    """No asset but a condition: a call that has to answer just this."""
    return selector("StaticCall(address,bytes,bytes32)") + encode(
        ["address", "bytes", "bytes32"], [contract, data, keccak(answer)]
    )


class Signer:
    """Hashes and signatures for one exchange."""

    def __init__(self, exchange: str, chain: int = CHAIN) -> None:
        self._domain = {"name": "0x Protocol", "version": "3.0.0", "chainId": chain,
                        "verifyingContract": exchange}

    def hash(self, item: Order | Transaction) -> bytes:
        message = self._message(item)
        return keccak(b"\x19" + message.version + message.header + message.body)

    def sign(self, item: Order | Transaction, account: LocalAccount,
             kind: Signature = Signature.EIP712) -> bytes:
        """v, r, s and the kind, in this order; what is signed in advance needs the kind alone."""
        if kind == Signature.PRE_SIGNED:
            return bytes([kind])
        message = self._message(item)
        if kind == Signature.ETH_SIGN:
            message = encode_defunct(primitive=self.hash(item))
        signed = account.sign_message(message)
        return (bytes([signed.v]) + signed.r.to_bytes(32, "big") + signed.s.to_bytes(32, "big")
                + bytes([kind]))

    def _message(self, item: Order | Transaction) -> Any:
        name, fields = ORDER if isinstance(item, Order) else TRANSACTION
        return encode_typed_data(full_message={
            "domain": self._domain,
            "primaryType": name,
            "types": {
                title: [{"name": field, "type": kind} for field, kind in items]
                for title, items in (DOMAIN, (name, fields))
            },
            "message": {field: value for (field, _), value in zip(fields, item, strict=True)},
        })


def created(sender: str, nonce: int) -> str:
    """Where a creation with this nonce puts a contract."""
    return "0x" + keccak(rlp.encode([to_canonical_address(sender), nonce]))[12:].hex()


class Deployment:
    """All contracts, created one after another by their owner from a nonce on."""

    def __init__(self, owner: str, nonce: int, chain: int = CHAIN) -> None:
        self._owner = owner
        names = ("ZRXToken", "WETH9", "DummyERC20Token", "ERC20Proxy", "MultiAssetProxy",
                 "StaticCallProxy", "ZrxVault", "Staking", "StakingProxy", "Exchange")
        self.at = {name: created(owner, nonce + index) for index, name in enumerate(names)}
        at = self.at
        self._arguments: dict[str, tuple[Sequence[str], Sequence[Any]]] = {
            "DummyERC20Token": (["string", "string", "uint256", "uint256"],
                                ["Dai", "DAI", 18, SUPPLY]),
            "ZrxVault": (["address", "address"], [at["ERC20Proxy"], at["ZRXToken"]]),
            "Staking": (["address", "address"], [at["WETH9"], at["ZrxVault"]]),
            "StakingProxy": (["address"], [at["Staking"]]),
            "Exchange": (["uint256"], [chain]),
        }

    def creations(self) -> list[tuple[str, bytes]]:
        """The name of each contract and what creates it, in this order."""
        found = []
        for name in self.at:
            types, values = self._arguments.get(name, ((), ()))
            found.append((name, creation_code(name) + encode(types, values)))
        return found

    def wiring(self) -> list[tuple[str, bytes]]:
        """The calls by which the owner makes one system of them: a contract's name and data."""
        at = self.at
        calls = [
            ("ERC20Proxy", "ERC20Proxy", "addAuthorizedAddress", at["Exchange"]),
            ("ERC20Proxy", "ERC20Proxy", "addAuthorizedAddress", at["MultiAssetProxy"]),
            ("ERC20Proxy", "ERC20Proxy", "addAuthorizedAddress", at["ZrxVault"]),
            ("MultiAssetProxy", "MultiAssetProxy", "addAuthorizedAddress", at["Exchange"]),
            ("MultiAssetProxy", "MultiAssetProxy", "registerAssetProxy", at["ERC20Proxy"]),
            ("MultiAssetProxy", "MultiAssetProxy", "registerAssetProxy", at["StaticCallProxy"]),
            ("Exchange", "Exchange", "registerAssetProxy", at["ERC20Proxy"]),
            ("Exchange", "Exchange", "registerAssetProxy", at["MultiAssetProxy"]),
            ("Exchange", "Exchange", "registerAssetProxy", at["StaticCallProxy"]),
            ("Exchange", "Exchange", "setProtocolFeeMultiplier", MULTIPLIER),
            ("Exchange", "Exchange", "setProtocolFeeCollectorAddress", at["StakingProxy"]),
            ("StakingProxy", "StakingProxy", "addAuthorizedAddress", self._owner),
            ("StakingProxy", "Staking", "addExchangeAddress", at["Exchange"]),
            ("ZrxVault", "ZrxVault", "addAuthorizedAddress", self._owner),
            ("ZrxVault", "ZrxVault", "setStakingProxy", at["StakingProxy"]),
        ]
        return [(name, call(interface, function, value))
                for name, interface, function, value in calls]
