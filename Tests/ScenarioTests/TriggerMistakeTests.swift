import Scenario
import ScenarioFiles
import Testing

@Suite struct TriggerMistakeTests {
  private static func cut(_ trigger: String, _ expected: String) -> Mistake {
    Mistake(steps: ["network.cut: {client: alice, when: \(trigger)}"], expected)
  }

  @Test(arguments: mistakes)
  func `mistakes in what a step waits for are told with their place`(mistake: Mistake) {
    #expect(mistake.found == mistake.expected)
  }

  static let mistakes = [
    cut(
      "5s",
      """
      6:40: when is a string; expected a mapping with the keys frame, from, to, nth, edge, after, \
      messages, direction, client
      """),
    cut("{}", "6:40: when has no condition; expected one of frame, after or messages"),
    cut(
      "{after: 5s, messages: 3}",
      "6:40: when has after and messages; expected one of frame, after or messages"),
    cut(
      "{aftr: 5s}",
      """
      6:41: unknown key "aftr"; expected frame, from, to, nth, edge, after, messages, direction or \
      client; did you mean after?
      """),
    cut("{after: 5s, nth: 2}", "6:52: nth stands beside after; expected no nth there"),
    cut("{messages: 3, edge: x}", "6:54: edge stands beside messages; expected no edge there"),
    cut("{messages: none}", "6:51: messages is none; expected a whole number from 1 up"),
    cut(
      "{frame: put, client: bob}", "6:53: client stands beside frame; expected no client there"),
    cut(
      "{frame: putt}",
      """
      6:48: unknown frame "putt"; did you mean put?; expected listen, unlisten, put, merge, on-disconnect-put, \
      on-disconnect-merge, on-disconnect-cancel, get, stats, auth, unauth, hello, data, answer, \
      acknowledgement, revoke, revoke-auth, redirect or shutdown
      """),
    cut(
      "{frame: put, from: server}",
      "6:59: unknown client \"server\"; expected alice or bob"),
    cut(
      "{frame: put, to: bob}",
      "6:57: put goes to bob; expected to: server, since only clients send it"),
    cut(
      "{frame: data, from: alice}",
      "6:60: data goes from alice; expected from: server, since only the server sends it"),
    cut("{frame: put, nth: 0}", "6:58: nth is 0; expected a whole number from 1 up"),
    cut(
      "{frame: put, edge: before}",
      """
      6:59: unknown edge "before"; expected before-delivery or after-delivery; did you mean \
      before-delivery?
      """),
    Mistake(
      steps: ["server.restart: {when: {messages: 3}}"],
      "6:28: when names no client; expected client: ..."),
    Mistake(
      steps: ["server.restart: {when: {messages: 3, client: carol}}"],
      "6:50: unknown client \"carol\"; expected alice or bob"),
    Mistake(
      steps: ["alice.kill: {when: {after: 1s}, storage: lost}"],
      "6:37: unknown key \"storage\"; expected when"),
    Mistake(
      steps: ["alice.set: {path: a, value: 1, when: {after: 1s}}"],
      """
      6:36: when is in the wrong location; expected it in a step of a process, the network or the \
      server
      """),
    Mistake(
      steps: ["network.cutt: {client: alice, when: {aftr: 5s}}"],
      """
      6:5: unknown network step "cutt"; expected cut, drop, heal, refuse, latency, stall, resume, \
      half-open, close-after, lose-acknowledgement or late-close; did you mean cut?
      6:42: unknown key "aftr"; expected frame, from, to, nth, edge, after, messages, direction or \
      client; did you mean after?
      """),
  ]

  @Test func `a client that is to be killed some time can be called until it is started`() {
    let result = read(
      Mistake.head + """
        steps:
          - alice.kill: {when: {frame: put, edge: after-delivery}}
          - alice.set: {path: a, value: 1, as: w}
          - settle
          - alice.start
          - alice.set: {path: a, value: 2, as: w}
          - expect: {alice.w: {ok: true}}
          - alice.kill: {when: {after: 5s}}
          - alice.set: {path: a, value: 2, as: w2}
        """)

    #expect(result.problems == [])
  }
}
