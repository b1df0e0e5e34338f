# pragma version 0.4.3
"""
Cancels of native orders on the Exchange Proxy of 0x v4: one by its hash, or all of a pair.

Written from docs/protocol/zeroex-v4.md, sections 5, 6 and 8.
"""

import native_state

uses: native_state

event OrderCancelled:
    orderHash: bytes32
    maker: address

event PairCancelledLimitOrders:
    maker: address
    makerToken: address
    takerToken: address
    minValidSalt: uint256

event PairCancelledRfqOrders:
    maker: address
    makerToken: address
    takerToken: address
    minValidSalt: uint256


@internal
def cancel(hash: bytes32, maker: address):
    """
    Cancels an order whose maker, or who signs for the maker, sent the call.
    """
    if not native_state.signs(msg.sender, maker):
        raw_revert(
            abi_encode(
                hash,
                msg.sender,
                maker,
                method_id=method_id("OnlyOrderMakerAllowed(bytes32,address,address)"),
            )
        )
    native_state.used[hash] |= native_state.CANCELLED_BIT
    log OrderCancelled(orderHash=hash, maker=maker)


@internal
@view
def require_signer(maker: address):
    if not native_state.signers[maker][msg.sender]:
        raw_revert(
            abi_encode(
                maker, msg.sender, method_id=method_id("InvalidSignerError(address,address)")
            )
        )


@internal
@pure
def _require_rise(salt: uint256, before: uint256):
    if before > salt:
        raw_revert(
            abi_encode(salt, before, method_id=method_id("CancelSaltTooLowError(uint256,uint256)"))
        )


@internal
def cancel_limit_pair(maker: address, maker_token: address, taker_token: address, salt: uint256):
    """
    Cancels a maker's limit orders of a pair whose salts are below the given one.
    """
    self._require_rise(salt, native_state.limit_salts[maker][maker_token][taker_token])
    native_state.limit_salts[maker][maker_token][taker_token] = salt
    log PairCancelledLimitOrders(
        maker=maker, makerToken=maker_token, takerToken=taker_token, minValidSalt=salt
    )


@internal
def cancel_rfq_pair(maker: address, maker_token: address, taker_token: address, salt: uint256):
    """
    Cancels a maker's RFQ orders of a pair whose salts are below the given one.
    """
    self._require_rise(salt, native_state.rfq_salts[maker][maker_token][taker_token])
    native_state.rfq_salts[maker][maker_token][taker_token] = salt
    log PairCancelledRfqOrders(
        maker=maker, makerToken=maker_token, takerToken=taker_token, minValidSalt=salt
    )
