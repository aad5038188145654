#!/usr/bin/env python3
"""Lets Kennel try a client that owns its clock and its sockets.

    kennel run writes -- .build/live-clients/bin/python tools/live/adapter.py

The client is that of tools/adapters/python, over WebSockets of the package `websockets`: with the
framing of Firebase in that profile, with engine.io in the others. With --frames it has no sockets,
but a clock of its own. With --defect NAME the client does something wrong, for trying the kit.
Specs/adapter-protocol.md describes every line.
"""

import asyncio
import importlib.util
import json
import os
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
PYTHON = HERE.parent / "adapters" / "python"
sys.path.insert(0, str(PYTHON))
spec = importlib.util.spec_from_file_location("example_adapter", PYTHON / "adapter.py")
example = importlib.util.module_from_spec(spec)
spec.loader.exec_module(example)

SEGMENT = 16384  # What one frame of the Firebase framing carries at most.
OUT = os.fdopen(int(os.environ.get("KENNEL_FD", 1)), "wb", buffering=0)


def say(line):
    OUT.write((example.write(line) + "\n").encode("utf-8", "replace"))


class Segments:
    """The Firebase framing: long messages are cut, after a frame with the number of pieces."""

    def __init__(self):
        self.pieces, self.missing = [], 0

    @staticmethod
    def target(namespace):
        return "/.ws?v=5&ns=" + namespace

    def frames(self, text):
        pieces = [text[i:i + SEGMENT] for i in range(0, len(text), SEGMENT)]
        return pieces if len(pieces) == 1 else [str(len(pieces))] + pieces

    def message(self, frame):
        """The message that ends with this frame; None for none."""
        if not self.missing:
            if len(frame) > 6 or not frame.isdigit():
                return frame
            self.missing, self.pieces = int(frame), []
            return None
        self.pieces.append(frame)
        self.missing -= 1
        return None if self.missing else "".join(self.pieces)


class Engine:
    """engine.io 3 with socket.io, by a WebSocket alone."""

    @staticmethod
    def target(namespace):
        return "/.ws/?EIO=3&transport=websocket&ns=" + namespace

    def frames(self, text):
        return ['42["wd",%s]' % text]

    def message(self, frame):
        return frame[len('42["wd",'):-1] if frame.startswith("42[") else None


class Line(asyncio.Protocol):
    """One WebSocket, without an event of its own between a frame and the client."""

    def __init__(self, process, url, framing):
        from websockets.client import ClientProtocol
        from websockets.uri import parse_uri
        self.process, self.framing, self.is_open = process, framing, False
        self.ws = ClientProtocol(parse_uri(url), max_size=None)
        self.transport = None

    def connection_made(self, transport):
        self.transport = transport
        self.ws.send_request(self.ws.connect())
        self.flush()

    def flush(self):
        for data in self.ws.data_to_send():
            if data:
                self.transport.write(data)
            elif self.transport.can_write_eof():
                self.transport.write_eof()

    def data_received(self, data):
        from websockets.frames import Frame, Opcode
        self.ws.receive_data(data)
        for event in self.ws.events_received():
            if isinstance(event, Frame):
                if event.opcode is Opcode.TEXT:
                    self.take(bytes(event.data).decode())
            elif self.ws.handshake_exc is None:
                self.is_open = True
                self.process.line_opened(self)
        self.flush()
        if self.ws.handshake_exc is not None or self.ws.close_expected():
            self.transport.close()

    def take(self, frame):
        text = self.framing.message(frame)
        if text is not None:
            self.process.line_received(self, example.read(text))

    def send(self, message):
        text = example.write(message)
        for frame in self.framing.frames(text):
            self.ws.send_text(frame.encode("utf-8", "surrogatepass"))
        self.flush()

    def close(self):
        if self.transport:
            self.transport.close()

    def connection_lost(self, _):
        self.process.line_ended(self)


