#!/usr/bin/env python3
"""Sends noise to the documented SDK, as a server that is out of its mind.

    python3 tools/live/fuzz-client.py [COUNT [SEED]]

COUNT frames, 20000 unless stated, drawn by SEED, 1 unless stated, go to the clients of one process of
`kennel adapter --client sdk --sockets` in all three profiles. Most are messages with wrong members;
some are no JSON, no UTF-8, no WebSocket frames or no HTTP. A frame counts when the client has
answered a ping behind it. Fails when the program ends, hangs, or does not go on with the next server.
Every 50,000 frames standard error shows how far it is.

KENNEL names the program, .build/kennel unless stated; one that was built with
--sanitize=address or thread also shows what these find. Prints one line.
"""

import base64
import copy
import hashlib
import json
import os
import random
import socket
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

HOME = Path(__file__).resolve().parent.parent.parent
KENNEL = os.environ.get("KENNEL", str(HOME / ".build/kennel"))
MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
PATHS = ["room", "room/a", "room/a/b", "", "/", "room//b", "ro#om", "x/" * 40, ".info/connected"]
VALUES = [None, True, 0, -1, 1e308, 2 ** 53, "", "x", "\u0000", "\ud800", [], [1, None, 2], {}, {"a": 1},
          {"a": {".value": 1, ".priority": "p"}}, {".value": {}}, {".sv": "timestamp"},
          {"a.b": 1}, {".priority": {}}, {"b": {"c": {"d": [[[]]]}}}]
PROFILES = ["firebase", "wilddog-1", "wilddog-2"]
# Packets of engine.io without a message that end no connection.
PACKETS = [b"4", b"2", b"3", b"0", b"6", b"42", b"40", b"3probe", b"2" + b"x" * 200]


def message(chance):
    """A message of the server that is right, or nearly."""
    path, value = chance.choice(PATHS), copy.deepcopy(chance.choice(VALUES))
    number = chance.choice([1, 2, 3, 4, 5, 6, 7, chance.randrange(100), -1, 1e30])
    data = chance.choice([
        {"a": "d", "b": {"p": path, "d": value}},
        {"a": "d", "b": {"p": path, "d": value, "t": chance.randrange(4)}},
        {"a": "m", "b": {"p": path, "d": {chance.choice(["a", "a/b", "c"]): value}}},
        {"a": "c", "b": {"p": path, "q": chance.choice([[], [{}], [{"l": 2}], value])}},
        {"a": "ac", "b": {"s": "expired_token", "d": "x"}},
        {"a": "sd", "b": {"msg": "notice"}},
        {"r": number, "b": {"s": chance.choice(["ok", "datastale", "permission_denied", ""]), "d": value}},
        {"a": chance.choice(["", "zz", value]), "b": value},
    ])
    whole = {"t": "d", "d": data}
    kind = chance.randrange(60)
    if kind == 0:
        whole = {"t": "c", "d": chance.choice([
            {"t": "h", "d": {"ts": 1, "v": "5", "h": "h", "s": "s"}}, {"t": "n", "d": value},
            {"t": "o", "d": None}, {"t": "e", "d": value}, value])}
    elif kind == 1:
        break_somewhere(chance, whole)
    return whole


def break_somewhere(chance, whole):
    """Puts a wrong value somewhere."""
    at = whole
    while True:
        keys = [key for key in at if isinstance(at[key], dict)]
        if not keys or chance.randrange(3) == 0:
            break
        at = at[chance.choice(keys)]
    if at:
        at[chance.choice(list(at))] = copy.deepcopy(chance.choice(VALUES))


def noise(chance, text):
    """Bytes in place of a message."""
    data = bytearray(text.encode("utf-8", "surrogatepass"))
    for _ in range(chance.randrange(1, 8)):
        at = chance.randrange(len(data) + 1)
        kind = chance.randrange(4)
        if kind == 0:
            data[at:at] = bytes(chance.randrange(256) for _ in range(chance.randrange(9)))
        elif kind == 1:
            del data[at:at + chance.randrange(9)]
        elif kind == 2:
            data[at:at] = data[:chance.randrange(200)]
        elif data:
            data[at % len(data)] ^= 1 << chance.randrange(8)
    return bytes(data)


