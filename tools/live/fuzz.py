"""Throws things at a running `kennel serve`: python3 tools/live/fuzz.py PORT PID COUNT [SEED].

Frames and requests are drawn at random, from lawful ones with a few bytes changed to plain noise. A
second connection must be served all the while. Prints what was sent and how much memory the server
had at most; exits with 1 when it is gone, hangs, or has more than 600 MB.
"""

import json
import os
import random
import socket
import sys
import time

import wire

LAWFUL = [
    '{"t":"d","d":{"r":1,"a":"q","b":{"p":"/a","h":""}}}',
    '{"t":"d","d":{"r":2,"a":"q","b":{"p":"/a","q":{"i":"n","sp":1,"l":3,"vf":"l"},"t":1,"h":""}}}',
    '{"t":"d","d":{"r":3,"a":"p","b":{"p":"/a/b","d":{"c":[1,2,{"x":null}],".priority":3}}}}',
    '{"t":"d","d":{"r":4,"a":"m","b":{"p":"/a","d":{"b/c":1,"d":{".sv":"timestamp"}}}}}',
    '{"t":"d","d":{"r":5,"a":"o","b":{"p":"/a/gone","d":{".sv":{"increment":2}}}}}',
    '{"t":"d","d":{"r":6,"a":"g","b":{"p":"/a","q":{"ep":"z","l":1,"vf":"r"}}}}',
    '{"t":"d","d":{"r":7,"a":"n","b":{"p":"/a"}}}', '{"t":"c","d":{"t":"p","d":{}}}', "0", "3",
    '{"t":"d","d":{"r":8,"a":"auth","b":{"cred":"x"}}}', "999999", "-1",
    '42["wd",{"t":"c","d":{"t":"p","d":{}}}]', "2probe", "5", "40", "1",
]
TARGETS = [
    "/.ws?v=5&ns=default", "/.ws?v=5&ns=a&ls=session1", "/.ws/?EIO=3&transport=websocket",
    "/.ws/?EIO=3&transport=websocket&sid=x", "/.ws?ns=%00%ff",
]
REQUESTS = [
    "GET /a.json HTTP/1.1\r\nHost: a\r\n\r\n",
    'GET /a.json?orderBy="n"&startAt=1&limitToLast=2 HTTP/1.1\r\nHost: a\r\n\r\n',
    'PUT /a.json HTTP/1.1\r\nHost: a\r\nContent-Length: 7\r\n\r\n{"a":1}',
    "POST /a.json HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n1",
    "PATCH /a.json HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{\"a/b\":1}",
    "DELETE /../../a%2e%2e/b.json HTTP/1.1\r\nHost: a\r\nIf-Match: null_etag\r\n\r\n",
    "GET /.ws/?EIO=3&transport=polling HTTP/1.1\r\nHost: a\r\n\r\n",
    "POST /.ws/?EIO=3&transport=polling&sid=x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n1:2",
    "GET /a.json HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n",
]


def bend(data, draw):
    """Some bytes changed, cut out or doubled."""
    data = bytearray(data)
    for _ in range(draw.choice([0, 1, 1, 2, 5])):
        at = draw.randrange(len(data) + 1)
        kind = draw.randrange(4)
        if kind == 0 and at < len(data):
            data[at] = draw.randrange(256)
        elif kind == 1:
            del data[at:at + draw.randrange(8)]
        elif kind == 2:
            data[at:at] = data[:at][-draw.randrange(1, 30):]
        else:
            data[at:at] = os.urandom(draw.randrange(4))
    return bytes(data)


def payload(draw):
    kind = draw.randrange(30)
    if kind == 0:
        return b"[" * draw.randrange(1, 20000)
    if kind == 1:
        path = "/".join("k" * 5 for _ in range(draw.randrange(1, 60)))
        return json.dumps({"t": "d", "d": {"r": 1, "a": "p", "b": {"p": path, "d": 1}}}).encode()
    if kind == 2:
        return b'{"t":"d","d":{"r":1,"a":"p","b":{"p":"/l","d":"' + b"x" * draw.randrange(200000)
    return bend(draw.choice(LAWFUL).encode(), draw)


def over_websocket(port, draw):
    try:
        one = wire.connect(port, draw.choice(TARGETS))
    except OSError:
        return 1
    count = 0
    try:
        one.setblocking(False)
        for _ in range(draw.randrange(1, 60)):
            kind = draw.choice([wire.TEXT] * 12 + [wire.BINARY, wire.PING, 0, 3, 11])
            data = wire.frame(payload(draw), kind, draw.random() < 0.95)
            if draw.random() < 0.03:
                data = bend(data, draw)
            count += 1
            one.setblocking(True)
            one.settimeout(5)
            one.sendall(data)
            one.setblocking(False)
            try:
                if not one.recv(1 << 16):
                    break
            except BlockingIOError:
                pass
    except OSError:
        pass
    one.close()
    return count


def by_request(port, draw):
    with socket.create_connection(("127.0.0.1", port)) as one:
        one.settimeout(0.005)
        try:
            for _ in range(draw.randrange(1, 5)):
                one.sendall(bend(draw.choice(REQUESTS).encode(), draw))
                one.recv(1 << 16)
        except OSError:
            pass
    return 1


def memory(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))


def main(port, pid, count, seed):
    draw = random.Random(seed)
    witness = wire.connect(port)
    frames = wire.Frames(witness)
    frames.read()
    sent, slowest, begin = 0, 0.0, time.monotonic()
    while sent < count:
        sent += over_websocket(port, draw) if draw.random() < 0.7 else by_request(port, draw)
        asked = time.monotonic()
        witness.sendall(wire.frame(b'{"t":"c","d":{"t":"p","d":{}}}'))
        # From time to time the server wants to know whether anybody is there.
        while frames.read()[0] == wire.PING:
            witness.sendall(wire.frame(b"", wire.PONG))
        slowest = max(slowest, time.monotonic() - asked)
    most = memory(pid)
    print(
        f"{sent} frames and requests in {time.monotonic() - begin:.0f} s, seed {seed}: at most"
        f" {most // 1024} MB; somebody else waited {slowest * 1000:.0f} ms at most")
    return 0 if most < 600 << 10 else 1


if __name__ == "__main__":
    arguments = [int(word) for word in sys.argv[1:]]
    sys.exit(main(*arguments[:3], arguments[3] if len(arguments) > 3 else 0))
