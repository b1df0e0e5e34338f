"""Clients that are slow, silent or gone, on a served relay: `relay_slow.py DEX`.

The relay's limits are seconds of its own clock; here nothing fails because it takes longer.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable

from checks import Check, emit
from hostile_clients import (
    Others, Quiet, Vanished, close_code, connected, dribble, drained, frame, head, subscription,
    upgraded,
)
from relay_load import promtool
from sandbox import Sandbox
from served_relay import PAIR_V0, ServedRelay, market_orders

MANY = 8
BOOK = "/v0/orderbook?" + "&".join(f"{key}={value}" for key, value in PAIR_V0.items())


def slow_heads(check: Check, relay: ServedRelay) -> None:
    """a head that comes a byte a second ends its connection"""
    clients = [connected(relay) for _ in range(MANY)]
    taken: list[int] = []
    data = head("GET", BOOK, *(f"X-{number}: {number:060}" for number in range(20)))
    run([lambda one=client: taken.append(dribble(one, data)) for client in clients])
    check.equal(len(taken), MANY, "the number of clients")
    check.true(max(taken) < len(data), f"a slow head was read to its end: {taken}")
    for client in clients:
        check.true(not drained(client).startswith(b"HTTP/1.1 2"), "a slow head got an answer")


def slow_bodies(check: Check, relay: ServedRelay) -> None:
    """a body that comes a byte a second ends its connection, plain or in chunks"""
    taken: list[int] = []

    def plain() -> None:
        client = connected(relay)
        client.sendall(head("POST", "/v0/order", "Content-Type: application/json", "Content-Length: 900"))
        taken.append(dribble(client, b" " * 900))
        client.close()

    def chunks() -> None:
        client = connected(relay)
        client.sendall(
            head("POST", "/sra/v4/order", "Content-Type: application/json", "Transfer-Encoding: chunked")
        )
        taken.append(dribble(client, b"1\r\n \r\n" * 150))
        client.close()

    run([plain] * MANY + [chunks] * MANY)
    check.equal(len(taken), 2 * MANY, "the number of clients")
    check.true(max(taken) < 900, f"a slow body was read to its end: {taken}")


def half_frames(check: Check, relay: ServedRelay) -> None:
    """half a frame, or one that comes a byte a second, ends its WebSocket with 1008"""
    codes: list[int | None] = []
    whole = frame(b" " * 400)

    def half() -> None:
        client = upgraded(relay)
        client.sendall(whole[:7])
        codes.append(close_code(drained(client)))

    def slow() -> None:
        client = upgraded(relay)
        dribble(client, whole)
        codes.append(close_code(drained(client)))

    # A ping is answered behind the frame only, so it is not answered.
    run([half] * MANY + [slow])
    check.equal(codes[:MANY], [1008] * MANY, "the codes of half a frame")
    check.equal(len(codes), MANY + 1, "the number of clients")


def vanished(check: Check, relay: ServedRelay) -> None:
    """a machine that is gone without a FIN: its WebSockets and its connections end"""
    starts = (b"", b"GET / HTT", head("GET", BOOK), head("POST", "/v0/order", "Content-Length: 9"))
    with Vanished(relay, *starts * 2) as gone:
        check.true(gone.held() > 0, "it is not connected")
        relay.until(lambda: gone.held() == 0, "its connections ended")


def slow_readers(check: Check, relay: ServedRelay) -> None:
    """a client that asks for books and takes none costs a buffer, and ends"""
    before = relay.rss()
    clients = [connected(relay, 4_096) for _ in range(MANY)]
    request = head("GET", BOOK, "Accept-Encoding: identity")
    for client in clients:
        client.settimeout(1)
        try:
            for _ in range(400):
                client.sendall(request)
        except TimeoutError:
            # The relay reads no further request while an answer is not taken.
            pass
    peak = relay.rss() - before
    check.true(peak < 64 * 1_024, f"it holds {peak // 1_024} MiB for readers that take nothing")
    ended = []

    def wait(client: object) -> None:
        # Writing tells that the other side has ended; reading would take the answers.
        try:
            while True:
                client.sendall(b"x")
                threading.Event().wait(0.5)
        except TimeoutError:
            relay.until(lambda: is_cut(client), "a reader that takes nothing is cut")
        except ConnectionError:
            pass
        ended.append(client)
        client.close()

    run([lambda one=client: wait(one) for client in clients])
    check.equal(len(ended), MANY, "the readers that were cut")


def is_cut(client: object) -> bool:
    """Whether the other side has ended a connection whose buffers are full."""
    try:
        client.sendall(b"x")
    except TimeoutError:
        return False
    except ConnectionError:
        return True
    return False


def slow_followers(check: Check, relay: ServedRelay) -> None:
    """a follower that reads nothing is closed with 1013, and the metrics count it"""
    clients = [upgraded(relay, receive_buffer=4_096) for _ in range(MANY)]
    for client in clients:
        for number in range(64):
            client.sendall(subscription(number))

    def closed() -> bool:
        text = relay.get("/metrics").text
        check.equal(promtool(text), (0, ""), "promtool's verdict")
        return f'feed_closed_connections_total{{code="1013"}} {MANY}\n' in text

    relay.until(closed, "the followers that read nothing are closed with 1013")
    for client in clients:
        data = drained(client)
        check.true(len(data) < 16_000_000, f"{len(data)} bytes had been kept for one")


def run(actions: list[Callable[[], object]]) -> None:
    """Runs actions beside each other to their ends; the first failure is raised."""
    failures: list[BaseException] = []

    def one(action: Callable[[], object]) -> None:
        try:
            action()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=one, args=(action,)) for action in actions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def together(checks: list[Callable[[Check, ServedRelay], None]], relay: ServedRelay) -> list[Check]:
    """All at once, since each waits for a limit of the relay."""
    results = [Check(function.__doc__.splitlines()[0]) for function in checks]

    def one(function: Callable[[Check, ServedRelay], None], check: Check) -> None:
        try:
            function(check, relay)
        except Exception as error:
            check.true(False, repr(error))

    run([lambda f=function, c=check: one(f, c) for function, check in zip(checks, results)])
    return results


CHECKS = [slow_heads, slow_bodies, half_frames, vanished, slow_readers, slow_followers]
if __name__ == "__main__":
    with Sandbox(sys.argv[1]) as sandbox:
        limits = "[limits]\nunsent_bytes = 65536\ntimes_owned = 0"
        with ServedRelay(sys.argv[1], sandbox, tables=limits) as served:
            for order in market_orders(sandbox):
                served.post("/v0/order", order).raise_for_status()
            around = Check("others are served meanwhile; memory and descriptors come back")
            with Quiet(around, served), Others(around, served):
                found = together(CHECKS, served)
        emit([*found, around])
