"""What somebody would write with Hypothesis who has no kit: a stateful test of a small sync client.

Two clients with a flat list of values, writes that are shown at once and sent later, a server, and a network that
loses connections. There are no events, queries, transactions, priorities or listeners, so that the figure is an
upper bound of what Hypothesis does with a whole client.
"""

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

KEYS = st.sampled_from("abcdef")
CLIENTS = st.integers(0, 1)


class Client:
    """Has what the server sent, and the writes that it has not accepted."""

    def __init__(self):
        self.known, self.pending, self.sent, self.inbox = {}, [], 0, []
        self.is_connected = True

    def shown(self):
        """What an application sees."""
        value = dict(self.known)
        for key, new in self.pending:
            value[key] = new
        return {key: value[key] for key in value if value[key] is not None}

    def write(self, key, value):
        self.pending.append((key, value))

    def receive(self):
        kind, key, value = self.inbox.pop(0)
        if kind == "data":
            self.known[key] = value
        else:
            self.pending.pop(0)
            self.sent -= 1


class Sync(RuleBasedStateMachine):
    """Two clients and a server, in any order."""

    counts = {"scenarios": 0, "steps": 0}

    def __init__(self):
        super().__init__()
        self.clients, self.data = [Client(), Client()], {}
        self.counts["scenarios"] += 1

    @rule(who=CLIENTS, key=KEYS, value=st.integers(0, 9))
    def write(self, who, key, value):
        self.clients[who].write(key, value)

    @rule(who=CLIENTS, key=KEYS)
    def remove(self, who, key):
        self.clients[who].write(key, None)

    @rule(who=CLIENTS)
    def send(self, who):
        client = self.clients[who]
        if client.is_connected and client.sent < len(client.pending):
            key, value = client.pending[client.sent]
            client.sent += 1
            self.data[key] = value
            for other in self.clients:
                if other.is_connected:
                    other.inbox.append(("data", key, value))
            client.inbox.append(("accepted", key, value))

    @rule(who=CLIENTS)
    def receive(self, who):
        if self.clients[who].inbox:
            self.clients[who].receive()

    @rule(who=CLIENTS)
    def disconnect(self, who):
        client = self.clients[who]
        client.is_connected, client.sent, client.inbox = False, 0, []

    @rule(who=CLIENTS)
    def connect(self, who):
        client = self.clients[who]
        if not client.is_connected:
            client.is_connected = True
            client.inbox = [("data", key, value) for key, value in self.data.items()]

    @invariant()
    def own_writes_are_shown(self):
        self.counts["steps"] += 1
        for client in self.clients:
            shown = client.shown()
            for key, value in dict(client.pending).items():
                assert shown.get(key) == value

    def teardown(self):
        for who in (0, 1):
            self.connect(who)
        for who in (0, 1):
            while self.clients[who].sent < len(self.clients[who].pending):
                self.send(who)
        for client in self.clients:
            while client.inbox:
                client.receive()
        expected = {key: value for key, value in self.data.items() if value is not None}
        for client in self.clients:
            assert client.shown() == expected


def run(scenarios, steps):
    """Runs drawn scenarios; returns how many there were, and how many steps they had."""
    Sync.counts.update(scenarios=0, steps=0)
    run_state_machine_as_test(
        Sync,
        settings=settings(
            max_examples=scenarios, stateful_step_count=steps, deadline=None, database=None,
            phases=[Phase.generate], derandomize=True, suppress_health_check=list(HealthCheck)))
    return Sync.counts["scenarios"], Sync.counts["steps"]
