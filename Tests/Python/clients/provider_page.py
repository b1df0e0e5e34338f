"""A page in Chromium as the dapp of `dex provider`: `provider_page.py DEX`."""

from __future__ import annotations

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from checks import Check, report
from chromium import Chromium, Page
from eth_account import Account
from eth_account.messages import encode_defunct, encode_typed_data
from provider import BOB, permit
from provider_terminal import ProviderTerminal
from sandbox import Sandbox

# A name that the browser resolves to this machine.
REBOUND = "rebound.example"
PAGE = """<!doctype html><title>A dapp</title><body>dapp
<script>
  window.found = [];
  addEventListener("eip6963:announceProvider", (event) => found.push(event.detail));
</script>
<script src="{url}/provider.js"></script>
<script>
  dispatchEvent(new Event("eip6963:requestProvider"));
  window.events = [];
  for (const name of ["connect", "accountsChanged", "chainChanged"]) {{
    found[0].provider.on(name, (value) => events.push([name, value]));
  }}
  window.answers = {{}};
  window.ask = (name, method, params) => {{
    found[0].provider.request({{ method, params }}).then(
      (value) => {{ answers[name] = {{ value: value === undefined ? null : value }}; }},
      (error) => {{ answers[name] = {{ code: error.code, message: error.message }}; }},
    );
    return true;
  }};
</script>"""


class Dapp:
    """A web server of one page, at an origin of its own."""

    def __init__(self, provider: str) -> None:
        content = PAGE.format(url=provider).encode()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200 if self.path == "/" else 404)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(content if self.path == "/" else b"")

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()


class Stage:
    """A browser, and a provider on a sandbox."""

    def __init__(self, browser: Chromium, sandbox: Sandbox, terminal: ProviderTerminal) -> None:
        self.browser, self.sandbox, self.terminal = browser, sandbox, terminal
        self.dapp = Dapp(terminal.url)
        self.page = browser.open(800, 600)
        self.page.go(self.dapp.url + "/")
        self.page.until("window.ask !== undefined")
        self._asked = 0

    def ask(self, method: str, *parameters: Any, page: Page | None = None) -> str:
        """Begins a request; returns its name."""
        self._asked += 1
        name = f"r{self._asked}"
        call = f"ask({json.dumps(name)}, {json.dumps(method)}, {json.dumps(list(parameters))})"
        (page or self.page).value(call)
        return name

    def answer(self, name: str, page: Page | None = None) -> Any:
        """The result of a request, or the code of its error."""
        found = (page or self.page).until(f"answers[{json.dumps(name)}]")
        return found["code"] if "code" in found else found["value"]

    def prompt(self, text: str | None, page: Page | None = None) -> str:
        """Answers the prompt of the page, once it opens; returns what it says."""
        page = page or self.page
        while True:
            # Any command of the browser brings the events: the page itself waits.
            self.browser.call("Target.getTargets")
            opened = [data for method, data in page.events if method == "Page.javascriptDialogOpening"]
            if opened:
                break
        page.events[:] = [one for one in page.events if one[0] != "Page.javascriptDialogOpening"]
        page.call("Page.handleJavaScriptDialog", accept=text is not None, promptText=text or "")
        return opened[0]["message"]


def announced(check: Check, stage: Stage) -> None:
    """the page gets the wallet by EIP-6963 and as window.ethereum, and nothing before it is paired"""
    page = stage.page
    check.equal(page.value("found[0].info.name"), "dex", "the name")
    check.equal(page.value("window.ethereum === found[0].provider"), True, "window.ethereum")
    check.true(page.value("found.length") >= 2, "it did not answer the request of EIP-6963")
    uuid = page.value("found[0].info.uuid")
    check.equal([len(part) for part in uuid.split("-")], [8, 4, 4, 4, 12], "the uuid")
    check.equal(stage.answer(stage.ask("eth_accounts")), [], "the accounts")
    check.equal(stage.answer(stage.ask("eth_chainId")), 4100, "the chain")


def paired(check: Check, stage: Stage) -> None:
    """the code of the terminal, typed in the page, pairs it: a wrong one asks again"""
    asked = stage.ask("eth_requestAccounts")
    code = stage.terminal.code()
    check.true("terminal" in stage.prompt("999 99"), "the prompt does not say where the code is")
    stage.prompt(f"{code[:3]} {code[3:]}")
    alice = stage.sandbox.account("alice").address
    check.equal(stage.answer(asked), [alice], "the accounts")
    stage.terminal.expect(r"is\s+paired")
    check.equal(stage.answer(stage.ask("eth_chainId")), "0x539", "the chain")
    events = stage.page.value("events")
    check.equal(events, [["connect", {"chainId": "0x539"}], ["accountsChanged", [alice]]], "events")
    stage.page.go(stage.dapp.url + "/")
    stage.page.until("window.ask !== undefined")
    check.equal(stage.answer(stage.ask("eth_accounts")), [alice], "the accounts after a reload")


