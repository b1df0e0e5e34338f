#!/usr/bin/env python3
"""Makes Sources/EthereumWallet/Mnemonic/EnglishWords.swift from the word list in eth-account.

Needs eth-account from PyPI. The list is part of BIP-39 and never changes: the script refuses any
that has not its SHA-256. Usage: make-bip39-words.py FILE
"""

import hashlib
import sys
import textwrap
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

# SHA-256 of english.txt, 2,048 lines, as BIP-39 publishes it.
PUBLISHED = "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda"


def main() -> None:
    """Checks the list and writes the Swift file."""
    content = (files("eth_account") / "hdaccount/wordlist/english.txt").read_bytes()
    found = hashlib.sha256(content).hexdigest()
    if found != PUBLISHED:
        sys.exit(f"eth-account {version('eth-account')} has another list: {found}")
    lines = textwrap.wrap(" ".join(content.decode().split()), 92 - len(" \\"))
    text = " \\\n        ".join(lines)
    Path(sys.argv[1]).write_text(
        f'''/// The English word list of BIP-39: 2,048 words in alphabetical order.
///
/// Made by scripts/make-bip39-words.py, which checks the list's published SHA-256.
///
/// Source: https://github.com/bitcoin/bips/blob/master/bip-0039/english.txt
enum EnglishWords {{
    /// All words, a space between two.
    static let text: StaticString = """
        {text}
        """
}}
'''
    )


main()
