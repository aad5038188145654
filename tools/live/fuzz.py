"""Throws things at a running `kennel serve`: python3 tools/live/fuzz.py PORT PID COUNT [SEED].

Frames and requests are drawn at random, from right ones with a few bytes changed to plain noise,
wrong lengths, and clients that do not read, or send a byte now and then. Every kind comes once,
then they are drawn; so a run is repeated by its seed, as far as the order goes in which the server
meets what several connections do. With CONTROL=PORT in the environment, that is thrown at too.

A second connection must be served all the while. Prints what was sent, how much memory the server
had at most and how long the other one waited; exits with 1 when the server is gone, hangs, or has
more than 600 MB (or MEMORY of them), or keeps connections whose clients are gone.
"""

import os
import random
import socket
import struct
import sys
import threading
import time

import wire
from noise import BODY, CONTROL, PACKETS, REQUESTS, TARGETS, VALUES, bend, payload

PING = b'{"t":"c","d":{"t":"p","d":{}}}'


class Fuzz:
    def __init__(self, port, seed):
        self.port, self.draw = port, random.Random(seed)
        # Connections that stay for a while: of clients that hardly send, and that never read.
        self.idle = []
    def plain(self):
        one = socket.create_connection(("127.0.0.1", self.port))
        one.settimeout(5)
        return one

    def keep(self, one):
        self.idle.append(one)
        while len(self.idle) > 300:
            self.idle.pop(self.draw.randrange(len(self.idle))).close()

    def end(self, one):
        """Closes, with a reset now and then."""
        if self.draw.random() < 0.1:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        one.close()

    def taste(self, one, wait=0.0):
        """Whether the server still has the connection; reads what there is."""
        one.settimeout(wait)
        try:
            return bool(one.recv(1 << 16))
        except (BlockingIOError, TimeoutError):
            return True
        finally:
            one.settimeout(5)

    def wait(self, one):
        """Waits until the server has handled everything or closed: what waits in the buffers of a
        connection that is closed is never handled."""
        one.shutdown(socket.SHUT_WR)
        one.settimeout(20)
        while one.recv(1 << 16):
            pass

    def frames(self):
        draw, count = self.draw, 0
        one = wire.connect(self.port, draw.choice(TARGETS[:4] * 3 + TARGETS))
        for _ in range(draw.randrange(1, 60)):
            kind = draw.choice([wire.TEXT] * 12 + [wire.BINARY, wire.PING, 0, 3, 11])
            data = wire.frame(payload(draw), kind, draw.random() < 0.95)
            if draw.random() < 0.03:
                data = bend(data, draw)
            count += 1
            one.sendall(data)
            if not self.taste(one):
                break
        self.end(one)
        return count

    def framing(self):
        """Frames that WebSockets do not have, and lengths that lie."""
        draw = self.draw
        one = wire.connect(self.port)
        parts = [
            b"\x88\x80\0\0\0\0", b"\x88\x81\0\0\0\0x", wire.frame(struct.pack(">H", draw.choice(
                [0, 999, 1000, 1004, 1005, 1006, 1015, 2999, 3000, 4999, 65535])) + b"\xff", 8),
            wire.frame(b"x" * 126, wire.PING), wire.frame(b"x", wire.PING, False), b"\x81\x03abc",
            b"\xc1\x81\0\0\0\0x", b"\xf1\x80\0\0\0\0", b"\x81\xff" + b"\xff" * 8 + b"\0\0\0\0",
            b"\x81\xff\x7f" + b"\xff" * 7 + b"\0\0\0\0", b"\x81\xfe\0\1\0\0\0\0x",
            wire.frame(b"{", final=False) + wire.frame(b"", wire.PING) + wire.frame(b"}", 0),
            wire.frame(b"{", final=False) + wire.frame(b"}"), wire.frame(b"\xf0\x9f\x98", final=False),
            wire.frame(PING), wire.frame(b"", wire.PONG), wire.frame(b"", 0),
        ]
        for count in range(1, 8):
            one.sendall(draw.choice(parts))
            if not self.taste(one):
                break
        self.end(one)
        return count

    def requests(self):
        one = self.plain()
        for count in range(1, self.draw.randrange(2, 6)):
            one.sendall(bend(self.draw.choice(REQUESTS).encode(), self.draw))
            if not self.taste(one, 0.005):
                break
        self.end(one)
        return count

    def pipelined(self):
        """Many requests at once, in pieces of any size."""
        draw = self.draw
        texts = [draw.choice(REQUESTS[:12]) for _ in range(draw.randrange(1, 40))]
        data = "".join(texts).encode()
        if draw.random() < 0.3:
            data = bend(data, draw)
        one = self.plain()
        while data:
            size = draw.choice([1, 2, 7, 100, 5000, 100000])
            one.sendall(data[:size])
            data = data[size:]
            if draw.random() < 0.1 and not self.taste(one):
                break
        self.taste(one, 0.005)
        self.end(one)
        return len(texts)

    def polling(self):
        """A session of engine.io by requests, with packets whose lengths lie, and WebSockets that
        want to take it over, in any order."""
        draw, path = self.draw, "/.ws/?EIO=3&transport=polling"
        one = self.plain()
        one.sendall(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
        head = one.recv(1 << 16).decode(errors="replace")
        sid = head.partition('"sid":"')[2].partition('"')[0] or "x"
        others = []
        for count in range(1, draw.randrange(2, 20)):
            kind = draw.randrange(4)
            if kind == 0:
                other = self.plain()
                other.sendall(f"GET {path}&sid={sid} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
                others.append(other)
            elif kind == 1:
                try:
                    others.append(wire.connect(self.port, path.replace("polling", "websocket")
                                               + "&sid=" + sid))
                except OSError:
                    break
            elif kind == 2 and others:
                draw.choice(others).sendall(b"".join(
                    wire.frame(draw.choice(PACKETS).encode()) for _ in range(3)))
            else:
                texts = [draw.choice(PACKETS) for _ in range(draw.randrange(1, 5))]
                body = "".join(f"{len(text) + draw.choice([0] * 9 + [1, -1, 99])}:{text}"
                               for text in texts).encode()
                if draw.random() < 0.3:
                    body = b"".join(b"\0" + bytes(draw.randrange(12) for _ in range(2)) + b"\xff"
                                    + text.encode() for text in texts)
                one.sendall(f"POST {path}&sid={sid} HTTP/1.1\r\n{BODY}{len(body)}\r\n\r\n".encode()
                            + body)
                if not self.taste(one, 0.002):
                    break
        for other in [one, *others]:
            self.end(other)
        return count

    def slow(self):
        """Heads that come byte by byte, on many connections."""
        for _ in range(20):
            one = self.plain()
            one.sendall(self.draw.choice(REQUESTS).encode()[:self.draw.randrange(1, 30)])
            self.keep(one)
        for one in self.draw.sample(self.idle, min(50, len(self.idle))):
            one.settimeout(0)
            one.send(b"x")
        return 20

    def deaf(self):
        """Streams and WebSockets that are never read."""
        one = self.plain()
        one.sendall(b"GET /.json HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n")
        self.keep(one)
        one = wire.connect(self.port)
        one.sendall(wire.frame(b'{"t":"d","d":{"r":1,"a":"q","b":{"p":"/","h":""}}}'))
        for _ in range(20):
            one.sendall(wire.frame(b'{"t":"d","d":{"r":2,"a":"g","b":{"p":"/"}}}'))
        self.keep(one)
        return 22

    def upgrades(self):
        """WebSockets at places where there are none, and with heads that are not theirs."""
        one = self.plain()
        head = (f"GET {self.draw.choice(TARGETS)} HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n"
                "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n"
                "Sec-WebSocket-Protocol: chat, superchat\r\n\r\n").encode()
        one.sendall(bend(head, self.draw) + wire.frame(PING) * 3)
        self.taste(one, 0.005)
        self.end(one)
        return 4

    def values(self):
        draw = self.draw
        one = self.plain()
        for count in range(1, 10):
            body = draw.choice(VALUES).encode("utf-8", "surrogatepass")
            one.sendall(f"{draw.choice(['PUT', 'PATCH', 'POST'])} /v.json HTTP/1.1\r\n{BODY}"
                        f"{len(body)}\r\n\r\n".encode() + body)
            if not self.taste(one, 0.002):
                break
        self.end(one)
        return count

    def control(self):
        port = os.environ.get("CONTROL")
        if not port:
            return 0
        with socket.create_connection(("127.0.0.1", int(port))) as one:
            for count in range(1, 5):
                one.sendall(bend(self.draw.choice(CONTROL).encode(), self.draw))
                if not self.taste(one, 0.002):
                    break
        return count

    def large(self):
        """One message or body of 100 MB, one way or another."""
        way, part = self.draw.randrange(5), b"[" + b"1," * (1 << 19)
        one = self.plain() if way < 2 else wire.connect(self.port)
        chunk = b"%x\r\n" % len(part) + part + b"\r\n"
        starts = [
            f"PUT /x.json HTTP/1.1\r\n{BODY}{100 << 20}\r\n\r\n".encode(),
            b"PUT /x.json HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
            b"\x81\xff" + struct.pack(">Q", 100 << 20) + b"\0\0\0\0", wire.frame(b"1", final=False),
            wire.frame(b"100"),
        ]
        one.sendall(starts[way])
        parts = [part, chunk, part, wire.frame(part, 0, False), wire.frame(part)]
        for _ in range(100):
            one.sendall(parts[way])
        self.wait(one)
        self.end(one)
        return 100

    def many(self):
        """Very many of something small, within what is allowed."""
        way = self.draw.randrange(4)
        one = wire.connect(self.port)
        if way == 0:
            one.sendall(wire.frame(b"999999") + wire.frame(b"x") * 200_000)
        elif way == 1:
            text = b'{"t":"d","d":{"r":1,"a":"p","b":{"p":"/m","d":null,"x":{'
            text += b",".join(b'"%d":1' % number for number in range(100_000)) + b"}}}}"
            one.sendall(wire.frame(text))
        elif way == 2:
            one.sendall(wire.frame(b"", wire.PING) * 20_000 + wire.frame(b"0") * 20_000)
        else:
            for number in range(300):
                one.sendall(wire.frame(
                    b'{"t":"d","d":{"r":%d,"a":"q","b":{"p":"/m/%d","h":""}}}' % (number, number)))
        self.wait(one)
        self.end(one)
        return 300

    def bodies(self):
        """Bodies with very many parts."""
        way, one = self.draw.randrange(3), self.plain()
        body = [b"2:2x" * 200_000, b"{" + b",".join(b'"%d":0' % n for n in range(100_000)) + b"}",
                b"[" * 200_000][way]
        place = ["/.ws/?EIO=3&transport=polling&sid=x", "/m/x.json?print=silent", "/m.json"][way]
        one.sendall(f"POST {place} HTTP/1.1\r\n{BODY}{len(body)}\r\n\r\n".encode() + body)
        one.sendall(b"DELETE /m.json HTTP/1.1\r\nHost: a\r\n\r\n")
        self.wait(one)
        self.end(one)
        return 2


# How often each kind comes; the rare ones are long.
KINDS = {
    "frames": 600, "framing": 60, "requests": 200, "pipelined": 60, "polling": 60, "slow": 3,
    "deaf": 3, "upgrades": 40, "values": 60, "control": 20, "large": 0.2, "many": 0.5, "bodies": 0.5,
}


def memory(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))


def sockets(pid):
    count = 0
    for name in os.listdir(f"/proc/{pid}/fd"):
        try:
            count += os.readlink(f"/proc/{pid}/fd/{name}").startswith("socket:")
        except OSError:
            pass
    return count


class Witness(threading.Thread):
    """Somebody else, who wants to be served all the while."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.one = wire.connect(port)
        self.frames = wire.Frames(self.one)
        self.frames.read()
        # What is thrown now, what was thrown when it took longest, and why it was given up.
        self.kind, self.because, self.problem = "", "", None
        self.slowest, self.isOver = 0.0, False

    def run(self):
        try:
            while not self.isOver:
                self.ask()
                time.sleep(0.01)
        except OSError as error:
            self.problem = f"somebody else was not served: {error!r}, with {self.kind}"

    def ask(self):
        asked = time.monotonic()
        self.one.sendall(wire.frame(b'{"t":"d","d":{"r":1,"a":"g","b":{"p":"/witness"}}}'))
        while True:
            kind, content = self.frames.read()
            if kind == wire.TEXT:
                break
            if kind == wire.CLOSE:
                raise OSError(f"left, {content}")
            # From time to time the server wants to know whether anybody is there.
            self.one.sendall(wire.frame(b"", wire.PONG))
        took = time.monotonic() - asked
        if took > self.slowest:
            self.slowest, self.because = took, self.kind


def main(port, pid, count, seed):
    witness, before = Witness(port), sockets(pid)
    witness.start()
    fuzz = Fuzz(port, seed)
    sent, begin, names = 0, time.monotonic(), list(KINDS)
    # The long ones come once in runs that are long themselves.
    todo = [name for name in names if KINDS[name] >= 1 or count >= 20_000]
    while sent < count:
        name = todo.pop() if todo else fuzz.draw.choices(names, KINDS.values())[0]
        if KINDS[name] < 1 and count < 20_000:
            continue
        witness.kind = name
        try:
            sent += getattr(fuzz, name)()
        except OSError:
            sent += 1
        if witness.problem:
            print(f"{witness.problem}, after {sent} frames and requests, seed {seed}")
            return 1
    witness.isOver = True
    for one in fuzz.idle:
        one.close()
    most, left = memory(pid), 0
    for _ in range(200):
        left = sockets(pid) - before
        if left <= 0:
            break
        time.sleep(0.1)
    print(
        f"{sent} frames and requests in {time.monotonic() - begin:.0f} s, seed {seed}: at most"
        f" {most // 1024} MB; somebody else waited {witness.slowest * 1000:.0f} ms at most"
        f" ({witness.because}); {max(0, left)} connections left")
    allowed = int(os.environ.get("MEMORY", "600"))
    return 0 if most < allowed << 10 and left <= 0 else 1


if __name__ == "__main__":
    arguments = [int(word) for word in sys.argv[1:]]
    sys.exit(main(*arguments[:3], arguments[3] if len(arguments) > 3 else 0))
