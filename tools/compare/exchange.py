"""The exchange of messages of `kennel bench kernel`, as a simulation with SimPy.

Three clients each send a request, wait for its answer, and send the next one. A message takes a drawn time.
What is sent and what arrives goes into a hash, as the trace of a run does: that makes runs comparable.
"""

import random
import zlib

import simpy


def run(requests, seed=1):
    """Runs the exchange; returns how many events it had, and the hash of its trace."""
    environment = simpy.Environment()
    choices = random.Random(seed)
    to_server = simpy.Store(environment)
    to_client = [simpy.Store(environment) for _ in range(3)]
    trace = [0, 0]

    def note(who, what, number):
        trace[0] += 1
        trace[1] = zlib.crc32(b"%d %d %d %d" % (environment.now, who, what, number), trace[1])

    def carry(store, message):
        yield environment.timeout(choices.randrange(5_000, 50_000))
        yield store.put(message)

    def client(who):
        for number in range(requests // 3):
            note(who, 0, number)
            environment.process(carry(to_server, (who, number)))
            yield to_client[who].get()
            note(who, 1, number)

    def server():
        while True:
            who, number = yield to_server.get()
            note(3, who, number)
            environment.process(carry(to_client[who], number))
            note(4, who, number)

    environment.process(server())
    for who in range(3):
        environment.process(client(who))
    environment.run()
    return trace[0], trace[1]
