import Testing

@Suite struct FaultMistakeTests {
  @Test(arguments: network)
  func `mistakes in faults of the network are told with their place`(mistake: Mistake) {
    #expect(mistake.found == mistake.expected)
  }

  static let network = [
    Mistake(
      steps: ["network.stall: {client: alice, direction: to-sever}"],
      """
      6:47: unknown direction "to-sever"; expected to-server, to-client or both; did you mean \
      to-server?
      """),
    Mistake(
      steps: ["network.resume: {client: carol}"],
      "6:30: unknown client \"carol\"; expected alice or bob"),
    Mistake(
      steps: ["network.half-open: {client: alice, notice: client}"],
      "6:40: unknown key \"notice\"; expected client, notices or when; did you mean notices?"),
    Mistake(
      steps: ["network.half-open: {client: alice, notices: alice}"],
      "6:49: unknown notices \"alice\"; expected nobody, client or server"),
    Mistake(
      steps: ["network.close-after: alice"],
      """
      6:26: network.close-after is a string; expected a mapping such as {client: ..., messages: ...}
      """),
    Mistake(
      steps: ["network.close-after: {client: alice, messages: 0}"],
      "6:52: messages is 0; expected a whole number from 1 up"),
    Mistake(
      steps: ["network.late-close: {after: 5s}"],
      "6:25: network.late-close has no client; expected client: ..."),
    Mistake(
      steps: ["network.late-close: {client: alice, after: -5s}"],
      "6:48: after is \"-5s\"; expected a duration such as 30ms, 5s or 1m, at most 1000h"),
    Mistake(
      steps: ["network.halfOpen: alice"],
      """
      6:5: unknown network step "halfOpen"; expected cut, drop, heal, refuse, latency, stall, \
      resume, half-open, close-after, lose-acknowledgement or late-close; did you mean half-open?
      """),
    Mistake(
      steps: ["network.latency: {latency: 5ms, alice: 6ms, when: {after: 1s}}"],
      "6:22: network.latency names 2 clients; expected one in each step"),
  ]

  @Test(arguments: processes)
  func `mistakes in faults of machines are told with their place`(mistake: Mistake) {
    #expect(mistake.found == mistake.expected)
  }

  static let processes = [
    Mistake(
      steps: ["alice.clock: {skew: 5}"],
      "6:25: skew is a number; expected a duration such as 30ms, 5s or 1m"),
    Mistake(
      steps: ["alice.clock: {skew: 5ms, jump: 5ms}"],
      "6:18: alice.clock has 2 changes; expected one of skew, jump or drift"),
    Mistake(
      steps: ["alice.clock: {}"],
      "6:18: alice.clock has 0 changes; expected one of skew, jump or drift"),
    Mistake(
      steps: ["alice.clock: {drift: 2s}"],
      "6:26: drift is 2s; expected what the clock gains in a second, at most 1s"),
    Mistake(
      steps: ["alice.clock: {drift: -1s}"],
      "6:26: drift is \"-1s\"; expected what the clock gains in a second, at most 1s"),
    Mistake(
      steps: ["alice.storage: {fail: ful}"],
      "6:27: unknown fail \"ful\"; expected write, torn, full or nothing; did you mean full?"),
    Mistake(
      steps: ["alice.storage: {fail: torn, times: 2, at: 5B}"],
      """
      6:33: times stands beside fail: torn; expected it with fail: write
      6:43: at stands beside fail: torn; expected it with fail: full
      """),
    Mistake(
      steps: ["alice.storage: {fail: write, times: 0}"],
      "6:41: times is 0; expected a whole number from 1 up"),
    Mistake(
      steps: ["alice.storage: {}"],
      "6:20: alice.storage has no fail; expected fail: ..."),
  ]

  @Test(arguments: server)
  func `mistakes in faults of the server are told with their place`(mistake: Mistake) {
    #expect(mistake.found == mistake.expected)
  }

  static let server = [
    Mistake(
      steps: ["server.restart: {down: 2, on-disconnects: dropped}"],
      """
      6:28: down is a number; expected a duration such as 30ms, 5s or 1m
      6:47: unknown on-disconnects "dropped"; expected done or lost
      """),
    Mistake(
      steps: ["server.redirect: two.kennel.test"],
      "6:22: server.redirect is a string; expected a mapping such as {host: ...}"),
    Mistake(
      steps: ["server.redirect: {host: http://x}"],
      "6:29: \"http://x\" is no host; expected one such as two.kennel.test"),
    Mistake(
      steps: ["server.redirect: {client: carol, host: two.kennel.test}"],
      "6:31: unknown client \"carol\"; expected alice or bob"),
    Mistake(
      steps: ["server.shutdown: carol"],
      "6:22: unknown client \"carol\"; expected alice or bob"),
    Mistake(
      steps: ["server.clock: 5s"],
      "6:19: server.clock is a string; expected a mapping with the keys skew, when"),
    Mistake(
      steps: ["server.clock: {jump: 5s}"],
      """
      6:19: server.clock has no skew; expected skew: ...
      6:20: unknown key "jump"; expected skew or when
      """),
    Mistake(
      steps: ["server.stale: {writes: -1, data: all}"],
      """
      6:28: writes is -1; expected a whole number from 0 up
      6:38: unknown data "all"; expected sent or withheld
      """),
  ]
}
