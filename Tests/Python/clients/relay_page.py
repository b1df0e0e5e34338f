"""Chromium on the page of a served relay: `relay_page.py DEX`.

With DEX_SCREENSHOTS=FOLDER it leaves a picture of the page there for each width and scheme.
"""

from __future__ import annotations

import os
import sys

from checks import Check, report
from chromium import Chromium, Page
from contracts import PROXY
from peer import Peer
from relay_posting import UNIT, draft
from sandbox import Sandbox
from served_relay import ServedRelay, market_orders

NAME = "Relay <img src=x onerror=alert(1)> of a town"
ASKS, BIDS = ("[...document.querySelectorAll('#{} tbody tr')].map(r => r.innerText)".format(side)
              for side in ("asks", "bids"))
CHANGES = "[...document.querySelectorAll('#changes li span')].map(r => r.innerText)"
WORDS = "[...document.querySelectorAll('#commands code span')]"
# The text of an element whose contrast with what is behind it is below the 4.5 of WCAG 2.1 AA.
FAINT = """
(() => {
  const parts = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
  const light = (rgb) => rgb.slice(0, 3).map((c) => c / 255)
    .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (node) => {
    for (let one = node; one; one = one.parentElement) {
      const found = parts(getComputedStyle(one).backgroundColor);
      if (found.length === 3 || found[3] === 1) return found;
    }
    return [255, 255, 255];
  };
  return [...document.querySelectorAll('body *')].filter((node) => {
    const text = [...node.childNodes].some((one) => one.nodeType === 3 && one.data.trim() !== '');
    if (!text || node.getClientRects().length === 0 || node.closest('.skip, noscript, script, style')) return false;
    const style = getComputedStyle(node);
    const [a, b] = [light(parts(node.closest('svg') ? style.fill : style.color)), light(behind(node))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5;
  }).map((node) => `${node.tagName} ${node.textContent}`);
})()
"""
# What is wider than the view, or has text that is cut off at its edge.
CUT = """
[...document.querySelectorAll('body *')].filter((node) => {
  const box = node.getBoundingClientRect();
  if (box.width === 0 || node.closest('.skip')) return false;
  return box.right > innerWidth + 1 || box.left < -1
    || (node.tagName === 'PRE' && node.scrollWidth > node.clientWidth);
}).map((node) => `${node.tagName} ${node.textContent.slice(0, 80)}`)
"""


class Stage:
    """A relay with the market of the sandbox, but for two orders of each version."""

    def __init__(self, peer: Peer, relay: ServedRelay, browser: Chromium) -> None:
        self.peer, self.relay, self.browser = peer, relay, browser

    def page(self, width: int = 1280, scheme: str = "light", fragment: str = "") -> Page:
        """The page with its book, following the feed."""
        page = self.browser.open(width, 900, scheme)
        page.go(f"{self.relay.url}/{fragment}")
        page.until("document.getElementById('status').textContent === 'Live'")
        page.until(f"{ASKS}.length > 10 && {BIDS}.length > 10")
        return page


def quiet(check: Check, stage: Stage, page: Page) -> None:
    """Nothing was said on the console, and nothing asked of anybody else."""
    check.equal(page.complaints(), [], "what the console and the policy say")
    host = stage.relay.url.removeprefix("http://")
    foreign = [
        url for url in page.requested()
        if not url.startswith((f"http://{host}/", f"ws://{host}/", "data:"))
    ]
    check.equal(foreign, [], "requests to others")
    check.true(any(url.startswith("ws://") for url in page.requested()), "there is no WebSocket")


