"""What a host's settings promise, on a served relay: `relay_settings.py DEX`."""

from __future__ import annotations

import http.client
import json
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import requests
from checks import Check, report
from hostile_clients import close_code, drained, subscription, upgraded
from old_postgres import OldPostgres
from peer import Peer
from sandbox import Sandbox
from served_relay import WAIT, ServedRelay, market_orders

PUBLIC = 'public = "https://relay.example"'
ROOMY = "[limits]\ntimes_owned = 0\n"
PROGRAM = str(Path(__file__).with_name("relay_policy_program.py"))


class Stage:
    """A sandbox and signed orders of its market, v0."""

    def __init__(self, dex: str, sandbox: Sandbox) -> None:
        self.dex, self.sandbox = dex, sandbox
        self.peer = Peer(sandbox)
        self.orders = market_orders(sandbox)

    def relay(self, settings: str = "", tables: str = ROOMY, **variables: str) -> ServedRelay:
        """A relay with a store of its own, not started."""
        return ServedRelay(self.dex, self.sandbox, settings, tables, **variables)


def policy(check: Check, stage: Stage) -> None:
    """the policy program accepts, rejects and hides; if it fails in any way, orders are refused"""
    mode = Path(stage.sandbox.home) / "mode"
    command = json.dumps([sys.executable, PROGRAM, str(mode)])
    tables = f"{ROOMY}[policy]\ncommand = {command}\ntimeout = 60000\n"
    relay = stage.relay(tables=tables)
    orders = iter(stage.orders)

    def post(kind: str) -> tuple[dict[str, Any], requests.Response]:
        mode.write_text(kind)
        order = next(orders)
        return order, relay.post("/v0/order", order)

    def works_again() -> bool:
        return post("accept")[1].status_code == 201

    with relay:
        shown, answer = post("accept")
        check.equal(answer.status_code, 201, f"accept: {answer.text}")
        rejected, answer = post("reject")
        check.equal(answer.status_code, 400, f"reject: {answer.text}")
        check.true("not" in answer.text and "\\u001b" not in answer.text, f"the reason: {answer.text}")
        follower = upgraded(relay)
        follower.sendall(subscription())
        hidden, answer = post("hide")
        check.equal((answer.status_code, answer.content), (201, b""), "hide, for its maker")
        for kind in ("crash", "nonsense", "foreign", "unknown"):
            order, answer = post(kind)
            check.equal(answer.status_code, 503, f"{kind}: {answer.text}")
            check.true(int(answer.headers.get("Retry-After", "0")) > 0, f"{kind} has no Retry-After")
            check.true(order not in everything(relay), f"{kind}: the order is shown")
            relay.until(works_again, f"the program is started again after {kind}")
        check.true(shown in everything(relay), "the accepted order is not shown")
        check.equal([one for one in everything(relay) if one in (hidden, rejected)], [], "what is shown")
        relay.process.send_signal(signal.SIGTERM)
        said = drained(follower).decode(errors="replace")
        secret = hidden["ecSignature"]["r"]
        check.true(secret not in said, "the feed shows the hidden order")
        check.true(shown["ecSignature"]["r"] in said, "the feed shows nothing")
    with relay:
        check.true(shown in everything(relay), "the accepted order is lost")
        check.true(hidden not in everything(relay), "the hidden order is shown after a restart")
        states = relay.get("/metrics").text
        check.true('state="hidden"} 1\n' in states, "the hidden order is not counted")
    status, _, errors = relay.run("relay", "export", str(relay.folder / "all"), "--config", str(relay.file))
    check.equal(status, 0, f"export ({errors})")
    check.true(secret not in (relay.folder / "all").read_text(), "the export has the hidden order")

    quick = stage.relay(tables=tables.replace("60000", "50"))
    with quick:
        mode.write_text("silence")
        answer = quick.post("/v0/order", next(orders))
        check.equal(answer.status_code, 503, f"silence: {answer.text}")
        check.equal(quick.book(), {"bids": [], "asks": []}, "the book after silence")


def everything(relay: ServedRelay) -> list[dict[str, Any]]:
    """All orders that any list shows."""
    book = relay.book()
    return book["asks"] + book["bids"] + relay.get("/v0/orders?per_page=100").json()


