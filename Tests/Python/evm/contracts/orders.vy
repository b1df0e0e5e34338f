# pragma version 0.4.3
"""
Orders of 0x v1 as they come in call data, their hashes and signatures.
"""

import calldata

struct Order:
    maker: address
    taker: address
    maker_token: address
    taker_token: address
    fee_recipient: address
    maker_amount: uint256
    taker_amount: uint256
    maker_fee: uint256
    taker_fee: uint256
    expiration: uint256
    hash: bytes32

struct Signature:
    v: uint256
    r: uint256
    s: uint256


@internal
@view
def at(addresses: uint256, values: uint256) -> Order:
    """
    The order whose five addresses and six values begin at these offsets into the call data.
    """
    order: Order = Order(
        maker=calldata.account(addresses),
        taker=calldata.account(addresses + 32),
        maker_token=calldata.account(addresses + 64),
        taker_token=calldata.account(addresses + 96),
        fee_recipient=calldata.account(addresses + 128),
        maker_amount=calldata.word(values),
        taker_amount=calldata.word(values + 32),
        maker_fee=calldata.word(values + 64),
        taker_fee=calldata.word(values + 96),
        expiration=calldata.word(values + 128),
        hash=empty(bytes32),
    )
    order.hash = keccak256(
        concat(
            convert(self, bytes20),
            convert(order.maker, bytes20),
            convert(order.taker, bytes20),
            convert(order.maker_token, bytes20),
            convert(order.taker_token, bytes20),
            convert(order.fee_recipient, bytes20),
            convert(order.maker_amount, bytes32),
            convert(order.taker_amount, bytes32),
            convert(order.maker_fee, bytes32),
            convert(order.taker_fee, bytes32),
            convert(order.expiration, bytes32),
            convert(calldata.word(values + 160), bytes32),
        )
    )
    return order


@internal
@pure
def pair(order: Order) -> bytes32:
    return keccak256(
        concat(convert(order.maker_token, bytes20), convert(order.taker_token, bytes20))
    )


@internal
@pure
def is_valid(signer: address, hash: bytes32, signature: Signature) -> bool:
    """
    The signer has signed the hash as a personal message. A high s is taken as well.
    """
    message: bytes32 = keccak256(concat(b"\x19Ethereum Signed Message:\n32", hash))
    recovered: address = ecrecover(message, signature.v & 255, signature.r, signature.s)
    return recovered == signer and recovered != empty(address)
