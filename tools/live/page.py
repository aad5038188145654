"""The checks of the page of the live server, in headless Chromium. Part of tools/live/test."""

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

import wire
from check import Server, message

sys.path.append(os.path.join(os.environ["KENNEL_HOME"], "Tests", "Browser"))
import accessibility  # noqa: E402
import chromium  # noqa: E402

# The least contrast of all text that is seen, against what is behind it.
CONTRAST = """(() => {
  const parse = (text) => text.startsWith('color(srgb')
    ? text.match(/[\\d.]+/g).slice(0, 3).map((part) => part * 255)
    : text.match(/[\\d.]+/g).map(Number);
  const light = (colour) => colour.slice(0, 3).map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const behind = (element) => {
    for (let here = element; here; here = here.parentElement) {
      const text = getComputedStyle(here).backgroundColor;
      if (text !== 'transparent' && parse(text)[3] !== 0) return text;
    }
    return getComputedStyle(document.documentElement).backgroundColor;
  };
  let least = [100, ''];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.checkVisibility() || element.closest('.flash')) continue;
    const [a, b] = [light(parse(getComputedStyle(element).color)), light(parse(behind(element)))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < least[0]) least = [contrast, `${walker.currentNode.data.trim()} in ${element.outerHTML.slice(0, 80)}`];
  }
  return least;
})()"""


class Client:
    """A client of the Firebase framing over a socket of its own."""

    def __init__(self, server, rest=""):
        self.socket = wire.connect(server.port, "/.ws?v=5&ns=default" + rest)
        self.frames = wire.Frames(self.socket)
        self.number = 0
        self.hello = self.read()

    def read(self):
        kind, payload = self.frames.read()
        if kind == wire.CLOSE:
            raise ConnectionError("closed")
        return json.loads(payload)

    def ask(self, kind, body):
        """Sends a request and waits for its answer."""
        self.number += 1
        self.socket.sendall(wire.frame(message(kind, body, self.number).encode()))
        while True:
            told = self.read()
            if told["d"].get("r") == self.number:
                return told["d"]["b"]

    def is_gone(self):
        try:
            while True:
                self.read()
        except (ConnectionError, OSError):
            return True

    def close(self):
        self.socket.close()


class Page(unittest.TestCase):
    """The page, in one browser for all checks."""

    options = ("--control", "0")
    browser = None

    @classmethod
    def setUpClass(cls):
        path = chromium.find()
        if path is None:
            raise unittest.SkipTest("chromium is not there")
        if Page.browser is None:
            Page.browser = chromium.Chromium(path)
            atexit.register(Page.browser.close)

    def setUp(self):
        self.clients = []
        self.start(*self.options)

    def tearDown(self):
        self.browser.send("Page.navigate", url="about:blank")
        for one in self.clients:
            one.close()
        # The browser keeps connections, for which a server that is told to end waits.
        self.server.stop(signal.SIGKILL)

    def start(self, *options):
        self.server = Server(*options)

    def open(self, width=1280, height=900, dark=False, rest=""):
        self.browser.open(self.server.url + "/" + rest, width, height, dark)
        self.until("text('state') === 'connected'")

    def connect(self, rest=""):
        self.clients.append(Client(self.server, rest))
        return self.clients[-1]

    def evaluate(self, script):
        return self.browser.evaluate(
            "(() => { const byId = (id) => document.getElementById(id);"
            " const text = (id) => byId(id).textContent;"
            " const rows = () => [...document.querySelectorAll('.row')].filter((row) => !row.hidden)"
            ".map((row) => row.querySelector('.what').textContent);"
            f" return {script}; }})()")

    def until(self, script, seconds=10):
        end = time.monotonic() + seconds
        while not self.evaluate(script):
            if time.monotonic() > end:
                shown = self.evaluate("document.body.innerText")
                self.fail(f"{script} did not come true; the page shows\n{shown[-3000:]}")
            time.sleep(0.05)

    def fill(self, field, value):
        self.evaluate(
            f"(byId('{field}').value = {json.dumps(value)},"
            f" byId('{field}').dispatchEvent(new Event('input', {{bubbles: true}})), 0)")

    def click(self, selector):
        self.evaluate(f"(document.querySelector({json.dumps(selector)}).click(), 0)")

    def complaints(self):
        """What went wrong in the page; it may ask its own server for things."""
        return [
            one for one in self.browser.complaints()
            if not one.startswith("asked the network for " + self.server.url + "/")]

    def put(self, path, data):
        self.assertEqual(self.server.ask("PUT", path, json.dumps(data))[0], 200)


