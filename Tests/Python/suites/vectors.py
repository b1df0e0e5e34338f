"""Prints every suite as one JSON object; what a member holds, the function of its name says."""

from __future__ import annotations

import json
import sys

import formats
import signing
import wallets

SUITES = [
    formats.keccak, formats.rlp, formats.abi,
    formats.addresses, signing.transactions, signing.messages, wallets.phrases,
    wallets.accounts, wallets.derivations, wallets.keystores, wallets.passwords,
]

json.dump({suite.__name__: suite() for suite in SUITES}, sys.stdout)
