"""Measures a running `kennel serve`: python3 tools/live/measure.py PORT PID.

Prints how many messages a second go over one pipelined connection, how long an answer takes at 5000
messages a second, and what 1000 connections cost in memory. No test depends on it.
"""

import json
import sys
import threading
import time

import wire


def put(number):
    text = json.dumps(
        {"t": "d", "d": {"r": number, "a": "p", "b": {"p": f"/bench/{number % 100}", "d": number}}},
        separators=(",", ":"))
    return wire.frame(text.encode())


def memory(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))


def pipelined(port, count):
    one = wire.connect(port)
    frames = wire.Frames(one)
    frames.read()
    data = b"".join(put(number) for number in range(1, count + 1))
    begin = time.monotonic()
    threading.Thread(target=one.sendall, args=(data,), daemon=True).start()
    for _ in range(count):
        frames.read()
    return count / (time.monotonic() - begin)


def latencies(port, rate, seconds):
    one = wire.connect(port)
    frames = wire.Frames(one)
    frames.read()
    count = rate * seconds
    sent, took = [0.0] * (count + 1), []

    def send():
        begin = time.monotonic()
        for first in range(1, count + 1, 10):
            wait = begin + first / rate - time.monotonic()
            if wait > 0:
                time.sleep(wait)
            for number in range(first, first + 10):
                sent[number] = time.monotonic()
            one.sendall(b"".join(put(number) for number in range(first, first + 10)))

    threading.Thread(target=send, daemon=True).start()
    for number in range(1, count + 1):
        frames.read()
        took.append(time.monotonic() - sent[number])
    took.sort()
    return took[len(took) // 2] * 1000, took[len(took) * 99 // 100] * 1000


def main(port, pid):
    print(f"{pipelined(port, 50000):.0f} messages a second over one pipelined connection")
    middle, late = latencies(port, 5000, 4)
    print(f"at 5000 messages a second: median {middle:.2f} ms, 99 of 100 within {late:.2f} ms")
    before = memory(pid)
    many = [wire.connect(port) for _ in range(1000)]
    for one in many:
        frames = wire.Frames(one)
        frames.read()
        one.sendall(wire.frame(
            b'{"t":"d","d":{"r":1,"a":"q","b":{"p":"/bench/7","h":""}}}'))
        frames.read()
        frames.read()
    print(f"1000 connections: {(memory(pid) - before) / 1000:.1f} KB each")
    writer = wire.connect(port)
    begin = time.monotonic()
    writer.sendall(put(7))
    for one in many:
        wire.Frames(one).read()
    print(f"one write told to all of them within {(time.monotonic() - begin) * 1000:.0f} ms")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
