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
      6:5: unknown network step "cutt"; expected cut, drop, heal, refuse, latency, stall, resume, \
      half-open, close-after, lose-acknowledgement or late-close; did you mean cut?
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
      """
      6:5: unknown server step "put"; expected set, update, remove, reject, revoke, revoke-auth, \
      restart, redirect, shutdown, clock or stale
      """),
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
      6:17: together does not take "wait: 5s"; expected steps that let no time pass
      6:46: a step of together expects something; expected the expectation after together
      """),
  ]
}