def readiness(check: Check, stage: Stage) -> None:
    """/readyz: 200 with a node at rest if its chain has no rhythm, else 503 until it has a block"""
    with stage.relay() as relay:
        answer = relay.get("/readyz")
        check.equal((answer.status_code, answer.json()), (200, {"status": "ready"}), "without a rhythm")
        check.equal(answer.headers["Cache-Control"], "no-store", "what may be kept")
    check.equal([line for line in relay.log if line["level"] != "notice"], [], "what a stop warns of")
    with stage.relay("block_time = 5") as relay:
        relay.until(lambda: relay.get("/readyz").status_code == 503, "a late node is told")
        answer = relay.get("/readyz")
        check.true("3 blocks late" in answer.json()["reasons"][0], f"the reasons: {answer.text}")
        check.true(int(answer.headers["Retry-After"]) > 0, "there is no Retry-After")
        check.equal(relay.get("/healthz").status_code, 200, "its health")
        check.equal(relay.post("/v0/order", stage.orders[0]).status_code, 201, "a post meanwhile")
        stage.peer.control("evm_mine")
        relay.until(lambda: relay.get("/readyz").status_code == 200, "a new block makes it ready")


def proxies(check: Check, stage: Stage) -> None:
    """X-Forwarded-For counts from a trusted proxy alone, and a reload changes who is trusted"""
    limits = "[limits]\nposts_per_second = 1\npost_burst = 2\n"
    trusting = f'{PUBLIC}\ndrain_seconds = 0\ntrusted_proxies = ["127.0.0.1"]'
    relay = stage.relay(trusting, limits)

    def post(source: str, forwarded: str) -> int:
        connection = http.client.HTTPConnection(
            "127.0.0.1", relay.port, timeout=WAIT, source_address=(source, 0)
        )
        connection.request(
            "POST", "/v0/order", json.dumps(stage.orders[0]),
            {"Content-Type": "application/json", "X-Forwarded-For": forwarded},
        )
        status = connection.getresponse().status
        connection.close()
        return status

    def refused(source: str, pattern: str) -> bool:
        """Whether a flood under many names is held up, however slow the machine is."""
        return any(post(source, pattern.format(number % 250)) == 429 for number in range(500))

    with relay:
        ours = [post("127.0.0.1", f"198.51.100.{number}") for number in range(12)]
        check.equal(ours, [201] * 12, "twelve clients behind the proxy")
        check.true(refused("127.0.0.1", "10.9.8.{}, 198.51.100.99"), "a client invents others before it")
        check.true(refused("127.0.0.9", "203.0.113.{}"), "one that is no proxy has many names")
        check.true(refused("127.0.0.1", "127.0.0.9"), "one client behind the proxy floods")
        direct = requests.get(relay.url + "/metrics", headers={"X-Forwarded-For": "127.0.0.1"}, timeout=WAIT)
        check.equal(direct.status_code, 200, "the operator behind the proxy")
        connection = http.client.HTTPConnection(
            "127.0.0.1", relay.port, timeout=WAIT, source_address=("127.0.0.9", 0)
        )
        connection.request("GET", "/metrics", headers={"X-Forwarded-For": "127.0.0.1"})
        check.equal(connection.getresponse().status, 403, "the metrics for one that invents")
        connection.close()

        relay.write(trusting.replace('"127.0.0.1"', '"127.0.0.1", nonsense'), limits)
        relay.process.send_signal(signal.SIGHUP)
        relay.until(lambda: relay.logged("The settings are unchanged"), "a faulty file is named")
        again = [post("127.0.0.1", f"198.51.101.{number}") for number in range(12)]
        check.equal(again, [201] * 12, "twelve clients after a faulty file")
        relay.write(trusting.replace('["127.0.0.1"]', "[]"), limits)
        relay.process.send_signal(signal.SIGHUP)
        relay.until(lambda: relay.logged("changed: trusted_proxies"), "a good file is taken")
        check.true(refused("127.0.0.1", "198.51.102.{}"), "one that is trusted no more has many names")