def frame(data, opcode=1, final=True):
    head = bytes([opcode | (0x80 if final else 0)])
    size = len(data)
    if size < 126:
        return head + bytes([size]) + data
    if size < 65536:
        return head + bytes([126]) + struct.pack(">H", size) + data
    return head + bytes([127]) + struct.pack(">Q", size) + data


class Peer:
    """One connection of the client, from the side of the server."""

    def __init__(self, connection):
        self.connection, self.buffer = connection, b""
        connection.settimeout(10)

    def request(self):
        while b"\r\n\r\n" not in self.buffer:
            data = self.connection.recv(65536)
            if not data:
                raise OSError("closed")
            self.buffer += data
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        return head.decode()

    def upgrade(self, head):
        key = next(line[19:].strip() for line in head.split("\r\n")
                   if line.lower().startswith("sec-websocket-key: "))
        accept = base64.b64encode(hashlib.sha1(key.encode() + MAGIC).digest()).decode()
        self.connection.sendall(
            ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
             f"Sec-WebSocket-Accept: {accept}\r\n\r\n").encode())

    def until(self, wanted):
        """Reads frames until one that is wanted; false at the end."""
        while True:
            while len(self.buffer) >= 2:
                size, start = self.buffer[1] & 127, 2
                if size == 126 and len(self.buffer) >= 4:
                    size, start = struct.unpack(">H", self.buffer[2:4])[0], 4
                elif size == 127 and len(self.buffer) >= 10:
                    size, start = struct.unpack(">Q", self.buffer[2:10])[0], 10
                elif size > 125:
                    break
                if len(self.buffer) < start + 4 + size:
                    break
                opcode, mask = self.buffer[0] & 15, self.buffer[start:start + 4]
                data = bytes(byte ^ mask[i % 4] for i, byte in
                             enumerate(self.buffer[start + 4:start + 4 + size][:64]))
                self.buffer = self.buffer[start + 4 + size:]
                if opcode == 8:
                    return False
                if wanted(opcode, data):
                    return True
            data = self.connection.recv(65536)
            if not data:
                return False
            self.buffer += data


