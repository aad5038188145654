"""The connection: when to try, what to say first, and what the end of one means."""

from .query import ALL
from .tree import from_json

BACK_OFF, NEXT_TURN, KEEP_ALIVE = 1, 2, 3
FIRST_DELAY, GROWTH, LONGEST_DELAY, GOOD_LIFE = 1000.0, 1.3, 300_000.0, 30_000.0
SILENCE, PATIENCE = 45_000.0, 30_000.0
OFFLINE, WAITING, CONNECTING, OPENED, READY = range(5)

CONNECTED = (".info", "connected")
TIME_OFFSET = (".info", "serverTimeOffset")


class Connection:
    """The part of a client that deals with its connection."""

    def __init__(self):
        self.state = WAITING
        self.delay = FIRST_DELAY
        self.last_attempt = 0.0
        self.ready_since = None
        self.is_first_connection = True
        self.new_host = None
        self.last_heard = 0.0
        self.is_pulse_awaited = False

    @property
    def _is_up(self):
        return self.state >= OPENED

    def _connect(self):
        self.state = CONNECTING
        self.last_attempt = self.env.now()
        self.env.connect(self.new_host)

    def _lose_connection(self):
        was_ready = self.state == READY
        self._stop_pulse()
        self.state = WAITING
        self.env.set_timer(BACK_OFF, self._next_delay(), "back-off")
        if was_ready:
            self._forget_connection()

    def _next_delay(self):
        now = self.env.now()
        if self.ready_since is not None and now - self.ready_since > GOOD_LIFE:
            self.delay = FIRST_DELAY
        self.ready_since = None
        since_attempt = max(0.0, now - self.last_attempt)
        drawn = self.env.random() * max(0.0, self.delay - since_attempt)
        self.delay = min(LONGEST_DELAY, self.delay * GROWTH)
        return drawn

    def _go_offline(self):
        was_ready = self.state == READY
        if self.state == OFFLINE:
            return
        if self.state == WAITING:
            self.env.cancel_timer(BACK_OFF)
        self._stop_pulse()
        self.env.disconnect()
        self.state = OFFLINE
        self.ready_since = None
        if was_ready:
            self._forget_connection()

    def _go_online(self):
        self.delay = FIRST_DELAY
        if self.state >= CONNECTING:
            return
        if self.state == WAITING:
            self.env.cancel_timer(BACK_OFF)
        self._connect()

    def _follow(self, host):
        """The server is elsewhere, and the client follows at once."""
        self._stop_pulse()
        self.env.disconnect()
        self.ready_since = None
        self.new_host = host
        self._connect()
        self._forget_connection()

    # Keep-alives

    def _opened(self):
        self.state = OPENED
        self._feel_pulse()
        self.env.set_timer(KEEP_ALIVE, SILENCE, "keep-alive")

    def _feel_pulse(self):
        self.last_heard = self.env.now()
        self.is_pulse_awaited = False

    def _take_pulse(self):
        """Only what is received counts: what the client sends may vanish."""
        if self.state == OPENED or self.is_pulse_awaited:
            self.env.disconnect()
            self._lose_connection()
            return
        silent = self.env.now() - self.last_heard
        if 0 <= silent < SILENCE:
            self.env.set_timer(KEEP_ALIVE, SILENCE - silent, "keep-alive")
        else:
            self.is_pulse_awaited = True
            self.env.send({"t": "c", "d": {"t": "p", "d": {}}})
            self.env.set_timer(KEEP_ALIVE, PATIENCE, "keep-alive")

    def _stop_pulse(self):
        if self._is_up:
            self.env.cancel_timer(KEEP_ALIVE)

    # The beginning and the end

    def _become_ready(self, hello):
        """The server sent hello: everything that waited goes out, in a fixed order, and only then
        the application is notified that it is connected."""
        self.state = READY
        self.ready_since = self.env.now()
        self.time_offset = hello["ts"] - self._clock()
        self._tell(TIME_OFFSET, self.time_offset)
        if self.profile["stats always"] or self.is_first_connection:
            self._transmit("s", {"c": {"sdk.python.example": 1}})
        self.is_first_connection = False
        self._introduce()
        for listen in self.listens.in_restore_order():
            self._send_listen(listen)
        if self._writes_flow:
            for put in self.puts:
                self._transmit_put(put)
        for request in self.on_disconnects:
            self._transmit_on_disconnect(request)
        for get in self.gets:
            self._transmit_get(get)
        self._tell(CONNECTED, True)

    def _forget_connection(self):
        """Transactions on the wire fail, plain writes wait to be sent again, and what the server
        will do on disconnection is done here as well."""
        lost = [put for put in self.puts if put.is_transaction and put.is_sent]
        self.puts = [put for put in self.puts if put not in lost]
        for put in lost:
            put.finish("disconnect")
        for put in self.puts:
            put.is_sent = False
        self.on_disconnects = []
        self.expected = {}
        if self.gate == "awaiting answer":
            self.gate = "open"
        for request in self.answered_on_disconnects:
            self._remember(request)
        self._tell(CONNECTED, False)
        for path, node in self.promised.take_all(self.profile["indexes first"]):
            self.queue += self.tree.put(self._estimated(node, path), path)
            self._rerun_transactions(self._abort_transactions(path))
        self._raise()

    def _tell(self, path, value):
        """Sets a value of `.info`, which no server knows and which is known although nothing
        listens."""
        if self.info.view(path, ALL) is None:
            self.info.register(None, path, ALL, ())
        self._raise(self.info.put(from_json(value), path))
