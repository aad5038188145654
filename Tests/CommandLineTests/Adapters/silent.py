"""The example adapter in Python around a client that never raises the events whose type the first
argument names."""

import os, sys

folder = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(folder, "../../../tools/adapters/python"))

import adapter

emit = adapter.Process.emit


def emit_unless_silent(process, verb, arguments):
    if verb != "event" or arguments["type"] != sys.argv[1]:
        emit(process, verb, arguments)


adapter.Process.emit = emit_unless_silent
adapter.Adapter().run(sys.stdin.buffer, sys.stdout.buffer)
