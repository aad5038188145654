"""A small complete realtime-sync client: the one that the template adapter drives.

It talks to its surroundings through an environment alone: a connection, timers, a clock, random
numbers and storage. After every change each view is computed anew and compared with what was shown.
"""

from .connection import BACK_OFF, CONNECTED, CONNECTING, KEEP_ALIVE, NEXT_TURN
from .connection import Connection
from .localtree import LocalTree
from .pushids import PushIds
from .query import ALL, EVENTS, NO_PREVIOUS, VALUE
from .requests import Requests
from .storage import Storing
from .tree import EMPTY, Node, Refusal, is_bad_path
from .wire import Listens, Promises
from .writes import Writing, check_update, check_write

PROFILES = {
    "wilddog-1": {"root parent": True, "stats always": True, "sparse arrays": True, "stays within kind": True,
                  "kept writes wait": True, "indexes first": True},
    "wilddog-2": {"stats always": True, "kept writes wait": True, "indexes first": True},
    "firebase": {"late completions": True, "named aborts": True, "states inclusion": True},
}
"""What differs between the families of clients."""

DIFFERENCES = {name for profile in PROFILES.values() for name in profile}


class Listener:
    """A registration; the application keeps it to remove it, also from inside its callbacks.

    `on_event(type, snapshot, previous key)` is called without the key where there is none, and
    `on_cancel(error)` when the server ends it.
    """

    def __init__(self, on_event, on_cancel):
        self.on_event, self.on_cancel = on_event, on_cancel
        self.registration = self.path = self.query = None


def outside(method):
    """Marks what is called from outside. What it has to tell waits until it is done, so that callbacks
    find the client settled and can call it again."""
    def called(self, *arguments, **options):
        self.depth += 1
        try:
            return method(self, *arguments, **options)
        finally:
            self.depth -= 1
            self._finish()
    return called


