#!/usr/bin/env python3
"""Connects and ends connections to a running server for some time, and watches its memory.

    churn.py PORT PID [SECONDS [CLIENTS]]

Each connection listens, writes, leaves a write for its end, and is closed or simply dropped. Prints
how many there were and what the server held, twice a minute. Fails when the server holds more than
10 % more at the end than after the second minute (or after a third of the time, if that is sooner),
or keeps connections or files.
"""

import json
import os
import sys
import time

import wire


def memory(pid):
    """What a process holds, in KB."""
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))


def files(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def one(port, number):
    """One connection, from its beginning to its end."""
    connection = wire.connect(port)
    frames = wire.Frames(connection)
    frames.read()
    path = f"/churn/{number % 50}"
    requests = [("q", {"p": path, "h": ""}), ("p", {"p": path, "d": number}),
                ("o", {"p": f"{path}/left", "d": True})]
    for request, (action, body) in enumerate(requests, 1):
        message = {"t": "d", "d": {"r": request, "a": action, "b": body}}
        connection.sendall(wire.frame(json.dumps(message).encode()))
    for _ in range(4):
        frames.read()
    if number % 2:
        connection.sendall(wire.frame(b"\x03\xe8", wire.CLOSE))
    return connection


def main():
    port, pid = int(sys.argv[1]), int(sys.argv[2])
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 600
    clients = int(sys.argv[4]) if len(sys.argv) > 4 else 100
    begin, number, reported, early = time.monotonic(), 0, 0, None
    before = files(pid)
    open_now = []
    while (passed := time.monotonic() - begin) < seconds:
        number += 1
        open_now.append(one(port, number))
        if len(open_now) > clients:
            open_now.pop(0).close()
        if passed >= reported * 30:
            print(f"{passed:.0f} s: {number} connections, {memory(pid) / 1024:.1f} MB", flush=True)
            reported += 1
        if early is None and passed >= min(120, seconds / 3):
            early = memory(pid)
    for connection in open_now:
        connection.close()
    time.sleep(2)
    late, left = memory(pid), files(pid) - before
    print(f"{seconds:.0f} s: {number} connections, {late / 1024:.1f} MB, "
          f"{early / 1024:.1f} MB before; {left} files left")
    if late > early * 1.1 or left > 0:
        sys.exit("the server keeps what it should have given back")


main()
