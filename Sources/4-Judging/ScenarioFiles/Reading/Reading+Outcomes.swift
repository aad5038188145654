import ClientInterface
import Document
import Scenario
import Tree

extension Reading {
  private static let ends = ["ok", "error", "threw", "committed", "answer"]
  /// What can be seen of a call before it completes.
  private static let beginnings = ["key", "inputs"]
  private static let outcomeNames = outcomeKeys.map(\.name)

  static let outcomeKeys =
    endKeys + OutcomeExpectation.key.keys + OutcomeExpectation.table.keys

  private static let endKeys: [FieldKey] = [
    .init("ok", Schema.orParameter(["const": true]), "A write that was accepted."),
    .init("error", Schema.text, "A call that failed, with its code in lower case."),
    .init(
      "threw", Schema.text,
      "Any call, also a listen, that was refused at once for its arguments, with the code."),
    .init("committed", Form.flag.schema, "Whether a transaction wrote, or aborted."),
    .init("answer", "What an inspection was answered; JSON that may contain matchers."),
    .init("value", "The value that a transaction wrote, or last saw."),
  ]

  /// `CLIENT.LABEL: {ok: true}` and its like.
  mutating func readOutcome(
    _ entry: DocumentNode.Entry, _ client: String, _ label: Labels.Label
  ) -> OutcomeExpectation? {
    guard let fields = fields(of: entry.value, "an outcome", keys: Self.outcomeNames) else {
      return nil
    }
    checkOutcome(fields, label)
    let end = readEnd(fields)
    // A mistake in it counts as an end, so that its lack is not reported as well.
    let begins = fields.entries.contains { Self.beginnings.contains($0.key) }
    if end != nil || !begins { markListed(label, client, at: entry.keyPosition) }
    var expectation = OutcomeExpectation(
      client: client, call: CallID(label.name), position: entry.keyPosition,
      outcome: ExpectedOutcome(end: end))
    OutcomeExpectation.key.read(&self, fields, &expectation)
    read(fields, by: OutcomeExpectation.table, into: &expectation)
    return expectation
  }

  private mutating func readEnd(_ fields: Fields) -> ExpectedOutcome.End? {
    let found = fields.entries.filter { Self.ends.contains($0.key) }
    if found.count > 1, let last = found.last {
      report(
        last.keyPosition,
        "an outcome has \(found.map(\.key).joined(separator: " and ")); expected one of them")
    }
    guard let entry = found.first else { return nil }
    switch entry.key {
    case "ok":
      if entry.value.json != true {
        mismatch("ok", entry.value, expected: "true, or error with a code")
      }
      return .ok
    case "error": return errorCode(entry.value, "error").map { .error($0) }
    case "threw": return errorCode(entry.value, "threw").map { .threw($0) }
    case "answer": return .answered(pattern(entry.value, "answer"))
    default:
      let value = fields["value"].map { pattern($0, "value") }
      return bool(entry.value, "committed").map { $0 ? .committed(value) : .notCommitted(value) }
    }
  }

  /// Reports parts of an outcome that this kind of call does not have.
  private mutating func checkOutcome(_ fields: Fields, _ label: Labels.Label) {
    let (what, allowed): (String, [String]) =
      switch label.kind {
      case .listener: ("a listener", ["threw"])
      case .write: ("a write", ["ok", "error", "threw"])
      case .push: ("a push", ["ok", "error", "threw", "key"])
      case .keyOnly: ("a push without a value", ["threw", "key"])
      case .transaction: ("a transaction", ["error", "threw", "committed", "value", "inputs"])
      case .inspection: ("an inspection", ["answer", "threw"])
      case .credential: ("a request to sign in or out", ["ok", "error", "threw"])
      case .unknown: ("a call", Self.outcomeNames)
      }
    let keys = Set(Self.outcomeNames).subtracting(["at", "within"])
    for entry in fields.entries where keys.contains(entry.key) && !allowed.contains(entry.key) {
      report(
        entry.keyPosition,
        "\(label.name) is \(what) and has no \(entry.key); expected \(alternatives(allowed))")
    }
    if let value = fields.entry("value"), fields.entry("committed") == nil,
      allowed.contains("value")
    {
      report(value.keyPosition, "value is given without committed; expected both or neither")
    }
    if fields.entries.allSatisfy({ ["at", "within"].contains($0.key) }) {
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

  /// Reports named calls whose end no expectation lists: whatever they come to would be a divergence.
  mutating func checkNamedCalls() {
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

extension OutcomeExpectation {
  /// It is written before the end, since a push shows it before.
  static let key = Field<OutcomeExpectation>(
    "key", summary: "The new key of a push; the only one for a push without a value.",
    read: { $2.outcome.key = $0.keyPattern($1, "key") },
    write: { $0.outcome.key.map { .pattern($0) } })

  static let table = Table<OutcomeExpectation>([
    Field(
      "inputs", summary: "With what the function of a transaction was called, in order.",
      read: { reading, node, expectation in
        expectation.outcome.inputs = reading.list(node, "inputs", of: "values").map {
          reading.pattern($0, "an input")
        }
      },
      write: { $0.outcome.inputs.map { .list($0.map { .pattern($0) }) } }),
    .time(\.time),
  ])
}

extension Field {
  /// `at` or `within`: when something was observed.
  static func time(_ path: any WritableKeyPath<Owner, TimeBound?> & Sendable) -> Field {
    Field(
      [
        .init("at", Schema.text, "When, since the last expectation or the first step."),
        .init("within", "Between which times: `[0ms, 50ms]`."),
      ], read: { reading, fields, owner in owner[keyPath: path] = reading.timeBound(fields) },
      write: { owner in
        switch owner[keyPath: path] {
        case nil: []
        case let .at(interval)?: [.init("at", .duration(interval))]
        case let .within(range)?:
          [.init("within", .list([.duration(range.lowerBound), .duration(range.upperBound)]))]
        }
      })
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
