"""What outlives the process: who is signed in, pending writes, and data that were known."""

import json

from .query import query_from_wire
from .tree import (
    EMPTY, are_related, from_json, parse_path, path_text, relative, starts_with, text_order)
from .wire import Put


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class Entry:
    """What is kept of one place: everything, or the window of a filtering query."""

    def __init__(self, path, query, node, last_use):
        self.path, self.query, self.last_use = path, query, last_use
        self.set(node)

    def set(self, node):
        self.node = node
        self.bytes = len(compact(node.json()).encode())

    def is_of(self, view):
        return self.path == view.path and self.query == (view.query if view.query.filters else None)

    @property
    def key(self):
        return "data/" + "/".join(self.path) + ("#" + self.query.id if self.query else "")

    @property
    def text(self):
        fields = {"data": self.node.json(), "path": path_text(self.path), "used": self.last_use}
        if self.query:
            fields["query"] = self.query.wire(True)
        return compact(fields)


class KeptData:
    """The server's data that outlive the listeners and the process.

    An entry that a view stands for repeats what the view knows; the others learn what is received of
    their places from any source, so that all that is kept agrees.
    """

    def __init__(self, entries, capacity):
        self.entries, self.capacity = entries, capacity
        self.in_use = []
        self.last_use = max((entry.last_use for entry in entries), default=0)
        self.bytes = sum(entry.bytes for entry in entries)

    def data(self, path):
        """What is kept of `path`, if all of it is; the entry nearest to the root is asked."""
        above = [e for e in self.entries if e.query is None and starts_with(path, e.path)]
        if not above:
            return None
        entry = min(above, key=lambda entry: len(entry.path))
        return entry.node.at(path[len(entry.path):])

    def window(self, query, path):
        entries = (e for e in self.entries if e.path == path and e.query == query)
        return next((entry.node for entry in entries), None) if query.filters else None

    def follow(self, views):
        """Takes over what the views know, and throws out what is too much."""
        before, self.in_use = self.in_use, views[:]
        for view in views:
            self._learn(view)
        for view in views:
            if view not in before:
                self._touch(view)
        self._throw_out()

    def retire(self, view):
        """Takes over what a view knew whose last listener has gone: that was a use of it."""
        self._learn(view)
        self._touch(view)

    def _entry(self, view):
        return next((entry for entry in self.entries if entry.is_of(view)), None)

    def _learn(self, view):
        if not view.knowledge.is_complete:
            return
        node = view.knowledge.node
        node = view.query.window(node).node if view.query.filters else node
        entry = self._entry(view)
        old = entry.node if entry else EMPTY
        if entry and old == node:
            return
        if entry:
            entry.set(node)
        else:
            query = view.query if view.query.filters else None
            self.last_use += 1
            self.entries.append(Entry(view.path, query, node, self.last_use))
        if not view.query.filters:
            self.overwrite([(view.path, node)])
            return
        # What left a window need not be gone.
        changed = [key for key, child in node.children.items() if old.child(key) != child]
        self.overwrite([(view.path + (key,), node.child(key)) for key in changed])

    def overwrite(self, sets):
        """The server has what `sets` say at their paths, as far as it is known. They happened at
        once, so that a window does not depend on their order."""
        for entry in self.entries:
            if any(entry.is_of(view) for view in self.in_use):
                continue
            reached = [(path, node) for path, node in sets if are_related(path, entry.path)]
            if not reached:
                continue
            new = entry.node
            for path, node in reached:
                below, above = relative(path, entry.path), relative(entry.path, path)
                new = new.setting(below, node) if below is not None else node.at(above)
            entry.set(entry.query.window(new).node if entry.query else new)

    def _touch(self, view):
        entry = self._entry(view)
        if entry:
            self.last_use += 1
            entry.last_use = self.last_use

    def _throw_out(self):
        """When what is kept has grown and is too much, what was unused for longest goes first."""
        total = sum(entry.bytes for entry in self.entries)
        if total > self.bytes:
            unused = [e for e in self.entries if not any(e.is_of(v) for v in self.in_use)]
            for entry in sorted(unused, key=lambda entry: entry.last_use):
                if total > self.capacity:
                    self.entries.remove(entry)
                    total -= entry.bytes
        self.bytes = total

    def forget(self, path):
        """Forgets what may not be read any more."""
        self.entries = [entry for entry in self.entries if not starts_with(entry.path, path)]


class Memory:
    """What is stored already."""

    def __init__(self):
        self.keeps_data = False
        self.is_stale = False
        """Whether something else than data and writes may have to be stored or erased."""
        self.stored = {}


class Storing:
    """The part of a client that keeps things over its end."""

    def _recall(self, storage, cache_bytes):
        """Takes up what earlier processes have left: nothing is raised and nothing completes,
        because there are no listeners yet and the calls are gone."""
        self.memory = Memory()
        keeps_data = cache_bytes is not None
        writes, entries = [], []
        for key, text in storage.items():
            if key == "credential":
                self.token = text
            elif key == "paused":
                self.gate = "paused"
            elif not self._take(key, text, writes, entries):
                self.env.log("what is stored as %s cannot be read and is erased" % key)
                self.env.erase(key)
                continue
            self.memory.stored[key] = text
        if keeps_data:
            self.memory.keeps_data = True
            self.tree.kept = KeptData(entries, cache_bytes)
            for number, fields in writes:
                self._restore(number, fields)

    def _take(self, key, text, writes, entries):
        """Takes in one stored text; returns whether it can be read."""
        try:
            fields = json.loads(text)
            if key.startswith("write/"):
                writes.append((int(key[6:]), dict(fields, path=parse_path(fields["path"]))))
                return True
            query = query_from_wire(fields["query"]) if "query" in fields else None
            path = parse_path(fields["path"])
            entries.append(Entry(path, query, from_json(fields["data"]), fields["used"]))
            return True
        except (ValueError, KeyError, TypeError, AttributeError):
            return False

    def _restore(self, number, fields):
        """Shows a write of an earlier process and puts it in line to be sent."""
        path, is_update = fields["path"], "merge" in fields
        if is_update:
            parts = [(parse_path(k), from_json(v)) for k, v in fields["merge"].items()]
            sets, data = self._estimated_parts(path, parts), fields["merge"]
        else:
            data = fields["put"]
            sets = [(path, self._estimated(from_json(data), path))]
        id, _ = self.tree.write(path, sets)
        self.last_number = max(self.last_number, number)

        def finish(status):
            self._finish_write(id, path, status, None, is_update)

        self.puts.append(Put(number, "m" if is_update else "p", path, data, finish))

    def _store_changes(self):
        """Stores what has changed of what is to be kept."""
        self.memory.is_stale = False
        texts = {} if self.token is None else {"credential": self.token}
        if self.memory.keeps_data:
            if self.gate == "paused":
                texts["paused"] = "true"
            # Transactions are not kept: what they were computed from is gone.
            for put in self.puts:
                if not put.is_transaction:
                    kind = "merge" if put.action == "m" else "put"
                    fields = {kind: put.data, "path": path_text(put.path)}
                    texts["write/%010d" % put.number] = compact(fields)
            self.tree.kept.follow(self.tree.views)
            for entry in self.tree.kept.entries:
                texts[entry.key] = entry.text
        stored, self.memory.stored = self.memory.stored, texts
        for key in sorted(set(stored) | set(texts), key=text_order):
            if key not in texts:
                self.env.erase(key)
            elif stored.get(key) != texts[key]:
                self.env.store(key, texts[key])