def signed(check: Check, stage: Stage) -> None:
    """the page gets signatures and transactions after a yes, and 4001 after a no"""
    alice = stage.sandbox.account("alice").address
    terminal = stage.terminal
    asked = stage.ask("personal_sign", "0x" + b"from a page".hex(), alice)
    terminal.expect("asked by")
    terminal.expect("from a page")
    terminal.answer("Sign this message", "y")
    found = Account.recover_message(encode_defunct(text="from a page"), signature=stage.answer(asked))
    check.equal(found, alice, "the signer of a message")
    data = permit(alice)
    asked = stage.ask("eth_signTypedData_v4", alice, json.dumps(data))
    terminal.answer("Allow ", "y")
    found = Account.recover_message(
        encode_typed_data(full_message=data), signature=stage.answer(asked)
    )
    check.equal(found, alice, "the signer of typed data")
    send = {"from": alice, "to": BOB, "value": hex(10**15)}
    asked = stage.ask("eth_sendTransaction", send)
    terminal.answer("Send ", "n")
    check.equal(stage.answer(asked), 4001, "a refusal")
    asked = stage.ask("eth_sendTransaction", send)
    terminal.answer("Send ", "y")
    sent = stage.answer(asked)
    check.equal(len(sent), 66, "the hash")
    receipt = stage.answer(stage.ask("eth_getTransactionReceipt", sent))
    check.equal(receipt["status"], "0x1", "the status")
    check.equal(stage.answer(stage.ask("eth_sign", alice, "0x00")), 4200, "an unknown method")


def foreign(check: Check, stage: Stage) -> None:
    """another page cannot use the pairing: neither its token nor its origin"""
    other = Dapp(stage.terminal.url)
    page = stage.browser.open(800, 600)
    page.go(other.url + "/")
    page.until("window.ask !== undefined")
    token = stage.page.value("Object.values(sessionStorage)[0]")
    check.equal(len(token), 64, "the token of the first page")
    body = json.dumps({"id": 1, "method": "eth_accounts", "params": []})
    taken = page.value(
        f"fetch('{stage.terminal.url}/', {{method: 'POST', body: '{body}', headers: {{"
        f"'Content-Type': 'application/json', Authorization: 'Bearer {token}'}}}})"
        ".then((answer) => answer.text(), (error) => error.name)"
    )
    check.equal(taken, "TypeError", "what another page reads with the token")
    simple = page.value(
        f"fetch('{stage.terminal.url}/', {{method: 'POST', body: '{body}', mode: 'no-cors'}})"
        ".then((answer) => answer.type, (error) => error.name)"
    )
    check.equal(simple, "opaque", "what another page reads of a simple post")
    asked = stage.ask("eth_requestAccounts", page=page)
    stage.terminal.code()
    stage.prompt(None, page)
    check.equal(stage.answer(asked, page), 4001, "a page whose user types no code")
    check.equal(stage.answer(stage.ask("eth_accounts", page=page), page), [], "its accounts")


def rebound(check: Check, stage: Stage) -> None:
    """a name that resolves to this machine (DNS rebinding), and a frame without an origin, get nothing"""
    port = stage.terminal.url.rpartition(":")[2]
    page = stage.browser.open(800, 600)
    for path in ("", "provider.js"):
        page.go(f"http://{REBOUND}:{port}/{path}")
        page.until("document.body.innerText.includes('answers only as')")
        check.equal(page.value("location.host"), f"{REBOUND}:{port}", "the host of the page")
    post = (
        "{method: 'POST', headers: {'Content-Type': 'application/json'}, "
        "body: JSON.stringify({id: 1, method: 'wallet_pair', params: []})}"
    )
    for path in ("/", "/pair"):
        status = page.value(f"fetch('{path}', {post}).then((answer) => answer.status)")
        check.equal(status, 403, f"a post of the rebound page at {path}")
    inner = (
        f"<script>fetch('{stage.terminal.url}/pair', {post}).then("
        "() => parent.postMessage('read', '*'), (error) => parent.postMessage(error.name, '*'))"
        "</scr" + "ipt>"
    )
    frame = (
        "new Promise((done) => { addEventListener('message', (event) => done(event.data)); "
        "const frame = document.createElement('iframe'); frame.sandbox = 'allow-scripts'; "
        f"frame.srcdoc = {json.dumps(inner)}; document.body.append(frame); }})"
    )
    check.equal(stage.page.value(frame), "TypeError", "what a frame of the origin null gets")
    check.true("null asks" not in stage.terminal.text, "a pairing of null is shown")


def main() -> None:
    dex = sys.argv[1]
    with Sandbox(dex) as sandbox, ProviderTerminal(dex, sandbox.home) as terminal:
        with Chromium(f"--host-resolver-rules=MAP {REBOUND} 127.0.0.1") as browser:
            stage = Stage(browser, sandbox, terminal)
            report([announced, paired, signed, foreign, rebound], stage)


if __name__ == "__main__":
    main()