def shows(check: Check, stage: Stage) -> None:
    """the page shows the pairs, the book as the API has it, its depth, and how to come here"""
    page = stage.page()
    check.equal(page.value("document.title"), NAME, "the title")
    check.equal(page.value("document.getElementById('name').textContent"), NAME, "the name")
    check.equal(page.value("document.images.length"), 0, "the pictures of the name")
    pairs = page.value("[...document.querySelectorAll('#pairs tbody tr')].map(r => r.innerText)")
    check.equal([row.split("\t")[0] for row in pairs], ["ZRX/WETH"], "the pairs")
    page.value("document.getElementById('more').click()")
    book = stage.relay.book()
    for side, expression in (("asks", ASKS), ("bids", BIDS)):
        rows = [row.split("\t") for row in page.value(expression)]
        prices = [float(row[0]) for row in rows]
        check.equal(prices, sorted(prices, reverse=side == "bids"), f"the order of the {side}")
        maker = {"asks": "makerTokenAmount", "bids": "takerTokenAmount"}[side]
        whole = sum(int(order[maker]) for order in book[side]) / UNIT
        shown = float(rows[-1][2].replace("\u2009", ""))
        check.true(abs(shown - whole) <= whole / 10_000, f"{side}: {shown} of {whole} is shown")
    for name in ("area-bid", "area-ask", "line-bid", "line-ask"):
        points = page.value(f"document.querySelector('#depth .{name}').getAttribute('d').split('L').length")
        check.true(points > 20, f"{name} of the depth has {points} points")
        box = page.value(f"(b => [b.width, b.height])(document.querySelector('#depth .{name}').getBBox())")
        check.true(min(box) > 50, f"{name} of the depth has the size {box}")
    title = page.value("document.getElementById('depth-title').textContent")
    check.true(title.startswith("Depth of ZRX/WETH: bids want "), f"the picture says {title}")
    commands = page.value("[...document.querySelectorAll('#commands code')].map(c => c.textContent)")
    check.true(f"--relay {stage.relay.url}/v0" in commands[0], f"the commands are {commands}")
    quiet(check, stage, page)


