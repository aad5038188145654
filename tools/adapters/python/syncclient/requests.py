"""Requests and what the server says: listens, answers, data, and who is signed in."""

import json

from .tree import from_json, in_one_change, parse_path
from .connection import READY
from .wire import outermost_views, outermost_views_below


class Credential:
    """A request about who the client is for, that the server has not answered."""

    def __init__(self, token, done):
        self.token, self.done = token, done


class Requests:
    """The part of a client that sends requests and receives messages."""

    def _transmit(self, action, body, expected=None):
        self.last_request += 1
        if expected:
            self.expected[self.last_request] = expected
        self.env.send({"t": "d", "d": {"r": self.last_request, "a": action, "b": body}})

    # Listens

    def _start_listen(self, view):
        listen = self.listens.add(view)
        if self.state == READY:
            self._send_listen(listen)

    def _stop_listen(self, view):
        listen = self.listens.find(view.path, view.query if view.query.filters else None)
        if listen:
            self.listens.remove(listen)
            if self.state == READY:
                self._transmit(
                    "n", listen.body(self.profile),
                    lambda status: listen.tag or self.tree.pass_over(listen.path))

    def _send_listen(self, listen):
        """The hash says what is here already, so that the server need not send it."""
        is_plain = listen.query is None
        path = listen.path
        views = self.tree.plain_views(path) if is_plain else [self.tree.view(path, listen.query)]
        for view in views:
            view.knowledge.claim_node()
        self._transmit(
            "q", listen.body(self.profile, views[0].knowledge.node.hash),
            lambda status: self._listen_answered(listen, status))

    def _listen_answered(self, listen, status):
        if listen not in self.listens:
            if listen.tag is None:
                self.tree.pass_over(listen.path)
        elif status != "ok":
            self.listens.remove(listen)
            self._cancel(listen.path, listen.query, status)
        elif listen.tag is None:
            self._raise(self.tree.complete_listen(listen.path))
        else:
            view = self.tree.view_tagged(listen.tag)
            self._raise(self.tree.complete_listen(listen.path, view))

    def _register_and_listen(self, listener, path, query, events, is_once=False):
        """Registers with the local tree and, where nothing covers the place yet, listens."""
        is_covered = self.tree.is_covered(path)
        earlier = self.tree.view(path, query) if query.filters else self.tree.plain_view(path)
        registered = self.tree.register(listener, path, query, events, is_once)
        if not earlier and not is_covered:
            self._start_listen(self.tree.view(path, query))
            if not query.filters:
                filtered = [v for v in self.tree.views if v.path == path and v.query.filters]
                for view in filtered + outermost_views_below(self.tree.views, path):
                    self._stop_listen(view)
        return registered

    def _remove_registrations(self, is_removed):
        """Takes registrations of one place out and makes the listens at the server fit what is left."""
        gone = self.tree.remove_registrations(is_removed)
        if not gone or self.tree.is_covered(gone[0].path):
            return
        plain = [view for view in gone if not view.query.filters][:1]
        if plain:
            for view in outermost_views(self.tree.views, gone[0].path):
                self._start_listen(view)
        for view in plain or gone:
            self._stop_listen(view)

    def _stop_watching(self, registration):
        self._remove_registrations(lambda view, other: other is registration)

    def _cancel(self, path, query, status):
        """The server will not serve a listen: all its listeners end, and receive the reason. A plain listen
        takes the filtered ones at its place with it."""
        def is_meant(view, registration=None):
            return view.path == path and (query is None or view.query == query)

        listeners = [
            registration.listener
            for view in self.tree.views if is_meant(view)
            for registration in view.registrations if registration.listener
        ]
        self._remove_registrations(is_meant)
        self.synced = [s for s in self.synced if s[0] != path or (query and s[1] != query)]
        if self.tree.kept:
            self.tree.kept.forget(path)
        for listener in listeners:
            listener.registration = None
            self._owe(listener, listener.on_cancel, status)

    # Writes

    @property
    def _is_ready(self):
        return self.state == READY

    @property
    def _writes_flow(self):
        """Whether a write that is made now goes out now."""
        return self.state == READY and self.gate == "open"

    def _transmit_put(self, put):
        put.is_sent = True
        self._transmit(put.action, put.body(), lambda status: self._put_answered(put, status))

    def _put_answered(self, put, status):
        self.puts.remove(put)
        put.finish(status)

    def _transmit_on_disconnect(self, request):
        def answered(status):
            self.on_disconnects.remove(request)
            request.status = status
            self.answered_on_disconnects.append(request)
            self._in_next_turn(lambda: self._finish_on_disconnect(request))

        self._transmit(request.action, request.body(), answered)

    # Single reads

    def _transmit_get(self, get):
        """Asks what the server has, again on each connection until it has answered."""
        path, query, done = get

        def answered(status):
            self.gets.remove(get)
            done(status, from_json(self.payload))

        body = {"p": "/" + "/".join(path), "q": query.wire(self.profile["states inclusion"])}
        self._transmit("g", body, answered)

    # Who is signed in

    def _authenticate(self, token, done):
        """Without a token no user is signed in from now on, whatever the server answers."""
        if token is None:
            self._set_token(None)
        self._next_number()
        request = Credential(token, done)
        self.credentials.append(request)
        if self.state == READY:
            self._transmit_credential(request)

    def _set_token(self, token):
        if self.token != token:
            self.token = token
            self.memory.is_stale = True

    def _transmit_credential(self, request):
        answered = self._credential_answered
        if request.token is None:
            self._transmit("unauth", {}, lambda status: answered(request, status))
        else:
            body = {"cred": request.token}
            self._transmit("auth", body, lambda status: answered(request, status))

    def _introduce(self):
        """A new connection is told first who it is for. Where writes are kept, they wait for the
        answer, since they would be refused and lost if the credential has expired meanwhile."""
        for request in self.credentials:
            self._transmit_credential(request)
        if self.token is None:
            return
        if not self.credentials:
            self._transmit_credential(Credential(self.token, None))
        if self._holds_kept_writes:
            self.gate = "awaiting answer"

    @property
    def _holds_kept_writes(self):
        return self.memory.keeps_data and self.profile["kept writes wait"]

    def _credential_answered(self, request, status):
        if request in self.credentials:
            self.credentials.remove(request)
        signs_out = any(later.token is None for later in self.credentials)
        if status == "ok" and not signs_out:
            self._set_token(request.token)
        if request.token is not None:
            self._admit_writes(status)
        self._complete(request.done, None if status == "ok" else status)

    def _admit_writes(self, status):
        if status != "ok":
            if self.gate == "awaiting answer":
                self.gate = "paused"
            self._set_token(None)
        elif self.gate != "open":
            self.gate = "open"
            for put in [put for put in self.puts if not put.is_sent]:
                self._transmit_put(put)

    def _credential_revoked(self):
        """The server takes the credential back. Firebase clients come again without it."""
        if self._holds_kept_writes and self.token is not None:
            self.gate = "paused"
        self._set_token(None)
        if self.profile["states inclusion"]:
            self.env.disconnect()
            self._lose_connection()

    # What the server says

    def _receive(self, message):
        content = message.get("d")
        if message.get("t") == "c":
            self._receive_control(content.get("t"), content.get("d"))
        elif "r" in content:
            expected = self.expected.pop(content["r"], None)
            self.payload = content["b"].get("d")
            if expected:
                expected(content["b"]["s"])
        else:
            self._receive_data(content.get("a"), content.get("b"))

    def _receive_control(self, kind, payload):
        if kind == "h":
            self._become_ready(payload)
        elif kind == "s":
            self.env.log("the server shut the connection down: %s" % payload)
            self._go_offline()
        elif kind == "r":
            self._follow(payload)

    def _receive_data(self, action, body):
        if action == "ac":
            self._credential_revoked()
        elif action == "c":
            self._revoke(parse_path(body["p"]), body.get("q"))
        else:
            only = None
            if "t" in body:
                only = self.tree.view_tagged(body["t"])
                if only is None:
                    return
            path = parse_path(body["p"])
            if action == "d":
                events = self.tree.put(from_json(body["d"]), path, only)
            else:
                sets = [(path + parse_path(k), from_json(v)) for k, v in body["d"].items()]
                events = self.tree.merge(in_one_change(sets), path, only)
            # Transactions that saw other data run again before the data raise events, also where
            # pending writes cover the data so that they raise none.
            self.queue += events
            if events or self._has_outdated_transactions(path):
                self._rerun_transactions(path)
            self._raise()

    def _revoke(self, path, queries):
        """The server ended listens. Their listeners end, unless other listens serve them by now."""
        for fields in queries or [None]:
            for listen in self.listens.at(path):
                if has_same_text(listen.body(self.profile).get("q"), fields):
                    self.listens.remove(listen)
                    self._cancel(path, listen.query, "permission_denied")


def has_same_text(a, b):
    """Unlike in Python, true is no number in a query."""
    return json.dumps(a, sort_keys=True) == json.dumps(b, sort_keys=True)
