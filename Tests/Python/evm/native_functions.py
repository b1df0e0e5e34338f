"""The functions of 0x v4's native orders, as docs/protocol/zeroex-v4.md, section 4, names them."""

from __future__ import annotations

from eth_utils import keccak

LIMIT = (
    "(address,address,uint128,uint128,uint128,address,address,address,address,"
    "bytes32,uint64,uint256)"
)
RFQ = "(address,address,uint128,uint128,address,address,address,bytes32,uint64,uint256)"
SIGNATURE = "(uint8,uint8,bytes32,bytes32)"

# With ORDER for the tuple of an order and SIGN for that of a signature; each is there twice, once
# with the word Limit and once with Rfq.
_OF_BOTH_KINDS = (
    "fillLimitOrder(ORDER,SIGN,uint128)",
    "fillOrKillLimitOrder(ORDER,SIGN,uint128)",
    "batchFillLimitOrders(ORDER[],SIGN[],uint128[],bool)",
    "cancelLimitOrder(ORDER)",
    "batchCancelLimitOrders(ORDER[])",
    "cancelPairLimitOrders(address,address,uint256)",
    "batchCancelPairLimitOrders(address[],address[],uint256[])",
    "cancelPairLimitOrdersWithSigner(address,address,address,uint256)",
    "getLimitOrderInfo(ORDER)",
    "getLimitOrderRelevantState(ORDER,SIGN)",
    "batchGetLimitOrderRelevantStates(ORDER[],SIGN[])",
    "getLimitOrderHash(ORDER)",
)


def function(form: str, *, limit: bool = True) -> str:
    """The signature of a function from its form, for limit or for RFQ orders."""
    if not limit:
        form = form.replace("Limit", "Rfq")
    return form.replace("ORDER", LIMIT if limit else RFQ).replace("SIGN", SIGNATURE)


FUNCTIONS: tuple[str, ...] = (
    *(function(form, limit=limit) for form in _OF_BOTH_KINDS for limit in (True, False)),
    "getProtocolFeeMultiplier()",
    "registerAllowedRfqOrigins(address[],bool)",
    "registerAllowedOrderSigner(address,bool)",
    "isValidOrderSigner(address,address)",
)

# What the contract calls of itself for each order of a batch; to others it is not there.
OWN_FUNCTIONS = (
    function("_fillLimitOrder(ORDER,SIGN,uint128,address,address)"),
    function("_fillRfqOrder(ORDER,SIGN,uint128,address)", limit=False),
)


def selector(signature: str) -> bytes:
    """The first four bytes of the signature's hash."""
    return keccak(text=signature)[:4]
