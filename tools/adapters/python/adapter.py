#!/usr/bin/env python3
"""Lets Kennel drive a client: reads one JSON object a line, and answers with lines of JSON.

    kennel run writes -- python3 adapter.py

To drive a client of your own, change what stands below "The client": how it is made, what it has
for a connection, timers, a clock and storage, and what it is asked for each operation. What is
above can stay. Specs/adapter-protocol.md describes every line.
"""

import json
import os
import random
import sys
import traceback

from callbacks import Reactions
from frames import parts_of
from syncclient.client import Client, Listener
from syncclient.query import VALUE, query_of
from syncclient.tree import EMPTY, Refusal, add, from_json, is_number, parse_path
from syncclient.values import Reference, answer_of, priority_of
from syncclient.writes import ABORT

HELLO = {
    "protocol": 1, "revision": 6, "name": "python-example", "version": "1.0",
    "capabilities": [  # What is missing here is not asked for. reset: for another run.
        "listen.value", "listen.child", "listen.query", "once", "set", "update", "priority", "push",
        "transaction", "on-disconnect", "offline", "info", "server-values", "inspect", "auth", "get",
        "mutable-data", "persistence", "keep-synced", "callbacks", "reset", "frames"],
}

class NotSupported(Exception): pass

def number_of(text):
    """JSON numbers are doubles: there is a -0, and no more than 53 bits of a whole number."""
    return -0.0 if text == "-0" else int(text) if len(text) < 16 else float(text)


read = json.JSONDecoder(parse_int=number_of).decode
write = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Adapter:
    """The conversation. What a request causes is collected, and written together with `idle`."""

    lines, processes, profile = [], {}, None

    def run(self, source, target):
        for line in iter(source.readline, b""):
            request = read(line.decode())
            if "bye" in request:
                return
            for part in parts_of(request, self.lines, self.emit):
                try:
                    self.answer(part)
                except NotSupported as unknown:
                    self.emit("error", {"code": "not-supported", "message": str(unknown)})
                except Exception as error:
                    if "client" not in part:
                        raise
                    frames = "".join(reversed(traceback.format_tb(error.__traceback__)))
                    self.emit("uncaught", {
                        "message": str(error), "type": type(error).__name__, "stack": frames})
            self.lines.append('{"idle":%d}\n' % request["id"])
            target.write("".join(self.lines).encode("utf-8", "replace"))
            target.flush()
            self.lines.clear()

    def emit(self, verb, arguments):
        self.lines.append(write({verb: arguments}) + "\n")

    def answer(self, request):
        name, now = request.get("client"), request.get("now")
        verb = next((v for v in request if v not in ("id", "client", "now")), None)
        if verb in ("hello", "reset"):
            self.processes, self.profile = {}, request[verb]["profile"]
            if verb == "hello":
                self.emit("hello", HELLO)
        elif verb == "open":
            self.processes[name] = Process(self.emit, self.profile, request["open"], now)
        elif verb == "kill":
            self.processes.pop(name, None)
        elif name in self.processes and verb in Process.VERBS:
            self.processes[name].handle(verb, request[verb], now)
        else:
            raise NotSupported("%s is not known here" % verb)

# The client

