"""Nodes: the data that a client keeps. A node is never changed; setting something makes a new one."""

import base64
import hashlib
import math
import struct

from .keys import (  # noqa: F401: whoever works with nodes works with paths
    Refusal, are_related, is_bad_key, is_bad_path, key_order, parse_path, path_text, relative,
    starts_with, text_order,
)


class ServerValue:
    """A placeholder that the server replaces: the time, or an addition to what is there."""

    def __init__(self, delta=None):
        self.delta = delta

    @staticmethod
    def read(json):
        kind = json.get(".sv")
        if kind == "timestamp":
            return ServerValue()
        if isinstance(kind, dict):
            return ServerValue(kind["increment"])
        return None

    def json(self):
        return {".sv": "timestamp" if self.delta is None else {"increment": self.delta}}

    def resolved(self, time, current):
        if self.delta is None:
            return time
        return add(current, self.delta) if is_number(current) else self.delta


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def add(a, b):
    """Adds as doubles do."""
    return float(a) + float(b)


def scalar_of(json):
    """The scalar that `json` stands for; None for null, lists and mappings."""
    if isinstance(json, dict):
        return ServerValue.read(json)
    return None if isinstance(json, list) else json


def is_same_scalar(a, b):
    return a == b and isinstance(a, bool) == isinstance(b, bool)


class Node:
    """A scalar or children in key order, with a priority; or nothing at all."""

    __slots__ = ("scalar", "children", "priority", "_hash")

    def __init__(self, scalar=None, children=None, priority=None):
        self.scalar = scalar
        self.children = children or {}
        self.priority = priority
        self._hash = None

    @staticmethod
    def with_children(children, priority=None):
        """Takes a mapping in any order; empty children vanish, and so does a node without any."""
        kept = {key: node for key, node in children.items() if not node.is_empty}
        if not kept:
            return EMPTY
        return Node(None, {key: kept[key] for key in sorted(kept, key=key_order)}, priority)

    @property
    def is_empty(self):
        return self.scalar is None and not self.children

    def __eq__(self, other):
        if self is other:
            return True
        return (
            is_same_scalar(self.scalar, other.scalar)
            and is_same_scalar(self.priority, other.priority)
            and len(self.children) == len(other.children)
            and self.children == other.children
        )

    def child(self, key):
        return self.children.get(key, EMPTY)

    def at(self, path):
        node = self
        for key in path:
            node = node.child(key)
        return node

    def with_priority(self, priority):
        return EMPTY if self.is_empty else Node(self.scalar, self.children, priority)

    def with_child(self, key, child):
        if key == ".priority":
            return self.with_priority(child.scalar)
        if child.is_empty:
            if key not in self.children:
                return self
            children = dict(self.children)
            del children[key]
            return Node(None, children, self.priority) if children else EMPTY
        children = dict(self.children)
        is_new = key not in children
        children[key] = child
        if is_new:
            children = {name: children[name] for name in sorted(children, key=key_order)}
        return Node(None, children, self.priority)

    def setting(self, path, node):
        if not path:
            return node
        if len(path) == 1:
            return self.with_child(path[0], node)
        return self.with_child(path[0], self.child(path[0]).setting(path[1:], node))

    @property
    def has_server_values(self):
        if isinstance(self.scalar, ServerValue) or isinstance(self.priority, ServerValue):
            return True
        return any(child.has_server_values for child in self.children.values())

    def resolving(self, time, current):
        """With the placeholders replaced by what the server will probably put there."""
        priority, scalar = self.priority, self.scalar
        if isinstance(priority, ServerValue):
            priority = priority.resolved(time, None)
        if isinstance(scalar, ServerValue):
            scalar = scalar.resolved(time, current.scalar)
        children = {k: n.resolving(time, current.child(k)) for k, n in self.children.items()}
        return Node(scalar, children, priority)

    @property
    def hash(self):
        """By which client and server find out that they have the same."""
        if self._hash is None:
            self._hash = self._computed_hash()
        return self._hash

    def _computed_hash(self):
        if self.is_empty:
            return ""
        parts = []
        if self.priority is not None:
            parts.append("priority:" + hash_text(self.priority) + ":")
        if self.scalar is not None:
            parts.append(hash_text(self.scalar))
        for key in sorted(self.children, key=lambda k: self.children[k].priority_order(k)):
            parts.append(":" + key + ":" + self.children[key].hash)
        return base64.b64encode(hashlib.sha1("".join(parts).encode()).digest()).decode()

    def priority_order(self, key):
        return (value_order(self.priority), key_order(key))

    def json(self):
        """The export format, with priorities."""
        if self.scalar is None and not self.children:
            return None
        value = self.scalar.json() if isinstance(self.scalar, ServerValue) else self.scalar
        if self.scalar is None:
            value = {key: child.json() for key, child in self.children.items()}
        if self.priority is None:
            return value
        priority = self.priority
        priority = priority.json() if isinstance(priority, ServerValue) else priority
        if self.scalar is None:
            value[".priority"] = priority
            return value
        return {".value": value, ".priority": priority}

    def plain(self, more_than_half):
        """What applications get: without priorities, and as a list where keys are like indexes."""
        if self.scalar is not None:
            return self.scalar
        if not self.children:
            return None
        size = self._list_size(more_than_half)
        if size:
            names = (str(index) for index in range(size))
            return [self.child(name).plain(more_than_half) for name in names]
        return {key: child.plain(more_than_half) for key, child in self.children.items()}

    def _list_size(self, more_than_half):
        last = -1
        for key in self.children:
            order = key_order(key)
            if order[0] or order[1] < 0 or str(order[1]) != key:
                return 0
            last = order[1]
        count = len(self.children)
        return last + 1 if (2 * count > last + 1 if more_than_half else last < 2 * count) else 0


