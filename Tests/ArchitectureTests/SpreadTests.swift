import TestKit
import Testing

/// In how many files one more of something has to be named. A representative stands for all.
@Suite struct SpreadTests {
  struct Limit: CustomTestStringConvertible {
    var name: String
    var files: Int
    var advice: String

    var testDescription: String { name }
  }

  static let limits = [
    Limit(
      name: "disarm", files: 8,
      advice: "a step is known to its model (Action, its traits and its mapping), the reader, the "
        + "writer, StepPerformer and who draws steps; ask the action for its category, call, "
        + "members or traits instead of switching over all actions"),
    Limit(
      name: "keepSynced", files: 12,
      advice: "an operation is known to ClientInterface (Operation, its kind and its arguments), "
        + "the reference client and who has something to say about it alone; ask it for its kind, "
        + "family, ending, registration or arguments, and rewrite it with mapArguments"),
  ]

  @Test(arguments: limits)
  func `what can be added is named in few files`(limit: Limit) throws {
    let files = try SourceTree.swiftFiles(below: "Sources")
      .filter { Tidy.names(case: limit.name, in: $0) }.map(\.file).sorted()

    #expect(
      files.count <= limit.files,
      "\(limit.name) is named in \(files.joined(separator: ", ")): \(limit.advice)")
    #expect(!files.isEmpty, "nothing is called \(limit.name) any more; choose another case")
  }

  @Test func `a fault is named in few files, in code and on pages`() throws {
    let files = try SourceTree.files(below: "Sources", ending: ["swift", "js", "html"]).filter {
      // It has the faults of old traces, and never a new one.
      if $0.hasSuffix("/Incident+Version1.swift") { return false }
      let text = try SourceTree.text(of: $0)
      return text.contains("lateClose") || text.contains("late-close")
    }

    #expect(
      files.count <= 7,
      """
      lateClose, which stands for any fault, is named in \(files.joined(separator: ", ")): a fault \
      is known to Fault, its fields and its row in the table of FaultKind, who carries it out and \
      who draws it; ask its kind instead of naming it
      """)
    #expect(!files.isEmpty, "nothing is called lateClose any more; choose another fault")
  }

  @Test func `cases are told from methods and from longer names`() {
    func names(_ text: String) -> Bool {
      Tidy.names(case: "disarm", in: SourceText(file: "A.swift", text: text))
    }

    #expect(names("  case disarm\n"))
    #expect(names("  case .wait, .disarm: nil\n"))
    #expect(names("  case let .disarm(count): count\n"))
    #expect(names("  add(.disarm)\n"))
    #expect(!names("  simulator.disarm()\n"))
    #expect(!names("  try server?.disarm()\n"))
    #expect(!names("  case disarmed, .disarming: nil\n"))
    #expect(!names("  // .disarm\n  let a = \"case disarm\"\n"))
  }
}
