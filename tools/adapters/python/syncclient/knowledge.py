"""What a view believes the server has at its place."""

from .tree import EMPTY

EVERYTHING = object()
"""The reach of a change that is not confined to some children."""


class Knowledge:
    """The data. A child that is missing is empty or unknown; `knows` states which."""

    def __init__(self, node=EMPTY, is_complete=False, is_narrow=False, is_recalled=False):
        self.node = node
        self.is_complete = is_complete
        """Whether the whole place is known, or at least the whole window of the query."""
        self.is_narrow = is_narrow
        """Whether only the window is known: what lies outside is unknown, not empty."""
        self.is_presumed = False
        """Whether what lies outside is only taken for empty: the server sent nothing."""
        self.fragments = set()
        """Children of which others must not rely on the rest: only something inside was told."""
        self.absent = []
        """Children that the server has said are not there, although not all is known."""
        self.claim = None
        """What the last listen sent to the server as its hash, until that is answered."""
        self.is_answered_by_data = False
        self.is_recalled = is_recalled
        """Whether the data were kept from before, and the server has not answered a listen since."""
        self.has_gaps = False
        """Whether children left a full window otherwise than by data for its query."""

    def knows(self, key):
        return (self.is_complete and not self.is_narrow) or not self.node.child(key).is_empty

    def complete_data(self, path, query):
        """The data below `path`, if all of it is known."""
        if not self.is_complete:
            return None
        if query.filters:
            if not path or self.node.child(path[0]).is_empty or path[0] in self.fragments:
                return None
        return self.node.at(path)

    # Listens and their answers

    def claim_node(self):
        self.claim = self.node
        self.is_answered_by_data = False

    def share_claim(self, other):
        """Takes part in the listen of another view."""
        self.claim, self.is_answered_by_data = other.claim, other.is_answered_by_data

    def accept(self, sets, query):
        """The server has accepted a write of the client: what was kept is older than that."""
        if not self.is_recalled:
            return
        was_full = self._is_full(query)
        for path, data in sets:
            if len(path) < 2 or self.knows(path[0]):
                self.node = self.node.setting(path, data)
        if self.is_narrow:
            self.node = query.window(self.node).node
        self._note_gaps(query, was_full)

    def _note_gaps(self, query, was_full):
        if was_full and self.is_narrow and not self._is_full(query):
            self.has_gaps = True

    def complete(self, is_for_all, query):
        """The server answered its listen or one for all: what it did not send is as claimed."""
        if not self.is_complete:
            # What lies outside a range may be there.
            self.is_narrow = not is_for_all and query.has_range
            self.is_presumed = not is_for_all and not self.is_narrow
        self.is_complete = True
        self.is_recalled = self.has_gaps = False

    def settle_claim(self):
        """What the server has agreed to; None if it sent data instead."""
        claim, self.claim = self.claim, None
        return None if self.is_answered_by_data else claim

    def take(self, agreed):
        """The server has agreed that this is all: what says otherwise is older."""
        self.node = agreed
        self.is_narrow = self.is_presumed = False
        self.fragments, self.absent = set(), []

    def forget_outside(self, key, query):
        """A child outside the window was written; once it has answered, the server does not tell of
        it."""
        if self.claim is None and not self.is_narrow and not self.node.child(key).is_empty:
            if query.window(self.node).node.child(key).is_empty:
                self.node = self.node.with_child(key, EMPTY)
                self.is_presumed = True

    def take_window(self, agreed, query):
        if query.window(self.node).node != query.window(agreed).node:
            self.node = agreed

    # Data

    def put(self, data, path, query, is_for_all):
        """The server sends `data` for `path`.

        Returns the keys of the children that it reached, EVERYTHING, or None when the data are
        about something unknown and were not kept.
        """
        if not path:
            self.is_narrow = not is_for_all
            self.node = query.window(data).node if self.is_narrow else data
            self.is_complete = self.is_answered_by_data = True
            self.is_presumed = self.is_recalled = self.has_gaps = False
            self.fragments, self.absent = set(), []
            return EVERYTHING
        return self._change([(path, data)], query, is_for_all)

    def merge(self, changes, query, is_for_all):
        """The server sends that all of `changes` happened at once."""
        if self.node.is_empty and not self.is_complete:
            return None
        return self._change(changes, query, is_for_all)

    def _change(self, changes, query, is_for_all):
        """A change deep inside an unknown child is left out: the rest of that child is not known."""
        narrows_now = not is_for_all and not self.is_narrow
        new = query.window(self.node).node if narrows_now else self.node
        reached = []
        whole = {path[0] for path, _ in changes if len(path) == 1}
        for path, data in changes:
            key = path[0]
            if key not in whole and not self.knows(key):
                continue
            self._note(path, data)
            new = new.setting(path, data)
            if key not in reached:
                reached.append(key)
        if not reached:
            return None
        self.is_narrow = not is_for_all or self.is_narrow
        self._note_emptied(reached, new)
        was_full = self._is_full(query)
        self.node = query.window(new).node if self.is_narrow else new
        if is_for_all:
            self._note_gaps(query, was_full)
        else:
            self.has_gaps = False
        self._forget_hidden(query, is_for_all)
        return reached

    def forget_absent(self, is_kept):
        self.absent = [key for key in self.absent if is_kept(key)]

    def _forget_hidden(self, query, is_for_all):
        """What has left a window may be there nevertheless, unless the window has room for all."""
        if not is_for_all and (self._is_full(query) or query.has_range):
            self.absent = []

    def _is_full(self, query):
        return query.limit is not None and len(self.node.children) >= query.limit

    def holds_all(self, query):
        """Whether the server has sent a window that has room for more than it has."""
        return self.is_complete and not self._is_full(query) and not self.has_gaps

    def knows_all(self, query):
        """Whether these are all data of the place: a window without bounds that has room for more
        leaves nothing out."""
        is_whole = not self.is_narrow or not query.has_range and self.holds_all(query)
        return self.is_complete and is_whole

    def _note_emptied(self, keys, new):
        """Notes which of these children have lost their last leaf: they are not there."""
        for key in keys:
            if new.child(key).is_empty and key not in self.fragments:
                self.absent.append(key)

    def _note(self, path, data):
        """Notes what data of a child say besides themselves."""
        self.forget_absent(lambda key: key != path[0])
        if len(path) == 1 and data.is_empty:
            self.absent.append(path[0])
        if len(path) == 1:
            self.fragments.discard(path[0])
        elif self.is_presumed and self.node.child(path[0]).is_empty:
            self.fragments.add(path[0])
