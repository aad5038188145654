"""What the live server does when the machine, or its clients, leave it in the lurch. Part of
tools/live/test."""

import json
import os
import resource
import shutil
import signal
import socket
import struct
import tempfile
import time
import unittest

import wire
from check import Server, message


class Limits(unittest.TestCase):
    """Too few files, a full disk, clients that are gone or never read."""

    def start(self, *options, before=None):
        self.server = Server(*options, before=before)
        return self.server

    def tearDown(self):
        if self.server.process.returncode is None:
            self.assertEqual(self.server.stop()[0], 0)

    def folder(self):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder, True)
        return folder

    def write(self, one, number, data="x", place="/a"):
        one.sendall(wire.frame(message("p", {"p": place, "d": data}, number).encode()))

    def test_few_files_may_be_open(self):
        limit = (100, 100)
        server = self.start(before=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, limit))
        held = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(150)]
        held[-1].settimeout(10)
        self.assertIn(b"HTTP/1.1 503 ", held[-1].recv(1000))
        self.assertIn("this process may have only 100 files and sockets open", server.said())
        self.assertEqual(server.said().count("\n"), 1)
        for one in held:
            one.close()
        for _ in range(100):
            try:
                if server.ask("GET", "/a.json")[0] == 200:
                    return
            except OSError:
                pass
            time.sleep(0.05)
        self.fail("nobody is served any more")

    def test_the_disk_is_full(self):
        def before():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))

        folder = self.folder()
        server = self.start("--record", folder, before=before)
        one = wire.connect(server.port)
        frames = wire.Frames(one)
        frames.read()
        for number in range(1, 100):
            self.write(one, number)
            self.assertIn(b'"s":"ok"', frames.read()[1])
        self.assertIn("File too large", server.said())
        self.assertEqual(server.said().count("the file ends here"), 2)
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                for line in file:
                    json.loads(line)
        self.assertEqual(server.ask("GET", "/a.json")[1], '"x"\n')

    def test_the_folder_for_recordings_is_gone(self):
        folder = self.folder()
        server = self.start("--record", folder)
        shutil.rmtree(folder)
        one = wire.connect(server.port)
        frames = wire.Frames(one)
        frames.read()
        self.write(one, 1)
        self.assertIn(b'"s":"ok"', frames.read()[1])
        self.assertIn("No such file or directory", server.said())

    def test_a_client_is_gone_amid_a_message(self):
        server = self.start("--control", "0")
        for text in (b"\x81\xfe\x10\x00\0\0\0\0{", wire.frame(b"5") + wire.frame(b"x"), b"\x81"):
            one = wire.connect(server.port)
            wire.Frames(one).read()
            one.sendall(text)
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            one.close()
        for _ in range(100):
            server.url, url = server.control, server.url
            left = json.loads(server.ask("GET", "/connections")[1])
            server.url = url
            if not left:
                break
            time.sleep(0.05)
        self.assertEqual(left, [])

    def test_it_ends_although_a_thousand_clients_do_not_read(self):
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        if hard < 1200:
            self.skipTest("not enough files may be open")
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
        folder = self.folder()
        server = self.start("--record", folder)
        listen = wire.frame(message("q", {"p": "/a", "h": ""}).encode())
        many = [wire.connect(server.port) for _ in range(1000)]
        for one in many:
            one.sendall(listen)
        slow = socket.create_connection(("127.0.0.1", server.port))
        slow.sendall(b"PUT /a.json HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\n1")
        writer = wire.connect(server.port)
        frames = wire.Frames(writer)
        frames.read()
        for number in range(1, 4):
            self.write(writer, number, "x" * 20_000)
            self.assertIn(b'"s":"ok"', frames.read()[1])
        code, took = server.stop()
        self.assertEqual(code, 0)
        print(f"{took:.2f} s", end=" ", flush=True)
        for one in [*many, slow, writer]:
            one.close()
        # What was said to each of them is in its recording.
        recordings = [name for name in os.listdir(folder) if not name.endswith(".trace.jsonl")]
        self.assertEqual(len(recordings), 1001)
        for number in (1, 500, 1000):
            with open(os.path.join(folder, f"client-{number}.jsonl"), encoding="utf-8") as file:
                lines = [json.loads(line) for line in file]
            puts = [line for line in lines if line.get("in", {}).get("frame", {}).get("d", {})
                    .get("a") == "d"]
            self.assertGreaterEqual(len(puts), 3)
