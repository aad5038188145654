/// A scenario whose outcome depends on the order of messages, and whose end does not.
let countingRace = """
  kennel: 1
  title: Three clients count at once over a network with jitter
  rules: [TXN-1]
  clients: [alice, bob, carol]
  network: {latency: 5ms..90ms}
  steps:
    - alice.listen: {path: n, event: value, as: feed}
    - together:
        - alice.transaction: {path: n, update: {increment: 1}}
        - bob.transaction: {path: n, update: {increment: 1}}
        - carol.transaction: {path: n, update: {increment: 1}}
    - expect: {server: {n: 3}}
  """
