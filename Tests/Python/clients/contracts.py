"""The contracts of the sandbox as web3.py sees them, and orders of 0x v1 made without `dex`.

Source: docs/protocol/zeroex-v1.md. Addresses are those of mainnet.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from eth_account.messages import encode_defunct
from eth_account.signers.local import LocalAccount
from web3 import Web3

EXCHANGE = Web3.to_checksum_address("0x12459c951127e0c374ff9105dda097662a027093")
PROXY = Web3.to_checksum_address("0x8da0d80f5007ef1e431dd2127178d224e32c2ef4")
ZRX = Web3.to_checksum_address("0xe41d2489571d322189246dafa5ebde1f4699f498")
WETH = Web3.to_checksum_address("0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2")
DAI = Web3.to_checksum_address("0x6b175474e89094c44da98b954eedeac495271d0f")
USDC = Web3.to_checksum_address("0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48")
NOBODY = "0x" + 40 * "0"


def _function(name: str, inputs: str, outputs: str = "", mutability: str = "nonpayable") -> Any:
    return {
        "type": "function",
        "name": name,
        "stateMutability": mutability,
        "inputs": [{"name": f"a{i}", "type": kind} for i, kind in enumerate(inputs.split())],
        "outputs": [{"name": "", "type": kind} for kind in outputs.split()],
    }


def _event(name: str, inputs: str) -> Any:
    """An event; an indexed parameter ends with `*`."""
    parameters = [item.rstrip("*").split(":") + [item.endswith("*")] for item in inputs.split()]
    return {
        "type": "event",
        "name": name,
        "anonymous": False,
        "inputs": [
            {"name": item[0], "type": item[1], "indexed": item[2]} for item in parameters
        ],
    }


TOKEN_ABI = [
    _function("name", "", "string", "view"),
    _function("symbol", "", "string", "view"),
    _function("decimals", "", "uint8", "view"),
    _function("totalSupply", "", "uint256", "view"),
    _function("balanceOf", "address", "uint256", "view"),
    _function("allowance", "address address", "uint256", "view"),
    _function("approve", "address uint256", "bool"),
    _function("transfer", "address uint256", "bool"),
    _function("transferFrom", "address address uint256", "bool"),
    _event("Transfer", "sender:address* receiver:address* value:uint256"),
    _event("Approval", "owner:address* spender:address* value:uint256"),
]

WETH_ABI = TOKEN_ABI + [
    _function("deposit", "", "", "payable"),
    _function("withdraw", "uint256"),
    _event("Deposit", "owner:address* value:uint256"),
    _event("Withdrawal", "owner:address* value:uint256"),
]

EXCHANGE_ABI = [
    _function(
        "fillOrder",
        "address[5] uint256[6] uint256 bool uint8 bytes32 bytes32",
        "uint256",
    ),
    _function("fillOrKillOrder", "address[5] uint256[6] uint256 uint8 bytes32 bytes32"),
    _function(
        "fillOrdersUpTo",
        "address[5][] uint256[6][] uint256 bool uint8[] bytes32[] bytes32[]",
        "uint256",
    ),
    _function("cancelOrder", "address[5] uint256[6] uint256", "uint256"),
    _function("getOrderHash", "address[5] uint256[6]", "bytes32", "view"),
    _function("isValidSignature", "address bytes32 uint8 bytes32 bytes32", "bool", "view"),
    _function("getUnavailableTakerTokenAmount", "bytes32", "uint256", "view"),
    _function("getPartialAmount", "uint256 uint256 uint256", "uint256", "view"),
    _function("isRoundingError", "uint256 uint256 uint256", "bool", "view"),
    _function("filled", "bytes32", "uint256", "view"),
    _function("cancelled", "bytes32", "uint256", "view"),
    _function("ZRX_TOKEN_CONTRACT", "", "address", "view"),
    _function("TOKEN_TRANSFER_PROXY_CONTRACT", "", "address", "view"),
    _function("VERSION", "", "string", "view"),
    _function("EXTERNAL_QUERY_GAS_LIMIT", "", "uint16", "view"),
    _event(
        "LogFill",
        "maker:address* taker:address feeRecipient:address* makerToken:address "
        "takerToken:address filledMakerTokenAmount:uint256 filledTakerTokenAmount:uint256 "
        "paidMakerFee:uint256 paidTakerFee:uint256 tokens:bytes32* orderHash:bytes32",
    ),
    _event(
        "LogCancel",
        "maker:address* feeRecipient:address* makerToken:address takerToken:address "
        "cancelledMakerTokenAmount:uint256 cancelledTakerTokenAmount:uint256 tokens:bytes32* "
        "orderHash:bytes32",
    ),
    _event("LogError", "errorId:uint8* orderHash:bytes32*"),
]


@dataclass(frozen=True)
class Order:
    """An order of 0x v1, hashed and signed by eth-account alone."""

    maker: str
    maker_token: str
    taker_token: str
    maker_amount: int
    taker_amount: int
    expiry: int
    salt: int
    taker: str = NOBODY
    fee_recipient: str = NOBODY
    maker_fee: int = 0
    taker_fee: int = 0
    exchange: str = EXCHANGE

    @property
    def addresses(self) -> list[str]:
        """The contract's first argument."""
        listed = [self.maker, self.taker, self.maker_token, self.taker_token, self.fee_recipient]
        return [Web3.to_checksum_address(item) for item in listed]

    @property
    def values(self) -> list[int]:
        """The contract's second argument."""
        return [
            self.maker_amount, self.taker_amount, self.maker_fee, self.taker_fee, self.expiry,
            self.salt,
        ]

    @property
    def hash(self) -> bytes:
        """Keccak-256 of the tightly packed fields."""
        return bytes(
            Web3.solidity_keccak(
                ["address"] * 6 + ["uint256"] * 6,
                [Web3.to_checksum_address(self.exchange), *self.addresses, *self.values],
            )
        )

    def signature(self, account: LocalAccount) -> tuple[int, bytes, bytes]:
        """v, r and s of an account's personal message over the hash."""
        signed = account.sign_message(encode_defunct(self.hash))
        return signed.v, signed.r.to_bytes(32, "big"), signed.s.to_bytes(32, "big")

    def json(self, account: LocalAccount | None) -> dict[str, Any]:
        """The body of POST /order; without an account that of POST /fees."""
        body: dict[str, Any] = {
            "exchangeContractAddress": self.exchange.lower(),
            "maker": self.maker.lower(),
            "taker": self.taker.lower(),
            "makerTokenAddress": self.maker_token.lower(),
            "takerTokenAddress": self.taker_token.lower(),
            "makerTokenAmount": str(self.maker_amount),
            "takerTokenAmount": str(self.taker_amount),
            "expirationUnixTimestampSec": str(self.expiry),
            "salt": str(self.salt),
        }
        if account is not None:
            v, r, s = self.signature(account)
            body |= {
                "feeRecipient": self.fee_recipient.lower(),
                "makerFee": str(self.maker_fee),
                "takerFee": str(self.taker_fee),
                "ecSignature": {"v": v, "r": "0x" + r.hex(), "s": "0x" + s.hex()},
            }
        return body

    @staticmethod
    def of(body: dict[str, Any]) -> Order:
        """The order that a relay answered."""
        return Order(
            maker=body["maker"],
            taker=body["taker"],
            maker_token=body["makerTokenAddress"],
            taker_token=body["takerTokenAddress"],
            fee_recipient=body["feeRecipient"],
            maker_amount=int(body["makerTokenAmount"]),
            taker_amount=int(body["takerTokenAmount"]),
            maker_fee=int(body["makerFee"]),
            taker_fee=int(body["takerFee"]),
            expiry=int(body["expirationUnixTimestampSec"]),
            salt=int(body["salt"]),
            exchange=body["exchangeContractAddress"],
        )

    def with_fees(self, fees: dict[str, str]) -> Order:
        """The same with what POST /fees answered."""
        return replace(
            self,
            fee_recipient=fees["feeRecipient"],
            maker_fee=int(fees["makerFee"]),
            taker_fee=int(fees["takerFee"]),
        )
