#!/usr/bin/env python3
"""Ends a program with the documented SDK by SIGKILL, at any moment, again and again.

    python3 tools/live/kills.py [COUNT [SEED]]

The program is `kennel adapter --client sdk --sockets`, which keeps what it has in a file. It writes,
listens and is killed COUNT times, 20 unless stated. Then:

* every write whose call had returned is on the server at the end; until it is there, every later
  process shows it at once. What is there already may be missing in kept data (OFF-13);
* no write whose end was reported was sent again;
* every process found its file in order.

KENNEL names the program, .build/kennel unless stated. Prints one line, and exits with 1 when
something is wrong.
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

HOME = Path(__file__).resolve().parent.parent.parent
KENNEL = os.environ.get("KENNEL", str(HOME / ".build/kennel"))


class Program:
    """One process, until it is killed."""

    def __init__(self, folder, url, number):
        self.process = subprocess.Popen(
            [KENNEL, "adapter", "--client", "sdk", "--sockets", "--keep", folder],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.number, self.requests = number, 0
        self.returned, self.ended, self.first = set(), set(), None
        self.calls, self.asked, self.problems = {}, {}, []
        self.changed = threading.Condition()
        self.reader = threading.Thread(target=self.read)
        self.reader.start()
        self.ask(hello={"protocol": 1, "profile": "wilddog-2", "seed": "0"})
        self.ask("open", client="it", now=time.time() * 1000, open={
            "host": re.sub("^http://|/.*", "", url), "url": url, "seed": "1",
            "cacheBytes": 100_000_000})
        self.call("listen", op="listen", listener="l", path="/list", event="value")

    def ask(self, key=None, **request):
        self.requests += 1
        if key:
            self.asked[self.requests] = key
        line = json.dumps({"id": self.requests, **request}) + "\n"
        try:
            self.process.stdin.write(line.encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        return self.requests

    def call(self, name, key=None, **call):
        self.calls[name] = key
        self.ask(key, client="it", now=time.time() * 1000, call={"id": name, **call})

    def wait_until_open(self):
        with self.changed:
            self.changed.wait_for(lambda: "open" in self.returned, 20)
            self.returned.discard("open")

    def read(self):
        for text in self.process.stdout:
            try:
                line = json.loads(text)
            except ValueError:
                break  # Torn by the end.
            with self.changed:
                if "idle" in line and line["idle"] in self.asked:
                    self.returned.add(self.asked[line["idle"]])
                elif "completed" in line:
                    key = self.calls.get(line["completed"]["call"])
                    if line["completed"].get("error"):
                        self.problems.append(str(line))
                    elif key:
                        self.ended.add(key)
                elif "event" in line and self.first is None:
                    self.first = set(line["event"]["value"] or {})
                elif "error" in line:
                    self.problems.append(str(line))
                self.changed.notify_all()

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.reader.join()
        self.problems += [
            line for line in self.process.stderr.read().decode().splitlines() if line]


def records(folder):
    """Each write that the server took: the number of the process that sent it, and its key."""
    for file in sorted(Path(folder).glob("p*.jsonl")):
        number = int(re.match(r"p(\d+)", file.name).group(1))
        for text in file.read_text().splitlines():
            line = json.loads(text)
            request = line.get("out", {}).get("send", {}).get("d", {})
            if request.get("a") == "p":
                yield number, request["b"]["p"].rsplit("/", 1)[1]


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [KENNEL, "serve", "--port", "0", "--record", folder + "/server"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        port = int(re.search(rb":(\d+)\s*$", server.stdout.readline()).group(1))
        try:
            wrong = run(count, chance, folder, port)
        finally:
            server.terminate()
            server.wait()
    for line in wrong[:20]:
        print(line)
    if wrong:
        sys.exit(1)


def run(count, chance, folder, port):
    url = f"http://127.0.0.1:{port}/?ns=kills"
    returned, ended, wrong, keys = set(), {}, [], 0
    for number in range(count + 1):
        present = stored_keys(port)
        program = Program(folder + "/own", f"{url}&client=p{number}", number)
        is_last = number == count
        # Some are killed while they start, which takes a slow machine longer than all the rest.
        if chance.randrange(8):
            program.wait_until_open()
        until = time.time() + (0 if is_last else chance.uniform(0, 0.4))
        while time.time() < until:
            for _ in range(chance.randrange(1, 20)):
                keys += 1
                program.call(f"c{keys}", f"k{keys}", op="set", path=f"/list/k{keys}", value=keys)
            time.sleep(chance.uniform(0, 0.02))
        if is_last:
            wait_for(port, returned)
        program.kill()
        wrong += [f"process {number}: {problem}" for problem in program.problems]
        if program.first is not None and returned - present - program.first:
            lost = sorted(returned - present - program.first)[:3]
            wrong.append(f"process {number} does not show {lost} of {len(returned)} writes")
        returned |= program.returned - {"open"}
        ended.update({key: number for key in program.ended})
    stored = stored_keys(port)
    wrong += [f"{key} is lost" for key in sorted(returned - stored)]
    wrong += sent_again(folder, ended)
    if not returned or not ended:
        wrong.append("no write has returned, or none has ended: nothing was shown")
    print(f"{count} kills, {keys} writes begun, {len(returned)} returned, {len(ended)} ended: "
          f"{len(wrong)} wrong")
    return wrong


def sent_again(folder, ended):
    """Writes that were sent by a later process than the one that reported their end."""
    return [f"{key} was sent again by process {number}, and had ended in {ended[key]}"
            for number, key in records(folder + "/server") if number > ended.get(key, number)]


def stored_keys(port):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/list.json?ns=kills&shallow=true") as answer:
        return set(json.load(answer) or {})


def wait_for(port, returned):
    until = time.time() + 30
    while time.time() < until and returned - stored_keys(port):
        time.sleep(0.1)


if __name__ == "__main__":
    main()
