"""Asks the tests' Swap API over HTTP, and sends what it quotes to its chain.

    python swap_api_checks.py

Prints one JSON object: {"checks": [{"name", "differences": [...]}]}; a difference is a sentence.
"""

from __future__ import annotations

import json
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode

from eth_account import Account
from eth_utils import keccak

import server
import swap_api
from deployment import ALLOWANCE_HOLDER, PERMIT2, SETTLER
from market import ETHER, START, TAKER, TAKER_KEY
from swap_encoding import NATIVE, WETH, call, signed
from swap_market import DAI, POOLS, USDT, ZRX, configuration, equal
from swap_quotes import LIES

KEY = "a key of the tests"
AMOUNT = 10 * ETHER


class Market:
    """A node and the API beside it."""

    def __init__(self, clock: Callable[[], float] = time.time, **changes: Any) -> None:
        self.node = json.loads(server.serve(configuration(**changes)))["url"]
        self.api = swap_api.serve(self.node, KEY, list(POOLS), clock=clock)

    def ask(
        self, path: str, *, headers: dict[str, str] | None = None, **query: Any
    ) -> tuple[int, Any]:
        """The status and body of an answer; `chainId` and the right headers are there."""
        usual = {"0x-api-key": KEY, "0x-version": "v2"}
        url = f"{self.api}/swap/{path}?{urlencode({'chainId': 1337, **query})}"
        request = urllib.request.Request(url, headers=usual if headers is None else headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def lie(self, name: str | None) -> None:
        """What later quotes are wrong in."""
        body = json.dumps({"lie": name}).encode()
        urllib.request.urlopen(urllib.request.Request(f"{self.api}/control", body), timeout=30)

    def rpc(self, method: str, *parameters: Any) -> Any:
        """A result of the node; its error where it has none."""
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}
        request = urllib.request.Request(self.node, json.dumps(body).encode())
        with urllib.request.urlopen(request, timeout=30) as answer:
            content = json.load(answer)
        return content.get("result", content.get("error"))

    def send(self, to: str, data: str, value: int = 0) -> bool:
        """Whether a transaction of the taker succeeds."""
        transaction = {
            "chainId": 1337,
            "nonce": int(self.rpc("eth_getTransactionCount", TAKER, "latest"), 16),
            "gas": 1_500_000,
            "gasPrice": 10**11,
            "to": bytes.fromhex(to[2:]),
            "data": data,
            "value": value,
        }
        raw = Account.sign_transaction(transaction, TAKER_KEY).raw_transaction
        answer = self.rpc("eth_sendRawTransaction", f"0x{bytes(raw).hex()}")
        if not isinstance(answer, str):
            return False
        return self.rpc("eth_getTransactionReceipt", answer)["status"] == "0x1"

    def trade(self, quote: dict[str, Any]) -> bool:
        """Sends a quote's transaction, with its signature where it wants one."""
        transaction = quote["transaction"]
        data = bytes.fromhex(transaction["data"][2:])
        if quote.get("permit2") is not None:
            message = quote["permit2"]["eip712"]
            data = signed(
                data, bytes(Account.sign_typed_data(TAKER_KEY, full_message=message).signature)
            )
        return self.send(transaction["to"], f"0x{data.hex()}", int(transaction["value"]))

    def owns(self, token: str) -> int:
        """What the taker has, in base units."""
        if token == NATIVE:
            return int(self.rpc("eth_getBalance", TAKER, "latest"), 16)
        data = f"0x{call('balanceOf(address)', TAKER).hex()}"
        return int(self.rpc("eth_call", {"to": token, "data": data}, "latest"), 16)


