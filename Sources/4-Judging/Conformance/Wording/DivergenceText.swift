internal import ClientInterface
internal import Document
internal import RunModel
internal import Scenario
internal import Trace
package import Tree

extension ScenarioResult {
  /// The first thing that is wrong, in a sentence without a full stop.
  public var sentence: String { divergences.first?.sentence ?? reason ?? verdict.rawValue }
}

extension Divergence {
  /// What is different, in one sentence without its full stop.
  public var sentence: String { EventText(path: subject.path).sentence(of: kind) }

  /// The same, which says of what operation a call is, and where.
  package var fullSentence: String {
    guard case let .call(_, _, operation) = subject else { return sentence }
    let place = operation.path.map { " at \($0)" } ?? ""
    return EventText(path: subject.path, call: "the \(operation.name)\(place)").sentence(of: kind)
  }

  /// Where the exception was thrown that it is about; empty for anything else.
  package var stack: [String] {
    guard case let .uncaught(exception) = kind else { return [] }
    return exception.stack.split(separator: "\n").map(String.init)
  }

  /// What it means for the application's data, in a sentence without its full stop; `nil` where that
  /// is unknown.
  package var consequence: String? {
    guard case let .broken(invariant, _) = kind else { return nil }
    switch invariant {
    case .atomicTransaction:
      return details.isEmpty
        ? "data of another writer are lost" : "the result of an earlier transaction is lost"
    case .acknowledgedIsKept: return "data are lost that were reported to the application as stored"
    default: return nil
    }
  }
}

/// The words for events and outcomes, expected and observed. Both sides are laid out alike, so that
/// what differs is seen.
package struct EventText {
  /// The location of the listener.
  package var path: Path
  /// What sentences name a call.
  private let call: String

  package init(path: Path, call: String = "the call") { (self.path, self.call) = (path, call) }

  /// `child_added /room/b`, `value /room`, `cancelled (permission_denied)`.
  func name(of event: ExpectedEvent) -> String {
    switch event.kind {
    case .event(.value): "value \(path)"
    case let .event(type):
      "\(type.rawValue) \(childPath(below: event.key.map(Self.text) ?? "(no key)"))"
    case let .cancelled(error): "cancelled (\(error))"
    }
  }

  func name(of observation: Observation) -> String {
    name(of: ExpectedEvent(observation.content))
  }

  /// The whole event in one line: `child_added /room/b = 2, after a`.
  func line(of event: ExpectedEvent) -> String {
    var line = name(of: event)
    if let value = event.value { line += " = " + Self.value(value) }
    switch event.previous {
    case .unstated: break
    case .first: line += Event.Previous.first.clause()
    case let .key(key): line += ", after " + Self.text(key)
    }
    if let time = event.time { line += ", " + Self.text(time) }
    return line
  }

  package func line(of content: Observation.Content) -> String {
    line(of: ExpectedEvent(content))
  }

  private func childPath(below key: String) -> String {
    path.isRoot ? "/" + key : "\(path)/\(key)"
  }

  /// A pattern as scenarios write it; a text without its quotes.
  static func text(_ pattern: Pattern) -> String { pattern.json.string ?? pattern.description }

  /// A pattern for a value, in canonical order where it is a value.
  static func value(_ pattern: Pattern) -> String {
    if case let .exactly(json) = pattern { Node(json: json).description } else { text(pattern) }
  }

  /// A pattern for an answer; a value is JSON and no node.
  static func answer(_ pattern: Pattern) -> String {
    if case let .exactly(json) = pattern { json.text } else { text(pattern) }
  }

  static func text(_ bound: TimeBound) -> String {
    switch bound {
    case let .at(moment): "at \(moment.shortText)"
    case let .within(range):
      "within \(range.lowerBound.shortText) to \(range.upperBound.shortText)"
    }
  }

  /// `ok`, `permission_denied`, `committed 5`, `invalid_path thrown`, `ok, key -Kx`.
  static func text(_ outcome: ExpectedOutcome) -> String {
    let end =
      switch outcome.end {
      case nil: "no end"
      case .ok?: "ok"
      case let .error(error)?: "error \(error.name)"
      case let .threw(error)?: "\(error) thrown"
      case let .answered(pattern)?: "answer " + answer(pattern)
      case let .committed(value)?: "committed" + (value.map { " " + Self.value($0) } ?? "")
      case let .notCommitted(value)?: "not committed" + (value.map { " " + Self.value($0) } ?? "")
      }
    let key = outcome.key.map { "key " + text($0) }
    let inputs = outcome.inputs.map { "inputs " + JSON.array($0.map(\.json)).text }
    return [end, key, inputs].compactMap(\.self).joined(separator: ", ")
  }

  package static func text(_ outcome: Outcome) -> String { text(ExpectedOutcome(outcome)) }

  /// One side of a line of a comparison.
  package func text(_ entry: Divergence.Row.Entry) -> String {
    switch entry {
    case let .event(event): line(of: event)
    case let .outcome(outcome): Self.text(outcome)
    case let .value(pattern): Self.value(pattern)
    }
  }
}

