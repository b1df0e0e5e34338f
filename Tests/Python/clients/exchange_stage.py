"""0x v3's contracts on the sandbox and on py-evm, with people who trade there."""

from __future__ import annotations

from typing import Any

from checks import Check
from eth_account import Account
from eth_account.signers.local import LocalAccount
from eth_utils import keccak
from exchange_v3 import (
    MULTIPLIER,
    NOBODY,
    Deployment,
    Order,
    Signature,
    Signer,
    call,
    selector,
    token_asset,
)
from sandbox import Sandbox
from two_chains import PRICE, TwoChains

ETHER = 10**18
# Of one order, at the price that all transactions pay.
FEE = MULTIPLIER * PRICE
UNLIMITED = 2**256 - 1
# Seconds that are more than an epoch of the staking contract lasts.
EPOCH = 11 * 86_400
# An order that nobody hurries to fill.
LATE = 2**40


def person(name: str) -> LocalAccount:
    """An account that only these tests know."""
    return Account.from_key(keccak(text=f"dex test account, worthless: {name}"))


class ExchangeStage:
    """Contracts, two makers and two takers; `owner` is the one who deployed and takes most."""

    def __init__(self, check: Check, sandbox: Sandbox) -> None:
        self.check = check
        self.chains = TwoChains(check, sandbox)
        self.owner = self.chains.owner
        self.makers = [person("first maker"), person("second maker")]
        # Takes, too, but has allowed nothing and pays no fee in ether.
        self.poor = person("poor taker")
        deployment = Deployment(self.owner.address, self.chains.nonce(self.owner))
        self.at = deployment.at
        self.signer = Signer(self.at["Exchange"])
        self._salt = 0
        self.dai, self.weth, self.zrx = (
            token_asset(self.at[name]) for name in ("DummyERC20Token", "WETH9", "ZRXToken")
        )
        self._set_up(deployment)

    def _set_up(self, deployment: Deployment) -> None:
        chains, check = self.chains, self.check
        for name, code in deployment.creations():
            receipt = chains.send(name, None, code, succeeds=True)
            check.equal(receipt["contractAddress"], self.at[name], f"the address of {name}")
        for name, data in deployment.wiring():
            chains.send(f"a setting of {name}", self.at[name], data, succeeds=True)
        for index, someone in enumerate([*self.makers, self.poor]):
            chains.watched[f"person {index}"] = someone.address
            chains.send("ether", someone.address, value=5 * ETHER, succeeds=True)
        self.call("WETH9", "deposit", value=20 * ETHER)
        self.call("WETH9", "deposit", value=2 * ETHER, sender=self.makers[1])
        for token in ("DummyERC20Token", "ZRXToken"):
            for someone in (*self.makers, self.poor):
                self.call(token, "transfer", someone.address, 10_000 * ETHER)
        for token in ("DummyERC20Token", "WETH9", "ZRXToken"):
            for someone in (self.owner, *self.makers):
                self.call(token, "approve", self.at["ERC20Proxy"], UNLIMITED, sender=someone)

    def order(self, maker: LocalAccount | None = None, **changes: Any) -> Order:
        """An order to sell DAI for wrapped ether, with fees in ZRX, unless something changes it."""
        self._salt += 1
        usual = Order(
            maker=(maker or self.makers[0]).address,
            taker=NOBODY,
            fee_recipient=person("relay").address,
            sender=NOBODY,
            maker_amount=100 * ETHER,
            taker_amount=ETHER,
            maker_fee=ETHER // 10,
            taker_fee=ETHER // 5,
            expiration=LATE,
            salt=self._salt,
            maker_asset=self.dai,
            taker_asset=self.weth,
            maker_fee_asset=self.zrx,
            taker_fee_asset=self.zrx,
        )
        return usual._replace(**changes)

    def sign(self, order: Order, kind: Signature = Signature.EIP712) -> bytes:
        """The maker's signature."""
        maker = next(maker for maker in self.makers if maker.address == order.maker)
        return self.signer.sign(order, maker, kind)

    def signed(self, *orders: Order) -> list[bytes]:
        return [self.sign(order) for order in orders]

    # Calls

    def call(self, contract: str, function: str, *values: Any, at: str = "", value: int = 0,
             sender: LocalAccount | None = None) -> None:
        """Calls a function that succeeds; `at` names a contract that has it from another one."""
        self.run(at or contract, call(contract, function, *values), function, value=value,
                 sender=sender)

    def exchange(self, function: str, *values: Any, error: str = "", value: int = FEE,
                 sender: LocalAccount | None = None) -> None:
        """Calls the exchange; `error` is the signature of the error with which it reverts."""
        self.run("Exchange", call("Exchange", function, *values), function, error=error,
                 value=value, sender=sender)

    def fill(self, order: Order, amount: int = ETHER // 10, signature: bytes | None = None,
             **options: Any) -> None:
        """Fills a part of an order, a tenth of the usual one, with its maker's signature."""
        signature = self.sign(order) if signature is None else signature
        self.exchange("fillOrder", order, amount, signature, **options)

    def run(self, name: str, data: bytes, what: str, *, error: str | None = "", value: int = 0,
            sender: LocalAccount | None = None) -> None:
        """Sends a call to both chains, after it was asked of both what it would answer.

        It has to succeed, or to revert with this error; of None nothing is known.
        """
        to = self.at[name]
        here, there = self.chains.outcomes(to, data, value=value, sender=sender)
        self.check.equal(here, there, f"the answer of {what}")
        if error:
            found = (here[0], (here[1] or "")[:10])
            self.check.equal(found, ("reverted", "0x" + selector(error).hex()), f"{what}: {error}")
        self.chains.send(what, to, data, value=value, sender=sender,
                         succeeds=None if error is None else not error)

    def next_epoch(self) -> None:
        """Lets an epoch pass and ends it."""
        self.chains.node.answer("evm_increaseTime", EPOCH)
        # The time comes with a block; what is asked before it would be asked too early.
        self.chains.send("a block", self.owner.address, succeeds=True)
        self.call("Staking", "endEpoch", at="StakingProxy")
