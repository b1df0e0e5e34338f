"""`dex` over TLS, HTTP/2, compression and proxies that others wrote: `secure.py DEX`."""

from __future__ import annotations

import base64
import datetime
import socket
import ssl
import sys
import tempfile
import threading
import warnings
from pathlib import Path
from typing import Any

from checks import Check, report
from dex import Dex
from eth_utils import to_hex
from gateway import Gateway
from sandbox import Sandbox
from trustme import CA
from tunnel import Tunnel

BOOK = ["orderbook", "ZRX/WETH"]
# Answered by no resolver: who reaches it went through the proxy.
HOST = "relay.invalid"


class Stage:
    """A sandbox, an authority of our own that signs certificates, and `dex`."""

    def __init__(self, executable: str, sandbox: Sandbox, folder: Path) -> None:
        self.sandbox = sandbox
        self.dex = Dex(executable)
        self.folder = folder
        self.authority = CA()
        self.trusted = str(folder / "authority.pem")
        self.authority.cert_pem.write_to_path(self.trusted)
        self.stranger = str(folder / "stranger.pem")
        CA().cert_pem.write_to_path(self.stranger)
        self.plain = self.dex.data(*BOOK, "--rpc", sandbox.rpc, "--relay", sandbox.relay)

    def gateway(self, *protocols: str, host: str = "localhost", **lifetime: Any) -> Gateway:
        """A server with a certificate of the authority for a host."""
        certificate = self.authority.issue_cert(host, **lifetime)
        return Gateway(
            self.folder, certificate, self.sandbox.rpc, self.sandbox.relay, *protocols
        )

    def book(self, check: Check, flags: list[str], what: str, **variables: str) -> None:
        """A book read that way is the one that is read from the sandbox itself."""
        status, answer = self.dex.run(*BOOK, *flags, **variables)
        check.equal(status, 0, f"{what}: the exit code ({answer['error']})")
        if status == 0:
            for key in ("bids", "asks", "receivedCount", "verifiedCount"):
                check.equal(answer["data"][key], self.plain[key], f"{what}: {key}")

    def refused(
        self, check: Check, flags: list[str], words: str, what: str, **variables: str
    ) -> None:
        """A book that cannot be read that way ends with 4 and says why."""
        status, answer = self.dex.run(*BOOK, *flags, **variables)
        check.equal(status, 4, f"{what}: the exit code")
        message = (answer["error"] or {}).get("message", "")
        check.true(words in message, f"{what}: the message is {message!r}")


def http2(check: Check, stage: Stage) -> None:
    """a book comes over HTTP/2 with compression, all of it through one connection"""
    with stage.gateway() as gateway:
        stage.book(check, gateway.flags(), "HTTP/2", SSL_CERT_FILE=stage.trusted)
        check.equal({item.version for item in gateway.served}, {"2"}, "the version of HTTP")
        check.equal(len({item.connection for item in gateway.served}), 1, "the connections")
        check.true(len(gateway.served) >= 3, f"too few requests: {gateway.served}")
        check.true(
            all("gzip" in item.encodings for item in gateway.served),
            f"compression was not asked for: {gateway.served}",
        )


def http1(check: Check, stage: Stage) -> None:
    """a server without HTTP/2 is spoken to in HTTP/1.1"""
    with stage.gateway("http/1.1") as gateway:
        stage.book(check, gateway.flags(), "HTTP/1.1", SSL_CERT_FILE=stage.trusted)
        check.equal({item.version for item in gateway.served}, {"1.1"}, "the version of HTTP")


def trade(check: Check, stage: Stage) -> None:
    """a market order is sent and followed over HTTP/2"""
    key = to_hex(stage.sandbox.account("alice").key)
    with stage.gateway() as gateway:
        status, answer = stage.dex.run(
            "market-buy", "ZRX/WETH", "10", "--yes", *gateway.flags(),
            SSL_CERT_FILE=stage.trusted, DEX_PRIVATE_KEY=key,
        )
        check.equal(status, 0, f"the exit code ({answer['error']})")
        check.equal(answer["status"], "ok", "the status")
        check.equal({item.version for item in gateway.served}, {"2"}, "the version of HTTP")
    stage.plain = stage.dex.data(
        *BOOK, "--rpc", stage.sandbox.rpc, "--relay", stage.sandbox.relay
    )


def authorities(check: Check, stage: Stage) -> None:
    """an authority is believed that the environment names, and no other"""
    with stage.gateway() as gateway:
        flags = gateway.flags()
        words = "no trusted connection could be made"
        stage.refused(check, flags, words, "an unknown authority")
        stage.refused(check, flags, words, "another one", SSL_CERT_FILE=stage.stranger)
        stage.book(
            check, flags, "CURL_CA_BUNDLE comes first",
            CURL_CA_BUNDLE=stage.trusted, SSL_CERT_FILE=stage.stranger,
        )
        missing = str(stage.folder / "missing.pem")
        stage.refused(check, flags, words, "a file that is missing", SSL_CERT_FILE=missing)
        sent = [item for item in gateway.served if item.path != "/rpc"]
        check.true(bool(sent), "nothing was asked where the authority is trusted")


