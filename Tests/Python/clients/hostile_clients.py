"""Sockets that do to a relay what no honest client does, and an honest client that watches."""

from __future__ import annotations

import base64
import os
import signal
import socket
import struct
import threading
import time
from types import TracebackType

from checks import Check
from served_relay import PAIR_V0, ServedRelay, WAIT

SLOWEST = 30.0


class Others:
    """An honest client that reads the book again and again while a body runs: it is served."""

    def __init__(self, check: Check, relay: ServedRelay) -> None:
        self._check, self._relay = check, relay
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._read)
        self.statuses: list[int | str] = []

    def _read(self) -> None:
        # Once at least, however soon the body ends.
        while True:
            try:
                answer = self._relay.get("/v0/orderbook", params=PAIR_V0)
                self.statuses.append(answer.status_code)
            except Exception as error:
                self.statuses.append(repr(error))
            if self._ends.wait(0.2):
                return

    def __enter__(self) -> Others:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ends.set()
        self._thread.join(WAIT)
        self._check.equal(set(self.statuses), {200}, "the answers to others meanwhile")


class Quiet:
    """After a body the relay holds no more descriptors and little more memory than before."""

    def __init__(self, check: Check, relay: ServedRelay, most_megabytes: int = 64) -> None:
        self._check, self._relay, self._most = check, relay, most_megabytes

    def __enter__(self) -> None:
        self._relay.get("/healthz")
        self._descriptors, self._memory = self._relay.descriptors(), self._relay.rss()
        self._lines = len(self._relay.log)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is not None:
            return
        relay = self._relay
        # Some for connections of others that are just ending.
        relay.until(
            lambda: relay.descriptors() <= self._descriptors + 4, "its descriptors come back"
        )
        more = (relay.rss() - self._memory) // 1_024
        self._check.true(more <= self._most, f"it holds {more} MiB more")
        lines = relay.log[self._lines:]
        self._check.true(len(lines) <= 6, f"the log is flooded: {lines[:20]}")
        self._check.equal(relay.other, [], "what it wrote beside its log")


def connected(
    relay: ServedRelay, receive_buffer: int | None = None, source: str = "127.0.0.1"
) -> socket.socket:
    """A plain connection to the relay, from one of this machine's addresses."""
    client = socket.socket()
    if receive_buffer is not None:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    client.settimeout(WAIT)
    client.bind((source, 0))
    client.connect(("127.0.0.1", relay.port))
    return client


def head(method: str, path: str, *headers: str) -> bytes:
    """The head of a request; its host is this machine unless the headers say another."""
    named = any(line.startswith("Host:") for line in headers)
    host = [] if named else ["Host: 127.0.0.1"]
    return "\r\n".join([f"{method} {path} HTTP/1.1", *host, *headers, "", ""]).encode()


def upgraded(
    relay: ServedRelay, path: str = "/v0/ws", *headers: str, receive_buffer: int | None = None
) -> socket.socket:
    """A connection after the WebSocket's handshake."""
    client = connected(relay, receive_buffer)
    key = base64.b64encode(os.urandom(16)).decode()
    client.sendall(
        head(
            "GET", path, "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {key}", *headers,
        )
    )
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        byte = client.recv(1)
        if not byte:
            break
        answer += byte
    if not answer.startswith(b"HTTP/1.1 101 "):
        client.close()
        raise ConnectionError(answer.split(b"\r\n")[0].decode())
    return client


def frame(payload: bytes, opcode: int = 1) -> bytes:
    """A whole, masked frame."""
    size = len(payload)
    mask = b"\x12\x34\x56\x78"
    if size < 126:
        length = bytes([0x80 | size])
    elif size < 65_536:
        length = bytes([0x80 | 126]) + struct.pack(">H", size)
    else:
        length = bytes([0x80 | 127]) + struct.pack(">Q", size)
    masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))
    return bytes([0x80 | opcode]) + length + mask + masked


def subscription(number: int = 1) -> bytes:
    """A frame that asks for the book of v0 with a snapshot."""
    base, quote = PAIR_V0.values()
    return frame(
        b'{"type":"subscribe","channel":"orderbook","requestId":%d,"payload":{"baseTokenAddress":'
        b'"%s","quoteTokenAddress":"%s","snapshot":true}}'
        % (number, base.encode(), quote.encode())
    )


def drained(client: socket.socket) -> bytes:
    """Everything until the end of the connection; a reset is an end too."""
    found = b""
    try:
        while part := client.recv(65_536):
            found += part
    except ConnectionError:
        pass
    finally:
        client.close()
    return found


def close_code(data: bytes) -> int | None:
    """The code of the Close frame at the end of what a WebSocket's server sent."""
    while data:
        size, start = data[1] & 0x7F, 2
        if size == 126:
            size, start = struct.unpack(">H", data[2:4])[0], 4
        elif size == 127:
            size, start = struct.unpack(">Q", data[2:10])[0], 10
        if data[0] & 0x0F == 8:
            return struct.unpack(">H", data[start:start + 2])[0]
        data = data[start + size:]
    return None


def dribble(client: socket.socket, data: bytes, pause: float = 1.0) -> int:
    """Sends a byte a second until the other side has enough; how many it took."""
    for sent in range(len(data)):
        time.sleep(pause)
        try:
            client.sendall(data[sent:sent + 1])
        except ConnectionError:
            return sent
    return len(data)


class Vanished:
    """A process that holds connections and is stopped: it answers nothing, and sends no FIN."""

    def __init__(self, relay: ServedRelay, *starts: bytes) -> None:
        self._relay, self._starts = relay, starts
        self._pid = 0
        self._ports: set[int] = set()

    def __enter__(self) -> Vanished:
        reading, writing = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            try:
                clients = [upgraded(self._relay) for _ in range(4)]
                for client in clients:
                    client.sendall(subscription())
                for start in self._starts:
                    client = connected(self._relay)
                    client.sendall(start)
                    clients.append(client)
                ports = [client.getsockname()[1] for client in clients]
                os.write(writing, struct.pack(f"{len(ports)}H", *ports))
                os.kill(os.getpid(), signal.SIGSTOP)
            finally:
                os._exit(0)
        os.close(writing)
        data = os.read(reading, 4_096)
        os.close(reading)
        self._ports = set(struct.unpack(f"{len(data) // 2}H", data))
        if len(self._ports) != 4 + len(self._starts):
            raise RuntimeError("the process that is to vanish could not connect")
        os.waitpid(self._pid, os.WUNTRACED)
        return self

    def held(self) -> int:
        """How many of its connections the relay has not ended yet, by proc_net_tcp(5)."""
        count = 0
        for line in open("/proc/net/tcp").readlines()[1:]:
            local, remote, state = line.split()[1:4]
            port = int(remote.split(":")[1], 16)
            # 01 is ESTABLISHED, seen from the relay's side.
            if int(local.split(":")[1], 16) == self._relay.port and port in self._ports:
                count += state == "01"
        return count

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