class Watching(Page):
    def test_a_client_is_shown_with_what_it_says_and_writes(self):
        self.put("/room.json?format=export", {"a": {"x": 1, ".priority": 3}, "b": "<b>"})
        self.open()
        self.until("text('tree').includes('priority 3')")
        alice = self.connect()
        alice.ask("q", {"p": "/room", "q": {"l": 2, "vf": "l", "i": ".key"}, "t": 1, "h": ""})
        alice.ask("o", {"p": "/gone", "d": True})
        alice.ask("p", {"p": "/room/c", "d": {"y": 5}})
        self.until("text('clients').includes('/room orderBy=.key limitToFirst=2')")
        self.until("text('tree').includes('y: 5')")
        row = self.evaluate("byId('clients').tBodies[0].rows[0].innerText")
        for part in ("default", "firebase", "websocket", "2"):
            self.assertIn(part, row)
        self.until("rows().includes('put /room/c {\"y\":5}')")
        rows = self.evaluate("rows()")
        for part in (
            "connected: websocket, firebase", "listen /room orderBy=.key limitToFirst=2 (tag 1)",
            'data /room {"a":{"x":1,".priority":3},"b":"<b>"} (tag 1)', "on-disconnect-put /gone true",
            'ok 3 (put /room/c {"y":5})',
        ):
            self.assertIn(part, rows)
        self.click(".k-in details summary")
        self.until("document.querySelector('.row pre')?.textContent.includes('\"a\": \"q\"')")
        tree = self.evaluate("byId('tree').innerText")
        self.assertIn('b: "<b>"', tree)
        self.clients.pop().close()
        self.until("document.querySelector('#clients tr.over') !== null")
        self.until("text('tree').includes('gone: true')")
        self.assertEqual(self.complaints(), [])

    def test_the_traffic_is_filtered_paused_and_cleared(self):
        self.open()
        alice, bob = self.connect(), self.connect("&x=1")
        alice.ask("p", {"p": "/a", "d": 1})
        bob.ask("p", {"p": "/b", "d": 2})
        self.until("rows().includes('put /a 1') && rows().includes('put /b 2')")
        self.fill("with", "PUT /a")
        self.until("rows().length === 2")
        self.assertEqual(self.evaluate("rows()"), ["put /a 1", "ok 1 (put /a 1)"])
        self.assertIn("2 of ", self.evaluate("text('count')"))
        self.fill("with", "")
        self.until("document.querySelectorAll('#clients .pick').length === 2")
        self.click("#clients tbody tr:nth-child(2) .pick")
        self.until("rows().includes('put /b 2') && !rows().includes('put /a 1')")
        self.assertIn("Client 2", self.evaluate("text('details')"))
        self.assertEqual(self.evaluate("byId('of').value"), "2")
        self.fill("of", "")
        self.until("rows().includes('put /a 1')")
        self.click("#pause")
        alice.ask("p", {"p": "/a", "d": 3})
        self.until("text('pause').includes('(2)')")
        self.assertNotIn("put /a 3", self.evaluate("rows()"))
        self.click("#pause")
        self.until("rows().includes('put /a 3')")
        self.click("#clear")
        self.assertEqual(self.evaluate("rows()"), [])
        self.assertEqual(self.complaints(), [])

    def test_the_tree_is_read_a_part_at_a_time(self):
        self.put("/many.json", {f"k{number:05}": number for number in range(5000)})
        self.put("/other.json?ns=demo", {"x": 1})
        # Changes must be seen without looking for them every few seconds.
        added = self.browser.send(
            "Page.addScriptToEvaluateOnNewDocument", source="window.setInterval = () => 0")
        self.addCleanup(
            self.browser.send, "Page.removeScriptToEvaluateOnNewDocument",
            identifier=added["identifier"])
        self.open()
        self.until("text('tree').includes('5,000 children')")
        self.click("#tree .twist")
        self.until("text('tree').includes('100 of 5,000 shown')")
        self.assertLess(self.evaluate("byId('tree').querySelectorAll('*').length"), 1000)
        self.put("/many/k00007.json", "new")
        self.until("text('tree').includes('k00007: \"new\"')")
        self.server.ask("DELETE", "/many/k00008.json")
        self.until("!text('tree').includes('k00008') && text('tree').includes('k00009')")
        self.evaluate("([...document.querySelectorAll('.more')].at(-1).click(), 0)")
        self.until("text('tree').includes('k00150: 150')")
        self.fill("root", "/many/k04000")
        self.click("#place button")
        self.until("text('tree').includes('4000')")
        self.fill("root", "/")
        self.until("[...byId('namespace').options].some((one) => one.value === 'demo')")
        self.evaluate(
            "(byId('namespace').value = 'demo',"
            " byId('namespace').dispatchEvent(new Event('change')), 0)")
        self.until("text('tree').includes('x: 1') && !text('tree').includes('many')")
        self.assertEqual(self.evaluate("location.search"), "?ns=demo")
        self.assertEqual(self.complaints(), [])

    def test_much_traffic_is_told_in_part(self):
        self.open()
        alice = self.connect()
        frames = b"".join(
            wire.frame(message("p", {"p": "/n", "d": number}, number).encode())
            for number in range(1, 3001))
        alice.socket.sendall(frames)
        alice.number = 3000
        for _ in range(3000):
            alice.read()
        self.until("rows().some((row) => /^… [0-9,]+ more$/.test(row))")
        self.until("text('tree').includes('n: 3000')")
        self.assertLess(self.evaluate("rows().length"), 2001)
        self.assertEqual(self.complaints(), [])

    def test_it_comes_back_with_the_server(self):
        self.put("/a.json", 1)
        self.open()
        self.connect()
        self.until("text('clients').includes('websocket')")
        port = self.server.port
        self.server.stop()
        self.until("text('state') === 'not connected'")
        for _ in range(50):
            try:
                self.start("--port", str(port), "--control", "0")
                break
            except RuntimeError:
                time.sleep(0.1)
        self.until("text('state') === 'connected'", 20)
        self.until("rows().includes('the server has started again')")
        self.until("text('tree').includes('nothing')")
        self.until("!byId('nobody').hidden")

    def test_it_fits_and_can_be_read(self):
        self.put("/room.json?format=export", {"a": {"x": "y" * 3000, ".priority": 3}, "b": {"c": "長い" * 200}})
        alice = self.connect()
        self.open()
        alice.ask("q", {"p": "/room/" + "長い" * 60, "h": ""})
        alice.ask("p", {"p": "/room/c", "d": {"y": "z" * 400}})
        alice.ask("n", {"p": "/no"})
        self.until("text('clients').includes('websocket') && rows().length > 5")
        self.until("text('tree').includes('3,000 characters')")
        self.click("#clients .pick")
        self.until("text('details').includes('Findings')")
        shots = os.environ.get("KENNEL_SCREENSHOTS")
        for name, width, height in (("desk", 1280, 900), ("phone", 390, 844), ("narrow", 320, 600)):
            for dark in (False, True):
                self.browser.look(width, height, dark)
                self.browser.settle()
                # The window of a phone would grow with what does not fit.
                wide = self.evaluate("document.documentElement.scrollWidth")
                self.assertLessEqual(wide, width, name)
                contrast, where = self.browser.evaluate(CONTRAST)
                self.assertGreaterEqual(contrast, 4.5, where)
                if shots:
                    self.browser.screenshot(f"{shots}/{name}-{'dark' if dark else 'light'}.png")
        self.assertEqual(self.complaints(), [])

    def test_everything_is_labelled_and_reached_by_keys(self):
        self.put("/room.json", {"a": {"d": 1}})
        self.connect()
        self.open()
        self.until("document.querySelector('#clients .pick') !== null")
        self.click("#clients .pick")
        self.until("!byId('details').hidden && text('tree').includes('d: 1')")
        for width, height in ((1280, 900), (390, 844)):
            for dark in (False, True):
                self.browser.look(width, height, dark)
                self.browser.settle()
                self.assertEqual(accessibility.faults(self.browser, width < 500), [])
        self.assertEqual(self.evaluate(
            "[...document.querySelectorAll('table')].filter((one) => one.ariaLabel === null"
            " && !one.hasAttribute('aria-labelledby')).map((one) => one.id)"), [])
        buttons = self.evaluate(
            "[...document.querySelectorAll('form button')].filter((one) => one.checkVisibility())"
            ".map((one) => one.textContent)")
        self.assertEqual(len(buttons), len(set(buttons)), buttons)
        self.click("#clients .pick")
        self.evaluate("(document.querySelector('#clients .pick').focus(), 0)")
        self.browser.press("Enter")
        self.browser.send("Input.dispatchKeyEvent", type="char", text="\r", key="Enter")
        self.until("document.querySelector('#clients .pick').getAttribute('aria-pressed') === 'true'")
        self.evaluate("(document.querySelector('#tree .pick').focus(), 0)")
        self.browser.press("Enter")
        self.browser.send("Input.dispatchKeyEvent", type="char", text="\r", key="Enter")
        self.until("byId('edit-path').value === '/room/a/d' && document.activeElement.id === 'edit-value'")

    def test_html_is_valid(self):
        tool = os.path.join(os.environ["KENNEL_HOME"], "tools", "check-html")
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "page.html"), "w", encoding="utf-8") as file:
                file.write(self.server.ask("GET", "/")[1])
            done = subprocess.run(
                ["bash", tool, folder], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode == 4:
            self.skipTest(done.stderr.strip())
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class Switching(Page):
    """The switches for faults."""

    def switch(self, fault, whom=None, **fields):
        for name, value in fields.items():
            self.fill(name, str(value))
        if whom is not None:
            self.until(f"[...byId('whom').options].some((one) => one.value === {json.dumps(whom)})")
            self.fill("whom", whom)
        self.click(f"button[data-fault='{fault}']")

    def test_latency_delays_a_write(self):
        self.open()
        alice, bob = self.connect("&client=alice"), self.connect("&client=bob")
        self.until("text('clients').includes('alice') && text('clients').includes('bob')")
        self.switch("latency", "alice", least=300, most=320)
        self.until("text('lines').includes('300')")
        begin = time.monotonic()
        alice.ask("p", {"p": "/a", "d": 1})
        late = time.monotonic() - begin
        self.assertGreaterEqual(late, 0.59)
        begin = time.monotonic()
        bob.ask("p", {"p": "/a", "d": 2})
        self.assertLess(time.monotonic() - begin, 0.3)
        self.until("text('marks').includes('changed something')")
        self.until("document.querySelector('.row.k-fault') !== null")
        self.assertEqual(self.complaints(), [])

    def test_cut_ends_one_client_until_it_is_healed(self):
        self.open()
        alice, bob = self.connect("&client=alice"), self.connect("&client=bob")
        self.switch("cut", "alice")
        self.assertTrue(alice.is_gone())
        self.until("document.querySelector('#clients tr.over') !== null")
        self.until("document.querySelector('#lines .off') !== null")
        bob.ask("p", {"p": "/a", "d": 1})
        with self.assertRaises((ConnectionError, OSError)):
            Client(self.server, "&client=alice")
        self.switch("heal", "alice")
        self.until("document.querySelector('#lines .off') === null")
        self.connect("&client=alice").ask("p", {"p": "/a", "d": 2})
        self.assertEqual(self.complaints(), [])

    def test_what_is_stalled_is_unanswered_and_goes_on(self):
        self.open()
        alice = self.connect("&client=alice")
        self.switch("stall", "alice", direction="to-server")
        self.until("text('lines').includes('to-server')")
        alice.number = 1
        alice.socket.sendall(wire.frame(message("p", {"p": "/a", "d": 1}, 1).encode()))
        self.click("#clients .pick")
        self.until("text('details').includes('put /a, request 1')")
        self.assertEqual(self.server.ask("GET", "/a.json")[1], "null\n")
        self.switch("resume", "alice")
        self.until("rows().includes('ok 1 (put /a 1)')")
        self.until("!text('details').includes('request 1')")
        self.assertEqual(self.complaints(), [])

    def test_what_waits_is_withdrawn_and_everybody_is_meant(self):
        self.open()
        alice = self.connect("&client=alice")
        self.until("[...byId('whom').options].length > 2")
        self.switch("close-after", "alice", messages=7)
        self.until("text('marks').includes('waits')")
        self.click("button[data-fault='withdraw']")
        self.until("text('marks').includes('withdrawn')")
        self.switch("close-after", "alice", messages=0)
        self.until("byId('said').className === 'wrong'")
        self.server.ask("GET", "/a.json")
        self.until("[...byId('whom').options].some((one) => one.value === 'rest')")
        self.switch("refuse", "")
        self.until("document.querySelector('#lines .off') !== null")
        # The page itself is never locked out.
        self.open()
        with self.assertRaises((ConnectionError, OSError)):
            Client(self.server, "&client=alice")
        with self.assertRaises((ConnectionError, OSError)):
            self.server.ask("GET", "/a.json")
        self.switch("heal-all")
        self.until("document.querySelector('#lines .off') === null")
        alice.ask("p", {"p": "/a", "d": 1})
        self.switch("cut-all")
        self.assertTrue(alice.is_gone())
        self.assertEqual(self.complaints(), [])


class Closed(Page):
    """Who may not use it."""

    options = ()

    def test_without_control_faults_are_shown_and_not_to_be_used(self):
        self.open()
        self.assertIn("--control P", self.evaluate("byId('faults').innerText"))
        self.assertEqual(
            self.evaluate("[...byId('switches').querySelectorAll('button, input, select')]"
                          ".filter((one) => !one.matches(':disabled')).length"), 0)

    def raw(self, text):
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=10) as one:
            one.sendall(text.replace("\n", "\r\n").encode())
            return one.recv(4096).decode()

    def test_other_names_and_origins_are_refused(self):
        for path in ("/", "/.kennel/traffic", "/.kennel/connections"):
            answer = self.raw(f"GET {path} HTTP/1.1\nHost: evil.test\n\n")
            self.assertTrue(answer.startswith("HTTP/1.1 403 "), answer)
            answer = self.raw(
                f"GET {path} HTTP/1.1\nHost: localhost:{self.server.port}\n"
                "Origin: http://evil.test\n\n")
            self.assertTrue(answer.startswith("HTTP/1.1 403 "), answer)
        answer = self.raw("GET /a.json HTTP/1.1\nHost: evil.test\nOrigin: http://evil.test\n\n")
        self.assertTrue(answer.startswith("HTTP/1.1 200 "), answer)


class Absent(Page):
    options = ("--no-page",)

    def test_there_is_no_page(self):
        self.assertEqual(self.server.ask("GET", "/")[0], 404)
        self.assertEqual(self.server.ask("GET", "/.kennel/connections")[0], 404)