// What is different, in one sentence.

extension EventText {
  /// How much of a value a sentence shows; the whole is shown below it.
  private static let valueWidth = 36
  /// How much of the text of an exception it shows: that is shown nowhere else.
  private static let exceptionWidth = 240

  /// What is different, in one sentence without its full stop.
  fileprivate func sentence(of kind: Divergence.Kind) -> String {
    switch kind {
    case let .shadow(kind):
      sentence(of: kind) + "; expected is what the reference client does with the same messages"
    case let .missing(expected, nil):
      "expected \(name(of: expected)), but the client raised nothing more"
    case let .missing(expected, next?):
      words(expected, next) { "expected \($0), but the client raised \($1) next" }
    case let .unexpected(observation, reason):
      "the client raised \(name(of: observation))\(reason.row.clause)"
    case let .replaced(expected, observation):
      words(expected, observation) { "expected \($0), but the client raised \($1)" }
    case let .different(expected, observation, field): different(expected, observation, field)
    case let .misordered(observation, expected):
      words(expected, observation) {
        "the right events in the wrong order: \($1) came before \($0)"
      }
    case let .orderBetween(constraint):
      "\(constraint.second) came before \(constraint.first), expected after it"
    case let .gap(number, length, bound):
      "event \(number) came \(length.shortText) after the one before it, expected \(bound.text)"
    case let .call(difference, expected, observed): sentence(of: difference, expected, observed)
    case let .unknownLabel(label):
      "the client called back for \(label), which does not exist"
    case let .uncaught(exception):
      "the client threw an exception that was not caught: "
        + Truncation.middle(of: exception.description, to: Self.exceptionWidth)
    case let .serverTree(mismatch): tree("the server has", mismatch)
    case let .frames(expected, count):
      "\(expected.client) sent \(counted(count, "\(expected.kind) frame")), "
        + "expected \(expected.count)"
    case let .notConverged(mismatch): tree("the listener shows", mismatch, "but the server has")
    case let .unsettled(reason): "the run does not settle: \(reason.text)"
    case let .broken(invariant, text): "\(text) (\(invariant.id))"
    case let .protocolBreach(finding): finding.text
    }
  }

  /// The names of both events, with what they carry where the names are the same.
  private func words(
    _ expected: ExpectedEvent, _ observation: Observation, in sentence: (String, String) -> String
  ) -> String {
    let (wanted, raised) = (name(of: expected), name(of: observation))
    guard wanted == raised else { return sentence(wanted, raised) }
    let lines = (line(of: expected), line(of: observation.content))
    let start = [lines.0, lines.1].allSatisfy { $0.hasPrefix(raised + " = ") } ? " = " : ""
    let common = raised.count + start.count
    let (first, second) = Self.cut(
      String(lines.0.dropFirst(common)), String(lines.1.dropFirst(common)))
    return sentence(raised + start + first, raised + start + second)
  }

  private func tree(
    _ subject: String, _ mismatch: PatternMismatch, _ comparison: String = "expected"
  ) -> String {
    let path = self.path.appending(mismatch.path)
    let (observed, expected) = Self.pair(mismatch)
    return "\(subject) \(observed) at \(path), \(comparison) \(expected)"
  }

  private func different(
    _ expected: ExpectedEvent, _ observation: Observation, _ field: Divergence.EventField
  ) -> String {
    let name = name(of: observation)
    switch field {
    case let .value(mismatch):
      let (observed, wanted) = Self.pair(mismatch)
      return mismatch.path.isRoot
        ? "\(name) is \(observed), expected \(wanted)"
        : "\(name) has \(observed) at \(mismatch.path.relativeText), expected \(wanted)"
    case .previous:
      let neighbour = ExpectedEvent(observation.content).neighbour
      return "\(name) \(neighbour.map { "comes after \($0)" } ?? "has no previous key"), "
        + "expected after \(expected.neighbour ?? "anything")"
    case let .pathKey(key):
      let seen = if case let .event(event) = observation.content { event.key } else { nil as Key? }
      return "\(name) names the key \(seen?.string ?? "null"), expected \(key?.string ?? "null")"
    case let .childOrder(expected, observed):
      let lists = [observed, expected].map { $0.map(\.string).joined(separator: ", ") }
      let (observed, wanted) = Self.cut(lists[0], lists[1])
      return "\(name) lists its children as \(observed), expected \(wanted)"
    case let .time(bound, passed):
      return "\(name) came after \(passed.shortText), expected \(Self.text(bound))"
    }
  }

