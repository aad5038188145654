internal import ClientInterface
package import Conformance
internal import Scenario
internal import Trace
package import Tree

/// The words for events and outcomes, expected and observed. Both sides are laid out alike, so that
/// what differs is seen.
package struct EventText {
  /// The location of the listener.
  package var path: Path

  package init(path: Path) { self.path = path }

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

  /// A pattern for a key: the key itself, or the pattern as scenarios write it.
  static func text(_ pattern: Pattern) -> String {
    if case let .exactly(.string(key)) = pattern { return key }
    return pattern.json.string ?? pattern.description
  }

  /// A pattern for a value, in canonical order where it is a value.
  static func value(_ pattern: Pattern) -> String {
    if case let .exactly(json) = pattern { return Node(json: json).description }
    return pattern.json.string ?? pattern.description
  }

  /// A pattern for an answer; a value is JSON and no node.
  static func answer(_ pattern: Pattern) -> String {
    if case let .exactly(json) = pattern { return json.text }
    return pattern.json.string ?? pattern.description
  }

  static func text(_ bound: TimeBound) -> String {
    switch bound {
    case let .at(moment): "at \(moment.shortText)"
    case let .within(range):
      "within \(range.lowerBound.shortText) to \(range.upperBound.shortText)"
    }
  }
}

extension EventText {
  /// `ok`, `permission_denied`, `committed 5`, `invalid_path thrown`, `ok, key -Kx`.
  static func text(_ outcome: ExpectedOutcome) -> String {
    let end =
      switch outcome.end {
      case nil: "no end"
      case .ok?: "ok"
      case let .error(error)?: error.name
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
