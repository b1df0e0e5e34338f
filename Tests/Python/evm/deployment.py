"""Puts the contracts, accounts and balances of a configuration into a chain's first state.

The configuration has the same parts as the sandbox's genesis, so that one description makes both
chains:

    {
      "chainId": 1337,
      "timestamp": 1750000000,
      "gasLimit": 36000000,
      "baseFeePerGas": "1000000000",
      "legacy": false,
      "coinbase": "0x0000000000000000000000000000000000000000",
      "exchange": "0x12459c951127e0c374ff9105dda097662a027093",
      "transferProxy": "0x8da0d80f5007ef1e431dd2127178d224e32c2ef4",
      "feeToken": "0xe41d2489571d322189246dafa5ebde1f4699f498",
      "authorized": ["0x12459c951127e0c374ff9105dda097662a027093"],
      "exchangeProxy": "0xdef1c0ded9bec7f1a1670819833240f027b25eff",
      "protocolFeeMultiplier": 0,
      "missing": [],
      "uniswap": {
        "pools": [{ "tokens": ["0x...", "0x..."], "fee": 3000,
          "sqrtPrice": "79228162514264337593543950336",
          "ranges": [["-60", "60", "1000000"]] }],
        "pairs": [{ "tokens": ["0x...", "0x..."], "reserves": ["1000", "1000"] }]
      },
      "swap": {
        "paused": false, "locked": false, "key": "...",
        "pools": [{ "address": "0x...", "tokens": ["0x...", "0x..."],
          "reserves": ["1000", "1000"] }]
      },
      "accounts": [{ "address": "0x...", "ether": "100000000000000000000", "nonce": 0 }],
      "tokens": [{ "address": "0x...", "symbol": "DAI", "name": "Dai Stablecoin",
        "decimals": 18, "kind": "plain" }],
      "balances": [{ "token": "0x...", "owner": "0x...", "amount": "1000" }],
      "allowances": [{ "token": "0x...", "owner": "0x...", "spender": "0x...",
        "amount": "1000" }],
      "orders": [{ "hash": "0x...", "filled": "0", "cancelled": "0" }]
    }

Amounts are base units (ether: wei), as numbers or texts, decimal or after `0x` hexadecimal.
Required are `timestamp`, what each item is about, and the contracts of one version or both (v1:
`exchange`, `transferProxy`, `feeToken`; v4: `exchangeProxy`) or of the Swap API alone (`swap`).
By default an allowance is unlimited and for the transfer proxy (else the Exchange Proxy, else the
AllowanceHolder), and `authorized` is the exchange. `missing` are selectors of v4 that this chain
has not registered. `legacy` is a chain from before EIP-1559. A balance of wrapped ether is backed
by ether.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from eth_utils import keccak, to_canonical_address

import uniswap
from compiler import Compiled, compiled
from native_functions import FUNCTIONS, OWN_FUNCTIONS, selector

UNLIMITED = 2**256 - 1
DOMAIN = "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"

# The contracts of the Swap API that have one address on every chain, and stand-ins for its Settlers.
ALLOWANCE_HOLDER = "0x0000000000001ff3684f28c67538d4d072c22734"
PERMIT2 = "0x000000000022d473030f116ddee9f6b43ac78ba3"
REGISTRY = "0x00000000000004533fe15556b1e086bb1a72ceae"
SETTLER = "0x5e77000000000000000000000000000000000002"
PREVIOUS_SETTLER = "0x5e77000000000000000000000000000000000001"
WRAPPED = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
# What the registry calls the trades that a taker submits.
TAKER_SUBMITTED = 2

# Where the functions of 0x v4 are said to be implemented.
FEATURE = bytes.fromhex("fe" * 20)

# Which contract stands for which kind of token; the kinds are the sandbox's and two more.
KINDS = {
    "plain": "ERC20",
    "zrx": "ZRXToken",
    "weth": "WETH9",
    "silent": "SilentToken",
    "usdt": "TetherToken",
    "fee": "FeeToken",
    "heavy": "HeavyToken",
    "upgradeable": "UpgradeableToken",
}


class Account:
    """An account as it is built up: wei, nonce, code, and storage by slot."""

    def __init__(self) -> None:
        self.balance = 0
        self.nonce = 0
        self.code = b""
        self.storage: dict[int, int] = {}

    def state(self) -> dict[str, Any]:
        """As py-evm takes it; slots that hold zero are left out, as on a chain."""
        storage = {slot: value for slot, value in self.storage.items() if value != 0}
        return {
            "balance": self.balance,
            "nonce": self.nonce,
            "code": self.code,
            "storage": storage,
        }


def build_genesis(
    configuration: Mapping[str, Any],
) -> tuple[dict[str, Any], dict[bytes, dict[str, Any]]]:
    """The header parameters and the state of block 0, as `MiningChain.from_genesis` takes them.

    Raises KeyError or ValueError where the configuration is not as at the head of this file.
    """
    parameters, accounts = _parameters(configuration), _State(configuration).accounts()
    if "uniswap" in configuration:
        uniswap.deploy(configuration, parameters, accounts)
    return parameters, accounts


def _parameters(configuration: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "coinbase": address(configuration.get("coinbase", "0x" + "00" * 20)),
        "difficulty": 0,
        "extra_data": b"",
        "gas_limit": number(configuration.get("gasLimit", 36_000_000)),
        "mix_hash": bytes(32),
        "nonce": bytes(8),
        "timestamp": number(configuration["timestamp"]),
        "base_fee_per_gas": number(
            configuration.get("baseFeePerGas", 0 if configuration.get("legacy") else 10**9)
        ),
    }


def address(text: str) -> bytes:
    """The 20 bytes of an address in hexadecimal."""
    return to_canonical_address(text)


def number(value: int | str) -> int:
    """A number that is one, or text: decimal, or hexadecimal after 0x."""
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        raise ValueError(f"{value!r} is no number")
    result = value if isinstance(value, int) else int(value, 16 if value[:2] == "0x" else 10)
    if not 0 <= result <= UNLIMITED:
        raise ValueError(f"{value} does not fit into 256 bits")
    return result


def chain_id(configuration: Mapping[str, Any]) -> int:
    """The chain id of a configuration."""
    return number(configuration.get("chainId", 1337))


def mapping_slot(position: int, *keys: bytes) -> int:
    """Where Vyper keeps a mapping's value: keccak(slot ++ key), each 32 bytes, key by key.

    Solidity hashes the key first, so an access list for one is none for the other.
    """
    slot = position
    for key in keys:
        slot = int.from_bytes(keccak(slot.to_bytes(32, "big") + key.rjust(32, b"\0")), "big")
    return slot


def native_domain(chain: int, proxy: bytes) -> bytes:
    """The EIP-712 domain of 0x v4's native orders (docs/protocol/zeroex-v4.md, section 2)."""
    words = [
        keccak(text=DOMAIN),
        keccak(text="ZeroEx"),
        keccak(text="1.0.0"),
        chain.to_bytes(32, "big"),
        proxy.rjust(32, b"\0"),
    ]
    return keccak(b"".join(words))


