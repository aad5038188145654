"""Checks that `kennel run --server-command` finds what a server does wrong: the kit's own, with each defect that
clients can see; that no server is left behind; that a server without rules and tokens is asked for none; and that
`kennel monitor --proxy` judges both sides, and hands REST on.
KENNEL names the program.

    python3 tools/live/servers.py
"""

import base64
import hashlib
import http.client
import json
import os
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

import wire

KENNEL = os.environ["KENNEL"]

# Where each defect shows. Whether minutes are all that a server's clock shows depends on when one looks.
DEFECTS = {
    "tells-old-data": "limits/refill-after-foreign-removal",
    "answers-before-writing": "writes/local-echo",
    "answers-before-telling": "callbacks/set-in-a-child-event",
    "answers-before-listen-data": "limits/refill-after-foreign-removal",
    "repeats-on-disconnects": "on-disconnect/earlier-parts-under-a-later-mapping",
    "forgets-on-disconnects": "on-disconnect/set-when-cut",
    "reverses-on-disconnects": "on-disconnect/in-order-of-registration",
    "cancels-everything": "on-disconnect/cancel-spares-what-is-beside",
    "tells-one-listen-of-a-place": "limits/parts-foreign-everything",
    "hashes-without-priorities": "transactions/hash-of-a-leaf-with-a-priority",
    "ignores-hashes": "transactions/conflict-runs-again",
    "merges-are-sets": "writes/update-is-one-shallow-merge",
    "tells-merges-in-parts": "events/crowd-foreign-several-children",
    "trusts-every-hash": "connection/difference-after-reconnection",
    "increments-twice": "server-values/increment",
    "trusts-on-disconnects": "on-disconnect/rules-count-again-at-the-end",
    "refuses-in-part": "access/update-is-refused-whole",
    "refuses-and-writes": "access/refused-write-is-rolled-back",
    "revokes-silently": "access/revoked-range",
    "rest-ignores-queries": "rest/reads",
    "rest-streams-no-merges": "rest/writes",
    "rest-accepts-any-body": "rest/children",
    "rest-ignores-conditions": "rest/conditions",
}


def verdicts(scenarios, *options):
    """The verdict of each scenario against a server with these options."""
    server = " ".join(['"$KENNEL" serve --port {port}', *options])
    done = subprocess.run(
        [KENNEL, "run", *scenarios, "--profile", "firebase", "--patience", "500", "--format", "json",
         "--rest", "--server-command", server],
        capture_output=True, text=True, timeout=300)
    runs = [json.loads(line) for line in done.stdout.splitlines()]
    return {run["scenario"]: run["verdict"] for run in runs if "verdict" in run}, done


class Defects(unittest.TestCase):
    def test_the_right_server_passes_where_each_defect_shows(self):
        found, done = verdicts(sorted(set(DEFECTS.values())))
        self.assertEqual(set(found.values()), {"pass"}, f"{found}\n{done.stderr}")

    def test_each_defect_is_found(self):
        def run(defect):
            return defect, verdicts([DEFECTS[defect]], "--defect", defect)

        with ThreadPoolExecutor(4) as pool:
            for defect, (found, done) in pool.map(run, DEFECTS):
                with self.subTest(defect=defect):
                    self.assertEqual(found, {DEFECTS[defect]: "fail"}, done.stdout + done.stderr)


