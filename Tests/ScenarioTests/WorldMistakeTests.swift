import Testing

struct WorldMistakeTests {
  @Test(arguments: world)
  func `mistakes in steps of network and server are told with their places`(mistake: Mistake) {
    #expect(mistake.found == mistake.expected)
  }

  static let world = [
    Mistake(
      steps: ["network.cutt: alice"],
      """
      6:5: unknown network step "cutt"; expected cut, heal, refuse or latency; did you mean cut?
      """),
    Mistake(
      steps: ["network.cut: carol"],
      "6:18: unknown client \"carol\"; expected alice or bob"),
    Mistake(
      steps: ["network.cut: [alice]"],
      "6:18: network.cut is a list; expected the name of a client"),
    Mistake(
      steps: ["network.latency: {alice: 5ms, bob: 6ms}"],
      "6:22: network.latency names 2 clients; expected one in each step"),
    Mistake(
      steps: ["server.put: {path: a, value: 1}"],
      "6:5: unknown server step \"put\"; expected set, update, remove, reject, revoke or revoke-auth"
    ),
    Mistake(
      steps: ["server.set: {path: a, value: {b$: 1}}"],
      "6:35: key \"b$\" contains \"$\"; keys may not contain . # $ [ ] /"),
    Mistake(
      steps: ["server.remove: a#"],
      "6:20: key \"a#\" contains \"#\"; keys may not contain . # $ [ ] /"),
    Mistake(
      steps: ["server.update: {path: a, value: {'b//c[': 1}}"],
      "6:38: key \"c[\" contains \"[\"; keys may not contain . # $ [ ] /"),
    Mistake(
      steps: ["server.reject: {path: a, deny: [write, all]}"],
      "6:44: unknown access \"all\"; expected read or write"),
    Mistake(
      steps: ["together: [{alice.remove: a}]"],
      "6:15: together has one step; expected at least two"),
    Mistake(
      steps: ["together: [{wait: 5s}, {alice.remove: a, expect: {}}]"],
      """
      6:17: together does not take "wait: 5s"; expected calls of clients and writes at the server
      6:46: a step of together expects something; expected the expectation after together
      """),
  ]

  @Test(arguments: unsupported)
  func `what is not supported yet is told apart from what is unknown`(mistake: Mistake) {
    #expect(mistake.found == mistake.expected)
  }

  static let unsupported = [
    Mistake(
      steps: ["alice.get: a"],
      "6:5: alice.get is not supported yet"),
    Mistake(
      steps: ["alice.clock: {skew: 5ms}"],
      "6:5: alice.clock is not supported yet"),
    Mistake(
      steps: ["network.stall: alice"],
      "6:5: network.stall is not supported yet"),
    Mistake(
      steps: ["network.resume: alice"],
      "6:5: network.resume is not supported yet"),
    Mistake(
      steps: ["network.half-open: alice"],
      "6:5: network.half-open is not supported yet"),
    Mistake(
      steps: ["network.cut: {client: alice, when: {frame: put}}"],
      "6:34: when is not supported yet"),
    Mistake(
      steps: ["server.restart"],
      "6:5: server.restart is not supported yet"),
    Mistake(
      steps: ["server.redirect: x"],
      "6:5: server.redirect is not supported yet"),
    Mistake(
      steps: ["server.shutdown"],
      "6:5: server.shutdown is not supported yet"),
    Mistake(
      steps: ["server.clock: 5s"],
      "6:5: server.clock is not supported yet"),
  ]
}