class Process(example.Process):
    """A client with everything around it, on the machine's own clock."""

    def __init__(self, adapter, name, opening):
        self.adapter, self.name, self.line, self.timers = adapter, name, None, {}
        self.is_over, self.is_carried = False, adapter.is_carried
        self.url = opening.get("url", "")
        super().__init__(self.speak, adapter.profile, opening, None)

    def speak(self, verb, arguments):
        if not self.is_over:
            say({"client": self.name, verb: arguments})

    def now(self):
        return time.time() * 1000

    def end(self):
        self.is_over = True
        for handle in self.timers.values():
            handle.cancel()
        self.disconnect()

    # The network

    def connect(self, host):
        if self.is_carried:
            return self.speak("connect", {"host": host} if host else {})
        authority, _, namespace = self.url.removeprefix("http://").partition("/?ns=")
        framing = Segments() if self.adapter.profile == "firebase" else Engine()
        url = "ws://" + (host or authority) + framing.target(namespace)
        self.line = line = Line(self, url, framing)
        address, _, port = (host or authority).rpartition(":")
        asyncio.get_running_loop().create_task(self.dial(line, address, int(port)))

    async def dial(self, line, address, port):
        try:
            await asyncio.get_running_loop().create_connection(lambda: line, address, port)
        except OSError:
            self.line_ended(line)

    def line_opened(self, line):
        if line is self.line:
            self.client.connection_opened()
        else:
            line.close()

    def line_received(self, line, message):
        if line is self.line and not self.is_over:
            self.client.message_received(message)

    def line_ended(self, line):
        if line is self.line:
            self.line = None
            if not self.is_over:
                self.client.connection_ended()

    def send(self, message):
        if self.is_carried:
            self.speak("send", message)
        elif self.line and self.line.is_open:
            self.line.send(message)

    def disconnect(self):
        if self.is_carried:
            return self.speak("disconnect", {})
        line, self.line = self.line, None
        if line:
            line.close()

    # The clock

    def set_timer(self, timer, after, label):
        self.cancel_timer(timer)
        self.timers[timer] = asyncio.get_running_loop().call_later(
            after / 1000, self.timer_is_due, timer)

    def cancel_timer(self, timer):
        handle = self.timers.pop(timer, None)
        if handle:
            handle.cancel()

    def timer_is_due(self, timer):
        self.timers.pop(timer, None)
        if not self.is_over:
            self.client.timer_fired(timer)

    def handle(self, verb, arguments, now):
        super().handle(verb, arguments, now)
        # What the client puts off until the end of the turn has happened before idle.
        for timer in [t for t, h in self.timers.items() if h.when() <= asyncio.get_running_loop().time()]:
            self.cancel_timer(timer)
            self.client.timer_fired(timer)


class Adapter(example.Adapter):
    is_carried = False
    make = Process

    def __init__(self):
        self.processes, self.rest = {}, b""

    def emit(self, verb, arguments):
        say({verb: arguments})

    def read(self):
        data = os.read(0, 1 << 20)
        if not data:
            asyncio.get_running_loop().stop()
            return
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            self.take(example.read(line.decode()))

    def take(self, request):
        if "bye" in request:
            asyncio.get_running_loop().stop()
            return
        try:
            self.answer(request)
        except example.NotSupported as unknown:
            self.emit("error", {"code": "not-supported", "message": str(unknown)})
        say({"idle": request["id"]})

    def answer(self, request):
        name = request.get("client")
        if "hello" in request or "reset" in request:
            for process in self.processes.values():
                process.end()
            self.processes = {}
            self.profile = (request.get("hello") or request.get("reset"))["profile"]
            if "hello" in request:
                hello = dict(example.HELLO, name="python-live", clock="real")
                hello["capabilities"] = hello["capabilities"] + ["kill"]
                if not self.is_carried:
                    hello["transport"] = "socket"
                self.emit("hello", hello)
        elif "open" in request:
            self.processes[name] = self.make(self, name, request["open"])
        elif "kill" in request:
            if name in self.processes:
                self.processes.pop(name).end()
        else:
            super().answer(request)


def with_defect(name):
    """A process whose client, or whose application, does one thing wrong."""
    class Defective(Process):
        has_dropped = False

        def speak(self, verb, arguments):
            if name == "late-events" and verb == "event":
                loop = asyncio.get_running_loop()
                loop.call_later(0.7, super().speak, verb, arguments)
                return
            if name == "swallowed-cancel" and verb == "cancelled":
                return
            if name == "swallowed-completion" and verb == "completed":
                return
            super().speak(verb, arguments)
            if name == "doubled-value" and verb == "event" and arguments["type"] == "value":
                super().speak(verb, arguments)
            if name == "wrong-value" and verb == "event" and arguments["type"] == "child_added":
                super().speak(verb, dict(arguments, type="child_changed"))

        def send(self, message):
            if name == "dropped-write" and message.get("d", {}).get("a") == "p":
                return
            if name == "once-dropped-write" and message.get("d", {}).get("a") == "p":
                if not Defective.has_dropped:
                    Defective.has_dropped = True
                    return
            if name == "flaky-write" and message.get("d", {}).get("a") == "p":
                if int.from_bytes(os.urandom(1), "big") & 1:
                    return
            super().send(message)

    return Defective


def main():
    words = sys.argv[1:]
    adapter = Adapter()
    adapter.is_carried = "--frames" in words
    if "--defect" in words:
        adapter.make = with_defect(words[words.index("--defect") + 1])
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    loop.add_reader(0, adapter.read)
    loop.run_forever()


if __name__ == "__main__":
    main()
