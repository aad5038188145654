#!/usr/bin/env python3
"""The example client as a version 2.0 that does not get along with 1.0, for tests of fleets.

It marks the keys that its pushes make. A key of the day of its release that has no mark it takes for a
leftover of its own, and does not show what is there. Alone it does all that a client should.
"""

import os
import sys

ADAPTERS = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "tools", "adapters")
sys.path.insert(0, os.path.join(ADAPTERS, "python"))

import adapter
from syncclient import client
from syncclient.pushids import PushIds
from syncclient.tree import parse_path

RELEASE = ("-KXLrx", "-KXLs")  # Keys begin with their time, in eight characters.
MARK = "z"  # It stands behind the time.


class MarkedPushIds(PushIds):
    def next(self, time, random):
        key = super().next(time, random)
        return key[:8] + MARK + key[9:]


def is_leftover(path):
    first, last = RELEASE
    return any(
        len(key) == 20 and first < key < last and key[8] != MARK for key in parse_path(path))


def shown(data):
    if not isinstance(data, dict):
        return data
    return {key: shown(value) for key, value in data.items() if not is_leftover(key)}


class Newer(client.Client):
    def _receive_data(self, action, body):
        if action in ("d", "m") and is_leftover(body["p"]):
            return
        super()._receive_data(action, {**body, "d": shown(body["d"])} if "d" in body else body)


client.PushIds = MarkedPushIds
adapter.Client = Newer
adapter.HELLO["version"] = "2.0"

if __name__ == "__main__":
    adapter.Adapter().run(sys.stdin.buffer, os.fdopen(int(os.environ.get("KENNEL_FD", 1)), "wb"))
