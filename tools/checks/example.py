#!/usr/bin/env python3
"""Runs the example application, a shared list, in several processes against `kennel serve`.

    python3 tools/checks/example.py [PROGRAM]

PROGRAM is Tests/ExampleApplication as a build has made it; without one it is compiled here, with the
modules that are built already. KENNEL names the server, .build/kennel unless stated. Exits with 1 when
somebody does not see what is on the list, who is there, or what was counted.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HOME = Path(__file__).resolve().parent.parent.parent
KENNEL = os.environ.get("KENNEL", str(HOME / ".build/kennel"))
BUILT = Path(os.environ.get("KENNEL_BUILT", str(HOME / ".build/release")))
MODULES = ["Tree", "Document", "Wire", "ClientInterface", "ReferenceClient", "ClientEngine",
           "ClientMachine", "WilddogSync"]
LIBRARIES = ["nettle", "jansson", "libwebsockets", "sqlite3"]

# Nobody may put this on the list, so that there is something to refuse.
RULES = """{"rules": {".read": true, ".write": true, "list": {"items": {"$key": {
  ".validate": "newData.child('text').val() != 'poison'"}}}}}"""


def compiled(folder):
    """The program, compiled with the modules of the one build."""
    flags = subprocess.run(["pkg-config", "--libs", *LIBRARIES], check=True, text=True,
                           stdout=subprocess.PIPE).stdout.split()
    maps = [f"-fmodule-map-file={path}" for path in HOME.glob("Sources/0-CLibraries/*/module.modulemap")]
    objects = [BUILT / f"{name}.build" / f"{path.name}.o" for name in MODULES
               for path in HOME.glob(f"Sources/*/{name}/**/*.swift")]
    sources = sorted((HOME / "Tests/ExampleApplication/Sources/list").glob("*.swift"))
    program = folder / "list"
    outcome = subprocess.run(
        ["swiftc", "-swift-version", "6", "-I", BUILT / "Modules", "-o", program, *sources, *objects,
         *flags, "-lm", *(word for map in maps for word in ("-Xcc", map))])
    if outcome.returncode != 0:
        sys.exit("the example application does not compile with the modules that are built")
    return program


class Person:
    """A process of the application."""

    def __init__(self, program, url, name, *folder):
        self.name = name
        self.process = subprocess.Popen(
            [program, url, name, *folder], text=True, bufsize=1,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def type(self, *lines):
        for line in lines:
            self.process.stdin.write(line + "\n")

    def sees(self, expected, seconds=30):
        """Waits until the application shows a line."""
        last, end = "", time.monotonic() + seconds
        while time.monotonic() < end:
            self.type("show")
            for last in self.process.stdout:
                if not last.startswith("* "):
                    break
            if last.strip() == expected:
                return
            if self.process.poll() is not None:
                sys.exit(f"{self.name} has ended with code {self.process.returncode}")
            time.sleep(0.05)
        sys.exit(f"{self.name} shows\n  {last.strip()}\nand should show\n  {expected}")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def leave(self):
        self.process.stdin.close()
        if self.process.wait(30) != 0:
            sys.exit(f"{self.name} has ended with code {self.process.returncode}")


def play(program, url, folder):
    alice = Person(program, url, "alice")
    bob = Person(program, url, "bob", str(folder / "bob"))
    for person in alice, bob:
        person.sees("online: ; 0 bought; here: alice, bob")
    alice.type("add milk")
    bob.sees("online: milk; 0 bought; here: alice, bob")

    # Offline, and what two do at the same time.
    bob.type("offline")
    alice.sees("online: milk; 0 bought; here: alice")
    bob.type("add bread", "buy milk")
    bob.sees("offline: milk (bought), bread; 1 bought; here: alice")
    alice.type("buy milk")
    alice.sees("online: milk (bought); 1 bought; here: alice")
    bob.type("online")
    for person in alice, bob:
        person.sees("online: milk (bought), bread; 2 bought; here: alice, bob")

    # The end of a process, and its next start.
    bob.type("offline", "add tea")
    bob.sees("offline: milk (bought), bread, tea; 2 bought; here: alice")
    bob.kill()
    bob = Person(program, url, "bob", str(folder / "bob"))
    alice.sees("online: milk (bought), bread, tea; 2 bought; here: alice, bob")
    bob.kill()
    alice.sees("online: milk (bought), bread, tea; 2 bought; here: alice")

    # What is refused is reported, and is not on the list any more.
    alice.type("add poison")
    alice.sees("online: milk (bought), bread, tea; 2 bought; here: alice; add poison: permission_denied")

    # Goodbye, and what is added at the last moment.
    alice.type("add jam")
    alice.leave()
    carol = Person(program, url, "carol")
    carol.sees("online: milk (bought), bread, tea, jam; 2 bought; here: carol")
    carol.leave()


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = sys.argv[1] if len(sys.argv) > 1 else compiled(folder)
        rules = folder / "rules.json"
        rules.write_text(RULES)
        server = subprocess.Popen([KENNEL, "serve", "-p", "0", "--no-page", "--rules", rules],
                                  text=True, stdout=subprocess.PIPE)
        try:
            address = next(re.search(r"http://\S+", line) for line in server.stdout if "http://" in line)
            play(program, address.group().rstrip("/") + "/?ns=list", folder)
        finally:
            server.terminate()
            server.wait()
    print("four processes shared a list")


main()
