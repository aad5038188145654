"""What applications hold in their hands: snapshots, references, mutable data, queries being built.

Each answers questions about itself by methods of the names that scenarios use.
"""

import re
from urllib.parse import quote, unquote_to_bytes

from .query import ALL, BOUNDS, INDEXES, Query, bound_of
from .tree import (
    Node, Refusal, check_node, from_json, is_bad_path, parse_path, path_text, scalar_of,
)


def named_path(text):
    if not isinstance(text, str) or is_bad_path(parse_path(text)):
        raise Refusal("invalid_path")
    return parse_path(text)


def checked_reference(path):
    if is_bad_path(path):
        raise Refusal("invalid_path")
    return path


class Contents:
    """A node with the order of its children."""

    def __init__(self, path, node, query, is_list_when_half_full):
        self.path, self.node, self.query = path, node, query
        self._lists = is_list_when_half_full

    def value(self):
        return self.node.plain(self._lists)

    def export(self):
        return self.node.json()

    def priority(self):
        return self.node.priority

    def key(self):
        return self.path[-1] if self.path else None

    def hasChild(self, path):
        return not self.node.at(named_path(path)).is_empty

    def hasChildren(self):
        return bool(self.node.children)

    def childrenCount(self):
        return len(self.node.children)

    def children(self, question="key"):
        """Of each child in order its key, or its answer to a question."""
        return [getattr(self.child((key,)), question)() for key in self.keys()]

    def keys(self):
        return self.query.sorted(self.node.children)

    def child(self, path):
        """The part at a relative path. Its children have the default order."""
        if not path:
            return self
        return type(self)(self.path + path, self.node.at(path), ALL, self._lists)


class Snapshot(Contents):
    """What an event handed over: a node as it was at that moment."""

    def exists(self):
        return not self.node.is_empty

    def ref(self):
        return path_text(self.path)


class MutableData(Contents):
    """A copy of a node that a transaction's function reads and changes."""

    def __init__(self, path, node, query=ALL, is_list_when_half_full=False):
        super().__init__(path, node, query, is_list_when_half_full)

    @staticmethod
    def changed(value, changes, is_list_when_half_full):
        data = MutableData((), valid(from_json(value)), ALL, is_list_when_half_full)
        for change in changes:
            part = named_path(change.get("child", ""))
            if "value" in change:
                new = valid(from_json(change["value"]))
            else:
                priority = scalar_of(change.get("priority"))
                valid(Node(True, None, priority))
                new = data.node.at(part).with_priority(priority)
            data.node = data.node.setting(part, new)
        return data


def priority_of(json):
    """The priority that an application gives; a list or a mapping is none."""
    if isinstance(json, (list, dict)) and scalar_of(json) is None:
        raise Refusal("invalid_value")
    return scalar_of(json)


def valid(node):
    try:
        check_node(node, ())
    except Refusal:
        raise Refusal("invalid_value") from None
    return node


class Reference:
    """A name of a place. It holds no data and needs no connection."""

    def __init__(self, path, host, root_is_its_parent=False):
        self.path, self.host = checked_reference(path), host
        self._root_is_its_parent = root_is_its_parent

    @staticmethod
    def path_of(address, host):
        """The path that an absolute address names."""
        match = re.match(r"https?://([^/?#]+)(/[^?#]*)?\Z", address)
        if not match or match[1].lower() != host:
            raise Refusal("invalid_url")
        if re.search(r"%(?![0-9A-Fa-f]{2})", match[2] or ""):
            raise Refusal("invalid_url")
        try:
            keys = [unquote_to_bytes(key).decode() for key in (match[2] or "").split("/") if key]
        except UnicodeDecodeError:
            raise Refusal("invalid_url") from None
        return tuple(keys)

    def key(self):
        return self.path[-1] if self.path else None

    def parent(self):
        if not self.path and not self._root_is_its_parent:
            return None
        return path_text(self.path[:-1])

    def ref(self):
        return path_text(self.path)

    def root(self):
        return "/"

    def child(self, path):
        return path_text(checked_reference(self.path + named_path(path)))

    def equals(self, path):
        return self.path == named_path(path)

    def url(self):
        keys = (quote(key, safe="-._~") for key in self.path)
        return "https://" + self.host + "/" + "/".join(keys)

    description = url


class QueryBuilder:
    """A query that conditions are added to one by one. What is there is not given again."""

    def __init__(self, path, conditions):
        self.path = checked_reference(path)
        self.conditions = conditions
        self._check(conditions)

    def ref(self):
        return path_text(self.path)

    def valid(self, further=()):
        for condition in further:
            self._check(self.conditions + [condition])
        return True

    def _check(self, conditions):
        parts = {}
        for condition in conditions:
            if not isinstance(condition, dict) or len(condition) != 1:
                raise Refusal("invalid_query")
            ((name, value),) = condition.items()
            for part, new in self._parts(name, value):
                if part in parts:
                    raise Refusal("invalid_query")
                parts[part] = new
        Query(**parts).check()

    def _parts(self, name, value):
        if name == "orderBy" and isinstance(value, str):
            path = parse_path(value)
            if value not in INDEXES and (not path or is_bad_path(path)):
                raise Refusal("invalid_path")
            return [("order_by", value)]
        if name in BOUNDS:
            ends, is_exclusive = BOUNDS[name]
            bound = bound_of(value, is_exclusive)
            inner = value.get("value") if isinstance(value, dict) else value
            if bound.value is None and inner is not None:
                raise Refusal("invalid_query")
            return [(end, bound) for end in ends]
        if name in ("limitToFirst", "limitToLast"):
            side = "l" if name == "limitToFirst" else "r"
            limit = value if type(value) is int else 0
            return [("limit", limit), ("side", side)]
        raise Refusal("invalid_query")


def answer_of(question, client, snapshots):
    """The answer to a question that is data: what is looked at, and what is asked about it."""
    part = checked_reference(parse_path(question.get("of", "")))
    path, profile = parse_path(question.get("path", "")), client.profile
    handed = snapshots.get(question.get("snapshot", question.get("completion")), [])
    if "snapshot" in question or "completion" in question:
        nth = question.get("nth", len(handed))
        if not 0 < nth <= len(handed):
            raise Refusal("no_snapshot")
        subject = handed[nth - 1].child(part) if part else handed[nth - 1]
    elif "mutable" in question:
        changes, lists = question.get("changes", []), profile["sparse arrays"]
        subject = MutableData.changed(question["mutable"], changes, lists).child(part)
    elif "query" in question:
        subject = QueryBuilder(path, question["query"])
    else:
        if "url" in question:
            path = Reference.path_of(question["url"], client.host)
        subject = Reference(checked_reference(path) + part, client.host, profile["root parent"])
    ask = getattr(subject, question["ask"], None)
    if not ask:
        raise Refusal("not_supported")
    return ask(question["with"]) if "with" in question else ask()