def trades() -> Iterator[str]:
    """What is quoted is what arrives: tokens and ether, in one and two pools, both ways to pay"""
    market = Market()
    for way in ("allowance-holder", "permit2"):
        for sell, buy, amount in (
            (ZRX, WETH, AMOUNT),
            (WETH, ZRX, ETHER),
            (ZRX, DAI, AMOUNT),
            (USDT, ZRX, 10**6),
            (NATIVE, DAI, ETHER),
            (ZRX, NATIVE, AMOUNT),
        ):
            what = f"{way} {sell} for {buy}"
            query = {"sellToken": sell, "buyToken": buy, "sellAmount": amount, "taker": TAKER}
            _, price = market.ask(f"{way}/price", **query)
            status, quote = market.ask(f"{way}/quote", **query)
            yield from equal((status, quote.get("mode")), (200, "exact-in"), what)
            yield from equal(quote["buyAmount"], price["buyAmount"], f"the quote of {what}")
            yield from equal(
                int(quote["minBuyAmount"]), int(quote["buyAmount"]) * 99 // 100, "its minimum"
            )
            is_signed = way == "permit2" and sell != NATIVE
            yield from equal(quote.get("permit2") is not None, is_signed, f"a message of {what}")
            before = market.owns(buy)
            yield from equal(market.trade(quote), True, f"success of {what}")
            if buy != NATIVE:
                got = market.owns(buy) - before
                yield from equal(got, int(quote["buyAmount"]), f"what {what} brought")
            else:
                # Gas costs less than a tenth of it.
                yield from equal(market.owns(buy) > before - ETHER, True, what)


def purchases() -> Iterator[str]:
    """An exact purchase brings exactly that, and spends no more than was quoted"""
    market = Market()
    for way in ("allowance-holder", "permit2"):
        for buy in (ZRX, NATIVE):
            sell = WETH if buy == ZRX else DAI
            wanted = 100 * ETHER if buy == ZRX else ETHER // 10
            query = {"sellToken": sell, "buyToken": buy, "buyAmount": wanted, "taker": TAKER}
            status, quote = market.ask(f"{way}/quote", **query, slippagePpm=5_000)
            yield from equal((status, quote.get("mode")), (200, "exact-out"), way)
            before, paid = market.owns(buy), market.owns(sell)
            yield from equal(market.trade(quote), True, f"success by {way}")
            if buy == ZRX:
                yield from equal(market.owns(buy) - before, wanted, f"what {way} brought")
            spent = paid - market.owns(sell)
            yield from equal(spent <= int(quote["maxSellAmount"]), True, "spending within it")
            yield from equal(spent, int(quote["estimatedNetSellAmount"]), "what was spent")


def wraps() -> Iterator[str]:
    """Ether and wrapped ether go through the wrapped contract itself"""
    market = Market()
    for sell, buy in ((NATIVE, WETH), (WETH, NATIVE)):
        query = {"sellToken": sell, "buyToken": buy, "taker": TAKER}
        _, quote = market.ask("allowance-holder/quote", **query, sellAmount=ETHER)
        yield from equal(quote["transaction"]["to"], WETH, "the target")
        yield from equal(quote["allowanceTarget"], None, "the allowance's target")
        before = market.owns(WETH)
        yield from equal(market.trade(quote), True, "success")
        yield from equal(abs(market.owns(WETH) - before), ETHER, "what was wrapped")
        status, body = market.ask("allowance-holder/quote", **query, buyAmount=ETHER)
        yield from equal((status, body["name"]), (400, "INPUT_INVALID"), "an exact output")


def issues() -> Iterator[str]:
    """A missing allowance names its spender, and a short balance what there is"""
    market = Market(allowances=[])
    query = {"sellToken": ZRX, "buyToken": WETH, "sellAmount": AMOUNT, "taker": TAKER}
    for way, spender in (("allowance-holder", ALLOWANCE_HOLDER), ("permit2", PERMIT2)):
        _, quote = market.ask(f"{way}/quote", **query)
        yield from equal(
            quote["issues"]["allowance"], {"actual": "0", "spender": spender}, "the issue"
        )
        yield from equal(quote["allowanceTarget"], spender, "the target")
    query["sellAmount"] = 2_000 * ETHER
    _, quote = market.ask("permit2/quote", **query)
    found = quote["issues"]["balance"]
    yield from equal(found["actual"], str(1_000 * ETHER), "what there is")
    yield from equal(found["expected"], str(2_000 * ETHER), "what it takes")
    _, body = market.ask("permit2/price", **{**query, "buyToken": "0x" + "99" * 20})
    yield from equal(body["liquidityAvailable"], False, "liquidity of nothing")


