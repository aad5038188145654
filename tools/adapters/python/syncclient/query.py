"""Queries, the windows that they show, and what changes from one window to the next."""

import json
from collections import namedtuple

from .tree import (
    EMPTY, Node, Refusal, key_order, parse_path, scalar_of, value_order,
)

Bound = namedtuple("Bound", "value key is_exclusive")
Change = namedtuple("Change", "type key node previous")

REMOVED, ADDED, MOVED, CHANGED, VALUE = EVENTS = (
    "child_removed", "child_added", "child_moved", "child_changed", "value")
NO_PREVIOUS = object()
"""The previous key of events that have none."""


class Query:
    """An ordering with a range and a limit. `order_by` is `.key`, `.value`, … or a child's path."""

    def __init__(self, order_by=".priority", start=None, end=None, limit=None, side=None):
        self.order_by = order_by
        self.child = None if order_by in INDEXES else parse_path(order_by)
        self.start, self.end, self.limit, self.side = start, end, limit, side
        self.has_range = bool(start or end)
        self.filters = self.has_range or limit is not None
        self.stays_within_kind = False
        """Whether a range leaves out values of other kinds than those of its bounds."""
        self.id = json.dumps(self.wire(True))

    def __eq__(self, other):
        return isinstance(other, Query) and self.id == other.id

    def check(self):
        if self.limit is not None and self.limit < 1:
            raise Refusal("invalid_query")
        if self.order_by == ".key":
            for bound in (self.start, self.end):
                if bound and (not isinstance(bound.value, str) or bound.key is not None):
                    raise Refusal("invalid_query")

    # Ordering

    def value_of(self, node):
        if self.child is not None:
            node = node.at(self.child)
        elif self.order_by == ".priority":
            return value_order(node.priority)
        return (4,) if node.children else value_order(node.scalar)

    def order(self, key, node):
        return (self.value_of(node), key_order(key))

    def sorted(self, children):
        """The keys of `children` in the order of the query."""
        if self.order_by == ".key":
            return list(children)
        if self.order_by == ".priority" and all(n.priority is None for n in children.values()):
            return list(children)
        return sorted(children, key=lambda key: self.order(key, children[key]))

    def moves(self, old, new):
        """Whether a child that was `old` and is `new` may stand elsewhere now."""
        if self.order_by == ".key":
            return False
        return old != new if self.order_by == ".value" else self.value_of(old) != self.value_of(new)

    # Windows

    def window(self, node):
        """What the query shows of `node`."""
        keys = self.sorted(node.children)
        if not self.filters:
            return Window(node, keys)
        if self.start or self.end:
            keys = [key for key in keys if self.selects(key, node.children[key])]
        if self.limit is not None:
            keys = keys[: self.limit] if self.side == "l" else keys[-self.limit:]
        return Window(Node.with_children({key: node.children[key] for key in keys}), keys)

    def selects(self, key, node):
        if self.stays_within_kind and self.order_by != ".key":
            rank = self.value_of(node)[0]
            for bound in (self.start, self.end):
                if bound and bound.value is not None and value_order(bound.value)[0] != rank:
                    return False
        if self.start:
            distance = self.distance(key, node, self.start)
            if distance < (1 if self.start.is_exclusive else 0):
                return False
        if self.end:
            distance = self.distance(key, node, self.end)
            if distance > (-1 if self.end.is_exclusive else 0):
                return False
        return True

    def distance(self, key, node, bound):
        """Negative before the bound, zero at it, positive behind it."""
        if self.order_by == ".key":
            return compare(key_order(key), key_order(bound.value))
        order = compare(self.value_of(node), value_order(bound.value))
        if order or bound.key is None:
            return order
        return compare(key_order(key), key_order(bound.key))

    # The wire

    def wire(self, states_inclusion):
        """The query as requests carry it."""
        fields = {}
        for bound, names, outermost in (
            (self.start, ("sp", "sn", "sin"), "[MAX_NAME]"),
            (self.end, ("ep", "en", "ein"), "[MIN_NAME]"),
        ):
            if not bound:
                continue
            fields[names[0]] = bound.value
            if bound.key is not None:
                fields[names[1]] = bound.key
            elif bound.is_exclusive and self.order_by != ".key":
                fields[names[1]] = outermost
            if states_inclusion:
                fields[names[2]] = not bound.is_exclusive
        if self.limit is not None:
            fields["l"], fields["vf"] = self.limit, self.side
        if self.order_by != ".priority":
            fields["i"] = self.order_by if self.child is None else "/".join(self.child)
        return fields


