import TestKit
import Testing

/// What one more of something costs, in files that have to name it. Sums over all cases: the cheapest
/// one would show nothing.
@Suite struct SpreadTests {
  struct Limit: CustomTestStringConvertible {
    var spread: Spread
    /// Falls, and never rises: one more case is paid for by asking elsewhere instead of naming.
    var sum: Int
    var advice: String

    var testDescription: String { spread.name }
  }

  private static let interface = "Sources/2-Protocol/ClientInterface"

  static let limits = [
    Limit(
      spread: Spread(
        name: "steps",
        declarations: [("Sources/4-Judging/Scenario/Model/", "Action")], types: ["Action"]),
      sum: 114,
      advice: "a step is known to its model (Action with its traits and its mapping), the reader, "
        + "the writer, StepPerformer and what draws steps; ask the action for its category, call, "
        + "members or traits instead of switching over all actions"),
    Limit(
      spread: Spread(
        name: "operations",
        declarations: [
          ("\(interface)/Operation", "Operation"), ("\(interface)/Operation", "Kind"),
        ], types: ["Operation"]),
      sum: 356,
      advice: "an operation is known to ClientInterface (Operation with its kind, and its "
        + "arguments), the reference client and what is about it alone; ask it for its kind, family, ending, "
        + "registration or arguments, and rewrite it with mapArguments"),
    Limit(
      spread: Spread(
        name: "verbs",
        declarations: [
          ("\(interface)/ClientOutput", "ClientOutput"),
          ("\(interface)/ClientInput", "ClientInput"),
        ], types: ["ClientOutput", "ClientInput"]),
      sum: 555,
      advice: "a verb is known to its enum, its JSON and the traces; ask an output for its topic "
        + "instead of switching over all outputs"),
    Limit(
      spread: Spread(
        name: "faults",
        declarations: [
          ("Sources/2-Protocol/Faults/", "Fault<"), ("Sources/2-Protocol/Faults/", "FaultKind"),
        ], types: ["Fault", "FaultKind", "NamedFault", "IndexedFault"],
        // It has the faults of old traces, and never a new one.
        except: ["Sources/5-Outside/TraceFiles/Reading/Incident+Version1.swift"]),
      sum: 266,
      advice: "a fault is known to Fault, its fields and its row in the table of FaultKind, what "
        + "carries it out and what draws it; ask its kind instead of naming it"),
  ]

  @Test(arguments: limits)
  func `what can be added is named in few files`(limit: Limit) throws {
    let rows = limit.spread.rows(in: try SourceTree.swiftFiles(below: "Sources"))
    let sum = rows.map(\.files.count).reduce(0, +)
    let costliest = rows.sorted { $0.files.count > $1.files.count }.prefix(5).map {
      "  \($0.name), in \($0.files.count) files: \($0.files.joined(separator: ", "))"
    }

    #expect(!rows.isEmpty, "the enum of \(limit.spread.name) was not found")
    #expect(
      sum <= limit.sum,
      """
      the \(rows.count) \(limit.spread.name) are named in \(sum) files together, at most \
      \(limit.sum): \(limit.advice). The costliest are
      \(costliest.joined(separator: "\n"))
      """)
    #expect(
      sum > limit.sum - 10,
      "the \(limit.spread.name) are named in \(sum) files together: set the limit to that")
  }

  @Test func `cases are told from methods and from longer names`() {
    func names(_ text: String) -> Bool {
      let spread = Spread(name: "steps", declarations: [("Action", "Action")], types: ["Action"])
      let rows = spread.rows(in: [
        SourceText(file: "Action.swift", text: "enum Action {\n  case disarm\n}\n"),
        SourceText(file: "A.swift", text: text),
      ])
      return rows.map(\.files) == [["Action.swift", "A.swift"]]
    }

    #expect(names("  case .wait, .disarm: nil\n"))
    #expect(names("  case let .disarm(count): count\n"))
    #expect(names("  add(.disarm)\n"))
    #expect(names("  add(Action.disarm)\n"))
    #expect(!names("  simulator.disarm()\n"))
    #expect(!names("  try server?.disarm()\n"))
    #expect(!names("  case .disarmed, .disarming: nil\n"))
    #expect(!names("  // .disarm\n  let a = \"case disarm\"\n"))
  }

  @Test func `a name that another enum has counts where the enum is meant`() {
    let spread = Spread(name: "steps", declarations: [("Action", "Action")], types: ["Action"])
    let rows = spread.rows(in: [
      SourceText(
        file: "Action.swift",
        text: "enum Action {\n  case call(Call), settle\n  enum Other {\n    case later\n  }\n}\n"),
      SourceText(file: "Input.swift", text: "enum Input {\n  case call\n}\n"),
      SourceText(file: "Other.swift", text: "add(.call)\n"),
      SourceText(file: "Typed.swift", text: "func add(_: Action) { [.call] }\n"),
      SourceText(file: "Valued.swift", text: "switch action {\ncase .call: 1\n}\n"),
      SourceText(file: "Beside.swift", text: "[.call, .settle]\n"),
    ])

    #expect(rows.map(\.name) == ["call", "settle"])
    #expect(
      rows.map(\.files) == [
        ["Action.swift", "Typed.swift", "Valued.swift", "Beside.swift"],
        ["Action.swift", "Beside.swift"],
      ])
  }
}
