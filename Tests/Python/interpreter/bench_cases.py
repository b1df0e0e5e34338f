"""What `dex-bench` measures the interpreter with, and how long pyrevm takes for the same.

A line each: a state, a call in it, the gas that the call uses, and pyrevm's time; no time where
pyrevm is not installed. The states are made by py-evm: contracts as they were published, deployed
and used by transactions, and our own as the sandbox has them.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assembly import assemble
from cases import BLOCK, ETHER, SENDER, WORLD, Account, Case, accounts
from eth_account import Account as Keys
from genuine_trades import FIRST_NONCE, GAS, steps
from judge import Watched, after, first_state, run

try:
    import pyrevm
except ImportError:
    # Its wheels are for some Pythons and processors only.
    pyrevm = None

sys.path.append(str(Path(__file__).resolve().parents[1] / "evm"))
import market  # noqa: E402
from deployment import build_genesis  # noqa: E402
from exchange_v3 import NOBODY, Deployment, Order, Signer, call, token_asset  # noqa: E402

LOOP = "0x" + "00" * 18 + "c0de"
LOOP_GAS = 10_000_000
CALL_GAS = 1_000_000
# Short runs, so that one of them falls into a quiet moment of the machine.
RUNS = 200
LOOP_RUNS = 30
PRICE = 1_000
UNLIMITED = 2**256 - 1


@dataclass(frozen=True)
class Measured:
    """A call in a state."""

    name: str
    state: Mapping[str, Account]
    to: str
    data: bytes = b""
    sender: str = SENDER
    value: int = 0
    gas: int = CALL_GAS
    # Of v3's exchange, which is paid by what gas costs.
    price: int = 0
    # It goes on until its gas is used up.
    is_endless: bool = False
    time: int = BLOCK["time"]


def loops() -> Iterator[Measured]:
    """A counter that counts, and what each round does besides."""
    again = assemble("DUP1", 0xFFFF_FFFF, "GT", 1, "JUMPI")
    for name, body in {
        "counting": b"",
        "words and memory": assemble("DUP1 DUP1 MUL DUP2 XOR", 3, "SHR", 0, "MSTORE", 0, "MLOAD POP"),
        "reading storage": assemble(0, "SLOAD POP"),
    }.items():
        code = assemble(0, "JUMPDEST", 1, "ADD") + body + again
        state = {LOOP: (1, 0, code, {}), SENDER: WORLD[SENDER]}
        yield Measured(name, state, LOOP, gas=LOOP_GAS, is_endless=True)


def own_fill() -> Measured:
    """A fill of an order on our contracts of 0x v1: token for wrapped ether, without fees."""
    _, state = build_genesis(market.configuration())
    order = market.Order()
    return Measured(
        "a 0x v1 fill",
        {
            "0x" + who.hex(): (item["nonce"], item["balance"], item["code"], item["storage"])
            for who, item in state.items()
        },
        market.EXCHANGE,
        order.fill(order.taker_amount // 10, throws=False),
        market.TAKER,
        time=market.START,
    )


def published_fill() -> Measured:
    """A fill of an order on 0x v3's published contracts, with fees of all kinds."""
    deployment = Deployment(SENDER, FIRST_NONCE, BLOCK["chain"])
    at = deployment.at
    maker = Keys.from_key(b"\x11" * 32)
    ledger = Ledger()
    for _, code in deployment.creations():
        ledger.send(None, code)
    for name, data in deployment.wiring():
        ledger.send(at[name], data)
    ledger.send(at["WETH9"], call("WETH9", "deposit"), value=ETHER // 10)
    ledger.send(maker.address, value=ETHER // 10)
    for token in ("DummyERC20Token", "ZRXToken"):
        ledger.send(at[token], call(token, "transfer", maker.address, 1_000 * ETHER))
    approval = call("WETH9", "approve", at["ERC20Proxy"], UNLIMITED)
    for token in ("DummyERC20Token", "WETH9", "ZRXToken"):
        for sender in (SENDER, maker.address):
            ledger.send(at[token], approval, sender=sender)
    dai, weth, zrx = (token_asset(at[name]) for name in ("DummyERC20Token", "WETH9", "ZRXToken"))
    order = Order(maker.address, NOBODY, "0x" + "fe" * 20, NOBODY, 100 * ETHER, ETHER // 10,
                  ETHER, ETHER, 2**40, 1, dai, weth, zrx, zrx)
    signature = Signer(at["Exchange"], BLOCK["chain"]).sign(order, maker)
    return Measured(
        "a 0x v3 fill",
        ledger.accounts,
        at["Exchange"],
        call("Exchange", "fillOrder", order, ETHER // 100, signature),
        value=ETHER // 1_000,
        price=PRICE,
    )


def published_swap() -> Measured:
    """The first swap in a pool of Uniswap's published contracts."""
    ledger = Ledger()
    for name, to, data in steps():
        if name.startswith("swap of"):
            return Measured("a Uniswap v3 swap", ledger.accounts, to or "", data)
        ledger.send(to, data)
    raise ValueError("no step is a swap")


class Ledger:
    """Transactions one after another, each in the state that those before it left."""

    def __init__(self) -> None:
        self._state: Watched = first_state(Case(""))
        self._nonces = {SENDER: FIRST_NONCE}

    def send(self, to: str | None, data: bytes = b"", *, value: int = 0,
             sender: str = SENDER) -> None:
        nonce = self._nonces.get(sender, 0)
        self._nonces[sender] = nonce + 1
        case = Case("", to=to, data=data, gas=GAS, nonce=nonce, value=value, sender=sender,
                    max_fee=PRICE)
        run(case, self._state)

    @property
    def accounts(self) -> dict[str, Account]:
        """What the transactions have made, and their sender."""
        return {
            who: account
            for who, account in after(self._state).items()
            if who == SENDER or who not in WORLD
        }


class Peer:
    """pyrevm, with the rules of Cancun: it has none that are newer."""

    def __init__(self, case: Measured) -> None:
        self._case = case
        self._cost = intrinsic(case.data)
        self._records = {
            who: self._record(nonce, balance, code)
            for who, (nonce, balance, code, _) in case.state.items()
        }

    @staticmethod
    def _record(nonce: int, balance: int, code: bytes) -> pyrevm.AccountInfo:
        """An account as it is put into a state.

        Code is deployed somewhere first: it is then prepared for running, as ours is, and not again
        for each call.
        """
        if not code:
            return pyrevm.AccountInfo(nonce=nonce, balance=balance)
        evm = pyrevm.EVM(gas_limit=BLOCK["limit"], spec_id="CANCUN")
        evm.set_balance(SENDER, balance)
        return evm.basic(evm.deploy(SENDER, creation(code), value=balance))

    def run(self) -> tuple[int, int]:
        """The call in a fresh state: nanoseconds of the processor, and its gas, whatever comes back."""
        case = self._case
        block = pyrevm.BlockEnv(number=BLOCK["number"], timestamp=case.time,
                                gas_limit=BLOCK["limit"])
        environment = pyrevm.Env(cfg=pyrevm.CfgEnv(chain_id=BLOCK["chain"]), block=block)
        evm = pyrevm.EVM(environment, gas_limit=BLOCK["limit"], spec_id="CANCUN")
        for who, (_, _, _, storage) in case.state.items():
            evm.insert_account_info(who, self._records[who])
            for slot, value in storage.items():
                # The word goes into the state only where the account is not loaded yet; otherwise
                # it is a change of this transaction, and warm.
                before = evm.snapshot()
                evm.insert_account_storage(who, slot, value)
                evm.revert(before)
        start = time.thread_time_ns()
        try:
            evm.message_call(case.sender, case.to, calldata=case.data, value=case.value,
                             gas=case.gas + self._cost, gas_price=case.price)
        except RuntimeError:
            # A loop ends so.
            pass
        spent = time.thread_time_ns() - start
        result = evm.result
        if result.is_success == case.is_endless:
            raise ValueError(f"{case.name} ended in pyrevm: {result.reason}")
        return spent, result.gas_used + result.gas_refunded - self._cost


def intrinsic(data: bytes) -> int:
    """What a transaction costs before its first instruction."""
    zeros = data.count(0)
    return 21_000 + 4 * zeros + 16 * (len(data) - zeros)


def creation(code: bytes) -> bytes:
    """What deploys this code."""
    head = assemble(len(code), "DUP1")
    tail = assemble(0, "CODECOPY", 0, "RETURN")
    # The push of where the code begins has two bytes.
    return head + assemble(len(head) + 2 + len(tail)) + tail + code


def line(case: Measured) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "name": case.name,
        "accounts": accounts(case.state),
        "from": case.sender,
        "to": case.to,
        "data": case.data.hex(),
        "value": hex(case.value),
        "price": hex(case.price),
        "gas": case.gas,
        "time": case.time,
        "endless": case.is_endless,
    }
    if pyrevm is not None:
        peer = Peer(case)
        runs = [peer.run() for _ in range(LOOP_RUNS if case.is_endless else RUNS)]
        entry["peer"] = {"nanoseconds": min(spent for spent, _ in runs), "gas": runs[0][1]}
    return entry


def main() -> None:
    for case in (*loops(), own_fill(), published_fill(), published_swap()):
        print(json.dumps(line(case), separators=(",", ":")))


if __name__ == "__main__":
    main()
