"""What the application does inside its callbacks. Kennel says it in advance, with the operation `on`.

An adapter reports what its client does with `emit`, and in a callback that is where it happens: before
`emit` returns, and so before the callback returns to the client, the calls have been made.
"""

CALLBACKS = {"event": ("listener", "listener"), "cancelled": ("cancel", "listener"),
             "completed": ("completion", "call"), "updateRan": ("function", "call")}
"""How `on` names the callback of a line, and the member of the line with the name."""


class Reactions:
    """The reactions that have not happened yet; `call` makes a call of the application."""

    def __init__(self, tell, call):
        self.tell, self.call, self.waiting = tell, call, []

    def emit(self, verb, arguments):
        self.tell(verb, arguments)
        if not self.waiting or verb not in CALLBACKS:
            return
        kind, name = CALLBACKS[verb]
        for reaction in self.waiting:
            if (reaction.get(kind) == arguments[name]
                    and reaction.get("event") in (None, arguments.get("type"))):
                reaction["nth"] = reaction.get("nth", 1) - 1
        now = [reaction for reaction in self.waiting if reaction.get("nth") == 0]
        self.waiting = [reaction for reaction in self.waiting if reaction.get("nth") != 0]
        for reaction in now:
            for call in reaction["do"]:
                self.tell("calling", {"call": call["id"]})
                self.call(call)
                self.tell("returned", {"call": call["id"]})
