"""The local tree: all views, with the pending writes on top.

Nothing is ever patched: after each change every view that it can reach computes its window anew
and raises the difference.
"""

from collections import namedtuple

from .knowledge import EVERYTHING, Knowledge
from .tree import EMPTY, are_related, relative, starts_with, text_order
from .view import ACKNOWLEDGED, CREATED, OTHERS, SERVER, WRITTEN, Registration, View, events_of

Write = namedtuple("Write", "id path sets is_visible")


def seen_from(sets, place):
    """What sets by absolute path do at `place` or below it, by paths relative to it."""
    seen = []
    for path, node in sets:
        if path[: len(place)] == place:
            seen.append((path[len(place):], node))
        elif place[: len(path)] == path:
            seen.append(((), node.at(place[len(path):])))
    return seen


class LocalTree:
    """The local copy of the database. Every operation returns the events that it owes."""

    def __init__(self):
        self.views = []
        """In order of creation: queries at one place are served oldest first."""
        self.writes = []
        """In order of issue."""
        self.kept = None
        """What is kept of the server's data over the end of listeners and process."""
        self._last_tag = self._last_write = self._last_token = 0

    # Looking

    def view(self, path, query):
        return next((v for v in self.views if v.path == path and v.query == query), None)

    def view_tagged(self, tag):
        return next((v for v in self.views if v.tag == tag), None)

    def plain_views(self, path):
        return [v for v in self.views if v.path == path and not v.query.filters]

    def plain_view(self, path):
        return next(iter(self.plain_views(path)), None)

    def is_covered(self, path):
        """Whether an unfiltered query is listened to at `path` or above."""
        return any(not v.query.filters and starts_with(path, v.path) for v in self.views)

    def server_data(self, path):
        """What the server has at `path`, if some view at or above it knows; outermost first. With
        whether that was kept, and the server has not answered yet."""
        above = [view for view in self.views if starts_with(path, view.path)]
        for view in sorted(above, key=lambda view: len(view.path)):
            data = view.knowledge.complete_data(path[len(view.path):], view.query)
            if data is not None:
                return data, view.knowledge.is_recalled
        return self.kept.data(path) if self.kept else None, True

    def latest(self, path, ignored=(), hidden=True):
        """What the server has at `path` with the pending writes on top, except `ignored`."""
        node = self.server_data(path)[0] or EMPTY
        for write in self.writes:
            if write.id not in ignored and (write.is_visible or hidden):
                for place, data in seen_from(write.sets, path):
                    node = node.setting(place, data)
        return node

    # Listeners

    def register(self, listener, path, query, events, is_once=False):
        """Returns the registration, and the events that show it what is known already."""
        view = self.view(path, query) or self._create(path, query)
        self._last_token += 1
        registration = Registration(self._last_token, listener, events, is_once)
        view.registrations.append(registration)
        initial = view.window.initial_changes(view.is_shown)
        return registration, events_of(initial, view, [registration])

    def _create(self, path, query):
        if query.filters:
            self._last_tag += 1
        view = View(path, query, self._last_tag if query.filters else None)
        data, is_recalled = self.server_data(path)
        window = self.kept.window(query, path) if self.kept else None
        if data is not None:
            view.knowledge = Knowledge(data, True, False, is_recalled)
        elif window is not None:
            view.knowledge = Knowledge(window, True, True, True)
        else:
            view.knowledge.node = self._known_children(path)
        if not query.filters and self.plain_view(path):
            view.knowledge.share_claim(self.plain_view(path).knowledge)
        self.views.append(view)
        self._refresh(view, CREATED, EVERYTHING)
        return view

    def _known_children(self, path):
        """The children of `path` that are known because they are listened to themselves."""
        node = EMPTY
        for view in self.views:
            if len(view.path) == len(path) + 1 and starts_with(view.path, path):
                data = view.knowledge.complete_data((), view.query)
                if data is not None:
                    node = node.with_child(view.path[-1], data)
        return node

    def remove_registrations(self, is_removed):
        """Takes out registrations, and views without any are left; returns these views."""
        gone = []
        for view in self.views:
            view.registrations = [r for r in view.registrations if not is_removed(view, r)]
            if not view.registrations:
                gone.append(view)
                if self.kept:
                    self.kept.retire(view)
        self.views = [view for view in self.views if view.registrations]
        return gone

    # Writes

    def write(self, path, sets, is_visible=True):
        self._last_write += 1
        write = Write(self._last_write, path, sets, is_visible)
        self.writes.append(write)
        return write.id, self._refresh_written(write, WRITTEN) if is_visible else []

    def settle(self, id, cause):
        """Takes a write out, because the server answered it or it is given up."""
        index = next(i for i, write in enumerate(self.writes) if write.id == id)
        write = self.writes.pop(index)
        if cause == ACKNOWLEDGED:
            if not self._is_served(write.path):
                if self.kept:
                    self.kept.overwrite(write.sets)
                for view in self.views:
                    view.knowledge.accept(seen_from(write.sets, view.path), view.query)
            self._forget_outside_windows(write)
        if not write.is_visible:
            return []
        # What a later write covers completely was not to be seen and leaves no trace.
        later = [each for w in self.writes[index:] if w.is_visible for each in w.sets]
        covers = [(path, node) for path, node in later if starts_with(write.path, path)]
        if not covers:
            return self._refresh_written(write, cause)
        # But a removal below a scalar covers nothing once the scalar is back.
        if any(not node.at(write.path[len(path):]).is_empty for path, node in covers):
            return []
        whole = [view for view in self._visit_order(write.path) if view.was_whole]
        return [e for view in whole for e in self._refresh(view, ACKNOWLEDGED, [])]

    def _is_served(self, path):
        """Whether an answered listen brings all of `path`: the server has said what came of a write."""
        return any(
            not v.query.filters and v.knowledge.is_complete and not v.knowledge.is_recalled
            for v in self.views if starts_with(path, v.path))

    def _forget_outside_windows(self, write):
        for view in self.views:
            if view.query.filters and not self.is_covered(view.path):
                for path, _ in seen_from(write.sets, view.path):
                    if path:
                        view.knowledge.forget_outside(path[0], view.query)

    def _refresh_written(self, write, cause):
        events = []
        for view in self._visit_order(write.path):
            sets = seen_from(write.sets, view.path)
            is_whole = any(not path for path, _ in sets)
            reach = EVERYTHING if is_whole else [path[0] for path, _ in sets]
            if sets:
                events += self._refresh(view, cause, reach, sets)
        return events

    # What the server says

    def put(self, data, path, only=None):
        """The server sends `data` for `path`; with a view, for that view alone."""
        def learn(view):
            below = relative(view.path, path)
            if below is not None:
                return view.knowledge.put(data.at(below), (), view.query, only is None)
            below = relative(path, view.path)
            return view.knowledge.put(data, below, view.query, only is None)

        return self._apply(path, only, learn)

    def merge(self, sets, path, only=None):
        """The server sends that all of `sets`, by absolute path, happened at once."""
        def learn(view):
            above = [(p, node) for p, node in sets if starts_with(view.path, p)]
            if above:
                data = above[-1][1].at(view.path[len(above[-1][0]):])
                return view.knowledge.put(data, (), view.query, only is None)
            below = [(relative(p, view.path), n) for p, n in sets if starts_with(p, view.path)]
            return view.knowledge.merge(below, view.query, only is None) if below else None

        return self._apply(path, only, learn)

    def pass_over(self, path):
        """The server answered a listen at `path` that has ended, or its end: data that came were
        not those of listens that are still to be answered."""
        for view in self.views:
            if starts_with(view.path, path):
                view.knowledge.is_answered_by_data = False

    def complete_listen(self, path, only=None):
        """The server answered a listen: what it did not send is as the client has it."""
        askers = [only] if only else self.plain_views(path)
        agreed = [view.knowledge.settle_claim() for view in askers][0]

        def learn(view):
            below = relative(path, view.path)
            if below:
                is_reached = view.knowledge.knows(below[0]) or len(below) == 1
                return [below[0]] if is_reached else None
            inside = relative(view.path, path)
            if agreed is not None and only is None:
                view.knowledge.take(agreed.at(inside))
            elif agreed is not None:
                view.knowledge.take_window(agreed, view.query)
            view.knowledge.complete(only is None, view.query)
            return EVERYTHING

        return self._apply(path, only, learn)

    def _apply(self, path, only, learn):
        """Lets every view learn first, then looks at each again: one message is one change."""
        reached = []
        for view in [only] if only else self._visit_order(path):
            reach = learn(view)
            if reach is None and self._cover(view) is not None:
                reach = EVERYTHING
            if reach is not None:
                reached.append((view, reach))
        cause = SERVER if only else OTHERS
        return [e for view, reach in reached for e in self._refresh(view, cause, reach)]

    # Recomputing

    def _refresh(self, view, cause, reach, sets=()):
        writes = []
        for write in self.writes:
            if write.is_visible:
                writes += seen_from(write.sets, view.path)
        changes = view.refresh(cause, sets, writes, reach, self._cover(view))
        return events_of(changes, view, view.registrations)

    def _cover(self, view):
        """What an unfiltered listener at or above this place knows of it. It lacks nothing, while
        what is sent for another query alone is missing in a window."""
        above = [v for v in self.views if not v.query.filters and starts_with(view.path, v.path)]
        known = [v for v in above if v.knowledge.is_complete]
        best = min(known, key=lambda v: len(v.path), default=None)
        return best and best.knowledge.node.at(view.path[len(best.path):])

    def _visit_order(self, path):
        """The views that a change at `path` can reach, in the order in which they are told: below
        it first, siblings in the order of their text, then the place, then up to the root."""
        related = [view for view in self.views if are_related(view.path, path)]
        return sorted(related, key=lambda v: [(0, text_order(k)) for k in v.path] + [(1,)])
