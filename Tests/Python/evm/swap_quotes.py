"""Prices and quotes of the Swap API over the contracts of a test chain, read by JSON-RPC."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from eth_utils import keccak

from deployment import ALLOWANCE_HOLDER, PERMIT2, REGISTRY, SETTLER, TAKER_SUBMITTED
from swap_deals import Deal, Market, Refusal, Request
from swap_encoding import (
    EMPTY,
    NATIVE,
    WETH,
    Permit,
    call,
    check_slippage,
    execute,
    execute_unsigned,
    native_check,
    sell,
    through_holder,
    transfer_from,
)

# For how many seconds a quote is good.
LIFE = 120
STRANGER = "0x" + "bad0" * 10

# How a quote may lie; each is what somebody who controls the API could try.
LIES = (
    "recipient",  # the output goes to somebody else
    "token",  # another token is checked for the minimum
    "minimum",  # the call data enforces one base unit, whatever the JSON says
    "unprotected",  # the call data enforces nothing
    "settler",  # a contract that the registry does not know is called
    "spender",  # the allowance is asked for that contract
    "amount",  # more of the sold token may be taken
    "value",  # ether is sent along with a sale of tokens
    "worse",  # a tenth less than the price before
    "stale",  # the deadline in the call data is over
)


class Quotes:
    """Answers requests for one chain."""

    def __init__(
        self, node: str, pools: Sequence[str], clock: Callable[[], float] = time.time
    ) -> None:
        self._market = Market(node, pools)
        self._clock = clock
        self._numbers = itertools.count(1)
        self.lie: str | None = None
        self.chain_id = int(self._market.ask("eth_chainId"), 16)

    # Answers

    def answer(self, asked: Request) -> dict[str, Any]:
        """The body of a price or a quote.

        Raises Refusal.
        """
        zid = f"0x{keccak(next(self._numbers))[:12].hex()}"
        if asked.is_wrap and asked.buy_amount is not None:
            raise Refusal(400, "INPUT_INVALID", "The input is invalid", "buyAmount")
        deal = self._market.deal(asked)
        if deal is None:
            return {"liquidityAvailable": False, "zid": zid}
        if asked.is_firm and self.lie == "worse":
            tenth = lambda amount: amount - amount // 10  # noqa: E731
            deal = replace(deal, bought=tenth(deal.bought), least=tenth(deal.least))
        block = self._market.ask("eth_getBlockByNumber", "latest", False)
        price = int(self._market.ask("eth_gasPrice"), 16)
        body: dict[str, Any] = {
            "liquidityAvailable": True,
            "sellToken": asked.sell,
            "buyToken": asked.buy,
            "buyAmount": str(deal.bought),
            "fees": {
                "integratorFee": None,
                "integratorFees": None,
                "zeroExFee": None,
                "gasFee": None,
            },
            "allowanceTarget": self._target(asked),
            "issues": self._issues(asked, deal),
            "tokenMetadata": {
                side: {"buyTaxBps": "0", "sellTaxBps": "0", "transferTaxBps": "0"}
                for side in ("buyToken", "sellToken")
            },
            "totalNetworkFee": str(350_000 * price),
            "blockNumber": str(int(block["number"], 16)),
            "zid": zid,
        }
        body |= self._amounts(asked, deal)
        if not asked.is_firm:
            return body | {"gas": "350000", "gasPrice": str(price)}
        return body | self._transaction(asked, deal, int(block["timestamp"], 16), zid, price)

    def _amounts(self, asked: Request, deal: Deal) -> dict[str, Any]:
        fills = [
            {
                "from": hop.sold,
                "to": hop.bought,
                "source": "Stand_In_Pool",
                "proportionBps": "10000",
            }
            for hop in deal.hops
        ]
        tokens = [asked.sell, asked.buy]
        route = {
            "fills": fills,
            "tokens": [{"address": token, "symbol": "?"} for token in tokens],
        }
        if deal.net is None:
            return {
                "mode": "exact-in",
                "sellAmount": str(deal.sold),
                "minBuyAmount": str(deal.least),
                "route": route,
            }
        back = [{**fill, "from": fill["to"], "to": fill["from"]} for fill in fills]
        return {
            "mode": "exact-out",
            "maxSellAmount": str(deal.most),
            "estimatedNetSellAmount": str(deal.net),
            "routes": {"forward": route, "refund": {**route, "fills": back}},
        }

    def _target(self, asked: Request) -> str | None:
        if asked.sell == NATIVE or asked.is_wrap:
            return None
        if self.lie == "spender":
            return SETTLER
        return PERMIT2 if asked.is_permit else ALLOWANCE_HOLDER

    def _issues(self, asked: Request, deal: Deal) -> dict[str, Any]:
        issues: dict[str, Any] = {
            "allowance": None,
            "balance": None,
            "simulationIncomplete": False,
            "invalidSourcesPassed": [],
        }
        if asked.taker is None:
            return issues
        target = self._target(asked)
        if asked.sell == NATIVE:
            actual = int(self._market.ask("eth_getBalance", asked.taker, "latest"), 16)
        else:
            (actual,) = self._market.read(
                asked.sell, ["uint256"], "balanceOf(address)", asked.taker
            )
        if actual < deal.most:
            issues["balance"] = {
                "token": asked.sell,
                "actual": str(actual),
                "expected": str(deal.most),
            }
            issues["simulationIncomplete"] = True
        if target is not None:
            (allowed,) = self._market.read(
                asked.sell, ["uint256"], "allowance(address,address)", asked.taker, target
            )
            if allowed < deal.most:
                issues["allowance"] = {"actual": str(allowed), "spender": target}
        return issues

    # Transactions

    def _transaction(
        self, asked: Request, deal: Deal, timestamp: int, zid: str, price: int
    ) -> dict[str, Any]:
        if asked.taker is None:
            raise Refusal(400, "INPUT_INVALID", "The input is invalid", "taker")
        permit = None
        if asked.is_wrap:
            to = STRANGER if self.lie == "settler" else WETH
            value = deal.sold if asked.sell == NATIVE else 0
            data = call("deposit()") if value else call("withdraw(uint256)", deal.sold)
        else:
            to, data, value, permit = self._trade(asked, deal, timestamp, zid)
        if self.lie == "value" and asked.sell != NATIVE:
            value += 1
        transaction = {
            "to": to,
            "data": "0x" + data.hex(),
            "value": str(value),
            "gas": None,
            "gasPrice": str(price),
        }
        if not asked.is_permit:
            return {"transaction": transaction}
        if permit is None:
            return {"transaction": transaction, "permit2": None}
        return {
            "transaction": transaction,
            "permit2": {
                "type": "Permit2",
                "hash": f"0x{permit.hash.hex()}",
                "eip712": permit.typed_data,
            },
        }

    def _settler(self) -> str:
        """The one that the registry names; ours knows it, whether or not it is paused."""
        if self.lie == "settler":
            return STRANGER
        try:
            (owner,) = self._market.read(REGISTRY, ["address"], "ownerOf(uint256)", TAKER_SUBMITTED)
        except Refusal:
            return SETTLER
        return owner.lower()

    def _trade(
        self, asked: Request, deal: Deal, timestamp: int, zid: str
    ) -> tuple[str, bytes, int, Permit | None]:
        """Where to send what data with how much ether, and what has to be signed for it."""
        settler = self._settler()
        account = asked.recipient or asked.taker or EMPTY
        deadline = max(timestamp, int(self._clock())) + LIFE
        if self.lie == "stale":
            deadline = timestamp - LIFE
        most = deal.most * 2 if self.lie == "amount" else deal.most
        is_signed = asked.is_permit and asked.sell != NATIVE
        permit = Permit(
            token=asked.sell,
            amount=most if is_signed else deal.most,
            nonce=int.from_bytes(keccak(text=zid), "big") if is_signed else 0,
            deadline=deadline,
            spender=settler,
            chain_id=self.chain_id,
        )
        head: tuple[str, str, int] = (account, asked.buy, deal.least)
        if self.lie == "recipient":
            head = (STRANGER, asked.buy, deal.least)
        elif self.lie == "token":
            head = (account, asked.sell, deal.least)
        elif self.lie == "minimum":
            head = (account, asked.buy, 1)
        elif self.lie == "unprotected":
            head = (EMPTY, EMPTY, 0)
        rest = self._actions(asked, deal, settler, account)
        identifier = bytes.fromhex(zid[2:]).rjust(32, b"\0")
        if is_signed:
            data = execute_unsigned(*head, permit, rest, identifier, settler=settler)
            return settler, data, 0, permit
        if asked.sell == NATIVE:
            first = [native_check(deadline, deal.most), call("STAND_IN_WRAP()")]
            inner = execute(*head, [*first, *rest], identifier)
            if asked.is_permit:
                return settler, inner, deal.most, None
            data = through_holder(inner, EMPTY, 0, settler)
            return ALLOWANCE_HOLDER, data, deal.most, None
        inner = execute(*head, [transfer_from(settler, permit), *rest], identifier)
        return ALLOWANCE_HOLDER, through_holder(inner, asked.sell, most, settler), 0, None

    def _actions(self, asked: Request, deal: Deal, settler: str, account: str) -> list[bytes]:
        """What follows after the sold token has arrived at Settler."""
        actions = [sell(hop.pool, hop.sold, settler) for hop in deal.hops]
        if asked.buy == NATIVE:
            actions.append(call("STAND_IN_UNWRAP()"))
        if deal.net is None:
            return actions
        actions.append(check_slippage())
        if asked.buy == NATIVE:
            actions.append(call("STAND_IN_WRAP()"))
        (hop,) = deal.hops
        # What is left goes back; of a sale of ether as its wrapped form.
        return [*actions, sell(hop.pool, hop.bought, account)]