class _State:
    """The accounts of block 0."""

    def __init__(self, configuration: Mapping[str, Any]) -> None:
        self._configuration = configuration
        self._accounts: dict[bytes, Account] = defaultdict(Account)
        self._tokens: dict[bytes, Compiled] = {}
        # Of whom an allowance is that does not say so.
        self._spender = address(
            configuration["transferProxy"]
            if "exchange" in configuration
            else configuration.get("exchangeProxy", ALLOWANCE_HOLDER)
        )

    def accounts(self) -> dict[bytes, dict[str, Any]]:
        for item in self._configuration.get("accounts", []):
            account = self._accounts[address(item["address"])]
            account.balance = number(item["ether"])
            account.nonce = number(item.get("nonce", 0))
        for token in self._configuration.get("tokens", []):
            self._add_token(token)
        if "exchange" in self._configuration:
            self._add_exchange()
            self._add_proxy()
        if "exchangeProxy" in self._configuration:
            self._add_exchange_proxy()
        if "swap" in self._configuration:
            self._add_swap(self._configuration["swap"])
        if "uniswap" in self._configuration:
            self._add_uniswap(self._configuration["uniswap"])
        for balance in self._configuration.get("balances", []):
            self._add_balance(balance)
        for allowance in self._configuration.get("allowances", []):
            self._add_allowance(allowance)
        return {key: account.state() for key, account in self._accounts.items()}

    def _install(self, where: bytes, name: str) -> tuple[Account, Compiled]:
        contract = compiled(name)
        account = self._accounts[where]
        if account.code:
            raise ValueError(f"two contracts share the address 0x{where.hex()}")
        account.code = contract.code
        account.nonce = 1
        return account, contract

    def _add_exchange(self) -> None:
        exchange = address(self._configuration["exchange"])
        account, contract = self._install(exchange, "Exchange")
        for name, key in (("zrx_token", "feeToken"), ("transfer_proxy", "transferProxy")):
            value = int.from_bytes(address(self._configuration[key]), "big")
            account.storage[contract.slots[name]] = value
        for order in self._configuration.get("orders", []):
            key = bytes.fromhex(order["hash"].removeprefix("0x"))
            for name in ("filled", "cancelled"):
                slot = mapping_slot(contract.slots[name], key)
                account.storage[slot] = number(order.get(name, 0))

    def _add_proxy(self) -> None:
        proxy = address(self._configuration["transferProxy"])
        account, contract = self._install(proxy, "TokenTransferProxy")
        callers = self._configuration.get("authorized", [self._configuration["exchange"]])
        account.storage[contract.slots["authorities"]] = len(callers)
        for index, caller in enumerate(map(address, callers)):
            account.storage[mapping_slot(contract.slots["authorized"], caller)] = 1
            item = contract.slots["authorities"] + 1 + index
            account.storage[item] = int.from_bytes(caller, "big")

    def _add_exchange_proxy(self) -> None:
        proxy = address(self._configuration["exchangeProxy"])
        account, contract = self._install(proxy, "ExchangeProxy")
        domain = native_domain(chain_id(self._configuration), proxy)
        account.code = contract.deployed(domain=int.from_bytes(domain, "big"))
        multiplier = number(self._configuration.get("protocolFeeMultiplier", 0))
        if multiplier >= 2**32:
            raise ValueError(f"{multiplier} does not fit into 32 bits")
        account.storage[contract.slots["protocol_fee_multiplier"]] = multiplier
        # Something that has code is said to implement the functions that the chain has.
        self._accounts[FEATURE].code = b"\xfe"
        missing = {bytes.fromhex(text[2:]) for text in self._configuration.get("missing", [])}
        for key in map(selector, FUNCTIONS + OWN_FUNCTIONS):
            slot = mapping_slot(contract.slots["features"], key.ljust(32, b"\0"))
            account.storage[slot] = 0 if key in missing else int.from_bytes(FEATURE, "big")

    def _add_swap(self, swap: Mapping[str, Any]) -> None:
        self._install(address(ALLOWANCE_HOLDER), "AllowanceHolder")
        self._install(address(PERMIT2), "Permit2")
        for settler in (SETTLER, PREVIOUS_SETTLER):
            account, contract = self._install(address(settler), "SettlerStandIn")
            account.storage[contract.slots["wrapped"]] = int(swap.get("wrapped", WRAPPED), 16)
        registry, contract = self._install(address(REGISTRY), "SettlerRegistry")
        feature = TAKER_SUBMITTED.to_bytes(32, "big")
        for name, settler in (("current", SETTLER), ("previous", PREVIOUS_SETTLER)):
            slot = mapping_slot(contract.slots[name], feature)
            registry.storage[slot] = int(settler, 16)
        for name in ("paused", "locked"):
            registry.storage[contract.slots[name]] = int(swap.get(name, False) is True)
        for pool in swap.get("pools", []):
            self._add_pool(pool)

    def _add_pool(self, pool: Mapping[str, Any]) -> None:
        account, contract = self._install(address(pool["address"]), "ConstantPool")
        for index, (token, reserve) in enumerate(
            zip(pool["tokens"], pool["reserves"], strict=True)
        ):
            account.storage[contract.slots[f"token_{index}"]] = int(token, 16)
            account.storage[contract.slots[f"reserve_{index}"]] = number(reserve)
            self._add_balance({"token": token, "owner": pool["address"], "amount": reserve})

    def _add_uniswap(self, configuration: Mapping[str, Any]) -> None:
        """What of it is ours; `uniswap.py` adds the genuine contracts to the finished accounts."""
        factory, listed = self._install(uniswap.V2_FACTORY, "V2Factory")
        for pair in configuration.get("pairs", []):
            where = uniswap.pair_address(*pair["tokens"])
            account, contract = self._install(where, "V2Pair")
            account.storage[contract.slots["factory"]] = int.from_bytes(uniswap.V2_FACTORY, "big")
            items = zip(pair["tokens"], pair["reserves"], strict=True)
            # The tokens' order is that of their addresses.
            for index, (token, reserve) in enumerate(sorted(items, key=lambda i: address(i[0]))):
                account.storage[contract.slots[f"token{index}"]] = int(token, 16)
                account.storage[contract.slots[f"reserve{index}"]] = number(reserve)
                self._add_balance({"token": token, "owner": where, "amount": reserve})
            keys = [address(token) for token in pair["tokens"]]
            for one, other in (keys, reversed(keys)):
                slot = mapping_slot(listed.slots["pairs"], one, other)
                factory.storage[slot] = int.from_bytes(where, "big")
        router, contract = self._install(uniswap.V2_ROUTER, "V2Router")
        router.storage[contract.slots["factory"]] = int.from_bytes(uniswap.V2_FACTORY, "big")
        router.storage[contract.slots["WETH"]] = int.from_bytes(uniswap.WRAPPED, "big")
        self._install(uniswap.PROVIDER, "V3Provider")
        for token in self._configuration.get("tokens", []):
            self._add_balance(
                {"token": token["address"], "owner": uniswap.PROVIDER, "amount": 2**100}
            )

    def _add_token(self, token: Mapping[str, Any]) -> None:
        where = address(token["address"])
        kind = token.get("kind", "plain")
        if kind not in KINDS:
            raise ValueError(f"{kind!r} is no kind of token; those are {', '.join(KINDS)}")
        account, contract = self._install(where, KINDS[kind])
        if kind == "upgradeable":
            implementation = address(token["implementation"])
            slot = contract.slots["implementation"]
            account.storage[slot] = int.from_bytes(implementation, "big")
            # The proxy holds the storage that the implementation's code reads.
            _, contract = self._install(implementation, KINDS["plain"])
        self._tokens[where] = contract
        # What ZRX says of itself is in its code.
        if kind != "zrx":
            for name in ("name", "symbol"):
                _store_text(account, contract.slots[name], token[name])
            account.storage[contract.slots["decimals"]] = number(token["decimals"])
        if kind == "fee":
            account.storage[contract.slots["fee_millionths"]] = number(token["feeMillionths"])

    def _token(self, item: Mapping[str, Any]) -> tuple[Account, Compiled]:
        where = address(item["token"])
        if where not in self._tokens:
            raise ValueError(f"{item['token']} is no token of this configuration")
        return self._accounts[where], self._tokens[where]

    def _add_balance(self, item: Mapping[str, Any]) -> None:
        account, contract = self._token(item)
        amount = number(item["amount"])
        slot = mapping_slot(contract.slots["balanceOf"], address(item["owner"]))
        before = account.storage.get(slot, 0)
        account.storage[slot] = amount
        if contract.name == KINDS["weth"]:
            # Wrapped ether is backed by as much ether, which is its supply too.
            account.balance += amount - before
        else:
            supply = contract.slots["totalSupply"]
            account.storage[supply] = account.storage.get(supply, 0) + amount - before

    def _add_allowance(self, item: Mapping[str, Any]) -> None:
        account, contract = self._token(item)
        spender = address(item["spender"]) if "spender" in item else self._spender
        slot = mapping_slot(contract.slots["allowance"], address(item["owner"]), spender)
        account.storage[slot] = number(item.get("amount", UNLIMITED))


def _store_text(account: Account, slot: int, text: str) -> None:
    """A `String[32]` in storage: its length, then its bytes from the left."""
    data = text.encode()
    if len(data) > 32:
        raise ValueError(f"{text!r} is longer than 32 bytes")
    account.storage[slot] = len(data)
    account.storage[slot + 1] = int.from_bytes(data.ljust(32, b"\0"), "big")
