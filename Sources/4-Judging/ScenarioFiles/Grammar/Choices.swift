import ClientInterface
import Document
import Scenario
import Tree
import Wire

/// What an element of `choices` states. Which kind of choice it is shows its first key.
struct StatedChoice {
  private var seed: UInt64 = 0
  private var number = 1
  private var direction = Scenario.Choice.Direction.fromClient
  private var client = ""
  private var late = Interval.zero
  private var form = WireForm.asWritten
  private var scope = Scenario.OrderScope.calls
  private var moves: [Int] = []

  fileprivate struct Kind: Sendable {
    /// What messages call it.
    let what: String
    let table: Table<StatedChoice>
    let choice: @Sendable (StatedChoice) -> Scenario.Choice

    init(
      _ what: String, _ fields: [Field<StatedChoice>],
      choice: @escaping @Sendable (StatedChoice) -> Scenario.Choice
    ) {
      (self.what, self.choice) = (what, choice)
      table = Table(fields)
    }
  }

  fileprivate static let kinds: [Kind] = [
    Kind("a seed", [randomness]) { .seed($0.seed) },
    Kind(
      "the choice for a message",
      [Field("message", .count(from: 1), \.number, "Which message of the client."), end, lateness]
    ) { .message($0.number, $0.direction, client: $0.client, late: $0.late) },
    Kind(
      "the choice for a connection",
      [
        Field("connection", .count(from: 1), \.number, "Which connection of the client."),
        Field("of", .client, \.client, "The client."), lateness,
      ]
    ) { .connection($0.number, client: $0.client, late: $0.late) },
    Kind(
      "the choice of a form",
      [
        Field("form", .count(from: 1), \.number, "Which message that has several forms."),
        Field("to", .client, \.client, "The client that receives it."),
        Field("is", .word, \.form, "The form."),
      ]
    ) { .form($0.number, client: $0.client, $0.form) },
    Kind(
      "an order",
      [
        Field("order", .word, \.scope, "What comes in an order of its own."),
        Field(
          "is", Schema.list(of: Form.count(from: 0).schema, from: 0), isRequired: true,
          summary: "Which of the possible moves is made each time.",
          read: { $2.moves = $0.moves($1) }, write: { .list($0.moves.map { .word("\($0)") }) }),
      ]
    ) { .order($0.scope, $0.moves) },
  ]

  private static let randomness = Field<StatedChoice>(
    "seed", ["type": ["integer", "string"]], isRequired: true,
    summary: "Where all randomness starts.", read: { $2.seed = $0.seed($1) ?? 0 },
    write: { .text("\($0.seed)") })

  private static let lateness = Field<StatedChoice>(
    "late", Schema.text, isRequired: true,
    summary: "How much later it arrives than it could at the earliest.",
    read: { $2.late = $0.lateness($1) ?? .zero }, write: { .duration($0.late) })

  private static let end = Field<StatedChoice>(
    [
      FieldKey("from", Schema.text, "The client that sends it."),
      FieldKey("to", Schema.text, "The client that receives it."),
    ],
    read: { reading, fields, stated in
      let from = fields.entry("from")
      let to = fields.entry("to")
      if let from, to != nil {
        reading.report(from.keyPosition, "from and to are both given; expected one of them")
      }
      guard let end = from ?? to else {
        return reading.report(
          fields.position,
          "the choice for a message has neither from nor to; "
            + "expected from: CLIENT or to: CLIENT")
      }
      stated.direction = from == nil ? .toClient : .fromClient
      stated.client = reading.knownClient(end.value, end.key) ?? ""
    }, write: { [.init($0.direction.rawValue, .text($0.client))] })

  /// What a JSON Schema says of `choices`.
  static var schema: JSON {
    ["type": "array", "items": ["anyOf": .array(kinds.map(\.table.schema))]]
  }
}

extension Reading {
  /// `[{message: 3, from: CLIENT, late: D}, {order: calls, is: [0, 1]}]` and the like, each choice
  /// once. An empty list is right: it makes every choice the benign one.
  mutating func readChoices(_ node: DocumentNode) -> [Scenario.Choice] {
    guard case let .list(elements) = node.content else {
      mismatch("choices", node, expected: "a list of choices; [] makes all of them benign")
      return []
    }
    var choices: [Scenario.Choice] = []
    for element in elements {
      guard let choice = choice(element) else { continue }
      if choices.contains(where: { $0.isSameChoice(as: choice) }) {
        report(element.position, "\(choice) is a choice made above; expected each once")
      } else {
        choices.append(choice)
      }
    }
    return choices
  }

  private mutating func choice(_ node: DocumentNode) -> Scenario.Choice? {
    guard case let .mapping(entries) = node.content else {
      mismatch(
        "an element of choices", node,
        expected: "a mapping such as {message: 3, from: alice, late: 2ms}")
      return nil
    }
    let kinds = StatedChoice.kinds
    guard let kind = kinds.first(where: { $0.table.names[0] == entries.first?.key }) else {
      let found = entries.first.map { "begins with \(quoted($0.key))" } ?? "is empty"
      let names = alternatives(kinds.map { $0.table.names[0] })
      report(node.position, "an element of choices \(found); expected \(names) first")
      return nil
    }
    let before = problems.count
    var stated = StatedChoice()
    read(node, kind.what, by: kind.table, into: &stated)
    return problems.count == before ? kind.choice(stated) : nil
  }

  fileprivate mutating func seed(_ node: DocumentNode) -> UInt64? {
    if case let .string(text) = node.content, let seed = UInt64(text) { return seed }
    if let number = node.json.number, let seed = UInt64(exactly: number), seed < 1 << 53 {
      return seed
    }
    report(
      node.position, "seed is \(node.flowText); expected a whole number, in quotes from 2^53 up")
    return nil
  }

  fileprivate mutating func lateness(_ node: DocumentNode) -> Interval? {
    guard let late = interval(node, "late") else { return nil }
    if late.nanoseconds.isMultiple(of: Scenario.Choice.latencyUnit.nanoseconds) { return late }
    report(node.position, "late is \(node.flowText); expected tenths of a millisecond")
    return nil
  }

  fileprivate mutating func moves(_ node: DocumentNode) -> [Int] {
    guard case let .list(elements) = node.content else {
      mismatch("is", node, expected: "a list of whole numbers")
      return []
    }
    return elements.compactMap { count($0, "a move", atLeast: 0) }
  }
}
