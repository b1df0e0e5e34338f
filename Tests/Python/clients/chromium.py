"""Headless Chromium, driven through its DevTools protocol with `websockets`."""

from __future__ import annotations

import base64
import json
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from checks import RUN
from websockets.sync.client import ClientConnection, connect

WAIT = 600
# Without these it asks its maker for updates and lists; a page's own requests are all recorded.
QUIET = [
    "--headless=new", "--hide-scrollbars", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-extensions", "--disable-default-apps", "--no-default-browser-check",
    "--disable-features=Translate,OptimizationHints,MediaRouter",
    "--remote-debugging-port=0", "--remote-allow-origins=*",
]


class Chromium:
    """A browser with an empty profile; it ends with the `with` block."""

    def __init__(self, *options: str) -> None:
        self._options = options
        self._profile: tempfile.TemporaryDirectory[str] | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: ClientConnection | None = None
        self._last = 0
        self._pages: dict[str, Page] = {}

    def __enter__(self) -> Chromium:
        program = shutil.which("chromium")
        if program is None:
            raise RuntimeError("there is no chromium: make test-deps installs it")
        self._profile = tempfile.TemporaryDirectory(prefix="dex-chromium-", ignore_cleanup_errors=True)
        folder = self._profile.name
        self._process = subprocess.Popen(
            [program, *QUIET, *self._options, f"--user-data-dir={folder}", "about:blank"],
            env={"HOME": folder, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC"} | RUN,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        port = Path(folder) / "DevToolsActivePort"
        for _ in range(WAIT * 20):
            lines = port.read_text().splitlines() if port.exists() else []
            if len(lines) == 2:
                break
            if self._process.poll() is not None:
                raise RuntimeError(f"chromium ended with {self._process.returncode}")
            time.sleep(0.05)
        url = f"ws://127.0.0.1:{lines[0]}{lines[1]}"
        self._socket = connect(url, max_size=None, open_timeout=WAIT)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self.call("Browser.close")
        finally:
            self._socket.close()
            try:
                self._process.wait(30)
            except subprocess.TimeoutExpired:
                self._process.send_signal(signal.SIGKILL)
                self._process.wait()
            self._profile.cleanup()

    def open(self, width: int, height: int, scheme: str = "light") -> Page:
        """An empty page of so many pixels, in light or dark."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session, target)
        self._pages[session] = page
        for domain in ("Page", "Runtime", "Log", "Network", "Audits"):
            page.call(f"{domain}.enable")
        page.call("Emulation.setFocusEmulationEnabled", enabled=True)
        page.size(width, height)
        page.scheme(scheme)
        return page

    def call(self, method: str, session: str | None = None, **parameters: Any) -> Any:
        """The result of a command; what pages tell meanwhile is kept with them."""
        self._last += 1
        message = {"id": self._last, "method": method, "params": parameters}
        self._socket.send(json.dumps(message | ({"sessionId": session} if session else {})))
        while True:
            answer = json.loads(self._socket.recv(timeout=WAIT))
            if answer.get("id") == self._last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            page = self._pages.get(answer.get("sessionId", ""))
            if page is not None and "method" in answer:
                page.events.append((answer["method"], answer["params"]))


class Page:
    """A tab and everything that it told."""

    def __init__(self, browser: Chromium, session: str, target: str) -> None:
        self._browser = browser
        self._session = session
        self._target = target
        self.events: list[tuple[str, dict[str, Any]]] = []

    def call(self, method: str, **parameters: Any) -> Any:
        """The result of a command to this tab."""
        return self._browser.call(method, self._session, **parameters)

    def size(self, width: int, height: int) -> None:
        """The size of the view in pixels."""
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height,
            deviceScaleFactor=1, mobile=False,
        )

    def scheme(self, scheme: str) -> None:
        """What the reader prefers: light or dark."""
        self.call(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": scheme}],
        )

    def go(self, url: str) -> None:
        """Opens a URL."""
        answer = self.call("Page.navigate", url=url)
        if "errorText" in answer:
            raise RuntimeError(f"{url}: {answer['errorText']}")

    def value(self, expression: str) -> Any:
        """What a script's expression is, as JSON."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def until(self, expression: str) -> Any:
        """Waits until an expression is true; what it is then. A page that comes may lack anything."""
        tried = f"(() => {{ try {{ return {expression} }} catch (error) {{ return null }} }})()"
        for _ in range(WAIT * 20):
            found = self.value(tried)
            if found:
                return found
            time.sleep(0.05)
        raise RuntimeError(f"never true: {expression}; the page: {self.value('document.body.innerText')}")

    def picture(self, path: str, whole: bool = True) -> None:
        """Writes a PNG of the page."""
        answer = self.call("Page.captureScreenshot", captureBeyondViewport=whole, **(
            {"clip": self._clip()} if whole else {}
        ))
        Path(path).write_bytes(base64.b64decode(answer["data"]))

    def _clip(self) -> dict[str, Any]:
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        return {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}

    def complaints(self) -> list[str]:
        """Errors, warnings and exceptions of the console; violations of a policy."""
        self.value("0")
        found = []
        for method, data in self.events:
            if method == "Runtime.exceptionThrown":
                found.append(str(data["exceptionDetails"])[:500])
            if method == "Runtime.consoleAPICalled" and data["type"] in ("error", "warning", "assert"):
                found.append(str(data["args"])[:500])
            if method == "Log.entryAdded" and data["entry"]["level"] in ("error", "warning"):
                found.append(f"{data['entry']['source']}: {data['entry']['text']}"[:500])
            if method == "Audits.issueAdded":
                found.append(str(data["issue"])[:500])
        return found

    def requested(self) -> list[str]:
        """The URLs of all requests and WebSockets."""
        self.value("0")
        found = []
        for method, data in self.events:
            if method == "Network.requestWillBeSent":
                found.append(data["request"]["url"])
            if method == "Network.webSocketCreated":
                found.append(data["url"])
        return found