INDEXES = (".key", ".value", ".priority")
BOUNDS = {
    "startAt": (("start",), False), "startAfter": (("start",), True),
    "endAt": (("end",), False), "endBefore": (("end",), True), "equalTo": (("start", "end"), False),
}


def bound_of(argument, is_exclusive):
    if isinstance(argument, dict) and ".sv" not in argument:
        return Bound(scalar_of(argument.get("value")), argument.get("key"), is_exclusive)
    return Bound(scalar_of(argument), None, is_exclusive)


def query_of(arguments):
    """The query that is described as `{"orderBy": "x", "startAt": 3, "limitToFirst": 2}`."""
    parts = {"order_by": arguments.get("orderBy", ".priority")}
    for name, value in arguments.items():
        if name in BOUNDS:
            ends, is_exclusive = BOUNDS[name]
            for end in ends:
                parts[end] = bound_of(value, is_exclusive)
        elif name != "orderBy":
            parts["limit"] = value if type(value) is int else 0
            parts["side"] = "l" if name == "limitToFirst" else "r"
    return Query(**parts)


def query_from_wire(fields):
    """What `Query.wire` writes, as it is stored."""
    def end(value, key, inclusive, outermost):
        if value not in fields:
            return None
        name = fields.get(key)
        return Bound(
            fields[value], None if name == outermost else name, fields.get(inclusive) is False)

    return Query(
        fields.get("i", ".priority"), end("sp", "sn", "sin", "[MAX_NAME]"),
        end("ep", "en", "ein", "[MIN_NAME]"), fields.get("l"), fields.get("vf"))


def compare(a, b):
    return -1 if a < b else 1 if a > b else 0


class Window:
    """What a query shows: a node with the order of its children."""

    __slots__ = ("node", "keys")

    def __init__(self, node, keys):
        self.node = node
        self.keys = keys

    def initial_changes(self, is_shown):
        """What shows the window to a listener who is new to it."""
        changes = self._changes(ADDED, self.keys)
        if is_shown:
            changes.append(Change(VALUE, None, self.node, NO_PREVIOUS))
        return changes

    def changes_since(self, old, query, was_shown, is_shown):
        """Removed, added, moved, changed, then value; previous keys are those of this window."""
        if is_shown == was_shown and self.node == old.node:
            return []
        before, after = old.node.children, self.node.children
        removed = [key for key in old.keys if key not in after]
        added, moved, changed = [], [], []
        for key in self.keys:
            node, earlier = after[key], before.get(key)
            if earlier is None:
                added.append(key)
            elif node is not earlier and node != earlier:
                changed.append(key)
                if query.moves(earlier, node):
                    moved.append(key)
        changes = [Change(REMOVED, key, before[key], NO_PREVIOUS) for key in removed]
        changes += self._changes(ADDED, added)
        changes += self._changes(MOVED, moved)
        changes += self._changes(CHANGED, changed)
        if is_shown:
            changes.append(Change(VALUE, None, self.node, NO_PREVIOUS))
        return changes

    def _changes(self, type, keys):
        if not keys:
            return []
        previous = dict(zip(self.keys[1:], self.keys))
        return [Change(type, key, self.node.children[key], previous.get(key)) for key in keys]


ALL = Query()
NOTHING = Window(EMPTY, [])
