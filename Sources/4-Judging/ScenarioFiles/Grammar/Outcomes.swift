import ClientInterface
import Document
import Scenario
import Tree

extension ExpectedOutcome.End {
  /// How a call ended. What a transaction wrote or last saw has a key of its own.
  fileprivate static let ends = OneOf<Self>(
    [
      .init(
        "ok", .mark(true, orElse: ", or error with a code"), "A write that was accepted.",
        { _ in .ok }, of: { if case .ok = $0 { true } else { nil } }),
      .init(
        "error", .errorCode, "A call that failed, with its code in lower case.", { .error($0) },
        of: { if case let .error(code) = $0 { code } else { nil } }),
      .init(
        "threw", .errorCode,
        "Any call, also a listen, that was refused at once for its arguments, with the code.",
        { .threw($0) }, of: { if case let .threw(code) = $0 { code } else { nil } }),
      .init(
        "committed", .flag, "Whether a transaction wrote, or aborted.",
        { $0 ? .committed(nil) : .notCommitted(nil) }, of: \.isCommitted),
      .init(
        "answer", .pattern, "What an inspection was answered; JSON that may contain matchers.",
        { .answered($0) }, of: { if case let .answered(answer) = $0 { answer } else { nil } }),
    ],
    .init(several: { found, _ in
      "an outcome has \(found.joined(separator: " and ")); expected one of them"
    }))

  fileprivate var isCommitted: Bool? {
    switch self {
    case .committed: true
    case .notCommitted: false
    case .ok, .error, .threw, .answered: nil
    }
  }
}

extension OutcomeExpectation {
  /// All that an outcome can state, in the order of messages.
  static let table = Table<OutcomeExpectation>([
    Field(
      ends.keys, read: { $2.outcome.end = ends.read(&$0, $1) },
      write: { $0.outcome.end.map(ends.entries) ?? [] }),
    Field("value", .pattern, \.value, "The value that a transaction wrote, or last saw."),
    key,
    Field(
      "inputs", .inputs, \.outcome.inputs,
      "With what the function of a transaction was called, in order."),
    .time(\.time),
  ])

  private static let ends = ExpectedOutcome.End.ends
  private static let key = Field<OutcomeExpectation>(
    "key", .key, \.outcome.key,
    "The new key of a push; the only one for a push without a value.")

  /// How an outcome is stated. The key comes before the end, since a push shows it before.
  var yaml: YAML {
    let key = Self.key.write(self)
    let others = Self.table.entries(of: self).filter { $0.key != key.first?.key }
    return .mapping(key + others)
  }

  /// The value of a transaction, which has one only where its end is stated.
  private var value: Pattern? {
    get {
      switch outcome.end {
      case let .committed(value)?, let .notCommitted(value)?: value
      case .ok?, .error?, .threw?, .answered?, nil: nil
      }
    }
    set {
      guard let isCommitted = outcome.end?.isCommitted else { return }
      outcome.end = isCommitted ? .committed(newValue) : .notCommitted(newValue)
    }
  }

}

extension Form<[Pattern]> {
  fileprivate static let inputs = Form(
    read: { reading, node, what in
      reading.list(node, what, of: "values").map { reading.pattern($0, "an input") }
    }, write: { .list($0.map { .pattern($0) }) })
}

extension Field {
  /// When something was observed.
  static func time(_ path: any WritableKeyPath<Owner, TimeBound?> & Sendable) -> Field {
    Field(TimeBound.bounds, path)
  }
}

extension TimeBound {
  fileprivate static let bounds = OneOf<TimeBound>([
    .init(
      "at", .duration, "When, since the last expectation or the first step.", { .at($0) },
      of: { if case let .at(interval) = $0 { interval } else { nil } }),
    .init(
      "within", .between, "Between which times: `[0ms, 50ms]`.", { .within($0) },
      of: { if case let .within(range) = $0 { range } else { nil } }),
  ])
}

extension Reading {
  /// `CLIENT.LABEL: {ok: true}` and its like.
  mutating func readOutcome(
    _ entry: DocumentNode.Entry, _ client: String, _ label: Labels.Label
  ) -> OutcomeExpectation? {
    let table = OutcomeExpectation.table
    var expectation = OutcomeExpectation(
      client: client, call: CallID(label.name), position: entry.keyPosition,
      outcome: ExpectedOutcome(end: nil))
    guard let fields = read(entry.value, "an outcome", by: table, into: &expectation) else {
      return nil
    }
    checkOutcome(fields, label, table.names)
    // What can be seen of a call before it completes. A mistake in the end counts as an end, so
    // that its lack is not reported as well.
    let begins = fields["key"] != nil || fields["inputs"] != nil
    if expectation.outcome.end != nil || !begins {
      markListed(label, client, at: entry.keyPosition)
    }
    return expectation
  }

  /// Reports parts of an outcome that this kind of call does not have.
  private mutating func checkOutcome(
    _ fields: Fields, _ label: Labels.Label, _ keys: [String]
  ) {
    let (what, allowed): (String, [String]) =
      switch label.kind {
      case .listener: ("a listener", ["threw"])
      case .write: ("a write", ["ok", "error", "threw"])
      case .push: ("a push", ["ok", "error", "threw", "key"])
      case .keyOnly: ("a push without a value", ["threw", "key"])
      case .transaction: ("a transaction", ["error", "threw", "committed", "value", "inputs"])
      case .inspection: ("an inspection", ["answer", "threw"])
      case .credential: ("a request to sign in or out", ["ok", "error", "threw"])
      case .unknown: ("a call", keys)
      }
    let times = ["at", "within"]
    for entry in fields.entries
    where keys.contains(entry.key) && !(allowed + times).contains(entry.key) {
      report(
        entry.keyPosition,
        "\(label.name) is \(what) and has no \(entry.key); expected \(alternatives(allowed))")
    }
    if let value = fields.entry("value"), fields.entry("committed") == nil,
      allowed.contains("value")
    {
      report(value.keyPosition, "value is given without committed; expected both or neither")
    }
    if fields.entries.allSatisfy({ times.contains($0.key) }) {
      report(fields.position, "the outcome is empty; expected \(alternatives(allowed))")
    }
  }

  private mutating func markListed(_ label: Labels.Label, _ client: String, at position: Position) {
    if let listed = label.listed {
      report(
        position,
        "the outcome of \(label.name) is listed at \(listed) already; expected it once")
    }
    labels[client, label.name]?.listed = position
  }

  /// Reports named calls whose end no expectation lists: whatever they come to would be a divergence. So are
  /// refusals of calls without a name.
  mutating func checkNamedCalls() {
    for call in refusedCalls {
      file = call.file
      report(call.position, call.message)
    }
    for client in clients where !removed.contains(client) {
      for label in labels.labels(of: client)
      where label.isNamed && label.listed == nil && !label.isFinished && !label.isExcused {
        switch label.kind {
        case .listener, .unknown, .keyOnly: continue
        case .write, .push, .transaction, .inspection, .credential: break
        }
        file = label.file
        report(
          label.position,
          "no expectation lists the outcome of \(label.name); "
            + "expected it where the call completes, or no name")
      }
    }
  }
}

extension Labels {
  /// Takes over which outcomes are listed in `other`, which has the same labels.
  mutating func markListed(as other: Labels, for clients: [String]) {
    for client in clients {
      for label in other.labels(of: client) where label.listed != nil {
        self[client, label.name]?.listed = label.listed
      }
    }
  }
}
