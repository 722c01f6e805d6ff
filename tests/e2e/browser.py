"""A real browser, driven by the WebDriver protocol (W3C) through Debian's chromedriver."""

import base64
import json
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from ports import free_port

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the protocol's key of a reference


def why_not() -> str:
    """Why no browser can be had here; empty where one can."""
    if not (shutil.which("chromedriver") and shutil.which("chromium")):
        return "there is no browser; apt-get install chromium chromium-driver"
    try:
        with Browser():
            return ""
    except (OSError, RuntimeError) as error:
        return f"the browser does not start here: {str(error)[:300]}"


class Browser:
    """Chromium without a window. Logs what the page says, and every request that it makes."""

    def __init__(self, width: int = 1440, height: int = 900, dark: bool = False) -> None:
        self.profile = tempfile.TemporaryDirectory(prefix="reveal_browser_")
        self.port = free_port()
        self.driver = subprocess.Popen(
            ["chromedriver", f"--port={self.port}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.root = f"http://127.0.0.1:{self.port}"
        self.await_driver()
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--hide-scrollbars", f"--user-data-dir={self.profile.name}",
                     f"--window-size={width},{height}"]
        answer = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": {"args": arguments},
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }}})
        self.root += "/session/" + answer["sessionId"]
        # The window's frame is not part of the page's size.
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height,
                     deviceScaleFactor=1, mobile=False)
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def __enter__(self) -> "Browser":
        return self

    def __exit__(self, *_) -> None:
        try:
            self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.profile.cleanup()

    def await_driver(self) -> None:
        for _ in range(300):
            try:
                if self.call("GET", "/status")["ready"]:
                    return
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.1)
        raise RuntimeError("chromedriver did not come up in 30 s")

    def call(self, verb: str, path: str, body: dict | None = None):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.root + path, data=data, method=verb)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()) from error

    def command(self, name: str, **words):
        """A command of the DevTools protocol."""
        return self.call("POST", "/goog/cdp/execute", {"cmd": name, "params": words})

    def open(self, path: Path) -> None:
        self.call("POST", "/url", {"url": path.resolve().as_uri()})
        self.wait("return document.documentElement.dataset.ready === 'yes'")

    def run(self, script: str, *words):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(words)})

    def wait(self, script: str, *words, seconds: float = 30):
        """Waits until the script returns something true, and returns that."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if value := self.run(script, *words):
                return value
            time.sleep(0.05)
        raise AssertionError(f"never true in {seconds} s: {script}")

    def find(self, selector: str) -> list[str]:
        found = self.call("POST", "/elements", {"using": "css selector", "value": selector})
        return [one[ELEMENT] for one in found]

    def texts(self, selector: str) -> list[str]:
        return self.run("return [...document.querySelectorAll(arguments[0])]"
                        ".map(one => one.textContent)", selector)

    def click(self, element: str) -> None:
        self.run("arguments[0].scrollIntoView({block: 'center'})", {ELEMENT: element})
        self.call("POST", f"/element/{element}/click", {})

    def write(self, element: str, text: str) -> None:
        self.call("POST", f"/element/{element}/clear", {})
        self.call("POST", f"/element/{element}/value", {"text": text})

    def screenshot(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(self.call("GET", "/screenshot")))

    def complaints(self) -> list[str]:
        """What the page wrote to the console since the last call."""
        return [one["message"] for one in self.call("POST", "/se/log", {"type": "browser"})]

    def requests(self) -> list[str]:
        """Addresses that were asked for since the last call."""
        out = []
        for one in self.call("POST", "/se/log", {"type": "performance"}):
            message = json.loads(one["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                out.append(message["params"]["request"]["url"])
        return out