EMPTY = Node()


def in_one_change(sets):
    """(path, node) of an update in an order in which one after the other does what all at once do:
    a node that has children in the end keeps its priority."""
    def rank(set):
        path, node = set
        return 2 if path[-1:] == (".priority",) else 1 if node.is_empty else 0
    return sorted(sets, key=rank)


def hash_text(scalar):
    if isinstance(scalar, bool):
        return "boolean:true" if scalar else "boolean:false"
    if isinstance(scalar, str):
        return "string:" + scalar
    return "number:" + struct.pack(">d", scalar).hex()


def value_order(scalar):
    """Nothing, then false and true, numbers, texts; children come after all of them."""
    if scalar is None:
        return (0,)
    if isinstance(scalar, bool):
        return (1, scalar)
    return (3, text_order(scalar)) if isinstance(scalar, str) else (2, scalar)


def from_json(json, priority=None):
    """The node that `json` describes in export format. Nothing is refused here."""
    if json is None:
        return EMPTY
    if isinstance(json, list):
        return Node.with_children({str(i): from_json(v) for i, v in enumerate(json)}, priority)
    if not isinstance(json, dict):
        return Node(json, None, priority)
    if ".priority" in json:
        priority = scalar_of(json[".priority"])
    placeholder = ServerValue.read(json)
    if placeholder:
        return Node(placeholder, None, priority)
    if json.get(".value") is not None:
        return from_json(json[".value"], priority)
    children = {k: from_json(v) for k, v in json.items() if not k.startswith(".")}
    return Node.with_children(children, priority)


def is_finite(scalar):
    number = scalar.delta if isinstance(scalar, ServerValue) else scalar
    return not is_number(number) or math.isfinite(number)


def is_priority(scalar):
    if isinstance(scalar, ServerValue):
        return scalar.delta is None
    return not isinstance(scalar, bool)


def check_node(node, path):
    """Refuses what the database does not take at `path`."""
    if not is_finite(node.scalar) or not is_finite(node.priority):
        raise Refusal("invalid_value")
    if node.priority is not None and not is_priority(node.priority):
        raise Refusal("invalid_value")
    for key, child in node.children.items():
        if is_bad_key(key):
            raise Refusal("invalid_value")
        if is_bad_path(path + (key,)):
            raise Refusal("invalid_path")
        check_node(child, path + (key,))