class Process:
    """A process with one client in it, and all that surrounds the client."""

    VERBS = ("opened", "refused", "closed", "frame", "timer", "call")
    def __init__(self, emit, profile, opening, now):
        self.time, self.listeners, self.snapshots = now, {}, {}
        self.reactions = Reactions(emit, self.call)  # Calls from inside callbacks.
        self.random = random.Random(opening["seed"]).random
        stored, cache = dict(opening.get("storage", [])), opening.get("cacheBytes")
        self.client = Client(self, profile, opening["host"], stored, cache)

    def emit(self, verb, arguments): self.reactions.emit(verb, arguments)
    def handle(self, verb, arguments, now):
        self.time = now
        if verb == "call":
            self.call(arguments)
        elif verb in ("opened", "refused", "closed"):
            self.client.connection_opened() if verb == "opened" else self.client.connection_ended()
        elif verb == "frame":
            self.client.message_received(arguments)
        else:
            self.client.timer_fired(arguments["timer"])

    # What the client asks of its environment; it also uses `random`.
    def now(self): return self.time
    def connect(self, host): self.emit("connect", {"host": host} if host else {})
    def send(self, message): self.emit("send", message)
    def disconnect(self): self.emit("disconnect", {})
    def set_timer(self, timer, after, label):
        self.emit("setTimer", {"timer": timer, "after": after, "label": label})
    def cancel_timer(self, timer): self.emit("cancelTimer", {"timer": timer})
    def store(self, key, text): self.emit("store", {"key": key, "text": text})
    def erase(self, key): self.emit("erase", {"key": key})
    def log(self, text): self.emit("log", {"text": text})

    # What the application asks of the client, by the table at the end.
    def call(self, c):
        if c["op"] not in OPERATIONS:
            raise NotSupported("%s is not known here" % c["op"])
        c["at"] = parse_path(c.get("path", ""))
        c["done"] = lambda e: self.completed(c, {"error": e}, Reference(c["at"], self.client.host))
        c["answer"] = lambda value: self.answered(c, value)
        try:
            OPERATIONS[c["op"]](self, self.client, c)
        except Refusal as refusal:
            self.emit("threw", {"call": c["id"], "error": refusal.code})

    def completed(self, c, end, handed):
        self.snapshots[c["id"]] = [handed] if handed else []
        self.emit("completed", {"call": c["id"], **end})

    def answered(self, c, value):
        c["at"] += (value,) if c["op"] == "push" else ()  # A push completes for the new child.
        self.emit("answered", {"call": c["id"], "value": value})

    def listen(self, c, events, once=False):
        name = c["listener"]
        self.snapshots[name] = []

        def on_event(type, snapshot, *previous):
            self.snapshots[name].append(snapshot)
            key, value = snapshot.key(), snapshot.export()
            event = {"listener": name, "type": type, "key": key, "value": value}
            if previous:
                event["prev"] = previous[0]
            elif type == VALUE:
                event["children"] = snapshot.keys()
            self.emit("event", event)

        on_cancel = lambda error: self.emit("cancelled", {"listener": name, "error": error})
        if events is None:
            return self.client.get(c["at"], query(c), lambda s: on_event(VALUE, s), on_cancel)
        handle = self.listeners[name] = Listener(on_event, on_cancel)
        self.client.listen(c["at"], query(c), events, handle, once)

    def transact(self, c):
        ((name, argument),) = c["update"].items()

        def update(value):
            self.emit("updateRan", {"call": c["id"], "input": value})
            if name == "increment":
                return add(value if is_number(value) else 0, argument)
            if name == "merge":
                if isinstance(value, list):
                    value = {str(i): child for i, child in enumerate(value) if child is not None}
                return {**(value if isinstance(value, dict) else {}), **argument}
            if name in ("abort", "fail", "setThenAbort") or name[:5] == "setIf" and value is not None:
                return 1 / 0 if name in ("fail", "setIfNullOrFail") else ABORT
            return value if name == "keep" else argument

        def done(error, committed, snapshot):
            value = snapshot and snapshot.export()
            self.completed(c, {"error": error, "committed": committed, "value": value}, snapshot)

        self.client.transaction(
            c["at"], update, done, c.get("localEvents", True), from_json(argument))

def query(c): return query_of(c.get("query", {}))
def node(c): return from_json(c.get("value"))
def parts(c): return [(parse_path(name), from_json(v)) for name, v in c["value"].items()]

OPERATIONS = {  # process, client, call
    "listen": lambda p, cl, c: p.listen(c, c.get("events") or [c["event"]]),
    "once": lambda p, cl, c: p.listen(c, [c["event"]], once=True),
    "get": lambda p, cl, c: p.listen(c, None),
    "unlisten": lambda p, cl, c: cl.unlisten(
        p.listeners.get(c["listener"]), c["at"] if "path" in c else None),
    "unlisten-all": lambda p, cl, c: cl.unlisten_all(c["at"], query(c)),
    "keep-synced": lambda p, cl, c: cl.keep_synced(c["at"], query(c), c.get("on", True)),
    "set": lambda p, cl, c: cl.set(c["at"], node(c), c["done"]),
    "remove": lambda p, cl, c: cl.set(c["at"], EMPTY, c["done"]),
    "set-priority": lambda p, cl, c: cl.set_priority(c["at"], priority_of(c["priority"]), c["done"]),
    "update": lambda p, cl, c: cl.update(c["at"], parts(c), c["done"]),
    "push": lambda p, cl, c: cl.push(
        c["at"], node(c) if "value" in c else None, c["done"], c["answer"]),
    "transaction": lambda p, cl, c: p.transact(c),
    "on-disconnect-set": lambda p, cl, c: cl.on_disconnect_set(c["at"], node(c), c["done"]),
    "on-disconnect-remove": lambda p, cl, c: cl.on_disconnect_set(c["at"], EMPTY, c["done"]),
    "on-disconnect-update": lambda p, cl, c: cl.on_disconnect_update(c["at"], parts(c), c["done"]),
    "on-disconnect-cancel": lambda p, cl, c: cl.on_disconnect_cancel(c["at"], c["done"]),
    "go-offline": lambda p, cl, c: cl.go_offline(),
    "go-online": lambda p, cl, c: cl.go_online(),
    "auth": lambda p, cl, c: cl.authenticate(c["token"], c["done"]),
    "unauth": lambda p, cl, c: cl.authenticate(None, c["done"]),
    "inspect": lambda p, cl, c: c["answer"](answer_of(c, cl, p.snapshots)),
    "on": lambda p, cl, c: p.reactions.waiting.append(c),
}

if __name__ == "__main__":
    Adapter().run(sys.stdin.buffer, os.fdopen(int(os.environ.get("KENNEL_FD", 1)), "wb"))