  private func sentence(
    of difference: Divergence.CallDifference, _ expected: ExpectedOutcome, _ outcome: Outcome
  ) -> String {
    let (end, wantedEnd) = (Self.text(outcome), Self.text(expected))
    switch difference {
    case .missing where expected.end == nil:
      return "\(call) was not answered, expected \(wantedEnd)"
    case .missing: return "\(call) did not end, expected \(Self.cut(wantedEnd))"
    case .unexpected:
      return "\(call) ended with \(Self.cut(end)), but no end was expected here"
    case .failed:
      return "\(call) ended with \(Self.cut(end)), but it should have succeeded"
    case .second: return "\(call) ended a second time, with \(Self.cut(end))"
    case .afterKill:
      return "\(call) ended with \(Self.cut(end)), but its process had been killed"
    case .end:
      if case let (.answered(answer)?, .answered(pattern)?) = (outcome.end, expected.end) {
        let (observed, wanted) = Self.cut(answer.text, Self.answer(pattern))
        return "the client answered \(observed), expected \(wanted)"
      }
      let (observed, wanted) = Self.cut(end, wantedEnd)
      return "\(call) ended with \(observed), expected \(wanted)"
    case .key:
      let key = outcome.key.map { $0.string ?? $0.text } ?? "no key"
      let (observed, wanted) = Self.cut(key, expected.key.map(Self.text) ?? "none")
      return "\(call) was answered with \(observed), expected \(wanted)"
    case .inputs: return differentInputs(outcome.inputs, expected.inputs ?? [])
    case let .time(bound, passed):
      return "\(call) ended after \(passed.shortText), expected \(Self.text(bound))"
    }
  }

  /// Where the first input differs, if that is more than a few words can show.
  private func differentInputs(_ inputs: [JSON], _ patterns: [Pattern]) -> String {
    let texts = (JSON.array(inputs).text, JSON.array(patterns.map(\.json)).text)
    let (observed, wanted) = Self.cut(texts.0, texts.1)
    guard (observed, wanted) != texts, inputs.count == patterns.count,
      let (number, mismatch) = zip(patterns, inputs).enumerated().lazy.compactMap({ index, pair in
        pair.0.fixedMismatch(with: pair.1).map { (index + 1, $0) }
      }).first
    else { return "the function was called with \(observed), expected \(wanted)" }
    let (found, missing) = Self.pair(mismatch)
    return "input \(number) of the function has \(found) at \(mismatch.path.relativeText), "
      + "expected \(missing)"
  }

  private static func cut(_ text: String) -> String { Truncation.middle(of: text, to: valueWidth) }

  /// Both texts, cut where they are the same.
  fileprivate static func cut(
    _ observed: String, _ expected: String
  ) -> (observed: String, expected: String) {
    Truncation.middle(of: observed, expected, to: valueWidth)
  }

  private static func pair(_ mismatch: PatternMismatch) -> (observed: String, expected: String) {
    let observed = mismatch.observed
    return cut(observed.isEmpty ? "nothing" : observed.description, mismatch.expected)
  }
}

extension Pattern {
  /// Where below it a value differs; `nil` for a pattern that leaves something open.
  fileprivate func fixedMismatch(with value: JSON) -> PatternMismatch? {
    guard case .exactly = self else { return nil }
    var bindings = Bindings()
    let mismatch = mismatch(with: Node(json: value), bindings: &bindings)
    return mismatch?.path.isRoot ?? true ? nil : mismatch
  }
}

extension ExpectedEvent {
  /// What the child comes after; `nil` where that is not stated.
  fileprivate var neighbour: String? {
    switch previous {
    case .unstated: nil
    case .first: "nothing (first)"
    case let .key(key): EventText.text(key)
    }
  }
}

extension Divergence.GapBound {
  fileprivate var text: String {
    switch self {
    case let .minimum(interval): "at least \(interval.shortText)"
    case let .maximum(interval): "at most \(interval.shortText)"
    case let .growth(factor, previous):
      "at least \(canonicalText(of: factor)) times the \(previous.shortText) before it"
    }
  }
}

extension Divergence {
  /// The divergence as reports for programs have it. Names of members never change and always come
  /// in the same order; members may be added.
  package var json: JSON {
    let names = EventText(path: subject.path)
    let rows = rows.map { row -> JSON in
      [
        "side": .string(row.side.rawValue), "number": .number(Double(row.number)),
        "text": .string(names.text(row.entry)),
      ]
    }
    var members: [JSON.Member] = [
      .init("kind", .string(kind.name)),
      .init("sentence", .string(sentence)),
      .init("subject", .string(subject.text)),
      .init("step", .number(Double(step))),
      .init("file", .string(file)),
      .init("line", .number(Double(position.line))),
      .init("column", .number(Double(position.column))),
      .init("rules", .array(rules.map { .string($0) })),
      .init("weight", .string(weight.rawValue)),
      .init("event", evidence.map { .number(Double($0)) } ?? .null),
      .init("rows", .array(rows)),
    ]
    if !stack.isEmpty { members.append(.init("stack", .array(stack.map { .string($0) }))) }
    return .object(members)
  }
}

extension Subject {
  /// `alice.feed = /scores orderByChild("points") limitToLast(2)`, `alice.w = set /room/b`.
  package var text: String {
    switch self {
    case let .listener(_, _, target): "\(label) = \(target.text)"
    case let .call(_, _, .inspect(inspection)): "\(label) = \(inspection)"
    case let .call(_, _, operation):
      "\(label) = \(operation.name)" + (operation.path.map { " \($0)" } ?? "")
    case .client, .server: label
    }
  }
}
