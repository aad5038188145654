import Scenario
import ScenarioFiles
import Testing

@Suite struct ProcessMistakeTests {
  @Test(arguments: mistakes)
  func `mistakes about processes are told with their place`(mistake: Mistake) {
    #expect(mistake.found == mistake.expected)
  }

  static let mistakes = [
    Mistake(
      steps: ["alice.start"],
      "6:5: alice is running; expected alice.kill before it is started"),
    Mistake(
      steps: ["alice.kill", "alice.kill"],
      "7:5: alice was killed and is not running; expected alice.start before alice.kill"),
    Mistake(
      steps: ["alice.kill", "alice.set: {path: a, value: 1}"],
      "7:5: alice was killed and is not running; expected alice.start before alice.set"),
    Mistake(
      steps: ["alice.kill: {storage: lost}"],
      "6:17: alice.kill takes no arguments; expected {} or nothing behind it"),
    Mistake(
      steps: ["alice.kill", "alice.start: {storage: lst}"],
      """
      7:28: unknown storage "lst"; expected kept, lost or rolled-back; did you mean lost?
      """),
    Mistake(
      steps: ["alice.kill", "alice.start: {storag: kept}"],
      """
      7:19: unknown key "storag"; expected storage or when; did you mean storage?
      """),
    Mistake(
      steps: ["carol.kill"],
      """
      6:5: unknown client "carol"; expected alice or bob
      """),
    Mistake(
      steps: ["alice.kil"],
      """
      6:5: unknown operation "kil"; did you mean kill?; expected \
      listen, once, get, unlisten, unlisten-all, set, remove, \
      set-priority, update, push, transaction, on-disconnect-set, on-disconnect-remove, \
      on-disconnect-update, on-disconnect-cancel, go-offline, go-online, inspect, \
      keep-synced, auth, unauth, on, kill, start, clock or storage
      """),
    Mistake(
      steps: [
        "alice.listen: {path: a, as: feed}", "alice.kill", "alice.start", "alice.unlisten: feed",
      ],
      """
      9:21: feed ended when alice was killed; expected a listener of the process that runs
      """),
    Mistake(
      steps: ["together: [alice.kill, alice.remove: a]"],
      "6:28: alice was killed and is not running; expected alice.start before alice.remove"),
  ]

  @Test func `a new process may give the names of the old one, which need not have ended`() {
    let result = read(
      Mistake.head + """
        steps:
          - alice.set: {path: a, value: 1, as: w}
          - alice.kill
          - alice.start
          - alice.set: {path: a, value: 1, as: w}
          - expect: {alice.w: {ok: true}}
        """)

    #expect(result.problems == [])
  }
}
