"""web3.py and hostile programs as the dapps of `dex provider`: `provider.py DEX`."""

from __future__ import annotations

import http.client
import json
import socket
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from typing import Any
from urllib.parse import urlsplit

from checks import RUN, Check, report
from contracts import WETH, ZRX
from eth_account import Account
from eth_account.messages import encode_defunct, encode_typed_data
from provider_terminal import ProviderTerminal
from sandbox import Sandbox
from web3 import Web3
from web3.exceptions import Web3RPCError

DAPP = "https://app.example"
OTHER = "https://evil.example"
BOB = Web3.to_checksum_address("0x" + "b0" * 20)


class Client:
    """Raw requests, with any headers."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._host, self._port = parts.hostname, parts.port
        self.own = f"{parts.hostname}:{parts.port}"

    def send(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers in lower case, and body."""
        connection = http.client.HTTPConnection(self._host, self._port, timeout=300)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, {"Host": self.own} | named)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, {k.lower(): v for k, v in answer.getheaders()}, content

    def call(
        self, method: str, *parameters: Any, token: str = "", origin: str = "", path: str = "/"
    ) -> Any:
        """The result of a request, or the code of its error."""
        headers = {"Content_Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if origin:
            headers["Origin"] = origin
        request = {"jsonrpc": "2.0", "id": 7, "method": method, "params": list(parameters)}
        _, _, body = self.send("POST", path, json.dumps(request).encode(), **headers)
        answer = json.loads(body)
        if answer["id"] != 7:
            raise RuntimeError(f"the id of {answer}")
        return answer["error"]["code"] if "error" in answer else answer["result"]

    def begin(self, method: str, *parameters: Any, token: str, missing: int = 0) -> socket.socket:
        """A connection with a request of a program, whose last bytes are missing."""
        request = {"jsonrpc": "2.0", "id": 7, "method": method, "params": list(parameters)}
        body = json.dumps(request).encode()
        head = (
            f"POST / HTTP/1.1\r\nHost: {self.own}\r\nContent-Type: application/json\r\n"
            f"Authorization: Bearer {token}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        connection = socket.create_connection((self._host, self._port), timeout=300)
        connection.sendall(head.encode() + body[: len(body) - missing])
        return connection

    @staticmethod
    def end(connection: socket.socket) -> bytes:
        """Everything that comes until the other side closes."""
        content = b""
        try:
            while chunk := connection.recv(65_536):
                content += chunk
        except ConnectionResetError:
            pass
        connection.close()
        return content

    def leave(self, connection: socket.socket) -> bytes:
        """The client goes away, and waits until the server has seen it."""
        connection.shutdown(socket.SHUT_WR)
        return self.end(connection)


class Stage:
    """A sandbox, a provider on it, and threads that ask."""

    def __init__(self, sandbox: Sandbox, terminal: ProviderTerminal) -> None:
        self.sandbox = sandbox
        self.terminal = terminal
        self.client = Client(terminal.url)
        self.pool = ThreadPoolExecutor(32)
        self.token = ""
        # The token of a page at DAPP.
        self.page = ""
        # Requests whose bodies never end.
        self.slow: list[socket.socket] = []

    def later(self, call: Callable[..., Any], *arguments: Any, **named: Any) -> Future[Any]:
        return self.pool.submit(call, *arguments, **named)

    def pair(self, origin: str = "") -> str:
        """A new token of a program, or of a page of this origin."""
        path = "/pair" if origin else "/"
        asked = self.later(self.client.call, "wallet_pair", origin=origin, path=path)
        code = self.terminal.code()
        asked.result()
        return self.client.call("wallet_pair", code, origin=origin, path=path)["token"]

    def web3(self) -> Web3:
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.token}"}
        provider = Web3.HTTPProvider(
            self.terminal.url, request_kwargs={"timeout": 300, "headers": headers}
        )
        return Web3(provider)


def pairing(check: Check, stage: Stage) -> None:
    """nothing is answered before the code of the terminal was typed, and three wrong ones end it"""
    client = stage.client
    for method in ("eth_chainId", "eth_accounts", "personal_sign", "eth_nonsense"):
        check.equal(client.call(method), 4100, f"the answer to {method} without a token")
    check.equal(client.call("wallet_pair", "000000"), 4100, "a code before one was shown")
    asked = stage.later(client.call, "eth_requestAccounts")
    code = stage.terminal.code()
    check.equal(asked.result(), 4100, "accounts without a token")
    wrong = f"{(int(code) + 1) % 1_000_000:06}"
    for _ in range(3):
        check.equal(client.call("wallet_pair", wrong), 4100, "a wrong code")
    check.equal(client.call("wallet_pair", code), 4100, "the right code after three wrong ones")
    stage.token = stage.pair()
    check.equal(len(stage.token), 64, "the length of the token")
    check.equal(client.call("eth_chainId", token=stage.token), "0x539", "the chain")
    for token in ("", stage.token[:-1], stage.token + "0", stage.token[::-1]):
        check.equal(client.call("eth_chainId", token=token), 4100, f"the chain by {token!r}")


def dapp(check: Check, stage: Stage) -> None:
    """web3.py reads, signs and sends through it, each time after a yes"""
    web3, terminal = stage.web3(), stage.terminal
    check.equal(web3.eth.chain_id, 1337, "the chain")
    accounts = web3.provider.make_request("eth_requestAccounts", [])["result"]
    check.equal(web3.eth.accounts, accounts, "the accounts")
    alice = accounts[0]
    check.true(web3.eth.get_balance(alice) > 0, "alice has no ether")
    check.true(web3.eth.get_block("latest")["number"] >= 0, "no block")

    signed = stage.later(web3.eth.sign, alice, text="hello from a dapp")
    check.true(signed.exception() is not None, "eth_sign signed")
    asked = stage.later(
        web3.provider.make_request, "personal_sign", ["0x" + b"hello dapp".hex(), alice]
    )
    terminal.expect("asks for a signature of a message")
    terminal.expect("hello dapp")
    terminal.answer("Sign this message", "y")
    signature = asked.result()["result"]
    found = Account.recover_message(encode_defunct(text="hello dapp"), signature=signature)
    check.equal(found, alice, "the signer of a message")

    data = permit(alice)
    asked = stage.later(web3.provider.make_request, "eth_signTypedData_v4", [alice, data])
    terminal.expect("asks for a signature of typed data")
    terminal.expect("to take up to")
    terminal.answer("Allow ", "y")
    found = Account.recover_message(
        encode_typed_data(full_message=data), signature=asked.result()["result"]
    )
    check.equal(found, alice, "the signer of typed data")
    asked = stage.later(
        web3.provider.make_request, "eth_signTypedData_v4", [alice, json.dumps(data)]
    )
    terminal.answer("Allow ", "n")
    check.equal(asked.result()["error"]["code"], 4001, "the code of a refusal")

    transaction = {"from": alice, "to": BOB, "value": 10**16}
    asked = stage.later(web3.eth.send_transaction, transaction)
    terminal.expect("asks for a transaction")
    terminal.answer("Send ", "y")
    receipt = web3.eth.wait_for_transaction_receipt(asked.result(), timeout=300)
    check.equal(receipt["status"], 1, "the status of a transfer")
    check.equal(web3.eth.get_balance(BOB), 10**16, "what arrived")

    deposit = {"from": alice, "to": WETH, "value": 10**15, "data": "0xd0e30db0"}
    asked = stage.later(web3.eth.send_transaction, deposit)
    terminal.expect(r"deposit\(\)")
    terminal.answer("Call ", "y")
    receipt = web3.eth.wait_for_transaction_receipt(asked.result(), timeout=300)
    check.equal(receipt["status"], 1, "the status of a deposit")
    asked = stage.later(web3.eth.send_transaction, deposit)
    terminal.answer("Call ", "n")
    error = asked.exception()
    check.true(isinstance(error, Web3RPCError), f"a declined transaction: {error!r}")
    check.equal(error.rpc_response["error"]["code"], 4001, "its code")


def hidden(check: Check, stage: Stage) -> None:
    """a byte behind an approval hides nothing, and a batch of parts is summed"""
    web3, terminal = stage.web3(), stage.terminal
    alice = stage.client.call("eth_accounts", token=stage.token)[0]
    approve = "0x095ea7b3" + BOB[2:].lower().rjust(64, "0") + "f" * 64 + "00"
    asked = stage.later(web3.eth.send_transaction, {"from": alice, "to": ZRX, "data": approve})
    terminal.expect(rf"spender = {BOB}")
    terminal.expect("All call data, 69 bytes")
    terminal.expect("BYTES FOLLOW: 1 ")
    terminal.expect(rf"IT APPROVES: {BOB} may\s+then\s+move\s+ALL\s+ZRX")
    terminal.answer("Call approve", "n")
    error = asked.exception()
    check.true(isinstance(error, Web3RPCError), f"a declined approval: {error!r}")
    data = batch([(ZRX, 10**15)] * 30 + [(WETH, 2**160 - 1)])
    asked = stage.later(web3.provider.make_request, "eth_signTypedData_v4", [alice, data])
    terminal.expect("Signs an allowance in Permit2")
    terminal.expect("ALL WETH, now and later: UNLIMITED")
    terminal.expect("0.03 ZRX, the sum of 30 parts")
    terminal.answer("Allow .*ALL WETH and 0.03 ZRX", "n")
    check.equal(asked.result()["error"]["code"], 4001, "a declined batch")
    login = "bank.example wants you to sign in with your Ethereum account:\r\n" + alice
    asked = stage.later(
        stage.client.call, "personal_sign", login, alice, token=stage.page, origin=DAPP
    )
    terminal.expect("IT IS A LOGIN AT bank.example")
    terminal.answer("Sign this message", "n")
    check.equal(asked.result(), 4001, "a declined login")


def batch(parts: list[tuple[str, int]]) -> dict[str, Any]:
    """Allowances in Permit2."""
    names = {
        "EIP712Domain": ["string name", "uint256 chainId", "address verifyingContract"],
        "PermitBatch": ["PermitDetails[] details", "address spender", "uint256 sigDeadline"],
        "PermitDetails": [
            "address token", "uint160 amount", "uint48 expiration", "uint48 nonce",
        ],
    }
    types = {
        name: [dict(zip(("type", "name"), member.split(), strict=True)) for member in members]
        for name, members in names.items()
    }
    details = [
        {"token": token, "amount": str(amount), "expiration": 4_102_444_800, "nonce": 0}
        for token, amount in parts
    ]
    permit2 = "0x000000000022D473030F116dDEE9F6B43aC78BA3"
    return {
        "types": types,
        "primaryType": "PermitBatch",
        "domain": {"name": "Permit2", "chainId": 1337, "verifyingContract": permit2},
        "message": {"details": details, "spender": BOB, "sigDeadline": 4_102_444_800},
    }


def permit(owner: str) -> dict[str, Any]:
    """A permit of a token for 5 units."""
    names = {
        "EIP712Domain": ["string name", "uint256 chainId", "address verifyingContract"],
        "Permit": [
            "address owner", "address spender", "uint256 value", "uint256 nonce",
            "uint256 deadline",
        ],
    }
    types = {
        name: [dict(zip(("type", "name"), member.split(), strict=True)) for member in members]
        for name, members in names.items()
    }
    return {
        "types": types,
        "primaryType": "Permit",
        "domain": {"name": "T", "chainId": 1337, "verifyingContract": BOB},
        "message": {
            "owner": owner, "spender": BOB, "value": 5, "nonce": 0, "deadline": 4_102_444_800,
        },
    }


def networks(check: Check, stage: Stage) -> None:
    """the chain is changed only to a known network"""
    call, token = stage.client.call, stage.token
    switch = "wallet_switchEthereumChain"
    check.equal(call(switch, {"chainId": "0x539"}, token=token), None, "to the chain in use")
    check.equal(call(switch, {"chainId": "5"}, token=token), -32602, "to no number")
    asked = stage.later(call, switch, {"chainId": "0xfffffff"}, token=token)
    check.equal(asked.result(), 4902, "to an unknown chain")
    check.equal(call("eth_chainId", token=token), "0x539", "the chain after that")


def switched(check: Check, dex: str, sandbox: Sandbox) -> None:
    """a change of the network is asked about, and what was meant for the other chain is refused"""
    with open(f"{sandbox.home}/config.toml", "a") as file:
        print('[networks.lab]\nchain_id = 4242', file=file)
        print('exchange = "0x12459c951127e0c374ff9105dda097662a027093"', file=file)
        print('rpc = ["http://127.0.0.1:9"]', file=file)
    key = sandbox.account("alice").key.hex()
    with ProviderTerminal(dex, sandbox.home, DEX_PRIVATE_KEY=key) as terminal:
        stage = Stage(sandbox, terminal)
        token = stage.token = stage.pair()
        call, later = stage.client.call, stage.later
        alice = call("eth_accounts", token=token)[0]
        switch = "wallet_switchEthereumChain"
        asked = later(call, switch, {"chainId": "0x1092"}, token=token)
        terminal.answer("Change to lab", "n")
        check.equal(asked.result(), 4001, "a declined change")
        check.equal(call("eth_chainId", token=token), "0x539", "the chain after that")
        asked = later(call, switch, {"chainId": "0x1092"}, token=token)
        terminal.expect("lab, chain 4242")
        terminal.answer("Change to lab", "y")
        check.equal(asked.result(), None, "a change")
        check.equal(call("eth_chainId", token=token), "0x1092", "the chain")
        check.equal(call("eth_accounts", token=token), [alice], "the accounts")
        check.equal(call("eth_blockNumber", token=token), 4900, "a node that does not answer")
        send = {"from": alice, "to": BOB, "value": "0x1", "chainId": "0x539"}
        check.equal(call("eth_sendTransaction", send, token=token), 4901, "the other chain")
        send["chainId"] = "0x1092"
        check.equal(call("eth_sendTransaction", send, token=token), 4900, "a plan without a node")
        asked = later(call, "eth_signTypedData_v4", alice, permit(alice), token=token)
        terminal.expect("this is\\s+for chain 1337")
        check.equal(asked.result(), 4001, "typed data of the other chain")
        asked = later(call, switch, {"chainId": "0x539"}, token=token)
        terminal.answer("Change to sandbox", "y")
        check.equal(asked.result(), None, "the change back")
        check.equal(call("eth_chainId", token=token), "0x539", "the chain at the end")


def hostile(check: Check, stage: Stage) -> None:
    """foreign hosts, origins, tokens, accounts and chains, and nonsense, are refused"""
    client, token = stage.client, stage.token
    call = client.call
    stage.slow = [
        client.begin("eth_chainId", token=token, missing=missing) for missing in range(1, 21)
    ]
    body = json.dumps({"id": 7, "method": "eth_chainId", "params": []}).encode()
    plain = {"Content_Type": "application/json", "Authorization": f"Bearer {token}"}
    hosts = {"evil.example": 403, "127.0.0.1.evil.example": 403, "10.0.0.1": 403}
    # No host at all.
    hosts["127.0.0.1:80:80"] = 400
    for host, refusal in hosts.items():
        status, _, _ = client.send("POST", "/", body, **plain | {"Host": host})
        check.equal(status, refusal, f"the status for the host {host}")
        status, _, _ = client.send("GET", "/provider.js", **{"Host": host})
        check.equal(status, refusal, f"the script for the host {host}")
    for origin in ("null", "file://", "chrome-extension://abc", "https://a b", "https://", "x" * 999):
        status, _, _ = client.send("POST", "/pair", body, **plain | {"Origin": origin})
        check.equal(status, 403, f"the status for the origin {origin[:40]!r}")
    status, _, _ = client.send("POST", "/", body, **plain | {"Content_Type": "text/plain"})
    check.equal(status, 415, "the status of a post that needs no preflight")
    status, _, _ = client.send("POST", "/", b"[" + b"1," * 300_000 + b"1]", **plain)
    check.equal(status, 413, "the status of a large body")
    # A token holds only for its origin, and no page reads an answer before it is paired.
    check.equal(call("eth_accounts", token=token, origin=OTHER), 4100, "a replayed token")
    status, headers, _ = client.send("POST", "/", body, **plain | {"Origin": OTHER})
    check.true("access-control-allow-origin" not in headers, "a page may read a refusal")
    asked = {"Origin": OTHER, "Access_Control_Request_Method": "POST"}
    status, headers, _ = client.send("OPTIONS", "/", **asked)
    check.equal(status, 403, "a preflight of an unpaired page")
    status, headers, _ = client.send("OPTIONS", "/pair", **asked)
    check.equal(headers.get("access-control-allow-origin"), OTHER, "a preflight of a pairing")
    page = stage.page = stage.pair(DAPP)
    check.equal(call("eth_chainId", token=page, origin=DAPP), "0x539", "the chain, for a page")
    for origin in ("", OTHER, DAPP + ":444", "http://app.example"):
        check.equal(call("eth_chainId", token=page, origin=origin), 4100, f"its token at {origin!r}")
    check.equal(call("eth_accounts", origin=DAPP), 4100, "a paired page without its token")
    private = {"Origin": DAPP, "Access_Control_Request_Method": "POST"}
    private["Access_Control_Request_Private_Network"] = "true"
    status, headers, _ = client.send("OPTIONS", "/", **private)
    check.equal(status, 204, "a preflight of a paired page")
    check.equal(headers.get("access-control-allow-private-network"), "true", "from the internet")

    for text, code in (
        (b"", -32700), (b"{", -32700), (b"1", -32600), (b"[]", -32600), (b"{}", -32600),
        (b'[{"id":1,"method":"eth_chainId"}]', -32600), (b'{"id":[],"method":"x"}', -32600),
        (b'{"id":1,"method":7}', -32600), (b'{"id":1,"method":"eth_chainId","params":7}', -32602),
        (b'{"a":1,"a":2}', -32700), (b"[" * 9_000, -32700),
    ):
        _, _, content = client.send("POST", "/", text, **plain)
        check.equal(json.loads(content)["error"]["code"], code, f"the error of {text[:40]!r}")
    alice = call("eth_accounts", token=token)[0]
    for method in ("eth_sign", "eth_sendRawTransaction", "wallet_addEthereumChain", "debug_x", ""):
        check.equal(call(method, token=token), 4200, f"the error of {method}")
    send = {"from": alice, "to": BOB, "value": "0x1"}
    for parameters, code in (
        ([], -32602), ([7], -32602), ([{}], -32602), ([send | {"value": 1}], -32602),
        ([send | {"value": "1"}], -32602), ([send | {"to": None}], -32602),
        ([send | {"to": "0x12"}], -32602), ([send | {"nonce": "0x0"}], -32602),
        ([send | {"data": "0x1", "value": "0x0"}], -32602), ([send | {"more": 1}], -32602),
        ([send | {"data": "0x01", "input": "0x02"}], -32602),
        ([send | {"value": "0x" + "f" * 65}], -32602),
        ([send | {"from": BOB}], 4100), ([send | {"chainId": "0x1"}], 4901),
    ):
        found = call("eth_sendTransaction", *parameters, token=token)
        check.equal(found, code, f"the error of {parameters}"[:300])
    check.equal(call("personal_sign", "0x01", BOB, token=token), 4100, "another account's message")
    check.equal(call("personal_sign", "0x1", alice, token=token), -32602, "half a byte")
    check.equal(call("personal_sign", {}, alice, token=token), -32602, "no text")
    typed = permit(alice)
    wrong = typed | {"domain": typed["domain"] | {"chainId": 1}}
    asked = stage.later(call, "eth_signTypedData_v4", alice, wrong, token=token)
    stage.terminal.expect("only for the chain of the")
    check.equal(asked.result(), 4001, "typed data of another chain")
    check.equal(
        call("eth_signTypedData_v4", alice, typed | {"more": 1}, token=token), -32602,
        "typed data with a member more",
    )
    hashed = stage.later(call, "personal_sign", "0x" + "11" * 32, alice, token=token)
    stage.terminal.expect("32 bytes")
    check.equal(hashed.result(), 4001, "a hash as a message")


def texts(check: Check, stage: Stage) -> None:
    """what a message hides is not shown, warned of, and signed as it is; a login elsewhere is named"""
    call, token, terminal = stage.client.call, stage.page, stage.terminal
    alice = call("eth_accounts", token=token, origin=DAPP)[0]

    def ask(text: str) -> Future[Any]:
        return stage.later(call, "personal_sign", text, alice, token=token, origin=DAPP)

    text = "pay 1\x1b[2J\x1b[H\x1b]0;title\x07\b\b 2\u202e3\r4\u200b5"
    asked = ask(text)
    terminal.expect("pay 1 23 45")
    terminal.expect(r"control\s+characters")
    terminal.answer(f"Sign this message for {DAPP}", "y")
    found = Account.recover_message(encode_defunct(text=text), signature=asked.result())
    check.equal(found, alice, "the signer of the whole message")
    for hidden in ("\x1b[2J", "\x1b[H", "\x1b]", "\x07", "\b", "\u202e", "\u200b"):
        check.true(hidden not in terminal.text, f"{hidden!r} is in the terminal")
    fake = " " * 74 + "  account  0x" + "00" * 20
    asked = ask(f"{fake}\n\n{fake}")
    shown = terminal.expect(r"bytes +\d+\n((.*\n)+)Sign this message").group(1)
    lines = [line for line in shown.split("\n") if line]
    check.true(len(lines) > 4, f"the message has {lines}")
    check.equal([line for line in lines if not line.startswith("  |")], [], "lines without margin")
    terminal.type("n\n")
    check.equal(asked.result(), 4001, "a refusal")
    asked = ask("bank.example wants you to sign in with your Ethereum account:\n" + alice)
    terminal.expect(r"IT\s+IS\s+A\s+LOGIN\s+AT\s+bank\.example")
    terminal.answer("Sign this message", "n")
    check.equal(asked.result(), 4001, "a login at another place")
    asked = ask("a" * 5_000 + "bc")
    terminal.expect(r"\| a+bc")
    terminal.answer("Sign this message", "n")
    check.equal(asked.result(), 4001, "a long message")
    asked = ask("a" * 25_000)
    terminal.expect(r"25000\s+bytes")
    check.equal(asked.result(), 4001, "a message that is too long to be shown")
    asked = ask("0xfffe")
    terminal.expect("0xfffe")
    terminal.expect(r"no\s+text")
    terminal.answer("Sign this message", "n")
    check.equal(asked.result(), 4001, "bytes")


def repeats(check: Check, stage: Stage) -> None:
    """the same transaction twice is two questions, and gas and fees are the wallet's own"""
    web3, terminal = stage.web3(), stage.terminal
    alice = web3.eth.accounts[0]
    before = web3.eth.get_balance(BOB)
    given = {
        "gas": "0xffffff", "gasPrice": "0x1", "maxFeePerGas": "0x1", "type": "0x0",
        "maxPriorityFeePerGas": "0xffffffffffffffffffffff", "accessList": [],
    }
    send = {"from": alice, "to": BOB, "value": "0x7"} | given
    asked = [
        stage.later(web3.provider.make_request, "eth_sendTransaction", [send]) for _ in range(2)
    ]
    terminal.answer("Send ", "y")
    terminal.answer("Send ", "n")
    answers = [future.result() for future in asked]
    codes = [answer["error"]["code"] for answer in answers if "error" in answer]
    check.equal(codes, [4001], "what the same request again gets")
    sent = next(answer["result"] for answer in answers if "result" in answer)
    receipt = web3.eth.wait_for_transaction_receipt(sent, timeout=300)
    check.equal(web3.eth.get_balance(BOB) - before, 7, "what arrived")
    transaction = web3.eth.get_transaction(sent)
    check.true(transaction["gas"] < 0xFFFFFF, f"the gas is {transaction['gas']}")
    check.true(receipt["effectiveGasPrice"] > 1, f"the price is {receipt['effectiveGasPrice']}")


def departures(check: Check, stage: Stage) -> None:
    """for a client that went away nothing is signed, and what it left behind is not shown"""
    client, token, terminal = stage.client, stage.token, stage.terminal
    web3 = stage.web3()
    alice = client.call("eth_accounts", token=token)[0]
    shown = client.begin("personal_sign", "shown to the end", alice, token=token)
    terminal.expect("shown to the end")
    terminal.expect(r"Sign this message(.|\n)*?\[y/N\] ")
    behind = client.begin("personal_sign", "left behind", alice, token=token)
    check.true(b"signature" not in client.leave(behind), "an answer to a client that left")
    client.leave(shown)
    terminal.type("y\n")
    terminal.expect(r"went away before the\s+answer")
    nonce = web3.eth.get_transaction_count(alice, "pending")
    send = {"from": alice, "to": BOB, "value": "0x9"}
    shown = client.begin("eth_sendTransaction", send, token=token)
    terminal.expect(r"Send (.|\n)*?\[y/N\] ")
    client.leave(shown)
    terminal.type("y\n")
    terminal.expect(r"went away before the\s+answer")
    asked = stage.later(client.call, "personal_sign", "the next one", alice, token=token)
    terminal.expect("the next one")
    terminal.answer("Sign this message", "n")
    check.equal(asked.result(), 4001, "the next request")
    check.equal(web3.eth.get_transaction_count(alice, "pending"), nonce, "the nonce")
    check.true("left behind" not in terminal.text, "a request whose client left is shown")


def stalls(check: Check, stage: Stage) -> None:
    """bodies that never end keep nobody waiting, and end by the server's limit"""
    for connection in stage.slow:
        content = stage.client.end(connection)
        check.true(b'"result"' not in content, f"an unfinished request is answered: {content!r}")
    check.equal(stage.client.call("eth_chainId", token=stage.token), "0x539", "the chain")


def floods(check: Check, stage: Stage) -> None:
    """of many requests a few wait, and the others are refused at once"""
    call, token = stage.client.call, stage.token
    alice = call("eth_accounts", token=token)[0]
    asked = [
        stage.later(call, "personal_sign", f"flood {index}", alice, token=token)
        for index in range(20)
    ]
    refused = [future.result() for _, future in zip(range(16), as_completed(asked))]
    check.equal(refused, [-32005] * 16, "what is refused at once")
    for _ in range(4):
        stage.terminal.answer("Sign this message", "n")
    found = sorted(future.result() for future in asked)
    check.equal(found, [-32005] * 16 + [4001] * 4, "the answers to 20 requests")
    for index in range(30):
        stage.client.call("wallet_pair", origin=f"https://flood{index}.example", path="/pair")
    check.equal(call("eth_chainId", token=token), "0x539", "the chain while a code waits")


def guesses(check: Check, stage: Stage) -> None:
    """codes that are guessed end the pairings after ten attempts; what is paired goes on"""
    call, terminal = stage.client.call, stage.terminal
    for origin in ("https://flood0.example", *(OTHER for _ in range(20))):
        answer = call("wallet_pair", origin=origin, path="/pair")
        if answer == -32005:
            break
        # That of flood0 is shown already.
        code = terminal.code()
        wrong = [f"{(int(code) + step) % 1_000_000:06}" for step in range(1, 4)]
        for text in wrong:
            check.equal(call("wallet_pair", text, origin=origin, path="/pair"), 4100, "a guess")
    check.equal(answer, -32005, "an attempt after too many")
    check.equal(call("wallet_pair", origin=DAPP, path="/pair"), -32005, "a pairing after that")
    check.equal(call("eth_chainId", token=stage.page, origin=DAPP), "0x539", "the chain, for a page")


def ending(check: Check, stage: Stage) -> None:
    """Ctrl-C answers what waits with 4900, and ends it with 130"""
    call, token = stage.client.call, stage.token
    alice = call("eth_accounts", token=token)[0]
    asked = [
        stage.later(call, "personal_sign", f"end {index}", alice, token=token) for index in range(5)
    ]
    # One is too many as soon as the four others wait: none of them is still on its way then.
    check.equal(next(as_completed(asked)).result(), -32005, "one more than may wait")
    stage.terminal.expect(r"Sign this message(.|\n)*?\[y/N\] ")
    check.equal(stage.terminal.interrupt(), 130, "the exit code")
    found = sorted(future.result() for future in asked)
    check.equal(found, [-32005] + [4900] * 4, "what waited")


def alone(check: Check, dex: str, home: str) -> None:
    """without a terminal it does not start, and nothing lets it sign without a question"""
    for options, text in (([], "terminal"), (["--yes"], "--yes"), (["--json"], "--json")):
        run = subprocess.run(
            [dex, "provider", "--port", "0", *options],
            env={"DEX_HOME": home, "HOME": home, "PATH": "/usr/bin:/bin"} | RUN,
            stdin=subprocess.DEVNULL, capture_output=True, start_new_session=True, timeout=300,
        )
        check.equal(run.returncode, 2, f"the exit code with {options}")
        check.true(text in run.stderr.decode(), f"{run.stderr!r} does not name {text}")


def main() -> None:
    dex = sys.argv[1]
    with Sandbox(dex) as sandbox:
        with ProviderTerminal(dex, sandbox.home) as terminal:
            stage = Stage(sandbox, terminal)
            checks = [
                pairing, dapp, networks, hostile, hidden, texts, repeats, departures, stalls, floods,
                guesses, ending,
            ]

            def without(check: Check, _: Stage) -> None:
                alone(check, dex, sandbox.home)

            def between(check: Check, _: Stage) -> None:
                switched(check, dex, sandbox)

            without.__doc__ = alone.__doc__
            between.__doc__ = switched.__doc__
            report([without, *checks, between], stage)


if __name__ == "__main__":
    main()
