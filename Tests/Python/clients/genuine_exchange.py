"""0x v3 as it was published, deployed on the sandbox and on py-evm by the same signed bytes.

`genuine_exchange.py DEX`. As in `genuine_contracts.py`, py-evm is the judge of each transaction.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "evm"))

from checks import Check, report
from exchange_stage import ETHER, FEE, LATE, UNLIMITED, ExchangeStage, person
from exchange_v3 import Signature, Transaction, call, multi_asset, static_asset
from sandbox import Sandbox
from two_chains import PRICE

SEED = 11
RANDOM_CALLS = 20
POOL = (1).to_bytes(32, "big")
NO_POOL = bytes(32)

BAD_SIGNATURE = "SignatureError(uint8,bytes32,address,bytes)"
BAD_STATUS = "OrderStatusError(bytes32,uint8)"
BAD_CONTEXT = "ExchangeInvalidContextError(uint8,bytes32,address)"
INCOMPLETE = "IncompleteFillError(uint8,uint256,uint256)"
NOT_MOVED = "AssetProxyTransferError(bytes32,bytes,bytes)"
NOT_DISPATCHED = "AssetProxyDispatchError(uint8,bytes32,bytes)"
BAD_TRANSACTION = "TransactionError(uint8,bytes32)"


def stake(stage: ExchangeStage) -> None:
    """The first maker has a pool, to which the owner delegates."""
    stage.call("Staking", "createStakingPool", 100_000, True, at="StakingProxy",
               sender=stage.makers[0])
    stage.call("Staking", "stake", 1_000 * ETHER, at="StakingProxy")
    stage.call("Staking", "moveStake", (0, NO_POOL), (1, POOL), 1_000 * ETHER, at="StakingProxy")
    # The error names the time at which a node runs a call, so it is not asked for.
    stage.chains.send("an epoch that is not over", stage.at["StakingProxy"],
                      call("Staking", "endEpoch"), succeeds=False)
    stage.next_epoch()


def good_fills(stage: ExchangeStage) -> None:
    order = stage.order()
    stage.fill(order)
    # What is too much of ether comes back, and without any the fee is taken in wrapped ether.
    stage.fill(order, value=3 * FEE)
    stage.call("WETH9", "approve", stage.at["StakingProxy"], UNLIMITED)
    stage.fill(order, value=0)
    stage.fill(order, ETHER // 3)
    # More than is left of it.
    stage.fill(order, 2 * ETHER)
    stage.fill(order, error=BAD_STATUS)
    stage.fill(stage.order(maker_fee=0, taker_fee=0))
    # The fee is part of what is bought.
    stage.fill(stage.order(taker_fee=7 * ETHER, taker_fee_asset=stage.dai))
    # The one who may take it, and who may send it.
    stage.fill(stage.order(taker=stage.owner.address, sender=stage.owner.address))
    order = stage.order()
    stage.fill(order, signature=stage.sign(order, Signature.ETH_SIGN))
    order = stage.order()
    stage.exchange("preSign", stage.signer.hash(order), value=0, sender=stage.makers[0])
    stage.fill(order, signature=stage.sign(order, Signature.PRE_SIGNED))
    # Of nothing, which is no error.
    stage.fill(order, 0)
    order = stage.order()
    stage.exchange("fillOrKillOrder", order, ETHER, stage.sign(order))


def many(stage: ExchangeStage) -> None:
    """Several orders in one call, some of them bad."""
    orders = [stage.order(), stage.order(stage.makers[1], maker_amount=99 * ETHER)]
    signatures = stage.signed(*orders)
    amounts = [ETHER // 5, ETHER // 7]
    stage.exchange("batchFillOrders", orders, amounts, signatures, value=2 * FEE)
    stage.exchange("batchFillOrKillOrders", orders, amounts, signatures, value=2 * FEE)
    # A signature is looked at only before the first fill of its order.
    forged = [signatures[0], bytes([27 + 28 - signatures[1][0]]) + signatures[1][1:]]
    stage.exchange("batchFillOrders", orders, amounts, forged, value=2 * FEE)
    orders = [stage.order(), stage.order(stage.makers[1])]
    signatures = stage.signed(*orders)
    forged = [bytes([27 + 28 - signatures[0][0]]) + signatures[0][1:], signatures[1]]
    stage.exchange("batchFillOrders", orders, amounts, forged, value=2 * FEE, error=BAD_SIGNATURE)
    stage.exchange("batchFillOrdersNoThrow", orders, amounts, forged, value=2 * FEE)
    stage.exchange("marketSellOrdersNoThrow", orders, ETHER // 2, forged, value=2 * FEE)
    stage.exchange("marketSellOrdersFillOrKill", orders, ETHER // 2, signatures, value=2 * FEE)
    stage.exchange("marketSellOrdersFillOrKill", orders, 9 * ETHER, signatures, value=2 * FEE,
                   error=INCOMPLETE)
    orders = [stage.order(), stage.order(stage.makers[1])]
    signatures = stage.signed(*orders)
    stage.exchange("marketBuyOrdersNoThrow", orders, 40 * ETHER, signatures, value=2 * FEE)
    stage.exchange("marketBuyOrdersFillOrKill", orders, 90 * ETHER, signatures, value=2 * FEE)
    stage.exchange("marketBuyOrdersFillOrKill", orders, 90 * ETHER, signatures, value=2 * FEE,
                   error=INCOMPLETE)
    # The second one buys back for more than the first one asks.
    left = stage.order()
    right = stage.order(stage.makers[1], maker_asset=stage.weth, taker_asset=stage.dai,
                        maker_amount=ETHER, taker_amount=90 * ETHER)
    for function in ("matchOrders", "matchOrdersWithMaximalFill"):
        stage.exchange(function, left, right, *stage.signed(left, right), value=2 * FEE)
        left, right = left._replace(salt=left.salt + 1_000), right._replace(salt=right.salt + 1_000)
    dear = right._replace(taker_amount=200 * ETHER)
    stage.exchange("matchOrders", left, dear, *stage.signed(left, dear), value=2 * FEE,
                   error="NegativeSpreadError(bytes32,bytes32)")


def cancels(stage: ExchangeStage) -> None:
    maker = stage.makers[0]
    orders = [stage.order() for _ in range(3)]
    stage.exchange("cancelOrder", orders[0], value=0, error=BAD_CONTEXT)
    stage.exchange("cancelOrder", orders[0], value=0, sender=maker)
    stage.fill(orders[0], error=BAD_STATUS)
    stage.exchange("batchCancelOrders", orders, value=0, sender=maker)
    stage.fill(orders[2], error=BAD_STATUS)
    stage.exchange("cancelOrdersUpTo", orders[2].salt + 1, value=0, sender=maker)
    stage.exchange("cancelOrdersUpTo", orders[2].salt, value=0, sender=maker,
                   error="OrderEpochError(address,address,uint256)")
    stage.fill(stage.order(salt=orders[2].salt + 1), error=BAD_STATUS)
    stage.fill(stage.order(salt=orders[2].salt + 2))
    # Others' orders stay.
    stage.fill(stage.order(stage.makers[1]))


def assets(stage: ExchangeStage) -> None:
    """Several tokens at once, conditions, and what nobody can move."""
    both = multi_asset((3, stage.dai), (1, stage.zrx))
    stage.fill(stage.order(maker_asset=both, maker_amount=10 * ETHER))
    question = call("DummyERC20Token", "decimals")
    answer = (18).to_bytes(32, "big")
    for wanted, error in ((answer, ""), (answer[::-1], NOT_MOVED)):
        condition = static_asset(stage.at["DummyERC20Token"], question, wanted)
        stage.fill(stage.order(maker_asset=multi_asset((1, stage.dai), (1, condition))),
                   error=error)
    stage.fill(stage.order(maker_asset=b"\xde\xad\xbe\xef" + stage.dai[4:]), error=NOT_DISPATCHED)
    stage.fill(stage.order(maker_asset=b"\xde"), error=NOT_DISPATCHED)
    # An account without code moves nothing, but a call of it succeeds.
    nothing = stage.dai[:-20] + bytes.fromhex(person("nothing").address[2:])
    for asset in (nothing, stage.dai[:4]):
        stage.fill(stage.order(maker_asset=asset))


def hostile_fills(stage: ExchangeStage) -> None:
    order = stage.order()
    good = stage.sign(order)
    for name, signature in {
        "flipped": good[:40] + bytes([good[40] ^ 1]) + good[41:],
        "short": good[1:],
        "illegal": good[:-1] + bytes([Signature.ILLEGAL]),
        "invalid": bytes([Signature.INVALID]),
        "unknown": good[:-1] + b"\x08",
        "another's": stage.signer.sign(order, stage.makers[1]),
        "not made before": bytes([Signature.PRE_SIGNED]),
    }.items():
        stage.check.true(signature != good, name)
        stage.fill(order, signature=signature, error=BAD_SIGNATURE)
    stage.fill(order, signature=bytes([Signature.WALLET]),
               error="SignatureWalletError(bytes32,address,bytes,bytes)")
    stage.fill(order, signature=bytes.fromhex(stage.owner.address[2:]) + bytes([5]),
               error="SignatureValidatorNotApprovedError(address,address)")
    stage.exchange("fillOrKillOrder", order, 2 * ETHER, good, error=INCOMPLETE)
    stage.fill(stage.order(expiration=1), error=BAD_STATUS)
    stage.fill(stage.order(maker_amount=0), error=BAD_STATUS)
    stage.fill(stage.order(taker_amount=0), error=BAD_STATUS)
    stage.fill(stage.order(taker=stage.poor.address), error=BAD_CONTEXT)
    stage.fill(stage.order(sender=stage.poor.address), error=BAD_CONTEXT)
    stage.fill(stage.order(maker_amount=3, taker_amount=1_000), 500,
               error="RoundingError(uint256,uint256,uint256)")
    # The maker has not so much; the taker has allowed nothing, neither for the fee nor at all.
    stage.fill(stage.order(maker_amount=10**6 * ETHER), error=NOT_MOVED)
    stage.fill(order, sender=stage.poor, error=NOT_MOVED)
    stage.fill(order, value=0, sender=stage.poor, error=NOT_MOVED)
    data = call("Exchange", "fillOrder", order, ETHER // 10, good)
    for name, changed in {"cut": data[: len(data) // 2], "unknown": b"\xff" * 4, "empty": b""}.items():
        stage.run("Exchange", changed, f"{name} data", error=None)
    for gas in (60_000, 110_000, 150_000, 200_000, 240_000):
        stage.chains.send(f"a fill with {gas} gas", stage.at["Exchange"], data, value=FEE, gas=gas)
    # What only others may do.
    owner_only = "OnlyOwnerError(address,address)"
    stage.exchange("registerAssetProxy", stage.at["ERC20Proxy"], value=0,
                   error="AssetProxyExistsError(bytes4,address)")
    stage.exchange("setProtocolFeeMultiplier", 1, value=0, sender=stage.poor, error=owner_only)
    transfer = call("Staking", "payProtocolFee", stage.owner.address, stage.owner.address, 1)
    stage.run("StakingProxy", transfer, "a fee without a fill", value=1,
              error="OnlyCallableByExchangeError(address)")


def transactions(stage: ExchangeStage) -> None:
    """Calls that somebody signs and another one sends."""
    maker, taker = stage.makers
    order = stage.order(maker)
    data = call("Exchange", "fillOrder", order, ETHER // 10, stage.sign(order))
    signed = Transaction(1, LATE, PRICE, taker.address, data)
    signature = stage.signer.sign(signed, taker)
    stage.exchange("executeTransaction", signed, signature)
    stage.exchange("executeTransaction", signed, signature, error=BAD_TRANSACTION)
    late = signed._replace(expiration=1)
    stage.exchange("executeTransaction", late, stage.signer.sign(late, taker),
                   error=BAD_TRANSACTION)
    cheap = signed._replace(gas_price=PRICE - 1)
    stage.exchange("executeTransaction", cheap, stage.signer.sign(cheap, taker),
                   error="TransactionGasPriceError(bytes32,uint256,uint256)")
    other = signed._replace(salt=2)
    stage.exchange("executeTransaction", other, stage.signer.sign(other, maker),
                   error=BAD_SIGNATURE)
    cancel = Transaction(3, LATE, PRICE, maker.address, call("Exchange", "cancelOrder", order))
    again = other._replace(salt=4)
    stage.exchange("batchExecuteTransactions", [cancel, again],
                   [stage.signer.sign(cancel, maker), stage.signer.sign(again, taker)],
                   error="TransactionExecutionError(bytes32,bytes)")
    stage.exchange("batchExecuteTransactions", [cancel], [stage.signer.sign(cancel, maker)])


def random_calls(stage: ExchangeStage) -> None:
    """Orders of any numbers, filled in any way: both chains do the same, whatever it is."""
    source = random.Random(SEED)
    single = ("fillOrder", "fillOrKillOrder")
    batches = ("batchFillOrders", "batchFillOrKillOrders", "batchFillOrdersNoThrow")
    markets = ("marketSellOrdersNoThrow", "marketSellOrdersFillOrKill", "marketBuyOrdersNoThrow",
               "marketBuyOrdersFillOrKill")
    standing = [stage.order(maker, salt=LATE) for maker in stage.makers]
    for _ in range(RANDOM_CALLS):
        orders = [source.choice(standing), *(
            stage.order(source.choice(stage.makers), salt=source.getrandbits(250) + LATE,
                        maker_amount=source.randrange(1, 10 ** source.randrange(1, 22)),
                        taker_amount=source.randrange(1, 10 ** source.randrange(1, 20)),
                        taker_fee=source.randrange(10 ** source.randrange(1, 19)))
            for _ in range(source.randrange(3))
        )]
        source.shuffle(orders)
        signatures = stage.signed(*orders)
        if source.randrange(4) == 0:
            signatures[-1] = stage.signer.sign(orders[-1], stage.poor)
        amounts = [source.randrange(10 ** source.randrange(1, 19)) for _ in orders]
        function = source.choice(single + batches + markets)
        values = (
            (orders[0], amounts[0], signatures[0]) if function in single
            else (orders, amounts if function in batches else amounts[0], signatures)
        )
        stage.run("Exchange", call("Exchange", function, *values), f"random {function}",
                  error=None, value=source.randrange(2) * len(orders) * FEE)


def rewards(stage: ExchangeStage) -> None:
    """What the fees of an epoch bring to the pool, its maker and who delegated to it."""
    stage.next_epoch()
    stage.call("Staking", "finalizePool", POOL, at="StakingProxy")
    stage.call("Staking", "withdrawDelegatorRewards", POOL, at="StakingProxy")
    stage.call("Staking", "moveStake", (1, POOL), (0, NO_POOL), 10 * ETHER, at="StakingProxy")


def exchange(check: Check, sandbox: Sandbox) -> None:
    """0x v3's published contracts are created, and fill, refuse and pay as on py-evm"""
    stage = ExchangeStage(check, sandbox)
    stake(stage)
    good_fills(stage)
    many(stage)
    transactions(stage)
    assets(stage)
    hostile_fills(stage)
    random_calls(stage)
    cancels(stage)
    rewards(stage)


def main() -> None:
    with Sandbox(sys.argv[1]) as sandbox:
        report([exchange], sandbox)


if __name__ == "__main__":
    main()
