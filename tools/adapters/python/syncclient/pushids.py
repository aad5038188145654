"""Keys whose order is the order of time."""

ALPHABET = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"


class PushIds:
    """Eight characters for the millisecond and twelve that are random, one more than the last ones
    when the millisecond is the same. A clock that goes back makes no smaller key."""

    def __init__(self):
        self.last_time = -1
        self.tail = [0] * 12

    def next(self, time, random):
        milliseconds = max(self.last_time, int(max(0, min(time, 2**48 - 1))))
        if milliseconds == self.last_time:
            self._increment_tail()
        else:
            self.tail = [int(random() * 64) for _ in range(12)]
        self.last_time = milliseconds
        head = [milliseconds >> 6 * (7 - place) & 63 for place in range(8)]
        return "".join(ALPHABET[digit] for digit in head + self.tail)

    def _increment_tail(self):
        for place in reversed(range(12)):
            self.tail[place] = (self.tail[place] + 1) % 64
            if self.tail[place]:
                return