def stops(check: Check, stage: Stage) -> None:
    """SIGTERM under load: not ready, still serving, then every request ends, 1001, exit code 0"""
    relay = stage.relay(PUBLIC)
    ends = threading.Event()
    answers: list[int] = []
    failures: list[str] = []
    drains = threading.Event()

    def load() -> None:
        session = requests.Session()
        for order in stage.orders * 1_000:
            if ends.is_set():
                return
            try:
                answers.append(session.get(f"{relay.url}/v0/orders", timeout=WAIT).status_code)
                answers.append(relay.post("/v0/order", order).status_code)
            except requests.ConnectionError as error:
                # Its connections are refused once it has drained.
                if not drains.is_set():
                    failures.append(repr(error))
                return

    with relay:
        followers = [upgraded(relay) for _ in range(5)]
        for follower in followers:
            follower.sendall(subscription())
        threads = [threading.Thread(target=load) for _ in range(4)]
        for thread in threads:
            thread.start()
        relay.until(lambda: len(answers) > 50, "there is load")
        start = time.monotonic()
        relay.process.send_signal(signal.SIGTERM)
        relay.until(lambda: relay.get("/readyz").status_code == 503, "it is not ready")
        answer = relay.get("/readyz")
        check.equal(answer.json()["reasons"], ["The relay is stopping."], "why it is not ready")
        check.equal(relay.get("/v0/orders").status_code, 200, "a request meanwhile")
        check.equal(relay.post("/v0/order", stage.orders[0]).status_code, 201, "a post meanwhile")
        drains.set()
        codes = [close_code(drained(follower)) for follower in followers]
        check.equal(codes, [1001] * 5, "the WebSockets' codes")
        check.true(time.monotonic() - start >= 5, "it did not serve for 5 s")
        check.equal(relay.process.wait(WAIT), 0, "the exit code")
        ends.set()
        for thread in threads:
            thread.join(WAIT)
    check.equal(failures, [], "the requests that failed before it had drained")
    check.equal(set(answers), {200, 201}, "the answers")
    words = [line for line in relay.log if line["level"] in ("warning", "error")]
    check.equal(words, [], "what it warns of")

    # A second signal does not wait, neither for the drain nor for those who are connected.
    with stage.relay(f"{PUBLIC}\ndrain_seconds = 300\nstop_seconds = 600") as relay:
        follower = upgraded(relay)
        relay.post("/v0/order", stage.orders[0]).raise_for_status()
        relay.process.send_signal(signal.SIGTERM)
        relay.until(lambda: relay.logged("The relay is stopping"), "it says that it stops")
        time.sleep(1.5)
        start = time.monotonic()
        relay.process.send_signal(signal.SIGTERM)
        code = relay.process.wait(WAIT)
        check.true(time.monotonic() - start < 250, "the second signal waited")
        check.true(code != 0, f"the exit code of a cut stop is {code}")
        follower.close()
    relay.write(PUBLIC, ROOMY)
    with relay:
        check.equal(relay.report["orderCount"], 1, "the orders after a cut stop")


def libraries(check: Check, stage: Stage) -> None:
    """without libpq a store on PostgreSQL is refused with the package's name, and SQLite works"""
    folder = Path(stage.sandbox.home) / "libraries"
    folder.mkdir()
    # What the loader finds first is no library.
    (folder / "libpq.so.5").write_bytes(b"nothing")
    relay = stage.relay(
        'store = "postgres://dex@127.0.0.1:1/relay"', LD_LIBRARY_PATH=str(folder)
    )
    status, answer, errors = relay.run("relay", "serve", "--config", str(relay.file), "--json")
    check.equal(status, 3, f"the exit code ({errors})")
    check.equal(answer["error"]["code"], "relay-store", "the code")
    check.true("libpq5" in answer["error"]["message"], f"the sentence: {answer['error']}")
    status, answer, errors = relay.run("relay", "check", "--config", str(relay.file), "--json")
    check.equal(status, 3, f"the exit code of check ({errors})")
    row = next(one for one in answer["data"]["checks"] if one["check"] == "store")
    check.true(row["status"] == "fail" and "libpq5" in json.dumps(row), f"the row: {row}")
    relay.write()
    with relay:
        check.equal(relay.get("/healthz").status_code, 200, "SQLite without libpq")


