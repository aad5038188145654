"""Checks that `kennel run --server-command` finds what a server does wrong: the kit's own, with each defect that
clients can see without rules; that no server is left behind; and that `kennel monitor --proxy` judges both sides.
KENNEL names the program.

    python3 tools/live/servers.py
"""

import base64
import hashlib
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
}


def verdicts(scenarios, *options):
    """The verdict of each scenario against a server with these options."""
    server = " ".join(['"$KENNEL" serve --port {port}', *options])
    done = subprocess.run(
        [KENNEL, "run", *scenarios, "--profile", "firebase", "--patience", "500", "--format", "json",
         "--server-command", server],
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
    """Says hello, and then the same to every client, whatever that says."""

    def __init__(self, *messages):
        super().__init__(daemon=True)
        hello = {"t": "c", "d": {"t": "h", "d": {"ts": 1, "v": "5", "h": "x", "s": "s"}}}
        self.messages = [hello, *messages]
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.start()

    def run(self):
        with self.listener:
            one, _ = self.listener.accept()
        with one:
            self.talk(one)

    def talk(self, one):
        head = b""
        while b"\r\n\r\n" not in head:
            head += one.recv(4096)
        fields = (line.partition(b": ") for line in head.split(b"\r\n"))
        key = next(value for name, _, value in fields if name.lower() == b"sec-websocket-key")
        digest = hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest()
        one.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    b"Sec-WebSocket-Accept: " + base64.b64encode(digest) + b"\r\n\r\n")
        for message in self.messages:
            text = json.dumps(message).encode()
            one.sendall(bytes([129, len(text)]) + text)
        while one.recv(4096):
            pass


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


if __name__ == "__main__":
    unittest.main(verbosity=2)