def follows(check: Check, stage: Stage) -> None:
    """v0: a posted order appears, and a filled one goes, through the WebSocket without a reload"""
    page = stage.page()
    page.value("window.notReloaded = true")
    peer, relay = stage.peer, stage.relay
    # Better than all others: it becomes the first row.
    order = draft(peer, 71, maker_amount=100 * UNIT, taker_amount=UNIT * 75_000 // 1_000_000)
    check.equal(relay.post("/v0/order", order.json(peer.bob)).status_code, 201, "the post")
    page.until(f"{ASKS}[0].startsWith('0.000750000\\t100\\t')")
    page.until(f"{CHANGES}.some(text => text.startsWith('Ask 100 ZRX at 0.000750000 added'))")
    check.equal(page.value("document.getElementById('best-ask').textContent"), "0.000750000", "the ask")
    asked = len([url for url in page.requested() if "/v0/orderbook" in url])

    fill = peer.exchange.functions.fillOrder(
        order.addresses, order.values, order.taker_amount, False, *order.signature(peer.bob)
    )
    peer.invoke(peer.carol, fill, gas=250_000)
    page.until(f"!{ASKS}[0].startsWith('0.000750000\\t')")
    page.until(f"{CHANGES}[0].startsWith('Ask 100 ZRX at 0.000750000 gone')")
    check.true(page.value("window.notReloaded"), "the page was loaded again")
    again = len([url for url in page.requested() if "/v0/orderbook" in url]) - asked
    check.true(again <= 2, f"the book was asked for {again} times")
    quiet(check, stage, page)


def follows_v4(check: Check, stage: Stage) -> None:
    """v4: the same, with the other market chosen by hand and the fill by dex"""
    page = stage.page()
    page.value("[...document.querySelectorAll('#apis button')].find(b => b.textContent === '0x v4').click()")
    page.until(f"location.hash.startsWith('#v4/') && {ASKS}.length > 10")
    page.until("document.getElementById('status').textContent === 'Live'")
    page.value("window.notReloaded = true")
    first = page.value(f"{ASKS}[0]")
    order = stage.kept[0]
    check.equal(stage.relay.post("/sra/v4/order", order).status_code, 200, "the post")
    page.until(f"{CHANGES}.some(text => / added$/.test(text))")
    page.until(f"{ASKS}[0] !== {first!r}")
    best = page.value(f"{ASKS}[0]").split("\t")
    given = int(order["makerAmount"]) / UNIT
    check.equal(float(best[1].replace("\u2009", "")), given, "the amount of the best ask")
    status, answer, errors = stage.relay.run(
        "market-buy", "ZRX/WETH", str(int(given)), "--network", "sandbox-v4", "--relay",
        f"{stage.relay.url}/sra/v4", "--via", "book", "--wallet", "alice", "--yes", "--json",
    )
    check.equal(status, 0, f"dex market-buy ({answer} {errors})")
    page.until(f"{CHANGES}.some(text => / filled$/.test(text))")
    page.until(f"{ASKS}[0] === {first!r}")
    check.true(page.value("window.notReloaded"), "the page was loaded again")
    check.equal(
        [url for url in page.requested() if "/orderbook/v1?" in url][1:], [], "books asked for again"
    )
    quiet(check, stage, page)


def looks(check: Check, stage: Stage) -> None:
    """at 1280 and 400 pixels, in light and dark, nothing is cut off and every text can be read"""
    folder = os.environ.get("DEX_SCREENSHOTS")
    backs = set()
    for width in (1280, 400):
        for scheme in ("light", "dark"):
            page = stage.page(width, scheme)
            what = f"at {width} pixels in {scheme}"
            check.equal(page.value("document.documentElement.scrollWidth"), width, f"the width {what}")
            check.equal(page.value(CUT), [], f"what is cut off {what}")
            check.equal(page.value(FAINT), [], f"what is too faint {what}")
            check.true(page.value(f"{WORDS}.length") > 15, f"the commands have no words {what}")
            short = page.value(f"{WORDS}.filter(w => w.textContent.length < 30 && w.offsetHeight > 30).length")
            check.equal(short, 0, f"words that are broken {what}")
            backs.add(page.value("getComputedStyle(document.body).backgroundColor"))
            if folder:
                page.picture(f"{folder}/relay-page-{width}-{scheme}.png")
            quiet(check, stage, page)
    check.equal(len(backs), 2, "the number of schemes")


def guards(check: Check, stage: Stage) -> None:
    """Chromium's own policy stops what would be put into the page, and these checks would see it"""
    page = stage.page()
    for attempt in (
        "(s => { s.append('window.evil = 1'); document.head.append(s) })(document.createElement('script'))",
        "(p => { p.setAttribute('onclick', 'window.evil = 1'); p.click() })(document.body)",
        "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.evil = 1\">')",
    ):
        page.value(f"(() => {{ try {{ {attempt} }} catch (error) {{ return error.name }} }})()")
    page.value("Object.assign(new Image(), {src: 'http://127.0.0.2:9/x.png'}) && 1")
    page.value(
        "fetch('http://127.0.0.2:9/').then(() => 'asked', () => 'refused')"
    )
    frame = "new Promise(r => { const f = document.createElement('iframe'); f.src = '/'; f.onload = () => r(f.contentDocument === null || f.contentDocument.body === null || f.contentDocument.body.childElementCount === 0); document.body.append(f); })"
    check.true(page.value(frame), "a frame holds the page")
    check.equal(page.value("window.evil"), None, "what a foreign script left")
    said = " ".join(page.complaints())
    for word in ("TrustedScript", "TrustedHTML", "img-src", "connect-src"):
        check.true(word in said, f"nothing is said of {word}: {said}")


def returns(check: Check, stage: Stage) -> None:
    """a relay that stops is named on the page, which follows it again when it is back"""
    page = stage.page()
    page.value("window.notReloaded = true")
    relay = stage.relay
    port = relay.port
    relay.__exit__(None, None, None)
    check.equal(relay.process.returncode, 0, "the relay's end")
    page.until("document.getElementById('status').textContent === 'No answer'")
    page.until("document.getElementById('problem').textContent.includes('The page keeps trying.')")
    relay.write(f'listen = "127.0.0.1:{port}"\nname = "{NAME}"', TABLES)
    relay.__enter__()
    page.until("document.getElementById('status').textContent === 'Live'")
    check.true(page.value("document.getElementById('problem').hidden"), "the problem is still named")
    check.true(page.value("window.notReloaded"), "the page was loaded again")


TABLES = "[limits]\ntimes_owned = 0"
with Sandbox(sys.argv[1]) as sandbox:
    with ServedRelay(sys.argv[1], sandbox, f'name = "{NAME}"', TABLES) as served:
        peer = Peer(sandbox)
        for one in market_orders(sandbox):
            served.post("/v0/order", one).raise_for_status()
        native = market_orders(sandbox, "v4")
        served.post("/sra/v4/orders", native[1:]).raise_for_status()
        peer.invoke(peer.carol, peer.weth.functions.approve(PROXY, 2**256 - 1))
        with Chromium() as chromium:
            scene = Stage(peer, served, chromium)
            scene.kept = native[:1]
            report([shows, follows, follows_v4, looks, guards, returns], scene)
