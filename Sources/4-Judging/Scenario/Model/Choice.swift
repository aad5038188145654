public import ClientInterface
public import Tree
public import Wire

extension Scenario {
  /// One of the choices that the steps leave open, and what is chosen.
  ///
  /// A choice is named by what it decides, so it stays what it is when something else changes.
  public enum Choice: Hashable, Sendable {
    /// Where all randomness starts: that of clients, and of choices where they are drawn.
    case seed(UInt64)
    /// How much later a message arrives than it could at the earliest. Messages of a client in a
    /// direction are counted from 1, over all its connections.
    case message(Int, Direction, client: String, late: Interval)
    /// How much later the answer to a request for a connection arrives; they are counted from 1.
    case connection(Int, client: String, late: Interval)
    /// In which form the server conveys something to a client; what has several forms is counted
    /// from 1, over all its connections.
    case form(Int, client: String, WireForm)
    /// Which move is made at each point where there are several; 0 is what time would have chosen.
    /// Zeros at the end may be missing.
    case order(OrderScope, [Int])

    /// Which way a message travels; the raw value is the word before the client's name in
    /// `choices`.
    public enum Direction: String, CaseIterable, Hashable, Sendable {
      case fromClient = "from"
      case toClient = "to"
    }
  }

  /// What a chosen order ranges over: what it may put in any order.
  public enum OrderScope: String, CaseIterable, Hashable, Sendable {
    /// Concurrent steps come in any order, and messages take their time.
    case calls
    /// Messages take any time as well.
    case deliveries
    /// Messages arrive between concurrent steps, too.
    case everything
  }

  /// The order that the choices state, if they state one.
  public var statedOrder: (scope: OrderScope, moves: [Int])? {
    for case let .order(scope, moves) in choices ?? [] { return (scope, moves) }
    return nil
  }

  /// The seed that the choices state, if they state one.
  public var statedSeed: UInt64? {
    for case let .seed(seed) in choices ?? [] { return seed }
    return nil
  }
}

extension Scenario.Choice {
  /// What lateness comes in: times are drawn in tenths of a millisecond.
  public static let latencyUnit = Interval(nanoseconds: 100_000)

  /// The choice as an element of `choices`, in JSON, which is YAML as well.
  public var json: JSON {
    switch self {
    case let .seed(seed):
      ["seed": seed < 1 << 53 ? .number(Double(seed)) : .string(String(seed))]
    case let .message(number, direction, client, late):
      .object([
        .init("message", .number(Double(number))), .init(direction.rawValue, .string(client)),
        .init("late", .string(Self.text(of: late))),
      ])
    case let .connection(number, client, late):
      [
        "connection": .number(Double(number)), "of": .string(client),
        "late": .string(Self.text(of: late)),
      ]
    case let .form(number, client, form):
      ["form": .number(Double(number)), "to": .string(client), "is": .string(form.rawValue)]
    case let .order(scope, moves):
      [
        "order": .string(scope.rawValue), "is": .array(moves.map { .number(Double($0)) }),
      ]
    }
  }

  private static func text(of late: Interval) -> String {
    canonicalText(of: late.milliseconds) + "ms"
  }

  /// The client that it is about, if it is about one.
  public var client: String? {
    switch self {
    case let .message(_, _, client, _), let .connection(_, client, _), let .form(_, client, _):
      client
    case .seed, .order: nil
    }
  }

  /// Whether both decide the same thing, whatever they choose.
  public func isSameChoice(as other: Scenario.Choice) -> Bool {
    switch (self, other) {
    case (.seed, .seed), (.order, .order): true
    case let (.message(a, way, client, _), .message(b, otherWay, otherClient, _)):
      (a, way, client) == (b, otherWay, otherClient)
    case let (.connection(a, client, _), .connection(b, otherClient, _)):
      (a, client) == (b, otherClient)
    case let (.form(a, client, _), .form(b, otherClient, _)): (a, client) == (b, otherClient)
    case (.seed, _), (.message, _), (.connection, _), (.form, _), (.order, _): false
    }
  }
}

extension [Scenario.Choice] {
  /// What is in a scenario file to make these choices: a line for each, as YAML.
  public var yaml: String {
    isEmpty ? "choices: []\n" : "choices:\n" + map { "  - \($0.flowText)\n" }.joined()
  }
}

extension Scenario.Choice: CustomStringConvertible {
  /// `message 3 from alice, late by 2.4ms`, for reports.
  public var description: String {
    switch self {
    case let .seed(seed): "seed \(seed)"
    case let .message(number, direction, client, late):
      "message \(number) \(direction.rawValue) \(client), late by \(Self.text(of: late))"
    case let .connection(number, client, late):
      "connection \(number) of \(client), late by \(Self.text(of: late))"
    case let .form(number, client, form):
      "message \(number) with several forms to \(client), \(form.rawValue)"
    case let .order(scope, moves):
      "order of \(scope.rawValue) \(moves.map(String.init).joined(separator: "."))"
    }
  }

  /// `{message: 3, from: alice, late: 2.4ms}`. Only what YAML takes for something else than a text is
  /// quoted.
  private static let words: Set<String> = ["null", "true", "false"]

  fileprivate var flowText: String {
    let members = (json.members ?? []).map { member in
      switch member.value {
      case let .string(text)
      where !text.utf8.allSatisfy(Self.isDigit) && !Self.words.contains(text.lowercased()):
        "\(member.name): \(text)"
      case let .array(elements):
        "\(member.name): [\(elements.map(\.text).joined(separator: ", "))]"
      case .string, .null, .bool, .number, .object: "\(member.name): \(member.value.text)"
      }
    }
    return "{" + members.joined(separator: ", ") + "}"
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }
}
