"""Writes and transactions: shown at once, sent, and settled by the server's answer."""

from .query import ALL, VALUE
from .tree import (
    Node, Refusal, add, are_related, check_node, from_json, in_one_change, is_bad_path, key_order,
    relative, starts_with,
)
from .values import Snapshot
from .view import ACKNOWLEDGED, REVERTED
from .wire import OnDisconnectRequest, Put

MOST_ATTEMPTS = 25
RUN, SENT, OVERTAKEN, FAILED = range(4)

ABORT = object()
"""What a transaction's function returns to give up."""


class Transaction:
    """One that has not come to its end."""

    def __init__(self, path, update, done, is_shown, watch):
        self.path, self.update, self.done = path, update, done
        self.is_shown, self.watch = is_shown, watch
        self.state, self.error, self.attempts = RUN, None, 0
        self.output = self.estimate = self.write = None


class Writing:
    """The part of a client that writes."""

    def _set(self, path, node, done):
        """A transaction there that can go on runs again before the write's own events are
        raised."""
        id, events = self.tree.write(path, [(path, self._estimated(node, path))])
        self.queue += events
        self._put("p", path, node.json(), lambda status: self._finish_write(id, path, status, done))
        self._rerun_transactions(self._abort_transactions(path))
        self._raise()

    def _update(self, path, parts, done):
        """One change, however many places it names. `parts` are (relative path, node)."""
        sets = self._estimated_parts(path, parts)
        id, events = self.tree.write(path, sets)
        self.queue += events
        data = {"/".join(below): node.json() for below, node in parts}
        self._put(
            "m", path, data,
            lambda status: self._finish_write(id, path, status, done, is_update=True))
        places = [path + p for p, _ in parts] if self.profile["named aborts"] else [path]
        # All of them first, so that none runs again that another place ends.
        for place in [self._abort_transactions(place) for place in places]:
            self._rerun_transactions(place)
        self._raise()

    def _put(self, action, path, data, finish, hash=None):
        self.puts.append(Put(self._next_number(), action, path, data, finish, hash))
        if self._writes_flow:
            self._transmit_put(self.puts[-1])

    def _finish_write(self, id, path, status, done, is_update=False):
        events = self.tree.settle(id, ACKNOWLEDGED if status == "ok" else REVERTED)
        self.queue += events
        if is_update and events:
            self._rerun_transactions(path)
        self._raise()
        self._complete(done, None if status == "ok" else status)

    def _estimated(self, node, path):
        """With server values replaced by what the server will probably put there."""
        if not node.has_server_values:
            return node
        current = self.tree.latest(path, hidden=False)
        return node.resolving(add(self._clock(), self.time_offset), current)

    def _estimated_parts(self, path, parts):
        return in_one_change(
            [(path + below, self._estimated(node, path + below)) for below, node in parts])

    def _on_disconnect(self, action, path, data, sets, done):
        self._next_number()
        request = OnDisconnectRequest(action, path, data, sets, done)
        self.on_disconnects.append(request)
        if self._is_ready:
            self._transmit_on_disconnect(request)

    def _remember(self, request):
        """Does to the list of promises what the server has agreed to."""
        if request.is_remembered or request.status != "ok":
            return
        request.is_remembered = True
        if request.sets is None:
            self.promised.forget(request.path)
        else:
            for path, node in request.sets:
                self.promised.remember(path, node)

    def _finish_on_disconnect(self, request):
        self._remember(request)
        self.answered_on_disconnects.remove(request)
        self._complete(request.done, None if request.status == "ok" else request.status)

    # Transactions

    def _run_transaction(self, path, update, done, is_shown):
        watch = self._register_and_listen(None, path, ALL, (VALUE,))
        transaction = Transaction(path, update, done, is_shown, watch[0])
        input = self.tree.latest(path)
        ending = self._run(transaction, input)
        if ending:
            self._stop_watching(transaction.watch)
            self._complete(done, *ending)
            return
        transaction.write, events = self.tree.write(path, [(path, transaction.estimate)], is_shown)
        self.transactions.append(transaction)
        self._raise(events)
        self._send_ready_transactions()

    def _run(self, transaction, input):
        """Runs the function on what it finds; returns how the transaction ends, or None."""
        transaction.input = input
        try:
            result = transaction.update(input.plain(self.profile["sparse arrays"]))
        except Exception:  # The application's function may break down in any way.
            return ("usercode", False, None)
        if result is ABORT:
            return (None, False, self._snapshot(transaction.path, input))
        node = from_json(result)
        if not (isinstance(result, dict) and ".priority" in result):
            node = node.with_priority(input.priority)
        transaction.output = node
        transaction.estimate = self._estimated(node, transaction.path)
        return None

    def _snapshot(self, path, node, query=ALL):
        return Snapshot(path, node, query, self.profile["sparse arrays"])

    def _below(self, path):
        return [t for t in self.transactions if starts_with(t.path, path)]

    def _outermost_place(self, path):
        """The outermost place at or above `path` that has a transaction, or `path` itself."""
        places = [t.path for t in self.transactions if starts_with(path, t.path)]
        return min(places, key=len, default=path)

    def _send_ready_transactions(self):
        """All at and below one place go as one put, and only when none of them is on its way."""
        places = {self._outermost_place(t.path) for t in self.transactions}
        for place in sorted(places, key=path_order):
            queue = self._below(place)
            if not all(t.state == RUN for t in queue):
                continue
            # The hash vouches for what the functions saw, so they see it first.
            if self._are_outdated(queue):
                count = len(self.transactions)
                self._run_again(queue)
                if len(self.transactions) < count:
                    # Some ended instead, which may let others go.
                    return self._send_ready_transactions()
                queue = self._below(place)
            self._send_transactions(queue, place)

    def _are_outdated(self, queue):
        """Whether one of those that wait would get another input than in its last run."""
        ignored = [t.write for t in queue if t.state == RUN]
        for transaction in queue:
            if transaction.state == RUN:
                if self._input(transaction.path, ignored) != transaction.input:
                    return True
                ignored.remove(transaction.write)
        return False

    def _has_outdated_transactions(self, path):
        return self._are_outdated(self._below(self._outermost_place(path)))

    def _input(self, place, ignored):
        """What a function is given, and what the hash of its put vouches for: of what is not known
        as a whole, what transactions below it were given belongs to it."""
        input = self.tree.latest(place, ignored)
        below = {t.path for t in self._below(place) if t.path != place}
        for path in sorted(below):
            input = input.setting(relative(path, place), self.tree.latest(path, ignored))
        return input

    def _send_transactions(self, queue, place):
        base = self._input(place, [t.write for t in queue])
        data = base
        for transaction in queue:
            transaction.state = SENT
            transaction.attempts += 1
            data = data.setting(relative(transaction.path, place), transaction.output)
        self._put(
            "p", place, data.json(),
            lambda status: self._finish_transactions(queue, place, status), base.hash)

    def _finish_transactions(self, queue, place, status):
        """The server answered a put of transactions, or the connection broke under it."""
        if status == "ok":
            self._commit(queue)
            return
        for transaction in queue:
            if status != "datastale":
                transaction.state, transaction.error = FAILED, status
            elif transaction.state == OVERTAKEN:
                transaction.state, transaction.error = FAILED, "set"
            else:
                transaction.state = RUN
        self._rerun_transactions(place)

    def _commit(self, queue):
        committed = [t for t in self.transactions if t in queue]
        for transaction in committed:
            self.queue += self.tree.settle(transaction.write, ACKNOWLEDGED)
            self._stop_watching(transaction.watch)
        self.transactions = [t for t in self.transactions if t not in queue]
        self._send_ready_transactions()
        self._raise()
        for transaction in committed:
            snapshot = self._snapshot(transaction.path, transaction.estimate)
            self._complete(transaction.done, None, True, snapshot)

    def _rerun_transactions(self, changed):
        """Runs the transactions at, above and below `changed` again, as far as they are not on
        their way, and ends those that failed."""
        queue = self._below(self._outermost_place(changed))
        if queue:
            self._run_again(queue)
            self._send_ready_transactions()

    def _run_again(self, queue):
        # The results of those that run again are left out of what the earlier ones of them see.
        ignored = [t.write for t in queue if t.state == RUN]
        endings = []
        for transaction in queue:
            ending = self._rerun(transaction, ignored)
            if ending:
                endings.append((transaction, ending))
        self._raise()
        for transaction, _ in endings:
            self._in_next_turn(lambda watch=transaction.watch: self._stop_watching(watch))
        for transaction, ending in endings:
            self._complete(transaction.done, *ending)

    def _rerun(self, transaction, ignored):
        if transaction.state in (SENT, OVERTAKEN):
            return None
        if transaction.state == FAILED:
            return self._end(transaction, (transaction.error, False, None))
        if transaction.attempts >= MOST_ATTEMPTS:
            return self._end(transaction, ("maxretry", False, None))
        ending = self._run(transaction, self._input(transaction.path, ignored))
        if ending:
            return self._end(transaction, ending)
        old = transaction.write
        ignored.remove(old)
        sets = [(transaction.path, transaction.estimate)]
        transaction.write, events = self.tree.write(transaction.path, sets, transaction.is_shown)
        self.queue += events + self.tree.settle(old, REVERTED)
        return None

    def _end(self, transaction, ending):
        self.transactions.remove(transaction)
        self.queue += self.tree.settle(transaction.write, REVERTED)
        return ending

    def _abort_transactions(self, path):
        """A set reached `path`: transactions above, at and below it that are not on their way end
        now, and those that are unless the server accepts them.

        Returns the place from which transactions that go on are to run again.
        """
        start = self._outermost_place(path)
        places = sorted(
            {t.path for t in self.transactions if are_related(t.path, path)}, key=path_order)
        above = [place for place in places if len(place) < len(path)]
        for place in above[::-1] + [place for place in places if len(place) >= len(path)]:
            self._abort_transactions_at(place)
        return start

    def _abort_transactions_at(self, path):
        here = [t for t in self.transactions if t.path == path]
        ended = [t for t in here if t.state in (RUN, FAILED)]
        for transaction in here:
            if transaction.state == SENT:
                transaction.state = OVERTAKEN
        self.transactions = [t for t in self.transactions if t not in ended]
        events = []
        for transaction in ended:
            self._stop_watching(transaction.watch)
            events += self.tree.settle(transaction.write, REVERTED)
        self._raise(events)
        for transaction in ended:
            self._complete(transaction.done, "set", False, None)


def path_order(path):
    return [key_order(key) for key in path]


def check_write(path, node):
    if path[:1] == (".info",):
        raise Refusal("invalid_path")
    check_node(node, path)


def check_update(path, parts):
    """The names of an update are paths, and none may lie at or below another."""
    for index, (below, node) in enumerate(parts):
        if not below:
            raise Refusal("invalid_path")
        check_part(path + below, node)
        if any(are_related(below, other) for other, _ in parts[:index]):
            raise Refusal("invalid_path")


def check_part(place, node):
    """One part of an update. A name may end in `.priority`; what it sets is the priority."""
    is_for_priority = place[-1] == ".priority"
    owner = place[:-1] if is_for_priority else place
    if is_bad_path(owner):
        raise Refusal("invalid_path")
    if is_for_priority:
        if node.children:
            raise Refusal("invalid_value")
        node = Node(True, None, node.scalar)
    check_write(owner, node)