class Fuzz:
    def __init__(self, seed):
        self.chance, self.frames, self.connections = random.Random(seed), 0, 0
        self.requests, self.slow = 0, 0
        self.server = socket.create_server(("127.0.0.1", 0))
        self.server.settimeout(10)
        self.host = "127.0.0.1:%d" % self.server.getsockname()[1]
        self.process = subprocess.Popen(
            [KENNEL, "adapter", "--client", "sdk", "--sockets"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE)
        threading.Thread(target=self.drain, daemon=True).start()
        self.profile = "firebase"
        self.ask(hello={"protocol": 1, "profile": self.profile, "seed": "0"})

    def drain(self):
        while self.process.stdout.read1(1 << 20):
            pass

    def ask(self, **request):
        self.requests += 1
        try:
            self.process.stdin.write((json.dumps({"id": self.requests, **request}) + "\n").encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            raise SystemExit(f"the program ended with {self.process.wait(60)} "
                             f"after {self.frames} frames") from None

    def call(self, client, **call):
        self.ask(client=client, now=time.time() * 1000, call={"id": f"c{self.requests}", **call})

    def text(self, whole):
        text = json.dumps(whole, ensure_ascii=False).encode("utf-8", "replace")
        return text if self.profile == "firebase" else b'42["wd",' + text + b"]"

    def begin(self):
        """Opens a client, and waits for its connection."""
        self.connections += 1
        # Often enough that few thousand frames go to all three.
        if self.connections % 3 == 0:
            self.profile = PROFILES[self.connections // 3 % len(PROFILES)]
            self.ask(reset={"profile": self.profile, "seed": "0"})
        name = f"c{self.connections}"
        opening = {"host": self.host, "url": f"http://{self.host}/?ns=fuzz{self.connections}", "seed": "1"}
        if self.chance.randrange(3) == 0:
            opening["cacheBytes"] = 100_000
        self.ask(client=name, now=time.time() * 1000, open=opening)
        for path, more in [("room", {}), ("room/a", {"query": {"limitToLast": 2}}), ("", {})]:
            if self.chance.randrange(2):
                self.call(name, op="listen", listener=f"l{path}", path="/" + path, event="value", **more)
        self.call(name, op="set", path="/room/a", value=1)
        self.call(name, op="transaction", path="/room/n", function={"increment": 1})
        return name

    def accept(self):
        """The next request of the client; those of the others are refused."""
        while True:
            peer = Peer(self.server.accept()[0])
            try:
                head = peer.request()
            except OSError:
                continue
            line = head.split("\r\n")[0].replace(" ", "&")
            if f"ns=fuzz{self.connections}&" in line:
                return peer, head
            peer.connection.close()

    def connect(self):
        """The WebSocket of the client, behind the handshakes of its framing."""
        peer, head = self.accept()
        if self.chance.randrange(50) == 0:
            peer.connection.sendall(noise(self.chance, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"))
            peer.connection.close()
            return None
        while "upgrade: websocket" not in head.lower():
            body = '0{"sid":"s","upgrades":["websocket"],"pingInterval":%s,"pingTimeout":60000}' % (
                self.chance.choice(["25000", "25000", "25000", "-1", "1e300", '"x"', "null"]))
            if self.chance.randrange(20) == 0:
                body = noise(self.chance, body).decode("latin-1")
            body = f"{len(body)}:{body}".encode()
            peer.connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: "
                                    + str(len(body)).encode() + b"\r\nConnection: close\r\n\r\n" + body)
            peer.connection.close()
            peer, head = self.accept()
        peer.upgrade(head)
        if self.profile != "firebase":
            peer.until(lambda opcode, data: data == b"2probe")
            peer.connection.sendall(frame(b"3probe"))
            for packet in self.chance.sample(PACKETS, 2):
                peer.connection.sendall(frame(packet))
        hello = {"t": "c", "d": {"t": "h", "d": {"ts": 1, "v": "5", "h": self.host, "s": "s"}}}
        peer.connection.sendall(frame(self.text(hello)))
        return peer

    def round(self, most):
        name, peer = self.begin(), None
        try:
            peer = self.connect()
            while peer and self.frames < most:
                batch = self.chance.randrange(1, 200)
                frames = [frame(self.text(message(self.chance))) for _ in range(batch)]
                peer.connection.sendall(b"".join(frames) + frame(b"here", 9))
                if not peer.until(lambda opcode, data: opcode == 10):
                    break
                self.frames += batch
                if self.chance.randrange(6) == 0:
                    text = self.text(message(self.chance)).decode("utf-8")
                    data = noise(self.chance, text) if self.chance.randrange(8) else b""
                    wild = frame(data, self.chance.choice([1, 1, 1, 0, 2, 9, 11]),
                                 self.chance.randrange(9) > 0)
                    peer.connection.sendall(wild if self.chance.randrange(9) else wild[:-1] + b"\xff" * 40)
                    self.frames += 1
                    break
        except TimeoutError:
            # A handshake that was no HTTP is given up after some seconds, not at once.
            self.slow += 1
        except OSError:
            pass
        finally:
            if peer:
                peer.connection.close()
        if self.chance.randrange(2):
            self.ask(client=name, now=time.time() * 1000, kill={})
        if self.process.poll() is not None:
            raise SystemExit(f"the program ended with {self.process.returncode} "
                             f"after {self.frames} frames")


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    fuzz = Fuzz(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    began = time.time()
    shown = 0
    while fuzz.frames < count:
        fuzz.round(count)
        if fuzz.frames - shown >= 50_000:
            shown = fuzz.frames
            print(f"{shown} frames in {time.time() - began:.0f} s", file=sys.stderr)
    fuzz.process.stdin.write(b'{"bye":{}}\n')
    fuzz.process.stdin.close()
    ending = fuzz.process.wait(60)
    print(f"{fuzz.frames} frames over {fuzz.connections} connections in {time.time() - began:.0f} s, "
          f"{fuzz.slow} without an answer, and the program ended with {ending}")
    sys.exit(ending != 0)


if __name__ == "__main__":
    main()