def refusals() -> Iterator[str]:
    """Wrong keys, versions and parameters are refused by name"""
    market = Market()
    good = {"sellToken": ZRX, "buyToken": WETH, "sellAmount": AMOUNT, "taker": TAKER}
    path = "allowance-holder/quote"
    status, _ = market.ask(path, headers={"0x-version": "v2"}, **good)
    yield from equal(status, 401, "a missing key")
    status, _ = market.ask(path, headers={"0x-version": "v2", "0x-api-key": "no"}, **good)
    yield from equal(status, 401, "a wrong key")
    status, _ = market.ask(path, headers={"0x-api-key": KEY}, **good)
    yield from equal(status, 400, "a missing version")
    for changes, field in (
        ({"buyAmount": 5}, "buyAmount"),
        ({"sellAmount": "-5"}, "sellAmount"),
        ({"sellAmount": "0"}, "buyAmount"),
        ({"chainId": 1}, "chainId"),
        ({"sellToken": "0x12"}, "sellToken"),
        ({"buyToken": ZRX}, "buyToken"),
        ({"slippageBps": 10_001}, "slippageBps"),
        ({"slippageBps": 1, "slippagePpm": 1}, "slippagePpm"),
    ):
        status, body = market.ask(path, **{**good, **changes})
        details = body.get("data", {}).get("details", [{}])
        yield from equal((status, details[0].get("field")), (400, field), f"{changes}")
    taken = {name: value for name, value in good.items() if name != "taker"}
    yield from equal(market.ask(path, **taken)[0], 400, "a quote without a taker")
    yield from equal(market.ask("allowance-holder/price", **taken)[0], 200, "a price without one")
    status, chains = market.ask("chains")
    yield from equal(chains["chains"][0]["chainId"], 1337, "its chain")


def _bare(quote: dict[str, Any]) -> str:
    """A quote's call data without what is new in every quote."""
    zid = quote["zid"][2:]
    data = quote["transaction"]["data"].replace(zid, "")
    return data.replace(keccak(text=f"0x{zid}").hex(), "")


def lies() -> Iterator[str]:
    """Each lie changes what it should in quotes, and no price"""
    # The time is in the call data.
    market = Market(clock=lambda: START)
    query = {"sellToken": ZRX, "buyToken": WETH, "sellAmount": AMOUNT, "taker": TAKER}
    for way in ("allowance-holder", "permit2"):
        honest = market.ask(f"{way}/quote", **query)[1]
        honest_price = market.ask(f"{way}/price", **query)[1]
        # Two honest ones are the same but for that, so what differs is the lie.
        again = market.ask(f"{way}/quote", **query)[1]
        yield from equal(_bare(again), _bare(honest), f"a second quote by {way}")
        for name in LIES:
            market.lie(name)
            quote = market.ask(f"{way}/quote", **query)[1]
            price = market.ask(f"{way}/price", **query)[1]
            market.lie(None)
            if name != "spender":
                yield from equal(price["buyAmount"], honest_price["buyAmount"], f"price, {name}")
                yield from equal(quote["allowanceTarget"], honest["allowanceTarget"], name)
            else:
                yield from equal(quote["allowanceTarget"], SETTLER, name)
                continue
            if name == "value":
                yield from equal(quote["transaction"]["value"], "1", name)
                continue
            changed = _bare(quote) != _bare(honest)
            yield from equal(changed, True, f"the call data of {name} by {way} being another")
            if name == "stale":
                yield from equal(market.trade(quote), False, "success of what is stale")


CHECKS: tuple[Callable[[], Iterator[str]], ...] = (
    trades,
    purchases,
    wraps,
    issues,
    refusals,
    lies,
)


def main() -> int:
    checks = [{"name": check.__doc__, "differences": list(check())} for check in CHECKS]
    print(json.dumps({"checks": checks}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