def certificates(check: Check, stage: Stage) -> None:
    """a certificate of another host, or of another time, is refused before anything is asked"""
    now = datetime.datetime.now(datetime.timezone.utc)
    past = {"not_before": now - datetime.timedelta(9), "not_after": now - datetime.timedelta(1)}
    ahead = {"not_before": now + datetime.timedelta(1), "not_after": now + datetime.timedelta(9)}
    cases: list[tuple[str, dict[str, Any]]] = [
        ("another host", {"host": "elsewhere.invalid"}),
        ("expired", past),
        ("not valid yet", ahead),
    ]
    for what, options in cases:
        with stage.gateway(**options) as gateway:
            stage.refused(
                check, gateway.flags(), "no trusted connection could be made", what,
                SSL_CERT_FILE=stage.trusted,
            )
            check.equal(gateway.served, [], f"{what}: what was asked")


def old_versions(check: Check, stage: Stage) -> None:
    """TLS 1.1 is not spoken"""
    # Python warns of the versions that this is about.
    warnings.simplefilter("ignore", DeprecationWarning)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_ciphers("DEFAULT:@SECLEVEL=0")
    context.minimum_version = ssl.TLSVersion.TLSv1
    context.maximum_version = ssl.TLSVersion.TLSv1_1
    stage.authority.issue_cert("localhost").configure_cert(context)
    listener = socket.create_server(("127.0.0.1", 0))
    problems: list[str] = []

    def accept() -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            try:
                context.wrap_socket(client, server_side=True).close()
                problems.append("a connection came about")
            except (ssl.SSLError, OSError) as error:
                problems.append(str(error))

    threading.Thread(target=accept, daemon=True).start()
    origin = f"https://localhost:{listener.getsockname()[1]}"
    stage.refused(
        check, ["--rpc", f"{origin}/rpc", "--relay", f"{origin}/v0"],
        "no trusted connection could be made", "TLS 1.1", SSL_CERT_FILE=stage.trusted,
    )
    listener.shutdown(socket.SHUT_RDWR)
    check.true(bool(problems), "nobody tried")
    check.true("a connection came about" not in problems, "TLS 1.1 was spoken")


def proxies(check: Check, stage: Stage) -> None:
    """a proxy of the environment is used, sees no more than the host, and may ask a password"""
    wanted = "Basic " + base64.b64encode(b"trader:secret").decode()
    with stage.gateway(host=HOST) as gateway:
        flags = gateway.flags(HOST)
        with Tunnel(gateway.port) as tunnel:
            proxy = f"http://127.0.0.1:{tunnel.port}"
            stage.book(
                check, flags, "a proxy", SSL_CERT_FILE=stage.trusted, HTTPS_PROXY=proxy
            )
            check.equal(
                set(tunnel.asked), {f"CONNECT {HOST}:{gateway.port} HTTP/1.1"}, "what it saw"
            )
            check.equal({item.version for item in gateway.served}, {"2"}, "the version of HTTP")
            tunnel.asked.clear()
            stage.refused(
                check, flags, f"there is no host named {HOST}", "NO_PROXY",
                SSL_CERT_FILE=stage.trusted, HTTPS_PROXY=proxy, NO_PROXY=HOST,
            )
            check.equal(tunnel.asked, [], "what it saw in spite of NO_PROXY")
        with Tunnel(gateway.port, password=wanted) as tunnel:
            address = f"127.0.0.1:{tunnel.port}"
            stage.book(
                check, flags, "a proxy with a password", SSL_CERT_FILE=stage.trusted,
                HTTPS_PROXY=f"http://trader:secret@{address}",
            )
            status, answer = stage.dex.run(
                *BOOK, *flags, SSL_CERT_FILE=stage.trusted,
                HTTPS_PROXY=f"http://trader:wrong-word@{address}",
            )
            check.equal(status, 4, "a wrong password: the exit code")
            check.true("407" in str(answer["error"]), f"a wrong password: {answer['error']}")
            check.true("wrong-word" not in str(answer), "the password is in the error")


def local(check: Check, stage: Stage) -> None:
    """the loopback is reached without a proxy"""
    with stage.gateway() as gateway, Tunnel(gateway.port) as tunnel:
        proxy = f"http://127.0.0.1:{tunnel.port}"
        stage.book(
            check, gateway.flags(), "the loopback", SSL_CERT_FILE=stage.trusted,
            HTTPS_PROXY=proxy, ALL_PROXY=proxy,
        )
        check.equal(tunnel.asked, [], "what the proxy saw")


if __name__ == "__main__":
    with Sandbox(sys.argv[1]) as running, tempfile.TemporaryDirectory(prefix="dex-tls-") as made:
        report(
            [http2, http1, trade, authorities, certificates, old_versions, proxies, local],
            Stage(sys.argv[1], running, Path(made)),
        )