class Leftovers(unittest.TestCase):
    """A server ends with the process that started it, however that ends."""

    def setUp(self):
        self.mark = f"mark-{os.getpid()}-{self.id()}"

    def servers(self):
        found = subprocess.run(["pgrep", "-f", f"port [0-9]+ .*{self.mark}"], capture_output=True, text=True)
        return found.stdout.split()

    def start(self, *options):
        command = f'"$KENNEL" serve --port {{port}} --export-on-exit /tmp/{self.mark}'
        return subprocess.Popen(
            [KENNEL, "run", "writes", "--profile", "firebase", "--server-command", command, *options],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def wait(self, condition):
        end = time.monotonic() + 30
        while not condition() and time.monotonic() < end:
            time.sleep(0.1)
        self.assertTrue(condition(), self.servers())

    def check_end(self, number, end, *options):
        run = self.start(*options)
        self.wait(lambda: len(self.servers()) >= number)
        end(run)
        run.wait()
        self.wait(lambda: not self.servers())

    def test_of_several_processes_that_are_stopped(self):
        self.check_end(3, lambda run: run.send_signal(signal.SIGINT), "--jobs", "3")

    def test_of_a_process_that_is_killed(self):
        self.check_end(1, lambda run: run.kill())

    def test_of_several_processes_that_are_done(self):
        self.check_end(2, lambda run: run.wait(), "--jobs", "2", "--rule", "WRT-1")


class OddServer(threading.Thread):
    """Says hello, and then the same to every client, whatever that says; requests of REST get one answer."""

    def __init__(self, *messages, rest=b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"):
        super().__init__(daemon=True)
        hello = {"t": "c", "d": {"t": "h", "d": {"ts": 1, "v": "5", "h": "x", "s": "s"}}}
        self.messages, self.rest = [hello, *messages], rest
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.start()

    def run(self):
        while True:
            one, _ = self.listener.accept()
            threading.Thread(target=self.serve, args=(one,), daemon=True).start()

    def serve(self, one):
        with one:
            head = b""
            while b"\r\n\r\n" not in head:
                part = one.recv(4096)
                if not part:
                    return
                head += part
            fields = (line.partition(b": ") for line in head.split(b"\r\n"))
            key = next((value for name, _, value in fields if name.lower() == b"sec-websocket-key"), None)
            if key is None:
                self.answer(one)
            else:
                self.talk(one, key)

    def answer(self, one):
        if self.rest is None:
            one.recv(1)
        else:
            one.sendall(self.rest)

    def talk(self, one, key):
        digest = hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest()
        one.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    b"Sec-WebSocket-Accept: " + base64.b64encode(digest) + b"\r\n\r\n")
        for message in self.messages:
            self.send(one, message)
        frames = wire.Frames(one)
        try:
            while True:
                self.hear(one, json.loads(frames.read()[1]))
        except (ConnectionError, ValueError):
            pass

    def send(self, one, message):
        text = json.dumps(message).encode()
        one.sendall(bytes([129, len(text)]) + text)

    def hear(self, one, message):
        pass


class BareServer(OddServer):
    """Has one location, and no other token than the administrator's."""

    def hear(self, one, message):
        request = message["d"]
        if request["a"] in ("auth", "gauth") and request["b"]["cred"] != "owner":
            body = {"s": "invalid_token", "d": "unknown"}
        else:
            body = {"s": "ok", "d": {}}
        self.send(one, {"t": "d", "d": {"r": request["r"], "b": body}})


class NoSuchThing(unittest.TestCase):
    """What a server cannot be given, or does not take, is no failure of it."""

    def test_rules_and_tokens_are_not_asked_for_in_vain(self):
        server = BareServer()
        rules, token = "access/refused-write-is-rolled-back", "auth/users-are-told-apart"
        done = subprocess.run(
            [KENNEL, "run", rules, token, "--profile", "firebase", "--format", "json",
             "--server", f"http://127.0.0.1:{server.port}/?ns=test"],
            capture_output=True, text=True, timeout=100)
        runs = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual({run["scenario"]: run.get("reason") for run in runs if "verdict" in run}, {
            rules: "the server is given no rules: it answers GET /.settings/rules.json with 404",
            token: "the server refuses a token without a signature: invalid_token, unknown",
        }, done.stdout + done.stderr)


    def test_a_write_that_rest_refuses_is_what_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            rules, scenario = os.path.join(folder, "rules.json"), os.path.join(folder, "one.yaml")
            with open(rules, "w") as file:
                file.write('{"rules": {".read": true, "$run": {"a": {".write": "auth != null"}}}}')
            with open(scenario, "w") as file:
                file.write("kennel: 1\ntitle: One write\nrules: [EVT-24]\nclients: [alice]\nsteps:\n"
                           "  - alice.listen: {path: a, event: value, as: feed}\n"
                           "  - expect: {alice.feed: [{value: null}]}\n"
                           "  - server.set: {path: a, value: 1}\n  - expect: {alice.feed: [{value: 1}]}\n")
            done = subprocess.run(
                [KENNEL, "run", scenario, "--profile", "firebase", "--rest", "--patience", "300",
                 "--server-command", f'"$KENNEL" serve --port {{port}} --rules {rules}'],
                capture_output=True, text=True, timeout=100)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("PUT /a.json is answered 401", done.stdout)
        self.assertIn("rule RST-3", done.stdout)

    def test_a_server_without_rest_ends_the_run(self):
        server = BareServer()
        done = subprocess.run(
            [KENNEL, "run", "writes/local-echo", "--profile", "firebase", "--rest",
             "--server", f"http://127.0.0.1:{server.port}/?ns=test"],
            capture_output=True, text=True, timeout=100)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertRegex(done.stderr, r"^kennel: --rest: GET /kennel-[a-z0-9]+\.json is asked for at "
                         rf"127\.0\.0\.1:{server.port}: it is answered 404; expected 200 null, as there is nothing: "
                         "leave --rest out for a server without REST\n$")


def put(number, path="/a"):
    return {"t": "d", "d": {"r": number, "a": "p", "b": {"p": path, "d": 1}}}


class Proxy(unittest.TestCase):
    def listen_in(self, url, *messages, count, options=()):
        """What is reported when a client sends these messages, and reads so many; and how it ends."""
        monitor = subprocess.Popen(
            [KENNEL, "monitor", "--proxy", url, "--port", "0", *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            port = int(monitor.stdout.readline().split(" and ")[0].rsplit(":", 1)[1])
            one = wire.connect(port)
            frames = wire.Frames(one)
            read = [json.loads(frames.read()[1])]
            for message in messages:
                one.sendall(wire.frame(json.dumps(message).encode()))
            read += [json.loads(frames.read()[1]) for _ in range(count)]
            one.close()
        finally:
            monitor.send_signal(signal.SIGINT)
            output, errors = monitor.communicate(timeout=20)
        return read, output.splitlines(), monitor.returncode, errors

    def test_what_clients_do_wrong_is_found_and_handed_on(self):
        server = subprocess.Popen(
            [KENNEL, "serve", "--port", "0", "--no-page"], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        try:
            url = server.stdout.readline().split()[-1] + "/?ns=test"
            with tempfile.TemporaryDirectory() as folder:
                read, lines, code, errors = self.listen_in(
                    url, put(7), put(7), count=2, options=["--record", folder])
                self.assertIn("client-1.jsonl", os.listdir(folder))
        finally:
            server.terminate()
            server.communicate()
        self.assertEqual([m["d"].get("r") for m in read], [None, 7, 7], errors)
        self.assertTrue(any(line.startswith("connection 1 (client-1): request 7") and "(WIR-12)" in line for line in lines), lines)
        self.assertEqual((lines[-1], code), ("0 passed, 1 failed, 0 skipped", 1), lines)

    def test_what_the_server_does_wrong_is_found(self):
        told = {"t": "d", "d": {"a": "d", "b": {"p": "b", "d": 1}}}
        server = OddServer(told)
        _, lines, code, errors = self.listen_in(f"http://127.0.0.1:{server.port}/?ns=test", count=1)
        self.assertTrue(any(line.endswith("(WIR-18)") for line in lines), f"{lines} {errors}")
        self.assertEqual((lines[-1], code), ("0 passed, 1 failed, 0 skipped", 1), lines)

    def test_a_session_that_is_right_passes(self):
        answer = {"t": "d", "d": {"r": 1, "b": {"s": "ok", "d": {}}}}
        server = subprocess.Popen(
            [KENNEL, "serve", "--port", "0", "--no-page"], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        try:
            url = server.stdout.readline().split()[-1] + "/?ns=test"
            read, lines, code, _ = self.listen_in(url, put(1), count=1)
        finally:
            server.terminate()
            server.communicate()
        self.assertEqual((read[1], lines[-1], code), (answer, "1 passed, 0 failed, 0 skipped", 0))

    def test_a_server_that_closes_a_connection_has_ended_it(self):
        class Server(OddServer):
            def hear(self, one, message):
                raise ConnectionError

        monitor = subprocess.Popen(
            [KENNEL, "monitor", "--proxy", f"http://127.0.0.1:{Server().port}/?ns=test", "--port", "0"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            with wire.connect(int(monitor.stdout.readline().split(" and ")[0].rsplit(":", 1)[1])) as one:
                one.sendall(wire.frame(json.dumps(put(1)).encode()))
                told = monitor.stderr.readline()
            self.assertTrue(told.startswith("kennel: connection 1 (client-1): the server has ended it: "), told)
        finally:
            monitor.kill()
            monitor.communicate()


class REST(unittest.TestCase):
    """Requests of REST through the proxy."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def between(self, url):
        """A proxy, its port, and what ends it."""
        monitor = subprocess.Popen(
            [KENNEL, "monitor", "--proxy", url, "--port", "0", "--record", self.folder.name],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(monitor.kill)
        return monitor, int(monitor.stdout.readline().split(" and ")[0].rsplit(":", 1)[1])

    def ask(self, port, method, path, body=None, **headers):
        one = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        one.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = one.getresponse()
        text = answer.read()
        one.close()
        return answer, text.decode()

    def serve(self, *options):
        server = subprocess.Popen(
            [KENNEL, "serve", "--port", "0", "--no-page", *options], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(server.communicate)
        self.addCleanup(server.terminate)
        return server.stdout.readline().split()[-1] + "/?ns=test"

    def test_what_was_written_is_there_and_is_recorded_before_what_follows_from_it(self):
        monitor, port = self.between(self.serve())
        stream = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        stream.request("GET", "/a.json", headers={"Accept": "text/event-stream"})
        events = stream.getresponse()
        self.assertEqual(events.read(len(START)), START)
        for method, path, body, headers, status, text in STEPS:
            with self.subTest(method=method, path=path):
                answer, found = self.ask(port, method, path, body, **headers)
                self.assertEqual((answer.status, found), (status, text))
        answer, _ = self.ask(port, "GET", "/a.json", X_Firebase_ETag="true")
        self.assertEqual(self.ask(port, "PUT", "/a.json", "5", if_match=answer.getheader("ETag"))[0].status, 200)
        self.assertEqual(self.ask(port, "PUT", "/a.json", "6", if_match="x")[0].status, 412)
        for event in (PATCHED, REMOVED, FIVE):
            self.assertEqual(events.read(len(event)), event)
        stream.close()
        monitor.send_signal(signal.SIGINT)
        self.assertEqual(monitor.communicate(timeout=20)[0].splitlines()[-1], "0 passed, 0 failed, 0 skipped")
        with open(os.path.join(self.folder.name, "default.trace.jsonl")) as file:
            lines = [json.loads(line) for line in file]
        kinds = [kind for line in lines for kind in ("serverWrite", "serverUpdate", "serverOut") if kind in line]
        self.assertEqual(kinds, [
            *["serverOut"] * 3, "serverUpdate", "serverOut", "serverWrite", "serverOut", "serverWrite", "serverOut"])
        judged = subprocess.run([KENNEL, "monitor", self.folder.name], capture_output=True, text=True)
        self.assertEqual(judged.returncode, 0, judged.stdout)

    def test_what_is_no_answer_is_reported(self):
        cases = [
            (OddServer(rest=b"SSH-2.0\r\n"), 502, "does not answer as HTTP has it: "
             "the answer does not begin with HTTP/1.1 STATUS"),
            (OddServer(rest=b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n1"), 502,
             "does not answer as HTTP has it: the connection was closed before the answer was whole"),
            (OddServer(rest=b""), 502, "is not reached: the connection was closed"),
            (OddServer(rest=None), 504, "has not answered within 10 s"),
        ]
        for server, status, reason in cases:
            with self.subTest(reason=reason):
                monitor, port = self.between(f"http://127.0.0.1:{server.port}/?ns=test")
                answer, text = self.ask(port, "PUT", "/a.json", "1")
                expected = f"the server at 127.0.0.1:{server.port} {reason}"
                self.assertEqual((answer.status, json.loads(text)), (status, {"error": expected}))
                monitor.send_signal(signal.SIGINT)
                self.assertEqual(monitor.communicate(timeout=20)[1], f"kennel: PUT /a.json: {expected}\n")


START = b'event: put\ndata: {"path":"/","data":null}\n\n'
PATCHED = b'event: patch\ndata: {"path":"/","data":{"b":1,"c/d":[1,2]}}\n\n'
REMOVED = b'event: put\ndata: {"path":"/b","data":null}\n\n'
FIVE = b'event: put\ndata: {"path":"/","data":5}\n\n'

# A request, and its answer.
STEPS = [
    ("PATCH", "/a.json?print=silent", '{"b":1,"c/d":[1,2]}', {}, 204, ""),
    ("POST", "/a/b.json?x=1", "", {"X_HTTP_Method_Override": "DELETE"}, 200, "null\n"),
    ("GET", "/a.json?print=pretty", None, {}, 200, '{\n  "c": {\n    "d": [\n      1,\n      2\n    ]\n  }\n}\n'),
    ("GET", "/a.json?shallow=true&ns=other", None, {}, 200, '{"c":true}\n'),
    ("GET", "/a/c.json?orderBy=%22%24key%22&limitToLast=1&client=alice", None, {}, 200, '{"d":[1,2]}\n'),
    ("PUT", "/a.json", "{", {}, 400, '{"error":"Invalid data; couldn\'t parse JSON object: 1:2: the text ends '
     'inside the mapping that begins at 1:1; expected its end; add the closing bracket"}\n'),
]


if __name__ == "__main__":
    unittest.main(verbosity=2)