def versions(check: Check, stage: Stage) -> None:
    """PostgreSQL 12 is refused by its version; a port where nobody listens is unreachable"""
    with OldPostgres() as address:
        relay = stage.relay(f'store = "{address}"')
        for command in ("serve", "export"):
            status, answer, errors = relay.run("relay", command, "--config", str(relay.file), "--json",
                                               *([str(relay.folder / "out")] if command == "export" else []))
            check.equal(status, 3, f"the exit code of {command} ({answer} {errors})")
            text = answer["error"]["message"]
            check.true("PostgreSQL 12" in text and "13 or later" in text, f"{command} says: {text}")
        status, answer, _ = relay.run("relay", "check", "--config", str(relay.file), "--json")
        row = next(one for one in answer["data"]["checks"] if one["check"] == "store")
        check.equal((status, row["status"]), (3, "fail"), f"check ({row})")
        check.true("13 or later" in json.dumps(row), f"the row: {row}")
    relay.write('store = "postgres://dex@127.0.0.1:1/relay"')
    status, answer, errors = relay.run("relay", "serve", "--config", str(relay.file), "--json")
    check.equal((status, answer["error"]["code"]), (4, "relay-store-silent"), f"nobody there ({errors})")


def commands(check: Check, stage: Stage) -> None:
    """check, stats, export, import and token: exit codes and JSON, beside a relay that runs"""
    relay = stage.relay()
    at = ("--config", str(relay.file), "--json")
    with relay:
        for order in stage.orders[:3]:
            relay.post("/v0/order", order).raise_for_status()
        status, answer, _ = relay.run("relay", "stats", "--url", relay.url, "--json")
        check.equal(status, 0, "stats")
        check.true(json.dumps(answer["data"]).count("3") > 0 and answer["data"], f"stats: {answer}")
        status, answer, _ = relay.run("relay", "check", *at)
        rows = {row["check"]: row["status"] for row in answer["data"]["checks"]}
        check.equal((status, rows["store"]), (0, "warn"), f"check beside a relay ({rows})")
        for words in (("export", str(relay.folder / "x")), ("import", str(relay.folder / "y"))):
            (relay.folder / "y").write_text("")
            status, answer, _ = relay.run("relay", *words, *at)
            check.equal((status, answer["error"]["code"]), (3, "relay-store"), f"{words[0]} beside it")
        status, answer, _ = relay.run("relay", "token", "add", "USDC", *at)
        check.equal((status, answer["data"]["added"]), (0, ["USDC/WETH"]), "token add")
        relay.process.send_signal(signal.SIGHUP)
        relay.until(lambda: relay.logged("changed: pairs"), "the pair is taken")
        check.equal(len(relay.get("/v0/token_pairs").json()), 2, "the pairs")
        status, answer, _ = relay.run("relay", "token", "remove", "USDC", *at)
        check.equal((status, answer["data"]["removed"]), (0, ["USDC/WETH"]), "token remove")
    backup = str(relay.folder / "backup")
    status, answer, _ = relay.run("relay", "export", backup, *at)
    check.equal((status, answer["data"]["orderCount"]), (0, 3), "export")
    status, answer, _ = relay.run("relay", "import", backup, *at)
    data = answer["data"]
    counts = data["knownCount"], data["addedCount"], data["refusedCount"]
    check.equal((status, *counts), (0, 3, 0, 0), "import")
    status, answer, _ = relay.run("relay", "stats", "--url", relay.url, "--json")
    check.equal((status, answer["error"]["code"]), (4, "relay-unreachable"), "stats of a stopped one")
    status, answer, _ = relay.run("relay", "import", str(relay.folder / "none"), *at)
    check.true(status != 0 and answer["error"]["message"], f"import of nothing: {answer}")


if __name__ == "__main__":
    with Sandbox(sys.argv[1]) as sandbox:
        report(
            [policy, readiness, proxies, stops, libraries, versions, commands],
            Stage(sys.argv[1], sandbox),
        )
