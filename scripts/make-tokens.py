#!/usr/bin/env python3
"""Makes Resources/tokens.json from a list of token facts and a list of warnings about them.

    scripts/make-tokens.py TOKENS.json FLAGS.json Resources/tokens.json

TOKENS.json: chain id -> [{address, symbol, name, decimals, logoURI?}], addresses in EIP-55.
FLAGS.json: chain id -> {superseded, nonTransferable, singleSource, spamListed, suspectedSpoofs,
disputedDecimals}; members that are absent are empty.

The result maps chain id -> address -> token, and "spoofs CHAIN" -> address -> the symbol and the
contracts that it imitates. It is JSON with a fixed layout that the program relies on to find a
token without parsing the file: a section's header alone on a line, then an address a line, sorted,
`symbol` first; the spoofs before the chains, the smallest chain first.
"""

import json
import sys

# The sandbox's chain has some mainnet tokens at their mainnet addresses.
SANDBOX_CHAIN = "1337"
SANDBOX_TOKENS = [
    "0xE41d2489571d322189246DaFA5ebDe1F4699F498",  # ZRX
    "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",  # WETH
    "0x6B175474E89094C44Da98b954EedeAC495271d0F",  # DAI
    "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",  # USDC
    "0x9f8F72aA9304c8B593d555F12eF6589cC3A579A2",  # MKR
    "0x514910771AF9Ca656af840dff83E8264EcF986CA",  # LINK
]


def entry(token, flags):
    """A token's members, `symbol` first, with the flags that rules and warnings need."""
    address = token["address"]
    marks = []
    superseded = flags.get("superseded", {}).get(address)
    if superseded is not None:
        marks.append("superseded")
    for flag, member in (
        ("nonTransferable", "nonTransferable"),
        ("singleSource", "singleSource"),
        ("spam", "spamListed"),
        ("disputedDecimals", "disputedDecimals"),
    ):
        if address in flags.get(member, []):
            marks.append(flag)
    made = {
        "symbol": token["symbol"],
        "name": token["name"],
        "decimals": token["decimals"],
    }
    if token.get("logoURI"):
        made["logoURI"] = token["logoURI"]
    if marks:
        made["flags"] = marks
    if superseded and superseded.get("replacedBy"):
        made["replacedBy"] = superseded["replacedBy"]
    return made


def check(chain, token):
    """Stops at facts that the program would have to doubt."""
    text = token["symbol"] + token["name"] + token.get("logoURI", "")
    bad = [c for c in text if ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0 or c in '"\\']
    if bad or not token["symbol"] or not 0 <= token["decimals"] <= 255:
        sys.exit(f"chain {chain}: {token} cannot be taken as it is")
    if len(token["address"]) != 42 or not token["address"].startswith("0x"):
        sys.exit(f"chain {chain}: {token['address']} is not an address")


def lines(members):
    """`"key":value` a line, sorted by address."""
    return ",\n".join(
        json.dumps(address) + ":" + json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        for address, value in sorted(members.items(), key=lambda item: int(item[0], 16))
    )


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        tokens = json.load(file)
    with open(sys.argv[2], encoding="utf-8") as file:
        flags = json.load(file)

    mainnet = {token["address"].lower(): token for token in tokens["1"]}
    tokens[SANDBOX_CHAIN] = [mainnet[address.lower()] for address in SANDBOX_TOKENS]
    flags[SANDBOX_CHAIN] = {}

    sections = []
    for chain in sorted(tokens, key=lambda chain: (len(tokens[chain]), chain)):
        members = {}
        for token in tokens[chain]:
            check(chain, token)
            members[token["address"]] = entry(token, flags.get(chain, {}))
        if len(members) != len(tokens[chain]):
            sys.exit(f"chain {chain}: an address twice")
        sections.append((chain, lines(members)))
    spoofs = []
    for chain, facts in flags.items():
        members = {
            address: {"symbol": spoof["symbol"], "imitates": spoof["listed"]}
            for address, spoof in facts.get("suspectedSpoofs", {}).items()
        }
        if members:
            spoofs.append((f"spoofs {chain}", lines(members)))

    with open(sys.argv[3], "w", encoding="utf-8") as file:
        file.write("{\n")
        file.write(",\n".join(f'"{key}":{{\n{text}\n}}' for key, text in spoofs + sections))
        file.write("\n}\n")


main()
