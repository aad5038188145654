"""One query at one place, and what is shown of it."""

from collections import namedtuple

from .knowledge import EVERYTHING, Knowledge
from .query import NOTHING
from .tree import EMPTY

Registration = namedtuple("Registration", "token listener events is_once")
Raised = namedtuple("Raised", "registration place change query")

CREATED, SERVER, OTHERS, WRITTEN, ACKNOWLEDGED, REVERTED = range(6)
"""Why a view is looked at again; the server may send data for its query, or for others."""


class View:
    """One query at one place: what the server sent about it, and what was last shown of it."""

    def __init__(self, path, query, tag):
        self.path, self.query, self.tag = path, query, tag
        self.knowledge = Knowledge()
        self.registrations = []
        self.window = NOTHING
        self.is_shown = False
        """Whether the whole window is known, so that value events are raised."""
        self.knew_all = False
        """Whether everything was known when this was looked at last."""
        self.was_whole = False
        """The same, with what pending writes covered."""

    def refresh(self, cause, sets, writes, reach, cover):
        """Computes the window again and returns what changed since it was last shown.

        `writes` are all visible pending ones as (path, node), `sets` those of the cause; `reach` states
        which children the cause reached, and matters only where not everything is known; `cover` is
        what an unfiltered listener knows of this place, if there is one.
        """
        before, was_shown = self.window, self.is_shown
        self.knowledge.forget_absent(lambda key: not before.node.child(key).is_empty)
        whole = [index for index, (path, _) in enumerate(writes) if not path]
        base = self._base(cover)
        self.was_whole = base is not None or bool(whole)
        if self.was_whole:
            value = EMPTY if base is None else base
            for path, node in writes[whole[-1] if whole else 0:]:
                value = value.setting(path, node)
            self.is_shown = True
        else:
            value = self._partial_value(cause, sets, writes, reach)
            if cause == REVERTED:
                self.is_shown = False
            self.is_shown = self.is_shown or self.knowledge.is_complete
        self.knew_all = self.knowledge.knows_all(self.query)
        self.window = self.query.window(value)
        self.knowledge.forget_absent(lambda key: any(path[:1] == (key,) for path, _ in writes))
        if cause == CREATED:
            return []
        return self.window.changes_since(before, self.query, was_shown, self.is_shown)

    def _base(self, cover):
        """All of the server's data here, as far as they are known."""
        if cover is not None and self.knowledge.is_narrow:
            return cover
        return self.knowledge.node if self.knowledge.knows_all(self.query) else cover

    def _partial_value(self, cause, sets, writes, reach):
        """Where not everything is known: the known children with the writes on top; what neither
        the server nor a write determines stays as it was last shown."""
        starts_afresh = reach is EVERYTHING and (
            cause in (CREATED, REVERTED) or self.knowledge.is_complete)
        # What was written below a child that was not there is a part of it as soon as there may be
        # more. The server's data for a window, or a window that has room, leave nothing to guess: only
        # a pending write can show more.
        says_all = cause == SERVER and self.knowledge.is_complete
        is_all = self.knew_all or self.knowledge.holds_all(self.query) or says_all
        value = EMPTY if starts_afresh or is_all else self.window.node
        known = dict(self.knowledge.node.children)
        removed = list(self.knowledge.absent)
        for path, node in writes:
            key = path[0]
            if key == ".priority":
                # On nothing it was lost, even if a later write has put something there since.
                if cause != ACKNOWLEDGED:
                    value = value.with_child(key, node)
            elif len(path) == 1:
                known[key] = node
                removed = [k for k in removed if k != key] + ([key] if node.is_empty else [])
            elif not known.get(key, EMPTY).is_empty or key in removed:
                known[key] = known.get(key, EMPTY).setting(path[1:], node)
                if known[key].is_empty:
                    removed.append(key)
        for key in [] if reach is EVERYTHING else reach:
            if known.get(key, EMPTY).is_empty and key not in removed:
                value = self._unknown_child(key, value, cause, sets)
        for key in removed:
            if known.get(key, EMPTY).is_empty:
                value = value.with_child(key, EMPTY)
        for key, node in known.items():
            if not node.is_empty and self._may_enter(key, cause, reach):
                value = value.with_child(key, node)
        return value

    def _may_enter(self, key, cause, reach):
        """Whether a known child may be shown now. While a limited window loads, none takes the place
        of another unless it has changed itself: which ones come between them is not known."""
        is_open = self.query.limit is None or self.knowledge.is_complete
        if is_open or reach is EVERYTHING:
            return True
        has_changed = cause != ACKNOWLEDGED and key in reach
        return has_changed or not self.window.node.child(key).is_empty

    def _unknown_child(self, key, value, cause, sets):
        """`value` with a child that was reached, and about which nothing is known now."""
        if value.child(key).is_empty and (not self.is_shown or self.query.filters):
            return value
        if cause in (SERVER, OTHERS, REVERTED):
            return value.with_child(key, EMPTY)
        if cause == WRITTEN:
            for path, node in sets:
                if path[0] == key:
                    value = value.setting(path, node)
        return value


def events_of(changes, view, registrations):
    """Change by change, and for each change listener by listener in order of registration."""
    return [
        Raised(registration, view.path, change, view.query)
        for change in changes
        for registration in registrations
        if change.type in registration.events
    ]
