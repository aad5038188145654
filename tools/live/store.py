#!/usr/bin/env python3
"""tools/live/store.py KENNEL FILE KILLS WRITES: kills `kennel serve --store FILE` amid four writers.

Each start must have every write that was acknowledged before, or a later one to the same location.
It goes on until there were KILLS kills and WRITES acknowledged writes."""

import http.client
import json
import random
import re
import subprocess
import sys
import threading
import time


class Writers:
    """Writes ever larger numbers, and remembers which of them were acknowledged."""

    def __init__(self):
        self.lock = threading.Lock()
        self.acknowledged = {}
        self.last = self.count = self.refused = 0

    def run(self, port, stop, name):
        connection = None
        while not stop.is_set():
            with self.lock:
                self.last += 1
                number = self.last
            key = (f"k{number % 400}", f"w{name}")
            try:
                if connection is None:
                    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
                connection.request("PUT", "/%s/%s.json" % key, str(number))
                response = connection.getresponse()
                response.read()
            except (OSError, http.client.HTTPException):
                connection = None
                continue
            with self.lock:
                if response.status == 200:
                    self.acknowledged[key] = number
                    self.count += 1
                else:
                    self.refused += 1

    def lost(self, port):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("GET", "/.json")
        data = json.loads(connection.getresponse().read()) or {}
        return [
            key for key, number in self.acknowledged.items()
            if data.get(key[0], {}).get(key[1], -1) < number
        ]


def start(kennel, file):
    server = subprocess.Popen(
        [kennel, "serve", "--port", "0", "--store", file], stdout=subprocess.PIPE, text=True)
    found = re.search(r":(\d+)$", server.stdout.readline().strip())
    return server, int(found.group(1))


def main(kennel, file, kills, writes):
    writers, killed, lost = Writers(), 0, []
    while killed < int(kills) or writers.count < int(writes):
        server, port = start(kennel, file)
        lost += writers.lost(port)
        stop = threading.Event()
        threads = [
            threading.Thread(target=writers.run, args=(port, stop, name)) for name in range(4)]
        for thread in threads:
            thread.start()
        time.sleep(random.uniform(0.2, 1.5))
        server.kill()
        server.wait()
        stop.set()
        for thread in threads:
            thread.join()
        killed += 1
    server, port = start(kennel, file)
    lost += writers.lost(port)
    server.terminate()
    print(f"{killed} kills, {writers.count} acknowledged, {writers.refused} refused, {len(lost)} lost")
    return server.wait() or (1 if lost else 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
