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
    Kind("a seed", [Field("seed", .seed, \.seed, "Where all randomness starts.")]) {
      .seed($0.seed)
    },
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
        Field("is", .moves, \.moves, "Which of the possible moves is made each time."),
      ]
    ) { .order($0.scope, $0.moves) },
  ]

  private static let lateness = Field<StatedChoice>(
    "late", .lateness, \.late, "How much later it arrives than it could at the earliest.")

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

extension Form<UInt64> {
  fileprivate static let seed = Form(
    ["type": ["integer", "string"]],
    read: { reading, node, what in
      if case let .string(text) = node.content, let seed = UInt64(text) { return seed }
      if let number = node.json.number, let seed = UInt64(exactly: number), seed < 1 << 53 {
        return seed
      }
      reading.report(
        node.position,
        "\(what) is \(node.flowText); expected a whole number, in quotes from 2^53 up")
      return nil
    }, write: { .text("\($0)") })
}

extension Form<Interval> {
  fileprivate static let lateness = Form(
    Schema.text,
    read: { reading, node, what in
      guard let late = reading.interval(node, what) else { return nil }
      if late.nanoseconds.isMultiple(of: Scenario.Choice.latencyUnit.nanoseconds) { return late }
      reading.report(
        node.position, "\(what) is \(node.flowText); expected tenths of a millisecond")
      return nil
    }, write: { .duration($0) })
}

extension Form<[Int]> {
  fileprivate static let moves = Form(
    Schema.list(of: Form<Int>.count(from: 0).schema, from: 0),
    read: { reading, node, what in
      guard case let .list(elements) = node.content else {
        reading.mismatch(what, node, expected: "a list of whole numbers")
        return nil
      }
      return elements.compactMap { reading.count($0, "a move", atLeast: 0) }
    }, write: { .list($0.map { .word("\($0)") }) })
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
}