class Client(Connection, Requests, Writing, Storing):
    """One instance with its own connection and local copy.

    Paths are tuples of keys, values are nodes (see tree.py). Calls raise Refusal for arguments that
    the database does not take, and tell their end by `done(error)`.
    """

    def __init__(self, env, profile, host, storage=None, cache_bytes=None):
        Connection.__init__(self)
        self.env, self.host = env, host
        self.profile = dict.fromkeys(DIFFERENCES, False)
        self.profile.update(PROFILES[profile])
        self.tree, self.info = LocalTree(), LocalTree()
        self.listens, self.promised = Listens(), Promises()
        self.puts, self.on_disconnects, self.answered_on_disconnects = [], [], []
        self.transactions, self.credentials, self.synced, self.gets = [], [], [], []
        self.expected, self.last_request, self.last_number = {}, 0, 0
        self.token, self.gate = None, "open"
        self.time_offset = 0
        self.queue, self.next_turn, self.late = [], [], []
        self.due, self.depth, self.is_calling_back = [], 0, False
        self.push_ids = PushIds()
        self._tell(CONNECTED, False)
        self._recall(storage or {}, cache_bytes)
        self._connect()
        self._finish()

    # What happens to it

    @outside
    def connection_opened(self):
        if self.state == CONNECTING:
            self._opened()

    @outside
    def connection_ended(self):
        """The connection is gone, or could not be made."""
        if self.state >= CONNECTING:
            self._lose_connection()

    @outside
    def message_received(self, message):
        if self._is_up:
            self._feel_pulse()
            self._receive(message)

    @outside
    def timer_fired(self, timer):
        if timer == BACK_OFF:
            self._connect()
        elif timer == KEEP_ALIVE:
            self._take_pulse()
        else:
            turn, self.next_turn = self.next_turn, []
            for action in turn:
                action()

    # Listening

    @outside
    def listen(self, path, query, events, listener, once=False):
        query = self._checked(path, query)
        listener.path, listener.query = path, query
        if path[:1] == (".info",):
            registered = self.info.register(listener, path, query, events, once)
        else:
            registered = self._register_and_listen(listener, path, query, events, once)
        listener.registration, events = registered
        self._raise(events)

    @outside
    def unlisten(self, listener, path=None):
        """With a path: as a handle that is used there, which must be where it is registered."""
        if listener and (path is None or path == listener.path):
            self._stop_listening(listener)
            self._withdraw(lambda other: other is listener)

    def _withdraw(self, is_meant):
        """What is due to a listener that is removed from inside a callback is dropped."""
        self.due = [each for each in self.due if not (each[0] and is_meant(each[0]))]

    def _stop_listening(self, listener):
        registration, listener.registration = listener.registration, None
        if registration:
            self._stop_watching(registration)
            self.info.remove_registrations(lambda view, other: other is registration)

    @outside
    def unlisten_all(self, path, query=ALL):
        """Exactly at the place; with a query, that query alone."""
        query = self._checked(path, query)

        def is_removed(view, registration):
            return (view.path == path and registration.listener is not None
                    and (query == ALL or view.query == query))

        for view in self.tree.views + self.info.views:
            for registration in view.registrations:
                if is_removed(view, registration):
                    registration.listener.registration = None
        self.info.remove_registrations(is_removed)
        self._remove_registrations(is_removed)
        self._withdraw(lambda l: l.path == path and (query == ALL or l.query == query))

    @outside
    def get(self, path, query, on_value, on_error):
        """Reads once from the server, without listening: `on_value(snapshot)`. What is local is
        answered at once."""
        query = self._checked(path, query)
        if path[:1] == (".info",):
            node = query.window(self.info.latest(path)).node
            self._owe(None, on_value, self._snapshot(path, node, query))
            return

        def done(status, node):
            if status == "ok":
                self._owe(None, on_value, self._snapshot(path, node, query))
            else:
                self._owe(None, on_error, status)

        self.gets.append((path, query, done))
        if self._is_ready:
            self._transmit_get(self.gets[-1])

    @outside
    def keep_synced(self, path, query=ALL, on=True):
        """Holds a listen that no listener needs. Calls are not counted: the last one decides."""
        query = self._checked(path, query)
        if path[:1] == (".info",):
            return
        held = [s for s in self.synced if s[0] == path and s[1] == query]
        if on and not held:
            registration, _ = self._register_and_listen(None, path, query, ())
            self.synced.append((path, query, registration))
        elif held and not on:
            self.synced.remove(held[0])
            self._stop_watching(held[0][2])

    def _checked(self, path, query):
        if is_bad_path(path):
            raise Refusal("invalid_path")
        query.check()
        query.stays_within_kind = self.profile["stays within kind"]
        return query

    # Writing

    @outside
    def set(self, path, node, done=None):
        self._check(path, node)
        self._set(path, node, done)

    @outside
    def set_priority(self, path, priority, done=None):
        self._check(path, Node(True, None, priority))
        self._set(path + (".priority",), EMPTY if priority is None else Node(priority), done)

    @outside
    def update(self, path, parts, done=None):
        """`parts` are pairs of a relative path and a node."""
        self._check(path)
        check_update(path, parts)
        self._update(path, parts, done)

    @outside
    def push(self, path, node=None, done=None, on_key=None):
        """Makes a key in the order of time, tells it, and writes the node there if one is given."""
        self._check(path, node or EMPTY)
        key = self.push_ids.next(self._clock() + self.time_offset, self.env.random)
        on_key(key)
        if node is not None:
            self._set(path + (key,), node, done)

    @outside
    def transaction(self, path, update, done=None, local_events=True, constant=EMPTY):
        """`update(value)` returns the new value or ABORT; `done(error, committed, snapshot)`.

        A `constant` is what it may write whatever it finds: seen to be wrong before it runs.
        """
        self._check(path, constant)
        self._run_transaction(path, update, done, local_events)

    @outside
    def on_disconnect_set(self, path, node, done=None):
        self._check(path, node)
        self._on_disconnect("o", path, node.json(), [(path, node)], done)

    @outside
    def on_disconnect_update(self, path, parts, done=None):
        self._check(path)
        check_update(path, parts)
        data = {"/".join(below): node.json() for below, node in parts}
        self._on_disconnect("om", path, data, [(path + b, node) for b, node in parts], done)

    @outside
    def on_disconnect_cancel(self, path, done=None):
        self._check(path)
        self._on_disconnect("oc", path, None, None, done)

    def _check(self, path, node=EMPTY):
        if is_bad_path(path):
            raise Refusal("invalid_path")
        check_write(path, node)

    # The rest

    @outside
    def go_offline(self):
        self._go_offline()

    @outside
    def go_online(self):
        self._go_online()

    @outside
    def authenticate(self, token, done=None):
        self._authenticate(token, done)

    # Inside

    def _clock(self):
        return int(self.env.now() // 1)

    def _next_number(self):
        self.last_number += 1
        return self.last_number

    def _raise(self, events=()):
        """Raises everything that is owed, oldest first, and `events` after it."""
        self.queue += events
        while self.queue:
            owed, self.queue = self.queue, []
            for index in range(len(owed)):
                self._raise_one(owed, index)

    def _raise_one(self, owed, index):
        """A single read is over before it is called, and is called after all other listeners of
        its place."""
        event, owed[index] = owed[index], None
        if event is None or event.registration.listener is None:
            return
        listener = event.registration.listener
        if event.registration.is_once:
            if listener.registration is not event.registration:
                return
            self._stop_listening(listener)
            for later in range(index + 1, len(owed)):
                if owed[later] and owed[later].place == event.place:
                    self._raise_one(owed, later)
        type, key, node, previous = event.change
        path = event.place if type == VALUE else event.place + (key,)
        snapshot = self._snapshot(path, node, event.query if type == VALUE else ALL)
        previous = [] if previous is NO_PREVIOUS else [previous]
        self._owe(listener, listener.on_event, type, snapshot, *previous)

    def _owe(self, listener, callback, *arguments):
        self.due.append((listener, callback, arguments))

    def _complete(self, done, *outcome):
        if done and self.profile["late completions"]:
            self.late.append((None, done, outcome))
        elif done:
            self._owe(None, done, *outcome)

    def _in_next_turn(self, action):
        """Puts something off until everything else of this instant is done."""
        if not self.next_turn:
            self.env.set_timer(NEXT_TURN, 0, "other")
        self.next_turn.append(action)

    def _finish(self):
        """The end of what comes from outside. Callbacks are called one after the other: what one of
        them causes waits behind what is due already."""
        if self.depth:
            return
        self.due += self.late
        self.late = []
        if self.memory.keeps_data or self.memory.is_stale:
            self._store_changes()
        if self.is_calling_back:
            return
        self.is_calling_back = True
        try:
            while self.due:
                _, callback, arguments = self.due.pop(0)
                callback(*arguments)
        finally:
            self.is_calling_back = False
