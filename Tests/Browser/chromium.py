"""Drives a headless Chromium over its DevTools protocol, with nothing but the standard library.

The browser reads commands from one pipe and writes answers and events to another, each a JSON text that
ends with a zero byte. So no port is opened and no WebSocket is needed.
"""

import base64
import fcntl
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

SIZES = {"desk": (1280, 900), "phone": (390, 844)}
NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]


def find():
    """The path of a browser, or None."""
    named = os.environ.get("KENNEL_BROWSER")
    if named:
        return shutil.which(named)
    return next(filter(None, map(shutil.which, NAMES)), None)


class ScriptError(Exception):
    """A script that was evaluated in a page failed there."""


class Chromium:
    """A browser with one page at a time."""

    def __init__(self, path):
        self.profile = tempfile.mkdtemp(prefix="kennel-browser-")
        command_out, self.commands = os.pipe()
        self.answers, answer_in = os.pipe()
        inner = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (command_out, answer_in)]

        def connect():
            os.dup2(inner[0], 3)
            os.dup2(inner[1], 4)

        self.process = subprocess.Popen(
            [
                path, "--headless", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
                "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", "--disable-sync",
                f"--user-data-dir={self.profile}", "about:blank",
            ],
            preexec_fn=connect, pass_fds=(3, 4), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        for end in (command_out, answer_in, *inner):
            os.close(end)
        self.buffer = b""
        self.number = 0
        self.events = []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        attached = self.send("Target.attachToTarget", targetId=target, flatten=True)
        self.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log", "Accessibility"):
            self.send(f"{domain}.enable")

    session = None
    # Where pages may come from.
    allowed = ("file:", "data:")

    def send(self, method, **parameters):
        """Sends a command and waits for its answer."""
        self.number += 1
        command = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            command["sessionId"] = self.session
        self.write(command)
        number = self.number
        while True:
            message = self.receive(60)
            if message.get("id") == number:
                if "error" in message:
                    raise ScriptError(f"{method}: {message['error']['message']}")
                return message["result"]
            self.events.append(message)

    def write(self, command):
        data = json.dumps(command).encode() + b"\0"
        while data:
            data = data[os.write(self.commands, data):]

    def receive(self, seconds):
        end = time.monotonic() + seconds
        while b"\0" not in self.buffer:
            if not select.select([self.answers], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError("the browser did not answer")
            chunk = os.read(self.answers, 1 << 20)
            if not chunk:
                raise EOFError("the browser ended")
            self.buffer += chunk
        message, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(message)
        if message.get("method") == "Page.javascriptDialogOpening":
            # The page waits for somebody to close it. No page of Kennel opens one.
            self.number += 1
            command = {"method": "Page.handleJavaScriptDialog", "params": {"accept": True}}
            self.write({**command, "id": self.number, "sessionId": self.session})
        return message

    def open(self, address, width=1280, height=900, dark=False):
        """Opens a page and waits until it has loaded. Forgets what happened before."""
        self.look(width, height, dark)
        self.send("Page.navigate", url="about:blank")
        self.settle()
        self.events = []
        self.send("Page.navigate", url=address)
        self.wait_for_page()

    def follow(self, selector):
        """Clicks on a link that leads to another page."""
        self.events = []
        self.evaluate(f"setTimeout(() => document.querySelector({json.dumps(selector)}).click())")
        self.wait_for_page()

    def wait_for_page(self):
        end = time.monotonic() + 60
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.receive(max(0, end - time.monotonic())))
        self.settle()

    def settle(self):
        """Waits until the page has drawn what scripts have changed."""
        self.evaluate(
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def look(self, width, height, dark):
        self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
            mobile=width < 600)
        self.send(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def evaluate(self, script):
        """The value of an expression in the page, as JSON has it."""
        answer = self.send(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise ScriptError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def press(self, key):
        """Presses a key, as a reader does."""
        text = key if len(key) == 1 else None
        code = {"Tab": 9, "Enter": 13, "Escape": 27}.get(key, 0)
        for kind in ("keyDown", "keyUp"):
            parameters = {"type": kind, "key": key, "windowsVirtualKeyCode": code}
            if text and kind == "keyDown":
                parameters["text"] = text
            self.send("Input.dispatchKeyEvent", **parameters)
        self.settle()

    def drag(self, source, target):
        """Drags from the middle of an element to another one, as a mouse does; both are expressions."""
        middle = (
            "(() => { const item = %s; item.scrollIntoView({block: 'nearest'}); let box = item.getBoundingClientRect();"
            " let [x, y] = [box.x + box.width / 2, box.y + box.height / 2];"
            " for (let frame = item.ownerDocument.defaultView.frameElement; frame; frame = frame.ownerDocument.defaultView.frameElement) {"
            " box = frame.getBoundingClientRect(); x += box.x + frame.clientLeft; y += box.y + frame.clientTop; } return [x, y]; })()")
        end = self.evaluate(middle % target)
        start = self.evaluate(middle % source)
        self.send("Input.setInterceptDrags", enabled=True)
        self.events = []
        for kind, (x, y) in (("mousePressed", start), ("mouseMoved", [start[0] + 8, start[1] + 8]), ("mouseMoved", end)):
            self.write_command(
                "Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)
        data = self.wait_for_event("Input.dragIntercepted")["data"]
        for kind in ("dragEnter", "dragOver", "drop"):
            self.send("Input.dispatchDragEvent", type=kind, x=end[0], y=end[1], data=data)
        self.send("Input.dispatchMouseEvent", type="mouseReleased", x=end[0], y=end[1], button="left", clickCount=1)
        self.send("Input.setInterceptDrags", enabled=False)
        self.settle()

    def write_command(self, method, **parameters):
        """Sends a command and does not wait for its answer."""
        self.number += 1
        self.write({"id": self.number, "method": method, "params": parameters, "sessionId": self.session})

    def wait_for_event(self, method, seconds=20):
        end = time.monotonic() + seconds
        while True:
            for event in self.events:
                if event.get("method") == method:
                    return event["params"]
            self.events.append(self.receive(max(0, end - time.monotonic())))

    def wait_for(self, condition, seconds=60):
        """Waits until an expression is true in the page."""
        end = time.monotonic() + seconds
        while not self.evaluate(f"Boolean({condition})"):
            if time.monotonic() > end:
                raise TimeoutError(f"this never became true: {condition}")
            time.sleep(0.05)

    def screenshot(self, file):
        data = self.send("Page.captureScreenshot", format="png")["data"]
        pathlib.Path(file).write_bytes(base64.b64decode(data))

    def complaints(self):
        """Errors of scripts, and requests for anything but the page itself, since it was opened."""
        found = []
        for event in self.events:
            method, what = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                details = what["exceptionDetails"]
                found.append(details.get("exception", {}).get("description", details["text"]))
            elif method == "Page.javascriptDialogOpening":
                found.append(f"a dialog says {what['message']}")
            elif method == "Log.entryAdded" and what["entry"]["level"] == "error":
                found.append(what["entry"]["text"])
            elif method == "Runtime.consoleAPICalled" and what["type"] in ("error", "assert"):
                found.append(f"console: {what['args']}")
            elif method == "Network.requestWillBeSent":
                address = what["request"]["url"]
                if not address.startswith(self.allowed):
                    found.append(f"asked the network for {address}")
        return found

    def close(self):
        try:
            self.session = None
            self.send("Browser.close")
        except (OSError, EOFError, TimeoutError):
            self.process.kill()
        self.process.wait()
        os.close(self.commands)
        os.close(self.answers)
        shutil.rmtree(self.profile, ignore_errors=True)
