"""The checks of tools/live/test: each class starts the server anew and talks to it."""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.request
from types import SimpleNamespace


class Server:
    """A running `kennel serve`."""

    def __init__(self, *options, before=None):
        command = [os.environ["KENNEL"], "serve", "--port", "0", *options]
        # A pipe that nobody reads would fill up, and stop it.
        self.messages = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=self.messages, preexec_fn=before)
        said = self.process.stdout.readline().decode().split()
        if said and said[0] == "control":
            self.control = said[-1]
            said = self.process.stdout.readline().decode().split()
        if not said:
            self.messages.seek(0)
            raise RuntimeError(self.messages.read().decode())
        self.url = said[-1]
        self.port = int(self.url.rsplit(":", 1)[1])

    def said(self):
        """What it has written to standard error."""
        self.messages.seek(0)
        return self.messages.read().decode(errors="replace")

    def ask(self, method, path, body=None, **headers):
        data = None if body is None else body.encode()
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status, answer.read().decode(), answer.headers
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode(), error.headers

    def stop(self, number=signal.SIGTERM):
        """Ends it; returns its exit code and how long that took."""
        begin = time.monotonic()
        self.process.send_signal(number)
        code = self.process.wait(timeout=20)
        took = time.monotonic() - begin
        self.process.stdout.close()
        self.messages.close()
        return code, took


class Case(unittest.TestCase):
    options = ()

    def setUp(self):
        self.server = Server(*self.options)

    def tearDown(self):
        if self.server.process.returncode is None:
            self.assertEqual(self.server.stop()[0], 0)


def message(kind, body, number=1):
    return json.dumps({"t": "d", "d": {"r": number, "a": kind, "b": body}})


