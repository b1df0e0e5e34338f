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
    who: uint256[6] = calldata.words(addresses)
    amounts: uint256[6] = calldata.words(values)
    order: Order = Order(
        maker=calldata.account(who[0]),
        taker=calldata.account(who[1]),
        maker_token=calldata.account(who[2]),
        taker_token=calldata.account(who[3]),
        fee_recipient=calldata.account(who[4]),
        maker_amount=amounts[0],
        taker_amount=amounts[1],
        maker_fee=amounts[2],
        taker_fee=amounts[3],
        expiration=amounts[4],
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
            abi_encode(amounts),
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
