"""Prometheus's own tool on the metrics of a served relay under load: `relay_load.py DEX`."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable

import requests
from checks import Check, report
from prometheus_client.parser import text_string_to_metric_families
from sandbox import Sandbox
from served_relay import PAIR_V0, ServedRelay, market_orders
from websockets.sync.client import connect

WAIT = 600
SUBSCRIPTION = (
    '{"type":"subscribe","channel":"orderbook","requestId":1,"payload":{"baseTokenAddress":"%s",'
    '"quoteTokenAddress":"%s","snapshot":true}}' % tuple(PAIR_V0.values())
)


def promtool(text: str) -> tuple[int, str]:
    """What `promtool check metrics` says of a text."""
    program = shutil.which("promtool")
    if program is None:
        raise RuntimeError("there is no promtool: make test-deps installs it")
    run = subprocess.run(
        [program, "check", "metrics"], input=text, capture_output=True, text=True, check=False,
        timeout=WAIT,
    )
    return run.returncode, run.stdout + run.stderr


def load(relay: ServedRelay, orders: list[object]) -> list[Callable[[], object]]:
    """What clients do again and again, right and wrong."""
    session = requests.Session()
    posts = iter(orders)

    def follow() -> None:
        with connect(f"ws://127.0.0.1:{relay.port}/v0/ws") as socket:
            socket.send(SUBSCRIPTION)
            socket.recv(timeout=WAIT)

    def wrong() -> None:
        with connect(f"ws://127.0.0.1:{relay.port}/sra/v4") as socket:
            socket.send("{")
            socket.recv(timeout=WAIT)

    return [
        lambda: session.get(f"{relay.url}/v0/orderbook", params=PAIR_V0, timeout=WAIT),
        lambda: relay.get("/v0/orders?page=x"),
        lambda: relay.get('/no"such\\path%0A'),
        lambda: relay.post("/v0/order", next(posts, {})),
        lambda: relay.post("/sra/v4/orders", [{}]),
        lambda: requests.request("BREW" + random.choice("ABCDEFGHIJKLMNOPQ"), relay.url, timeout=WAIT),
        follow, wrong,
    ]


def metrics(check: Check, relay: ServedRelay, orders: list[object]) -> None:
    """promtool has no complaint about the figures while requests, posts and feeds come and go"""
    ends = threading.Event()
    failures: list[str] = []

    def again(action: Callable[[], object]) -> None:
        try:
            while not ends.is_set():
                action()
        except Exception as error:
            failures.append(repr(error))

    threads = [threading.Thread(target=again, args=(one,)) for one in load(relay, orders)]
    for thread in threads:
        thread.start()
    counts = []
    try:
        for _ in range(8):
            response = relay.get("/metrics")
            check.equal(response.status_code, 200, "the status")
            check.equal(promtool(response.text), (0, ""), "promtool's verdict")
            families = text_string_to_metric_families(response.text)
            counts.append(
                sum(
                    sample.value for family in families if family.name == "dex_relay_requests"
                    for sample in family.samples if sample.name.endswith("_total")
                )
            )
    finally:
        ends.set()
        for thread in threads:
            thread.join(WAIT)
    check.equal(failures, [], "the clients that failed")
    check.equal(counts, sorted(counts), "the requests that were counted")
    check.true(counts[-1] - counts[0] > 100, f"there was no load: {counts}")
    text = relay.get("/metrics").text
    # Any word may be a method; a label of the client's own choice would grow without bound.
    methods = set(re.findall(r'method="([^"]*)"', text))
    check.true(len(methods) <= 10, f"the methods are {methods}")
    check.equal(promtool(text), (0, ""), "promtool's verdict at the end")


def faults(check: Check, relay: ServedRelay, _: list[object]) -> None:
    """promtool does find a fault where there is one"""
    text = relay.get("/metrics").text
    check.true(promtool(text + "spoilt{ 1\n")[0] != 0, "a broken line passes")
    check.true(promtool(text.replace("# HELP", "# NOTE"))[0] != 0, "metrics without help pass")


if __name__ == "__main__":
    with Sandbox(sys.argv[1]) as sandbox:
        with ServedRelay(sys.argv[1], sandbox, tables="[limits]\ntimes_owned = 0") as served:
            report([metrics, faults], served, market_orders(sandbox))
