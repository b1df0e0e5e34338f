"""A client of the standard relayer API v4 with `requests`, and a maker with eth-account."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import requests
from checks import Check
from eth_account import Account
from eth_account.messages import SignableMessage, _hash_eip191_message, encode_defunct
from eth_account.messages import encode_typed_data
from eth_account.signers.local import LocalAccount
from relay_v4_schemas import FAILURE, REFUSAL, violations

NOBODY = "0x" + 40 * "0"
MEMBERS = {
    "makerToken": "address", "takerToken": "address", "makerAmount": "uint128",
    "takerAmount": "uint128", "takerTokenFeeAmount": "uint128", "maker": "address",
    "taker": "address", "sender": "address", "feeRecipient": "address", "pool": "bytes32",
    "expiry": "uint64", "salt": "uint256",
}


@dataclass(frozen=True)
class Market:
    """What a relay carries: `relay_v4.py URL CHAIN EXCHANGE BASE QUOTE NOW RECIPIENT FEE`."""

    chain_id: int
    exchange: str
    base: str
    quote: str
    # Seconds since 1970, by the relay's clock.
    now: int
    fee_recipient: str
    fee: int
    maker: LocalAccount = field(default_factory=lambda: Account.from_key(32 * b"\x11"))
    other: LocalAccount = field(default_factory=lambda: Account.from_key(32 * b"\x22"))

    def order(self, salt: int, **members: Any) -> Order:
        """An ask that the relay takes; amounts in base units."""
        terms: dict[str, Any] = {
            "makerToken": self.base, "takerToken": self.quote, "makerAmount": 1000,
            "takerAmount": 2000, "takerTokenFeeAmount": self.fee,
            "maker": self.maker.address.lower(), "taker": NOBODY, "sender": NOBODY,
            "feeRecipient": self.fee_recipient, "pool": "0x" + 64 * "0",
            "expiry": self.now + 3600, "salt": salt,
        }
        return Order(self, terms | members)

    def read(self, body: dict[str, Any]) -> Order:
        """The order that a relay's text is."""
        numbers = {name for name, kind in MEMBERS.items() if kind.startswith("uint")}
        terms = {name: int(body[name]) if name in numbers else body[name] for name in MEMBERS}
        market = replace(self, chain_id=body["chainId"], exchange=body["verifyingContract"])
        return Order(market, terms)


@dataclass(frozen=True)
class Order:
    """A limit order by its EIP-712 members."""

    market: Market
    terms: dict[str, Any]

    @property
    def message(self) -> SignableMessage:
        """The typed data, hashed by eth-account."""
        return encode_typed_data(
            {
                "name": "ZeroEx", "version": "1.0.0", "chainId": self.market.chain_id,
                "verifyingContract": self.market.exchange,
            },
            {"LimitOrder": [{"name": n, "type": t} for n, t in MEMBERS.items()]},
            self.terms,
        )

    @property
    def hash(self) -> bytes:
        """The order's hash."""
        return bytes(_hash_eip191_message(self.message))

    @property
    def path(self) -> str:
        """Where a relay shows the order."""
        return f"order/0x{self.hash.hex()}"

    def signature(self, kind: int = 3, signer: LocalAccount | None = None) -> dict[str, Any]:
        """A signature of type 2 (EIP712) or 3 (ETHSIGN)."""
        message = self.message if kind == 2 else encode_defunct(self.hash)
        signed = (signer or self.market.maker).sign_message(message)
        return {
            "signatureType": kind, "v": signed.v, "r": f"0x{signed.r:064x}",
            "s": f"0x{signed.s:064x}",
        }

    def signer(self, signature: dict[str, Any]) -> str:
        """Who made a signature of the order."""
        message = self.message if signature["signatureType"] == 2 else encode_defunct(self.hash)
        parts = (signature["v"], int(signature["r"], 16), int(signature["s"], 16))
        return Account.recover_message(message, vrs=parts).lower()

    def json(self, signature: dict[str, Any] | None = None) -> dict[str, Any]:
        """The order as it is posted."""
        terms = {n: str(v) if isinstance(v, int) else v for n, v in self.terms.items()}
        return terms | {
            "chainId": self.market.chain_id,
            "verifyingContract": self.market.exchange,
            "signature": signature or self.signature(),
        }


class RelayV4:
    """Requests to a relay; each answer's status and shape are judged as it comes."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._session = requests.Session()

    def get(self, check: Check, path: str, schema: dict[str, Any], **query: Any) -> Any:
        """The JSON of a GET that has to succeed with an answer of this shape."""
        response = self._session.get(f"{self.url}/{path}", params=query, timeout=600)
        what = f"GET /{path} {query}"
        check.equal(response.status_code, 200, f"the status of {what}: {response.text[:300]}")
        check.equal(response.headers["Content-Type"], "application/json", f"the type of {what}")
        check.equal(violations(response.json(), schema), [], f"the shape of {what}")
        return response.json()

    def post(self, check: Check, path: str, body: Any, schema: dict[str, Any] | None) -> Any:
        """A POST of JSON that has to succeed with this shape; None is no body."""
        response = self._session.post(f"{self.url}/{path}", json=body, timeout=600)
        what = f"POST /{path}"
        check.equal(response.status_code, 200, f"the status of {what}: {response.text[:300]}")
        if schema is None:
            check.equal(response.content, b"", f"the body of {what}")
            return None
        check.equal(violations(response.json(), schema), [], f"the shape of {what}")
        return response.json()

    def raw(self, method: str, target: str, **options: Any) -> requests.Response:
        """Any request, judged by the caller; the target is sent as it stands."""
        if method not in ("GET", "HEAD"):
            options.setdefault("headers", {}).setdefault("Content-Type", "application/json")
        request = requests.Request(method, self.url, **options).prepare()
        request.url = self.url + target
        return self._session.send(request, timeout=600)

    def refuses(
        self, check: Check, response: requests.Response, fields: dict[str, int], what: str
    ) -> None:
        """An answer has to be HTTP 400 with exactly these fields and their codes."""
        check.equal(response.status_code, 400, f"the status of {what}: {response.text[:300]}")
        check.equal(violations(response.json(), REFUSAL), [], f"the shape of {what}")
        found = {item["field"]: item["code"] for item in response.json()["validationErrors"]}
        check.equal((response.json()["code"], found), (100, fields), f"the fields of {what}")

    def survives(self, check: Check, response: requests.Response, what: str) -> None:
        """Whatever was asked, the answer is one of the API's, errors in its shape."""
        statuses = {200, 400, 404, 405, 413, 429, 501}
        check.true(response.status_code in statuses, f"{what}: {response.status_code}")
        if response.status_code >= 400:
            shape = REFUSAL if response.status_code == 400 else FAILURE
            check.equal(violations(response.json(), shape), [], f"the shape of {what}")
