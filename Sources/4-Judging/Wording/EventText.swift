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
  func name(of observation: Observation) -> String {
    switch observation.content {
    case let .event(event):
      event.type == .value ? "value \(path)" : event.name(key: childPath(below:))
    case let .cancelled(error): "cancelled (\(error))"
    }
  }

  func name(of expected: ExpectedEvent) -> String {
    switch expected.kind {
    case .event(.value): "value \(path)"
    case let .event(type):
      "\(type.rawValue) \(childPath(below: expected.key.map(Self.text) ?? "$any"))"
    case let .cancelled(error): "cancelled (\(error))"
    }
  }

  /// The whole event in one line: `child_added /room/b = 2, after a`.
  package func line(of observation: Observation) -> String {
    guard case let .event(event) = observation.content else { return name(of: observation) }
    return name(of: observation) + " = " + event.value.description + event.previous.clause()
  }

  func line(of expected: ExpectedEvent) -> String {
    var line = name(of: expected)
    if let value = expected.value { line += " = " + Self.value(value) }
    switch expected.previous {
    case .unstated: break
    case .first: line += Event.Previous.first.clause()
    case let .key(key): line += ", after " + Self.text(key)
    }
    if let time = expected.time { line += ", " + Self.text(time) }
    return line
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
  package static func text(_ outcome: Outcome) -> String {
    let end =
      switch outcome.end {
      case nil: "no end"
      case let .threw(error)?: "\(error) thrown"
      case let .completed(completion)?:
        completion.name + (completion.result.map { " \($0)" } ?? "")
      case let .answered(answer)?: "answer " + answer.text
      }
    return text(
      end, key: outcome.key.map { $0.string ?? $0.text },
      inputs: outcome.inputs.isEmpty ? nil : outcome.inputs)
  }

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
    return text(
      end, key: outcome.key.map { text($0) }, inputs: outcome.inputs.map { $0.map(\.json) })
  }

  private static func text(_ end: String, key: String?, inputs: [JSON]?) -> String {
    let parts = [end, key.map { "key " + $0 }, inputs.map { "inputs " + JSON.array($0).text }]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}

extension EventText {
  /// One side of a line of a comparison.
  package func text(_ entry: Divergence.Row.Entry) -> String {
    switch entry {
    case let .expectedEvent(event): line(of: event)
    case let .observation(observation): line(of: observation)
    case let .expectedOutcome(outcome): Self.text(outcome)
    case let .outcome(outcome): Self.text(outcome)
    case let .pattern(pattern): Self.value(pattern)
    case let .node(node): node.description
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
