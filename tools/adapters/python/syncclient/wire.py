"""What is asked of the server: listens, writes, and what it is to do on disconnection."""

from .query import ALL
from .tree import key_order, relative


class Listen:
    """A listen as the server knows it. A query that only orders is listened to plainly."""

    def __init__(self, view):
        self.path = view.path
        self.query = view.query if view.query.filters else None
        self.tag = view.tag

    def body(self, profile, hash=None):
        body = {"p": "/" + "/".join(self.path)}
        if self.query:
            body["q"] = self.query.wire(profile["states inclusion"])
            body["t"] = self.tag
        if hash is not None:
            body["h"] = hash
        return body


class Listens:
    """The listens that the server has, or will have once there is a connection."""

    def __init__(self):
        self._places = {}

    def in_restore_order(self):
        """Place by place, the place with the oldest listen first."""
        return [listen for listens in self._places.values() for listen in listens]

    def at(self, path):
        return list(self._places.get(path, ()))

    def __contains__(self, listen):
        return listen in self.at(listen.path)

    def add(self, view):
        listen = Listen(view)
        self._places.setdefault(view.path, []).append(listen)
        return listen

    def find(self, path, query):
        return next((l for l in self.at(path) if l.query == query), None)

    def remove(self, listen):
        listens = self._places[listen.path]
        listens.remove(listen)
        if not listens:
            del self._places[listen.path]


class Put:
    """A write that the server has not answered; `finish(status)` ends it."""

    def __init__(self, number, action, path, data, finish, hash=None):
        self.number, self.action, self.path, self.data = number, action, path, data
        self.finish, self.hash = finish, hash
        self.is_sent = False

    @property
    def is_transaction(self):
        return self.hash is not None

    def body(self):
        body = {"p": "/" + "/".join(self.path), "d": self.data}
        if self.hash is not None:
            body["h"] = self.hash
        return body


class OnDisconnectRequest:
    """One that the server has not answered. `sets` are (path, node); None means to cancel."""

    def __init__(self, action, path, data, sets, done):
        self.action, self.path, self.data, self.sets, self.done = action, path, data, sets, done
        self.is_remembered = False
        self.status = None

    def body(self):
        return {"p": "/" + "/".join(self.path), "d": self.data}


class Promises:
    """What the server has promised to do on disconnection: the client does it locally as well.

    A tree whose leaves are nodes; an operation below one changes it, and one above swallows it.
    """

    def __init__(self):
        self._root = {}

    def remember(self, path, node):
        self._root = self._with(self._root, path, node)

    def _with(self, branch, path, node):
        if not path:
            return node
        if not isinstance(branch, dict):
            return branch.setting(path, node)
        branch[path[0]] = self._with(branch.get(path[0], {}), path[1:], node)
        return branch

    def forget(self, path):
        """Forgets what is to happen at `path` and below; of an operation above, that part alone."""
        self._root = self._without(self._root, path) or {}

    def _without(self, branch, path):
        if not path:
            return None
        if not isinstance(branch, dict):
            if branch.scalar is not None:
                return branch
            branch = {key: branch.child(key) for key in ALL.sorted(branch.children)}
        if path[0] in branch:
            rest = self._without(branch[path[0]], path[1:])
            if rest is None:
                del branch[path[0]]
            else:
                branch[path[0]] = rest
        return branch or None

    def take_all(self, indexes_first):
        """Everything that is remembered, in order, as (path, node); nothing is afterwards."""
        root, self._root = self._root, {}
        return self._all(root, (), indexes_first)

    def _all(self, branch, path, indexes_first):
        if not isinstance(branch, dict):
            return [(path, branch)]
        keys = list(branch)
        if indexes_first:
            numbers = [key for key in keys if is_index(key)]
            keys = sorted(numbers, key=key_order) + [key for key in keys if key not in numbers]
        return [x for key in keys for x in self._all(branch[key], path + (key,), indexes_first)]


def is_index(key):
    return key.isascii() and key.isdigit() and (len(key) == 1 or key[0] != "0")


def outermost_views(views, path):
    """The views that would need listens of their own if nothing covered `path`: at each place a
    plain one hides all others there and below."""
    here = [view for view in views if view.path == path]
    plain = [view for view in here if not view.query.filters]
    return plain[:1] or here + outermost_views_below(views, path)


def outermost_views_below(views, path):
    below = [v for v in views if len(v.path) > len(path) and relative(v.path, path)]
    keys = sorted({view.path[len(path)] for view in below}, key=key_order)
    return [view for key in keys for view in outermost_views(below, path + (key,))]