class Chats(Case):
    """`kennel chat`, as Specs/sdk.md shows it."""

    class Chat:
        def __init__(self, server, name):
            self.lines, self.changed = [], threading.Condition()
            self.process = subprocess.Popen(
                [os.environ["KENNEL"], "chat", name, "--url", server.url + "/?ns=chat"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            threading.Thread(target=self.read).start()

        def read(self):
            for line in self.process.stdout:
                with self.changed:
                    self.lines.append(line.strip())
                    self.changed.notify()

        def say(self, line):
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()

        def shows(self, line, count=1):
            with self.changed:
                return self.changed.wait_for(lambda: self.lines.count(line) >= count, 20)

        def end(self):
            self.process.stdin.close()
            return self.process.wait(20)

    def test_two_terminals(self):
        alice, bob = (self.Chat(self.server, name) for name in ("alice", "bob"))
        self.assertTrue(bob.shows("* alice is here") and alice.shows("* bob is here"))
        self.assertEqual(bob.lines[:2], [f"* connecting to {self.server.url}/?ns=chat", "* online"])
        alice.say("hello")
        self.assertTrue(bob.shows("alice: hello") and alice.shows("alice: hello"))
        bob.say("/offline")
        self.assertTrue(bob.shows("* offline") and alice.shows("* bob has gone"))
        bob.say("later")
        self.assertTrue(bob.shows("bob: later"))
        self.assertNotIn("bob: later", alice.lines)
        bob.say("/online")
        self.assertTrue(alice.shows("bob: later") and alice.shows("* bob is here", 2))
        self.assertNotIn("* alice is here", alice.lines)
        self.assertEqual((bob.end(), alice.shows("* bob has gone", 2), alice.end()), (0, True, 0))

    def test_without_a_server(self):
        alice = self.Chat(SimpleNamespace(url="http://127.0.0.1:1"), "alice")
        hint = "* no connection yet; it is tried again, and what you write is sent then"
        self.assertTrue(alice.shows(hint))
        self.assertEqual((len(alice.lines), alice.end()), (2, 0))

    def test_refused(self):
        self.server.ask("PUT", "/.settings/rules.json?ns=chat&auth=owner",
                        '{"rules":{".read":true,"people":{".write":true}}}')
        alice = self.Chat(self.server, "alice")
        self.assertTrue(alice.shows("* online"))
        alice.say("hello")
        self.assertTrue(alice.shows("* not sent, permission_denied: hello"))
        self.assertEqual(alice.end(), 0)


class Plain(Case):
    """What needs no client but sockets and the HTTP of Python itself."""

    def test_rest(self):
        ask = self.server.ask
        self.assertEqual(ask("PUT", "/a.json", '{"x":1,"y":{"z":"\\u00e9"}}')[0], 200)
        self.assertEqual(json.loads(ask("GET", "/a/y.json")[1]), {"z": "é"})
        self.assertEqual(ask("PATCH", "/a.json", '{"y/z":null,"w":[1]}')[0], 200)
        self.assertEqual(ask("DELETE", "/a/x.json")[1], "null\n")
        self.assertEqual(ask("GET", "/.json?print=silent")[0], 204)
        self.assertEqual(json.loads(ask("GET", "/.json")[1]), {"a": {"w": [1]}})
        query = "/a.json?orderBy=%22%24key%22&equalTo=%22w%22"
        self.assertEqual(json.loads(ask("GET", query)[1]), {"w": [1]})
        self.assertEqual(ask("GET", "/a%2Fw/0.json")[1], "1\n")
        name = json.loads(ask("POST", "/list.json", '"a+b"')[1])["name"]
        self.assertEqual(ask("GET", f"/list/{name}.json")[1], '"a+b"\n')

    def test_etag(self):
        ask = self.server.ask
        tag = ask("GET", "/n.json", X_Firebase_ETag="true")[2]["ETag"]
        self.assertEqual(tag, "null_etag")
        self.assertEqual(ask("PUT", "/n.json", "1", If_Match=tag)[0], 200)
        self.assertEqual(ask("PUT", "/n.json", "2", If_Match=tag)[0], 412)
        tag = ask("GET", "/n.json", X_Firebase_ETag="true")[2]["ETag"]
        self.assertEqual(ask("GET", "/n.json", If_None_Match=tag)[0], 304)
        self.assertEqual(ask("PUT", "/n.json", "2", If_Match=tag)[0], 200)

    def test_stream(self):
        request = urllib.request.Request(
            self.server.url + "/a.json", headers={"Accept": "text/event-stream"})
        with urllib.request.urlopen(request, timeout=10) as stream:
            def event():
                return stream.readline().decode(), stream.readline().decode(), stream.readline()
            self.assertEqual(event()[:2], ("event: put\n", 'data: {"path":"/","data":null}\n'))
            self.server.ask("PUT", "/a/b.json", "1")
            self.assertEqual(event()[:2], ("event: put\n", 'data: {"path":"/b","data":1}\n'))
            self.server.ask("PATCH", "/a.json", '{"c":2}')
            self.assertEqual(event()[:2], ("event: patch\n", 'data: {"path":"/","data":{"c":2}}\n'))

    def test_bodies_beyond_the_bound(self):
        self.assertEqual(self.server.ask("PUT", "/a.json", '"' + "x" * (1 << 20) + '"')[0], 200)
        with socket.create_connection(("127.0.0.1", self.server.port)) as raw:
            raw.sendall(b"PUT /a.json HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\n")
            self.assertIn(b"413", raw.recv(100))
        with socket.create_connection(("127.0.0.1", self.server.port)) as raw:
            raw.sendall(b"PUT /a.json HTTP/1.1\r\nHost: a\r\n\r\n")
            self.assertIn(b"411", raw.recv(100))

    def test_a_frame_without_a_mask_ends_the_connection(self):
        import wire
        one = wire.connect(self.server.port)
        frames = wire.Frames(one)
        frames.read()
        one.sendall(b"\x81\x01{")
        kind, payload = frames.read()
        self.assertEqual((kind, payload[:2]), (wire.CLOSE, (1002).to_bytes(2, "big")))
        self.assertEqual(one.recv(1), b"")
        self.assertIn("a frame of a client is not masked", self.server.said())

    def test_a_path_leads_nowhere_else(self):
        for path in ("/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd.json"):
            with socket.create_connection(("127.0.0.1", self.server.port)) as raw:
                raw.sendall(f"GET {path} HTTP/1.0\r\n\r\n".encode())
                self.assertNotIn(b"root:", raw.recv(1000))

    def test_sigterm_ends_it_in_good_order(self):
        self.assertEqual(self.server.stop()[0], 0)

    def test_a_taken_port_is_said(self):
        other = subprocess.run(
            [os.environ["KENNEL"], "serve", "--port", str(self.server.port)],
            capture_output=True, timeout=20)
        self.assertEqual(other.returncode, 4)
        self.assertIn(f"port {self.server.port} of 127.0.0.1", other.stderr.decode())


class Slowness:
    """A client that has sent half of a head, at a server that serves others."""

    def __init__(self):
        self.server = Server()
        self.raw = socket.create_connection(("127.0.0.1", self.server.port))
        self.raw.sendall(b"GET /a.json HTTP/1.1\r\nHo")


class Waiting(unittest.TestCase):
    """What takes its time, and therefore begins before everything else and comes last."""

    begun = None

    def test_a_slow_head_is_not_waited_for(self):
        slow = self.begun or Slowness()
        try:
            self.assertEqual(slow.server.ask("GET", "/a.json")[1], "null\n")
            slow.raw.settimeout(30)
            self.assertIn(b" 408 ", slow.raw.recv(100))
        finally:
            slow.raw.close()
            self.assertEqual(slow.server.stop()[0], 0)


class Requests(Case):
    """HTTP as it may be sent, though many clients never do."""

    def talk(self, *parts, end=False, port=None):
        """What comes back, until the server closes or nothing comes for a moment."""
        with socket.create_connection(("127.0.0.1", port or self.server.port)) as raw:
            for part in parts:
                raw.sendall(part if isinstance(part, bytes) else part.encode())
            if end:
                raw.shutdown(socket.SHUT_WR)
            raw.settimeout(0.3)
            heard = b""
            try:
                while part := raw.recv(1 << 16):
                    heard += part
                self.is_closed = True
            except TimeoutError:
                self.is_closed = False
            return heard.decode(errors="replace")

    def test_bodies_in_chunks(self):
        head = "PUT /a.json HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
        heard = self.talk(head, "2\r\n[1\r", "\n", "6;x=y\r\n,", "2,3]\n\r\n0\r\nA: b\r\n\r\n")
        self.assertIn(" 200 OK", heard)
        self.assertFalse(self.is_closed)
        self.assertEqual(self.server.ask("GET", "/a.json")[1], "[1,2,3]\n")
        self.assertIn(" 413 ", self.talk(head, "1000001\r\n"))
        self.assertIn(" 400 ", self.talk(head, "1\r\n12\r\n"))

    def test_requests_before_the_last_answer(self):
        put = "PUT /a/%d.json HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n%02d"
        get = "GET /a/%d.json HTTP/1.1\r\nHost: h\r\n\r\n"
        heard = self.talk("".join((put + get) % (n, n, n) for n in range(10, 60)))
        bodies = [part.rsplit("\r\n", 1)[-1] for part in heard.split("\nHTTP/1.1")]
        self.assertEqual([body.strip() for body in bodies],
                         [str(n // 2) for n in range(20, 120)])

    def test_who_waits_is_told_to_go_on(self):
        with socket.create_connection(("127.0.0.1", self.server.port)) as raw:
            raw.settimeout(10)
            raw.sendall(b"PUT /a.json HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n"
                        b"Content-Length: 1\r\n\r\n")
            self.assertEqual(raw.recv(100), b"HTTP/1.1 100 Continue\r\n\r\n")
            raw.sendall(b"5")
            self.assertTrue(raw.recv(1000).startswith(b"HTTP/1.1 200 OK\r\n"))

    def test_heads_without_bodies(self):
        self.server.ask("PUT", "/a.json", '"12345"')
        heard = self.talk("HEAD /a.json HTTP/1.1\r\nHost: h\r\n\r\n" * 2)
        self.assertEqual(heard.count("Content-Length: 8\r\n"), 2)
        self.assertNotIn("12345", heard)

    def test_which_connections_last(self):
        get = "GET /a.json HTTP/1.1\r\nHost: h\r\n\r\n"
        self.talk(get)
        self.assertFalse(self.is_closed)
        for closing in (get.replace("1.1", "1.0"), get.replace("h\r", "h\r\nConnection: close\r")):
            heard = self.talk(closing + get)
            self.assertTrue(self.is_closed)
            self.assertEqual(heard.count("HTTP/1.1 200 OK"), 1)
            self.assertIn("Connection: close", heard)
        self.assertIn("null", self.talk(get, end=True))

    def test_what_is_no_request_is_answered(self):
        for text, status in (
                ("BREW /a.json HTTP/1.1\r\nHost: h\r\n\r\n", 405), ("GET /\r\n\r\n", 400),
                ("GET /a.json HTTP/1.1\r\n\r\n", 400), ("GET /%.json HTTP/1.1\r\nHost:h\r\n\r\n", 400),
                ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505), ("\x16\x03\x01\x02\x00\n", 400),
                ("GET /a.json HTTP/1.1\r\nHost: h\r\nA: " + "x" * 20000, 431),
                ("GET /" + "x" * 20000, 414),
                ("PUT /a.json HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n"
                 "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
                ("GET /.ws HTTP/1.1\r\nHost: h\r\nConnection: upgrade\r\nUpgrade: websocket\r\n"
                 "Sec-WebSocket-Version: 7\r\n\r\n", 426)):
            self.assertIn(f"HTTP/1.1 {status} ", self.talk(text), text[:60])

    def test_a_body_that_is_refused_may_be_sent_all_the_same(self):
        head = f"PUT /a.json HTTP/1.1\r\nHost: h\r\nContent-Length: {100 << 20}\r\n\r\n"
        heard = self.talk(head, *([b"1" * (1 << 20)] * 100))
        self.assertIn("HTTP/1.1 413 ", heard)

    def test_frames_right_behind_the_handshake(self):
        import wire
        text = message("p", {"p": "/a", "d": 1}).encode()
        heard = self.talk(
            "GET /.ws?v=5&ns=default HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
            + b"".join([wire.frame(text)] * 3))
        self.assertIn("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", heard)
        self.assertEqual(heard.count('"s":"ok"'), 3)

    def test_too_many_connections_are_refused(self):
        few = Server("--connections", "5")
        try:
            held = [socket.create_connection(("127.0.0.1", few.port)) for _ in range(5)]
            time.sleep(0.1)
            self.assertIn("HTTP/1.1 503 ", self.talk(port=few.port))
            for one in held:
                one.close()
            time.sleep(0.1)
            self.assertEqual(few.ask("GET", "/a.json")[0], 200)
            self.assertIn("there are 5; --connections allows more", few.said())
        finally:
            self.assertEqual(few.stop()[0], 0)


class Talk(Case):
    """What has WebSockets of the library `websockets`."""

    def setUp(self):
        try:
            from websockets.sync.client import connect
        except ImportError:
            self.skipTest("the library websockets is not there")
        super().setUp()
        self.sockets = []
        self.connect_to = connect

    def tearDown(self):
        for one in self.sockets:
            one.close()
        super().tearDown()

    def connect(self, rest=""):
        one = self.connect_to(
            f"ws://127.0.0.1:{self.server.port}/.ws?v=5&ns=default{rest}", max_size=1 << 26,
            compression=None)
        self.sockets.append(one)
        self.hello = json.loads(one.recv())
        return one

    def wait_for(self, path, expected):
        for _ in range(200):
            found = self.server.ask("GET", path)[1]
            if found == expected:
                return
            time.sleep(0.02)
        self.assertEqual(found, expected)


class WebSockets(Talk):
    """The Firebase framing."""

    def test_hello(self):
        self.connect()
        body = self.hello["d"]["d"]
        self.assertEqual(self.hello["d"]["t"], "h")
        self.assertEqual(body["h"], f"127.0.0.1:{self.server.port}")
        self.assertLess(abs(body["ts"] - time.time() * 1000), 5000)

    def test_listen_and_write(self):
        alice, bob = self.connect(), self.connect()
        alice.send(message("q", {"p": "/a", "h": ""}))
        self.assertEqual(json.loads(alice.recv())["d"]["b"], {"s": "ok", "d": {}})
        bob.send(message("p", {"p": "/a/x", "d": 1}))
        self.assertEqual(
            json.loads(alice.recv())["d"], {"a": "d", "b": {"p": "a/x", "d": 1}})
        self.assertEqual(self.server.ask("GET", "/a.json")[1], '{"x":1}\n')

    def test_rest_reaches_listeners(self):
        alice = self.connect()
        alice.send(message("q", {"p": "/a", "h": ""}))
        alice.recv()
        self.server.ask("PUT", "/a.json", "5")
        self.assertEqual(json.loads(alice.recv())["d"]["b"], {"p": "a", "d": 5})

    def test_what_the_monitor_finds_is_told(self):
        alice = self.connect("&client=alice")
        for number in (1, 2):
            alice.send(message("q", {"p": "/found", "h": ""}, number))
            while json.loads(alice.recv())["d"].get("r") != number:
                pass
        said = os.pread(self.server.messages.fileno(), 1 << 20, 0).decode()
        self.assertRegex(
            said, r"connection \d+ \(alice\): request 2 listens to /found, which request 1 listens to"
            r" already; one listen serves all listeners \(WIR-4\)")

    def test_segments(self):
        alice = self.connect()
        text = message("p", {"p": "/a", "d": "x" * 100000})
        parts = [text[n:n + 16384] for n in range(0, len(text), 16384)]
        for frame in [str(len(parts)), *parts]:
            alice.send(frame)
        self.assertEqual(json.loads(alice.recv())["d"]["b"]["s"], "ok")
        alice.send(message("g", {"p": "/a", "q": {}}))
        count = int(alice.recv())
        answer = json.loads("".join(alice.recv() for _ in range(count)))
        self.assertEqual(answer["d"]["b"]["d"], "x" * 100000)

    def test_fragments_of_frames(self):
        alice = self.connect()
        text = message("p", {"p": "/a", "d": 1})
        alice.send(iter([text[:10], text[10:20], text[20:]]))
        self.assertEqual(json.loads(alice.recv())["d"]["b"]["s"], "ok")

    def test_on_disconnect(self):
        alice = self.connect()
        alice.send(message("o", {"p": "/gone", "d": True}))
        alice.recv()
        alice.close()
        self.wait_for("/gone.json", "true\n")

    def test_on_disconnect_of_the_last_session(self):
        alice = self.connect()
        session = self.hello["d"]["d"]["s"]
        alice.send(message("o", {"p": "/gone", "d": True}))
        alice.recv()
        self.connect("&ls=" + session)
        self.wait_for("/gone.json", "true\n")

    def test_what_is_not_allowed_closes_with_a_reason(self):
        from websockets.exceptions import ConnectionClosed
        for frame, code in (("{", 1007), ("[1]", 1008), (b"\0", 1003), ("9" * (17 << 20), 1009)):
            alice = self.connect()
            with self.assertRaises(ConnectionClosed) as caught:
                alice.send(frame)
                alice.recv()
            self.assertEqual(caught.exception.rcvd.code, code)

    def test_another_place_is_refused(self):
        from websockets.exceptions import InvalidStatus
        with self.assertRaises(InvalidStatus) as caught:
            self.connect_to(f"ws://127.0.0.1:{self.server.port}/other")
        self.assertEqual(caught.exception.response.status_code, 404)

    def test_sigterm_says_goodbye(self):
        from websockets.exceptions import ConnectionClosed
        alice = self.connect()
        code = self.server.stop()[0]
        with self.assertRaises(ConnectionClosed) as caught:
            alice.recv()
        self.assertEqual(caught.exception.rcvd.code, 1001)
        self.assertEqual(code, 0)


class Browser(Case):
    """A page with a native WebSocket, an event stream and fetch, from another origin."""

    page = """<script>
      const host = "127.0.0.1:PORT", heard = [];
      const socket = new WebSocket(`ws://${host}/.ws?v=5&ns=default`);
      const put = (path, data) => fetch(`http://${host}/${path}.json`, {
        method: "PUT", body: JSON.stringify(data), headers: {"X-Firebase-ETag": "true"}});
      const stream = new EventSource(`http://${host}/a.json`);
      const events = [];
      for (const type of ["put", "patch"]) {
        stream.addEventListener(type, (event) => events.push([type, JSON.parse(event.data)]));
      }
      socket.onmessage = async (event) => {
        heard.push(JSON.parse(event.data));
        if (heard.length === 1) {
          const listen = {t: "d", d: {r: 1, a: "q", b: {p: "/a", h: ""}}};
          socket.send(JSON.stringify(listen));
        } else if (heard.length === 2) {
          const answer = await put("a", {x: "é"});
          heard.push(answer.headers.get("ETag"));
        } else if (heard.length >= 3 && !window.isDone) {
          window.isDone = true;
          setTimeout(() => put("result", {heard, events}), 500);
        }
      };
    </script>"""

    def setUp(self):
        self.browser = shutil.which("chromium") or shutil.which("chromium-browser")
        if self.browser is None:
            self.skipTest("chromium is not there")
        super().setUp()
        self.folder = tempfile.TemporaryDirectory()

    def tearDown(self):
        super().tearDown()
        self.folder.cleanup()

    def test_a_page(self):
        file = os.path.join(self.folder.name, "page.html")
        with open(file, "w", encoding="utf-8") as page:
            page.write(self.page.replace("PORT", str(self.server.port)))
        browser = subprocess.Popen(
            [self.browser, "--headless", "--no-sandbox", "--disable-gpu",
             "--user-data-dir=" + os.path.join(self.folder.name, "profile"),
             "--remote-debugging-port=0", "file://" + file],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            for _ in range(300):
                result = json.loads(self.server.ask("GET", "/result.json")[1])
                if result is not None:
                    break
                time.sleep(0.1)
        finally:
            browser.terminate()
            browser.wait(20)
        told = {"t": "d", "d": {"a": "d", "b": {"p": "a", "d": {"x": "é"}}}}
        self.assertEqual(result["heard"][0]["d"]["t"], "h")
        self.assertIn(told, result["heard"])
        self.assertEqual(len([one for one in result["heard"] if isinstance(one, str)]), 1)
        self.assertIn(["put", {"path": "/", "data": {"x": "é"}}], result["events"])


class Recording(Talk):
    """Recordings, also of a server that is killed."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.options = ("--record", self.folder.name)
        super().setUp()

    def tearDown(self):
        super().tearDown()
        self.folder.cleanup()

    def test_a_killed_server_leaves_all_that_was_said(self):
        alice = self.connect()
        for number in range(1, 201):
            alice.send(message("p", {"p": "/a", "d": number}, number))
        for _ in range(200):
            alice.recv()
        self.server.stop(signal.SIGKILL)
        with open(os.path.join(self.folder.name, "client-1.jsonl"), encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        self.assertEqual(lines[0]["recording"], 1)
        self.assertEqual(lines[1]["out"], {"connect": {}})
        self.assertEqual(lines[2]["in"], {"opened": {}})
        sent = [line["out"]["send"] for line in lines if "send" in line.get("out", {})]
        heard = [line["in"]["frame"] for line in lines if "frame" in line.get("in", {})]
        self.assertEqual((len(sent), len(heard)), (200, 201))

    def kennel(self, *words):
        """Runs a command of the kit in the folder; returns its exit code and what it said."""
        done = subprocess.run(
            [os.environ["KENNEL"], *words], cwd=self.folder.name, capture_output=True, text=True,
            timeout=60)
        return done.returncode, done.stdout + done.stderr

    def test_a_live_session_becomes_a_scenario_that_passes(self):
        self.server.ask("PUT", "/room.json", '{"a": 1}')
        alice = self.connect()
        alice.send(message("q", {"p": "/room", "h": ""}))
        self.assertEqual(json.loads(alice.recv())["d"]["b"]["d"], {"a": 1})
        alice.recv()
        bob = self.connect("&client=bob")
        bob.send(message("o", {"p": "/room/bob", "d": "gone"}))
        bob.recv()
        bob.send(message("m", {"p": "/room", "d": {"a": None, "b": 2}}, 2))
        bob.recv()
        alice.recv()
        self.server.ask("PATCH", "/room.json", '{"c": 3}')
        alice.recv()
        bob.close()
        self.assertEqual(json.loads(alice.recv())["d"]["b"]["d"], "gone")
        self.server.stop(signal.SIGKILL)
        code, said = self.kennel("scenario-from", "default.trace.jsonl", "-o", "told.yaml")
        self.assertEqual(code, 0, said)
        self.assertIn("the same 3 requests", said)
        code, said = self.kennel("run", "--audit", "told.yaml")
        self.assertEqual(code, 0, said)
        with open(os.path.join(self.folder.name, "told.yaml"), encoding="utf-8") as file:
            told = file.read()
        for part in ("bob.go-offline", "server.update: {path: room, value: {c: 3}}",
                     "server: {room: {b: 2, bob: gone, c: 3}}", "{child_added: bob, value: gone"):
            self.assertIn(part, told)
        for words, part in (
                (("replay", "default.trace.jsonl"), "0 failed"),
                (("replay", "client-1.jsonl"), "only requests are compared"),
                (("show", "default.trace.jsonl"), "bob"),
                (("show", "client-1.jsonl"), "server"),
                (("view", "client-1.jsonl"), "client-1.html"),
                (("why", "default.trace.jsonl"), "it passes"),
                (("fmt", "--check", "told.yaml"), "0 to be changed")):
            code, said = self.kennel(*words)
            self.assertEqual(code, 0, said)
            self.assertIn(part, said)

    def test_who_comes_back_goes_on_in_one_recording(self):
        self.connect()
        self.sockets[0].close()
        self.connect("&ls=" + self.hello["d"]["d"]["s"])
        self.server.stop()
        self.assertEqual(
            sorted(os.listdir(self.folder.name)), ["client-1.jsonl", "default.trace.jsonl"])


class Faults(Talk):
    """What goes wrong on purpose, from a file and from a scenario."""

    text = """
clients: [alice, bob]
faults:
  - network.latency: {alice: 100ms..200ms}
  - network.lose-acknowledgement: {client: bob, when: {frame: put, nth: 2}}
  - network.drop: {client: any, when: {messages: 9, direction: to-server}}
"""

    def setUp(self):
        self.file = tempfile.NamedTemporaryFile("w", suffix=".yaml")
        self.file.write(self.text)
        self.file.flush()
        self.options = ("--faults", self.file.name)
        super().setUp()

    def tearDown(self):
        super().tearDown()
        self.file.close()

    def ends(self, one):
        """The messages until the line breaks."""
        from websockets.exceptions import ConnectionClosed
        heard = []
        with self.assertRaises(ConnectionClosed):
            while True:
                heard.append(json.loads(one.recv(timeout=10)))
        return heard

    def test_latency_of_one(self):
        begin = time.monotonic()
        self.connect("&client=alice")
        self.assertGreater(time.monotonic() - begin, 0.2)
        self.connect("&client=bob")

    def put(self, one, path, number):
        """Sends a write, if the line still takes it: it may break at any moment."""
        from websockets.exceptions import ConnectionClosed

        with contextlib.suppress(ConnectionClosed):
            one.send(message("p", {"p": path, "d": number}, number))

    def test_a_lost_acknowledgement(self):
        bob = self.connect("&client=bob")
        self.put(bob, "/a", 1)
        self.assertEqual(json.loads(bob.recv(timeout=10))["d"]["r"], 1)
        self.put(bob, "/a", 2)
        self.assertEqual(self.ends(bob), [])
        self.wait_for("/a.json", "2\n")

    def test_each_client_is_dropped(self):
        for name in ("carol", "dave"):
            one = self.connect(f"&client={name}")
            for number in range(1, 10):
                self.put(one, "/b", number)
            self.assertLess(len(self.ends(one)), 10)

    def test_a_scenario(self):
        def begin(name):
            self.server.stop()
            self.server = Server("--scenario", f"faults/{name}")
            return lambda: self.server.process.stdout.readline().decode()

        said = begin("clock-set-back-before-a-try")
        self.assertIn("that are done after the hello of the first client: 2\n", said())
        self.assertIn("passed over, calls of clients and expectations: 4\n", said())
        self.assertRegex(said(), r"^passed over: .*yaml:\d+:\d+: a live client reads the clock")
        begin("stalled-answers")
        start = time.monotonic()
        one = self.connect()
        self.assertGreater(time.monotonic() - start, 0.018)
        one.send(message("p", {"p": "/room/a", "d": 2}))
        with self.assertRaises(TimeoutError):
            one.recv(timeout=0.3)

    def test_mistakes_are_told_at_once(self):
        self.file.write("  - network.cot: bob\n  - alice.kill\n")
        self.file.flush()
        other = subprocess.run(
            [os.environ["KENNEL"], "serve", "--port", "0", "--faults", self.file.name],
            capture_output=True, timeout=20)
        self.assertEqual(other.returncode, 2)
        self.assertIn(f"{self.file.name}:7:5: unknown network step", other.stderr.decode())
        self.assertIn(f"{self.file.name}:8:5: ", other.stderr.decode())


class Control(Talk):
    """The second port."""

    options = ("--control", "0")

    def control(self, method, path, body=None):
        url, self.server.url = self.server.url, self.server.control
        try:
            return self.server.ask(method, path, body)[:2]
        finally:
            self.server.url = url

    def fault(self, *faults):
        """Adds faults; returns what became of all of them so far."""
        status, answer = self.control("POST", "/faults", json.dumps(list(faults)))
        self.assertEqual(status, 200, answer)

    def marks(self):
        return [(one["name"], one["fired"], one["bit"])
                for one in json.loads(self.control("GET", "/faults")[1])["faults"]]

    def test_connections_and_faults(self):
        from websockets.exceptions import ConnectionClosed
        alice = self.connect("&client=alice")
        alice.send(message("q", {"p": "/a", "h": ""}))
        alice.recv()
        found = json.loads(self.control("GET", "/connections")[1])
        self.assertEqual([one["carrier"] for one in found], ["websocket"])
        self.assertEqual([one["client"] for one in found], ["alice"])
        self.assertEqual(
            found[0]["listens"], [{"path": "/a", "query": None, "text": "/a"}])
        self.assertEqual(self.control("POST", "/cut"), (200, '{"cut":1}\n'))
        with self.assertRaises(ConnectionClosed):
            alice.recv()
        self.fault({"network.close-after": {
            "client": "alice", "messages": 1, "direction": "to-client"}})
        bob = self.connect()
        bob.send(message("p", {"p": "/a", "d": 1}))
        bob.recv()
        with self.assertRaises(ConnectionClosed):
            self.connect("&client=alice").recv()
        self.assertEqual(self.marks(), [("close-after", True, True)])
        self.assertEqual(self.server.ask("GET", "/connections")[0], 404)

    def test_stall_and_restart(self):
        from websockets.exceptions import ConnectionClosed
        alice = self.connect("&client=alice")
        self.fault({"network.stall": {"client": "alice", "direction": "to-client"}})
        alice.send(message("p", {"p": "/a", "d": 1}))
        with self.assertRaises(TimeoutError):
            alice.recv(timeout=0.2)
        self.assertEqual(self.server.ask("GET", "/a.json")[1], "1\n")
        self.assertEqual(self.control("POST", "/heal")[0], 200)
        self.assertEqual(json.loads(alice.recv())["d"]["b"]["s"], "ok")
        self.fault({"server.restart": {"down": "400ms"}})
        with self.assertRaises(ConnectionClosed):
            alice.recv()
        with self.assertRaises(Exception):
            self.connect()
        with self.assertRaises(Exception):
            self.server.ask("GET", "/a.json")
        time.sleep(0.5)
        self.connect()
        self.assertEqual(self.server.ask("GET", "/a.json")[1], "1\n")
        self.assertTrue(all(bit for _, _, bit in self.marks()))

    def test_half_open_and_late(self):
        alice = self.connect("&client=alice")
        alice.send(message("o", {"p": "/gone", "d": True}))
        alice.recv()
        self.fault({"network.late-close": {"client": "alice", "after": "300ms"}})
        self.connect("&client=alice")
        self.assertEqual(self.server.ask("GET", "/gone.json")[1], "null\n")
        self.wait_for("/gone.json", "true\n")
        bob = self.connect("&client=bob")
        self.fault({"network.half-open": {"client": "bob"}})
        bob.send(message("p", {"p": "/b", "d": 1}))
        with self.assertRaises(TimeoutError):
            bob.recv(timeout=0.2)
        self.assertEqual(self.server.ask("GET", "/b.json")[1], "null\n")
        self.fault({"network.cut": "bob"})
        self.assertEqual(self.marks()[-2:], [("half-open", True, True), ("cut", True, True)])

    def test_polling(self):
        ask = self.server.ask
        path = "/.ws/?EIO=3&transport=polling&client=carol"
        terms = ask("GET", path)[1]
        sid = json.loads(terms[terms.index("{"):terms.index("}") + 1])["sid"]
        self.fault({"network.refuse": "carol"})
        with self.assertRaises(Exception):
            ask("GET", path)
        packet = '42["wd",%s]' % message("p", {"p": "/a", "d": 1})
        self.fault({"network.lose-acknowledgement": "carol"})
        self.assertEqual(ask("POST", f"{path}&sid={sid}", f"{len(packet)}:{packet}")[1], "ok")
        self.assertEqual(ask("GET", "/a.json")[1], "1\n")
        self.assertEqual(ask("GET", f"{path}&sid={sid}")[0], 400)


class Hostile(Case):
    """Noise, which must not disturb anybody else."""

    def test_noise(self):
        import fuzz
        process = self.server.process
        self.assertEqual(fuzz.main(self.server.port, process.pid, 2000, 1), 0)
        self.assertIsNone(process.poll())


class EngineIO(Case):
    """The framing of Wilddog Sync, through python-engineio."""

    def setUp(self):
        try:
            import engineio
        except ImportError:
            self.skipTest("python-engineio is not there")
        super().setUp()
        self.engineio = engineio

    def talk(self, transports):
        heard, news = [], threading.Condition()
        client = self.engineio.Client()

        def keep(data):
            with news:
                heard.append(data)
                news.notify()

        def wait(count):
            with news:
                self.assertTrue(news.wait_for(lambda: len(heard) >= count, 10), heard)

        client.on("message", keep)
        client.connect(
            f"http://127.0.0.1:{self.server.port}/?v=1.0&cv=2.0.0", transports=transports,
            engineio_path=".ws")
        wait(2)
        self.assertEqual(heard[0], "0")
        self.assertIn('"v":"1.0"', heard[1])
        client.send('2["wd",%s]' % message("q", {"p": "/a", "h": ""}))
        wait(3)
        client.send('2["wd",%s]' % message("p", {"p": "/a", "d": "é😀"}, 2))
        wait(5)
        self.assertEqual(json.loads(heard[3][1:])[1]["d"]["b"], {"p": "a", "d": "é😀"})
        transport = client.transport()
        client.disconnect()
        return transport

    def test_polling(self):
        self.assertEqual(self.talk(["polling"]), "polling")

    def test_upgrade(self):
        self.assertEqual(self.talk(["polling", "websocket"]), "websocket")

    def test_websocket(self):
        self.assertEqual(self.talk(["websocket"]), "websocket")


class Admin(Case):
    """The admin SDK, which finds the server by an environment variable."""

    def setUp(self):
        try:
            import firebase_admin
            import firebase_admin.db
        except ImportError:
            self.skipTest("firebase-admin is not there")
        super().setUp()
        os.environ["FIREBASE_DATABASE_EMULATOR_HOST"] = f"localhost:{self.server.port}"
        self.app = firebase_admin.initialize_app(
            options={"projectId": "demo", "databaseURL": "https://demo.firebaseio.com"},
            name=self.id())
        self.root = firebase_admin.db.reference("/", self.app)
        self.errors = firebase_admin.exceptions

    def tearDown(self):
        import firebase_admin
        firebase_admin.delete_app(self.app)
        super().tearDown()

    def test_values(self):
        room = self.root.child("room")
        room.set({"a": 1, "b": {"c": "é"}})
        room.update({"a": None, "b/d": 2})
        self.assertEqual(room.get(), {"b": {"c": "é", "d": 2}})
        self.assertEqual(room.get(shallow=True), {"b": True})
        key = room.push("x").key
        self.assertEqual(len(key), 20)
        room.child("b").delete()
        self.assertEqual(room.get(), {key: "x"})

    def test_etags(self):
        place = self.root.child("n")
        place.set(1)
        value, tag = place.get(etag=True)
        self.assertEqual(value, 1)
        self.assertEqual(place.get_if_changed(tag), (False, None, None))
        self.assertTrue(place.set_if_unchanged(tag, 2)[0])
        self.assertEqual(place.set_if_unchanged(tag, 3)[:2], (False, 2))

    def test_transactions(self):
        place = self.root.child("n")
        place.set(0)

        def count():
            for _ in range(10):
                place.transaction(lambda value: (value or 0) + 1)

        threads = [threading.Thread(target=count) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(place.get(), 20)

    def test_queries(self):
        room = self.root.child("room")
        room.set({"a": {"n": 3}, "b": {"n": 1}, "c": {"n": 2}})
        by_n = room.order_by_child("n")
        self.assertEqual(list(by_n.get()), ["b", "c", "a"])
        self.assertEqual(list(by_n.limit_to_last(2).get()), ["c", "a"])
        self.assertEqual(list(room.order_by_child("n").start_at(2).get()), ["c", "a"])
        self.assertEqual(list(room.order_by_key().equal_to("b").get()), ["b"])
        room.set({"a": 3, "b": 1})
        self.assertEqual(list(room.order_by_value().end_at(2).get()), ["b"])

    def test_listen(self):
        events, news = [], threading.Condition()

        def keep(event):
            with news:
                events.append((event.event_type, event.path, event.data))
                news.notify()

        place = self.root.child("feed")
        registration = place.listen(keep)
        place.set({"a": 1})
        place.update({"b": 2})
        with news:
            self.assertTrue(news.wait_for(lambda: len(events) >= 3, 10), events)
        self.assertEqual(
            events, [("put", "/", None), ("put", "/", {"a": 1}), ("patch", "/", {"b": 2})])
        # The SDK's thread ends with an error when the stream is closed under it.
        threading.excepthook = lambda _: None
        threading.Thread(target=registration.close, daemon=True).start()

    def test_errors(self):
        with self.assertRaises(self.errors.FirebaseError):
            self.root.child("a").set({"b.c": 1})


if __name__ == "__main__":
    from robust import Limits  # noqa: F401
    from clients import (  # noqa: F401
        AdminMore, Aiohttp, Curl, Httpx, Rest, WebSocketClient)
    from page import Absent, Closed, Switching, Watching  # noqa: F401
    from realclock import RealClock  # noqa: F401
    in_browser = ["Browser", "Absent", "Closed", "Switching", "Watching"]
    words = sys.argv[1:]
    if words == ["--browser"]:
        words = in_browser
    elif not words:
        Waiting.begun = Slowness()
        words = sorted(
            name for name, kind in globals().items()
            if isinstance(kind, type) and issubclass(kind, unittest.TestCase)
            and name not in ("Case", "Talk", "Page", *in_browser))
    unittest.main(argv=[sys.argv[0], "-v", *words])
