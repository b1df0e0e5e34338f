"""Suites about wallets: BIP-39, BIP-32, keystores, and what passwords are stretched with."""

from __future__ import annotations

import ast
import json
import warnings
from typing import Any

from formats import digits
from literals import Source
from packages import Package

HARDENED = 2**31


def phrases() -> Any:
    """vectors.json, which BIP-39 names: {english: [{entropy, phrase, seed, xprv}], others}.

    The passphrase is TREZOR; `others` are phrases in other languages.
    """
    suite = json.loads(Package("mnemonic").text("vectors.json"))
    names = ("entropy", "phrase", "seed", "xprv")
    return {
        "english": [dict(zip(names, row, strict=True)) for row in suite.pop("english")],
        "others": [row[1] for rows in suite.values() for row in rows],
    }


def accounts() -> Any:
    """The accounts of phrases in Ganache and MetaMask: [{phrase, path, address}]."""
    names = {"ETHEREUM_DEFAULT_PATH": "m/44'/60'/0'/0/0"}
    text = Package("eth_account").text("tests/core/test_hdaccount.py")
    rows = Source(text, names).rows("test_account_derivation")
    return [dict(zip(("phrase", "path", "address"), row, strict=True)) for row in rows]


def derivations() -> Any:
    """BIP-32's five: {extended: [{seed, path, xprv}], keys: [{seed, path, key}], invalid}."""
    text = Package("bip32").text("tests/test_bip32.py")
    source = Source(text, {"HARDENED_INDEX": HARDENED, "bytes.fromhex": lambda item: item})
    extended = []
    for number in (1, 2, 3, 4):
        body = source.function(f"test_vector_{number}").body
        seed = source.value(body[0].value)
        for node in body:
            if isinstance(node, ast.Assert) and (row := _private_key(source, node.test)):
                extended.append({"seed": seed, "path": row[0], "xprv": row[1]})
    invalid = [
        text
        for node in source.function("test_vector_5").body
        if isinstance(node, ast.Assign)
        for text in source.value(node.value)
    ]
    text = Package("eth_account").text("tests/core/test_deterministic.py")
    rows = Source(text, {}).rows("test_bip32_testvectors")
    return {
        "extended": extended,
        "keys": [dict(zip(("seed", "path", "key"), row, strict=True)) for row in rows],
        "invalid": invalid,
    }


def _private_key(source: Source, test: ast.expr) -> tuple[str, str] | None:
    """The path and the text in `bip32.get_xpriv_from_path(PATH) == TEXT`."""
    if not isinstance(test, ast.Compare) or not isinstance(test.left, ast.Call):
        return None
    wanted = test.comparators[0]
    name = ast.unparse(test.left.func)
    if not name.startswith("bip32.get_xpriv") or not isinstance(wanted, ast.Constant):
        return None
    steps = source.value(test.left.args[0]) if test.left.args else []
    if not isinstance(steps, str):
        # Numbers, the hardened ones with their top bit; one of them is written with it twice.
        parts = [f"{step % HARDENED}'" if step >= HARDENED else str(step) for step in steps]
        steps = "/".join(["m", *parts])
    return steps, wanted.value


def keystores() -> Any:
    """{version3: [{json, password, key}], version4: [json]}.

    The first of version 3 is the standard's own, which eth-keyfile's guide shows; its password and
    key are the standard's. Those of version 4 are EIP-2335's, for another curve.
    """
    package = Package("eth_keyfile")
    guide = package.text("README.md")
    start = guide.index("{", guide.index("load_keyfile('path"))
    standard = json.JSONDecoder().raw_decode(guide[start:])[0]
    fixtures = Source(package.text("tests/core/conftest.py"), {})
    names = ("json", "password", "priv")
    wallet = [fixtures.constant("MEW_KEYFILE")[name] for name in names]
    key = Source(package.text("tests/core/test_loading_from_file.py"), {
        "decode_hex": lambda item: item,
    }).constant("PRIVATE_KEY")
    rows = [[standard, "testpassword", key], wallet]
    later = [fixtures.constant(name)["json"] for name in ("SCRYPT_KEYFILE_V4", "PBKDF2_KEYFILE_V4")]
    return {
        "version3": [
            {"json": json.dumps(row[0]), "password": row[1], "key": row[2]} for row in rows
        ],
        "version4": [json.dumps(item) for item in later],
    }


def passwords() -> Any:
    """RFC 7914's keys: {scrypt: [{password, salt, n, r, p, key}], pbkdf2: [{..., rounds}]}.

    Texts are hexadecimal. The vector of scrypt that needs a gigabyte is left out.
    """
    # Its module warns of vectors that another package has.
    with warnings.catch_warnings(action="ignore"):
        from Crypto.SelfTest.Protocol.test_KDF import SHA256, PBKDF2_Tests, scrypt_Tests
    scrypt = [
        {
            "password": digits(password.encode()), "salt": digits(salt.encode()), "n": n, "r": r,
            "p": p, "key": digits(bytes.fromhex(key)),
        }
        for password, salt, n, r, p, key in scrypt_Tests.data
        if n * r * 128 < 2**30
    ]
    pbkdf2 = [
        {
            "password": digits(password.encode()), "salt": "0x" + salt.lower(), "rounds": rounds,
            "key": "0x" + key.lower(),
        }
        for password, salt, _, rounds, function, key in PBKDF2_Tests._testData
        if function is SHA256
    ]
    return {"scrypt": scrypt, "pbkdf2": pbkdf2}
