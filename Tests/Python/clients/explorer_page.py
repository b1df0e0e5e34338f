"""Chromium on the explorer of a sandbox: `explorer_page.py DEX`.

With DEX_SCREENSHOTS=FOLDER it leaves pictures of each page there for each width and scheme.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import requests

from checks import RUN, Check, report
from chromium import Chromium, Page
from sandbox import Sandbox

# What is wider than the view; tables may be scrolled.
WIDE = """
[...document.querySelectorAll('body *')].filter((node) => {
  const box = node.getBoundingClientRect();
  if (box.width === 0 || node.closest('.skip, .scroll, svg, pre')) return false;
  return box.right > innerWidth + 1 || box.left < -1;
}).map((node) => `${node.tagName} ${node.textContent.slice(0, 80)}`)
"""


class Stage:
    """A sandbox with some trades, and a browser."""

    def __init__(self, sandbox: Sandbox, browser: Chromium) -> None:
        self.sandbox, self.browser = sandbox, browser
        for amount in (300, 120):
            self.dex("market-buy", "ZRX/WETH", str(amount), "--via", "book", "--yes")
        self.dex("market-sell", "ZRX/WETH", "200", "--via", "book", "--yes")
        self.dex("market-buy", "ZRX/WETH", "50", "--network", "sandbox-v4", "--via", "book", "--yes")
        block = self.node("eth_getBlockByNumber", "latest", False)
        self.hash = block["transactions"][0]
        book = requests.get(f"{sandbox.relay}/orders", timeout=60).json()
        # The relay's own list has the hash of no order: a page names one.
        self.maker = book[0]["maker"]

    def dex(self, *arguments: str) -> dict:
        """The answer of a command as alice."""
        done = subprocess.run(
            [sys.argv[1], *arguments, "--wallet", "alice", "--json"],
            env={
                "DEX_HOME": self.sandbox.home, "HOME": self.sandbox.home, "PATH": "/usr/bin:/bin",
                "DEX_NETWORK": "sandbox",
            } | RUN,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=600,
            check=False,
        )
        answer = json.loads(done.stdout)
        if done.returncode != 0:
            raise RuntimeError(f"{arguments}: {answer}")
        return answer["data"]

    def node(self, method: str, *parameters: object) -> dict:
        """A result of the node."""
        call = {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}
        return requests.post(self.sandbox.rpc, json=call, timeout=60).json()["result"]

    def page(self, path: str, width: int = 1280, scheme: str = "light") -> Page:
        """A page that follows the chain."""
        page = self.browser.open(width, 900, scheme)
        page.go(f"{self.sandbox.rpc}{path}")
        page.until("document.getElementById('status').textContent === 'live'")
        return page

    def paths(self) -> dict[str, str]:
        """A path of each kind of page."""
        home = requests.get(f"{self.sandbox.rpc}/market/ZRX-WETH", timeout=60).text
        order = home.split('href="/order/')[1].split('"')[0]
        return {
            "home": "/", "block": "/block/latest", "tx": f"/tx/{self.hash}",
            "address": f"/address/{self.maker}", "order": f"/order/{order}",
            "market": "/market/ZRX-WETH", "missing": "/nothing",
        }


def quiet(check: Check, stage: Stage, page: Page, status: str = "") -> None:
    """Nothing was said on the console, and nothing asked of anybody else."""
    said = [one for one in page.complaints() if not status or status not in one]
    check.equal(said, [], "what the console and the policy say")
    foreign = [
        url for url in page.requested() if not url.startswith((f"{stage.sandbox.rpc}/", "data:"))
    ]
    check.equal(foreign, [], "requests to others")


def looks(check: Check, stage: Stage) -> None:
    """each page at 1280 and 400 pixels, in light and dark: nothing is wider than the view"""
    folder = os.environ.get("DEX_SCREENSHOTS")
    for name, path in stage.paths().items():
        for width, scheme in ((1280, "light"), (400, "dark")):
            page = stage.browser.open(width, 900, scheme)
            page.go(f"{stage.sandbox.rpc}{path}")
            page.until("document.readyState === 'complete' && document.querySelector('h1') !== null")
            what = f"{name} at {width} pixels in {scheme}"
            check.equal(page.value("document.documentElement.scrollWidth"), width, f"the width of {what}")
            check.equal(page.value(WIDE), [], f"what is too wide of {what}")
            if folder:
                page.picture(f"{folder}/explorer-{name}-{width}-{scheme}.png")
            quiet(check, stage, page, "404" if name == "missing" else "")


def follows(check: Check, stage: Stage) -> None:
    """an open page shows a new block without being loaded again"""
    page = stage.page("/")
    page.value("window.notReloaded = true")
    before = page.value("document.querySelector('h1').textContent")
    stage.dex("market-buy", "ZRX/WETH", "10", "--via", "book", "--yes")
    page.until(f"document.querySelector('h1').textContent !== {json.dumps(before)}")
    check.true(page.value("window.notReloaded"), "the page was loaded again")
    quiet(check, stage, page)


def scriptless(check: Check, stage: Stage) -> None:
    """without scripts each page has its content, and the search leads to what was typed"""
    page = stage.browser.open(1280, 900)
    page.call("Emulation.setScriptExecutionDisabled", value=True)
    for name, path in stage.paths().items():
        page.go(f"{stage.sandbox.rpc}{path}")
        page.until("document.readyState === 'complete' && document.querySelector('h1') !== null")
        text = page.value("document.getElementById('main').innerText")
        check.true(len(text) > 40, f"{name} without scripts says {text!r}")
    answer = requests.get(f"{stage.sandbox.rpc}/search?q={stage.hash}", timeout=60)
    check.equal(answer.url, f"{stage.sandbox.rpc}/tx/{stage.hash}", "where the search leads")


def refuses(check: Check, stage: Stage) -> None:
    """foreign hosts, other methods, other sites; JSON-RPC works as before"""
    url = stage.sandbox.rpc
    for path in ("/", "/block/0", "/head"):
        foreign = requests.get(url + path, headers={"Host": "evil.example"}, timeout=60)
        check.equal(foreign.status_code, 403, f"{path} for a foreign host")
        other = requests.get(url + path, headers={"Origin": "http://evil.example"}, timeout=60)
        check.equal(other.status_code, 403, f"{path} for another site")
        for method in ("PUT", "DELETE", "PATCH"):
            answer = requests.request(
                method, url + path, headers={"Content-Type": "application/json"}, timeout=60
            )
            check.equal(answer.status_code, 405, f"{method} {path}")
            check.equal(answer.headers.get("Allow"), "GET, HEAD", f"what {path} allows")
    head = requests.head(f"{url}/block/0", timeout=60)
    check.equal((head.status_code, head.content), (200, b""), "HEAD")
    check.equal(requests.get(f"{url}/nothing", timeout=60).status_code, 404, "an unknown page")
    before = stage.node("eth_blockNumber")
    for path in stage.paths().values():
        requests.get(url + path, timeout=60)
    check.equal(stage.node("eth_blockNumber"), before, "the latest block after reading all pages")
    policy = requests.get(url, timeout=60).headers["Content-Security-Policy"]
    check.true(policy.startswith("default-src 'none'"), f"the policy is {policy}")
    check.true("unsafe" not in policy, f"the policy is {policy}")


with Sandbox(sys.argv[1]) as sandbox:
    with Chromium() as chromium:
        report([looks, follows, scriptless, refuses], Stage(sandbox, chromium))
