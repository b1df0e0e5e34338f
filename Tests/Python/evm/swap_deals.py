"""What the pools of a test chain give for a trade, read by JSON-RPC."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from eth_abi import decode

from swap_encoding import NATIVE, WETH, bought, call, sold

MILLION = 1_000_000


class Refusal(Exception):
    """An error as the API answers it."""

    def __init__(self, status: int, name: str, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.name = name
        self.field = field


@dataclass(frozen=True)
class Request:
    """What is asked for; addresses in lower case, amounts in base units."""

    sell: str
    buy: str
    sell_amount: int | None
    buy_amount: int | None
    taker: str | None
    recipient: str | None
    slippage: int
    """In parts per million."""
    is_permit: bool
    is_firm: bool

    @property
    def is_wrap(self) -> bool:
        return {self.sell, self.buy} == {NATIVE, WETH}


@dataclass(frozen=True)
class Hop:
    """A sale to one pool, with the reserves before it."""

    pool: str
    sold: str
    bought: str
    reserve_in: int
    reserve_out: int


@dataclass(frozen=True)
class Deal:
    """Amounts of a trade, in base units."""

    hops: Sequence[Hop]
    sold: int
    most: int
    bought: int
    least: int
    # The expected spending after the refund; None where what is sold is fixed.
    net: int | None


class Market:
    """The pools of one chain."""

    def __init__(self, node: str, pools: Sequence[str]) -> None:
        self._node = node
        self._pools = [pool.lower() for pool in pools]

    def ask(self, method: str, *parameters: Any) -> Any:
        """A result of the node; None where it answers an error."""
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}
        request = urllib.request.Request(
            self._node, json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer).get("result")

    def read(self, to: str, types: Sequence[str], signature: str, *arguments: Any) -> tuple:
        """What a contract answers.

        Raises Refusal.
        """
        data = "0x" + call(signature, *arguments).hex()
        answer = self.ask("eth_call", {"to": to, "data": data}, "latest")
        if not answer or answer == "0x":
            raise Refusal(400, "TOKEN_NOT_SUPPORTED", f"Nothing answers at {to}.")
        return decode(types, bytes.fromhex(answer[2:]))

    def _hops(self) -> list[Hop]:
        """Each pool in both directions."""
        hops = []
        for pool in self._pools:
            first, second = self.read(pool, ["address", "address"], "tokens()")
            mine, other = self.read(pool, ["uint256", "uint256"], "reserves()")
            hops.append(Hop(pool, first.lower(), second.lower(), mine, other))
            hops.append(Hop(pool, second.lower(), first.lower(), other, mine))
        return hops

    def _routes(self, asked: Request) -> list[list[Hop]]:
        source, target = (WETH if side == NATIVE else side for side in (asked.sell, asked.buy))
        hops = self._hops()
        starts = [hop for hop in hops if hop.sold == source]
        routes = [[hop] for hop in starts if hop.bought == target]
        if asked.buy_amount is None:
            routes += [
                [hop, last]
                for hop in starts
                for last in hops
                if (last.sold, last.bought) == (hop.bought, target) and last.pool != hop.pool
            ]
        return routes

    # Amounts

    def deal(self, asked: Request) -> Deal | None:
        """The best that the pools have; None where they have nothing."""
        if asked.is_wrap:
            amount = asked.sell_amount or 0
            return Deal((), amount, amount, amount, amount, None)
        deals = [
            deal
            for route in self._routes(asked)
            if (deal := self._along(route, asked)) is not None
        ]
        if asked.buy_amount is None:
            return max(deals, key=lambda deal: deal.bought, default=None)
        return min(deals, key=lambda deal: deal.sold, default=None)

    def _along(self, route: list[Hop], asked: Request) -> Deal | None:
        if asked.buy_amount is None:
            amount = asked.sell_amount or 0
            for hop in route:
                amount = bought(amount, hop.reserve_in, hop.reserve_out)
            if amount == 0:
                return None
            least = amount * (MILLION - asked.slippage) // MILLION
            start = asked.sell_amount or 0
            return Deal(route, start, start, amount, least, None)
        (hop,) = route
        wanted = asked.buy_amount
        needed = sold(wanted, hop.reserve_in, hop.reserve_out)
        if needed is None:
            return None
        most = -(-needed * (MILLION + asked.slippage) // MILLION)
        # Something has to be left to sell back: a pool refuses nothing.
        most = max(most, needed + 2)
        out = bought(most, hop.reserve_in, hop.reserve_out)
        back = bought(out - wanted, hop.reserve_out - out, hop.reserve_in + most)
        return Deal(route, needed, most, wanted, wanted, most - back)
