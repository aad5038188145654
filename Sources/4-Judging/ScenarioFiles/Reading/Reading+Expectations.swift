import ClientInterface
import Document
import Scenario
import Tree

extension Reading {
  static let expectationKeys: [FieldKey] = [
    .init(
      "rules", Schema.list(of: Schema.text),
      "What it is evidence for, of the scenario's rules; all, if left out."),
    .init("server", "The server's whole tree, in export format or as a pattern."),
    .init("frames", ["type": "object"], "How many messages of a kind each client sent."),
    .init("order", Schema.list(of: Schema.text), "What came before what: `feed#1 < w`."),
    .init(
      "converged", Schema.orParameter(["const": true]),
      "Every complete view equals the server's tree."),
    .init("one-of", ["type": "array", "minItems": 2], "Alternatives, of which one must match."),
  ]

  /// `expect: {…}` or `expect-now: {…}`.
  mutating func readExpectation(_ entry: DocumentNode.Entry) -> Expectation {
    let timing: Expectation.Timing = entry.key == "expect" ? .settled : .now
    var expectation = Expectation(position: entry.keyPosition, timing: timing)
    if entry.value.isNull { return expectation }
    guard case let .mapping(entries) = entry.value.content else {
      mismatch(entry.key, entry.value, expected: "a mapping with what may have been observed")
      for client in clients {
        for label in labels.labels(of: client) { labels.excuse(label.name, of: client) }
      }
      return expectation
    }
    read(entries, into: &expectation)
    readOrder(entries, into: &expectation)
    if let entry = entries.first(where: { $0.key == "one-of" }) {
      expectation.alternatives = readAlternatives(entry.value, common: expectation)
    }
    return expectation
  }

  /// Reads everything but `order`, which is about what all the rest lists.
  private mutating func read(
    _ entries: [DocumentNode.Entry], into expectation: inout Expectation
  ) {
    for entry in entries {
      switch entry.key {
      case "frames": expectation.frames += readFrames(entry.value)
      case "converged":
        if entry.value.json != true { mismatch("converged", entry.value, expected: "true") }
        expectation.isConverged = true
      case "rules": expectation.rules = citations(entry.value)
      case "server", "order", "one-of": break
      default: readLabel(entry, into: &expectation)
      }
    }
    // Last, as it is compared last: a name must be given before it is used.
    if let entry = entries.first(where: { $0.key == "server" }) {
      expectation.server = pattern(entry.value, "server")
    }
  }

  /// `CLIENT.LABEL: [events]` or `CLIENT.LABEL: {outcome}`.
  private mutating func readLabel(
    _ entry: DocumentNode.Entry, into expectation: inout Expectation
  ) {
    guard let dot = entry.key.firstIndex(of: ".") else {
      let names = clients.map { "\($0).NAME" }
      return unknown(
        "key", entry.key, at: entry.keyPosition, among: Self.expectationKeys.map(\.name) + names)
    }
    let client = String(entry.key[..<dot])
    let name = String(entry.key[entry.key.index(after: dot)...])
    guard checkClient(client, at: entry.keyPosition) else {
      for meant in suggestions(for: client, among: clients) { labels.excuse(name, of: meant) }
      return
    }
    guard let label = labels[client, name] else {
      return unknownLabel(name, of: client, at: entry.keyPosition)
    }
    if case .mapping = entry.value.content {
      if let outcome = readOutcome(entry, client, label) { expectation.outcomes.append(outcome) }
    } else if let listener = readListener(entry, client, label) {
      expectation.listeners.append(listener)
    } else {
      labels.excuse(name, of: client)
    }
  }

  mutating func unknownLabel(_ name: String, of client: String, at position: Position) {
    let names = labels.labels(of: client).map(\.name)
    let what = "listener or call of \(client)"
    if names.isEmpty {
      report(position, "unknown \(what) \(quoted(name)); expected one that a step before has named")
    } else {
      unknown(what, name, at: position, among: names)
      for meant in suggestions(for: name, among: names) { labels.excuse(meant, of: client) }
    }
  }

  /// `{CLIENT: {KIND: COUNT}}`.
  private mutating func readFrames(_ node: DocumentNode) -> [FrameExpectation] {
    guard let fields = fields(of: node, "frames", keys: clients) else { return [] }
    var frames: [FrameExpectation] = []
    for entry in fields.entries where clients.contains(entry.key) {
      let kinds = self.fields(
        of: entry.value, "the frames of \(entry.key)", keys: FrameExpectation.kinds)
      for kind in kinds?.entries ?? [] {
        guard let count = count(kind.value, "the count of \(kind.key)", atLeast: 0) else {
          continue
        }
        frames.append(
          .init(client: entry.key, kind: kind.key, count: count, position: kind.keyPosition))
      }
    }
    return frames
  }
}

extension Reading {
  /// `one-of: [{…}, {…}]`; each alternative says in addition to what is common.
  private mutating func readAlternatives(
    _ node: DocumentNode, common: Expectation
  ) -> [Expectation] {
    guard case let .list(elements) = node.content else {
      mismatch("one-of", node, expected: "a list of at least two alternatives")
      return []
    }
    if elements.count < 2 {
      let count = elements.count == 1 ? "one alternative" : "no alternatives"
      report(node.position, "one-of has \(count); expected at least two")
    }
    // Each alternative may list the same calls and bind the same names.
    let (labelsBefore, namesBefore) = (labels, boundNames)
    var (labelsAfter, namesAfter) = (labels, boundNames)
    let alternatives = elements.compactMap { element -> Expectation? in
      (labels, boundNames) = (labelsBefore, namesBefore)
      let alternative = readAlternative(element, common)
      labelsAfter.markListed(as: labels, for: clients)
      namesAfter += boundNames.filter { !namesAfter.contains($0) }
      return alternative
    }
    (labels, boundNames) = (labelsAfter, namesAfter)
    return alternatives
  }

  private mutating func readAlternative(
    _ node: DocumentNode, _ common: Expectation
  ) -> Expectation? {
    guard case let .mapping(entries) = node.content else {
      mismatch("an alternative", node, expected: "a mapping with what may have been observed")
      return nil
    }
    var alternative = common
    alternative.position = node.position
    alternative.alternatives = []
    if let entry = entries.first(where: { $0.key == "one-of" }) {
      report(entry.keyPosition, "an alternative has alternatives; expected one list of them all")
    }
    checkStatedOnce(entries, common)
    read(entries, into: &alternative)
    readOrder(entries, into: &alternative)
    return alternative
  }

  /// Reports what an alternative says again.
  private mutating func checkStatedOnce(_ entries: [DocumentNode.Entry], _ common: Expectation) {
    for entry in entries {
      let isStated =
        common.listeners.contains { "\($0.client).\($0.listener.name)" == entry.key }
        || common.outcomes.contains { "\($0.client).\($0.call.name)" == entry.key }
        || (entry.key == "server" && common.server != nil)
        || (entry.key == "rules" && !common.rules.isEmpty)
      if isStated {
        report(
          entry.keyPosition, "\(entry.key) is stated outside of one-of too; expected it once")
      }
    }
  }
}

extension Reading {
  /// `order: [alice.feed#1 < alice.w, …]`.
  private mutating func readOrder(
    _ entries: [DocumentNode.Entry], into expectation: inout Expectation
  ) {
    guard let entry = entries.first(where: { $0.key == "order" }) else { return }
    for node in list(entry.value, "order", of: "constraints such as feed#1 < w") {
      guard let text = string(node, "a constraint") else { continue }
      let parts = text.split(separator: "<", omittingEmptySubsequences: false)
      guard parts.count > 1 else {
        report(node.position, "\(quoted(text)) is no constraint; expected one such as feed#1 < w")
        continue
      }
      let moments = parts.map { moment($0, in: expectation, at: node.position) }
      for (first, second) in zip(moments, moments.dropFirst()) {
        guard let first, let second else { continue }
        expectation.order.append(
          OrderConstraint(position: node.position, first: first, second: second))
      }
    }
  }

  /// `CLIENT.LABEL#INDEX`; without the client where only one has that label.
  private mutating func moment(
    _ part: Substring, in expectation: Expectation, at position: Position
  ) -> OrderConstraint.Moment? {
    let text = part.trimmed
    let pieces = text.split(separator: "#", omittingEmptySubsequences: false)
    let index = pieces.count == 2 ? Int(pieces[1]) : nil
    guard let name = pieces.first, !name.isEmpty, pieces.count == 1 || (index ?? 0) > 0 else {
      report(
        position, "\(quoted(text)) is no place in the order; expected NAME, CLIENT.NAME or NAME#1")
      return nil
    }
    let listed = Self.listed(in: expectation)
    let found = listed.filter { $0.label == name || "\($0.client).\($0.label)" == name }
    guard let entry = found.first, found.count == 1 else {
      if found.isEmpty {
        unknown(
          "place in the order", String(name), at: position,
          among: listed.map { "\($0.client).\($0.label)" })
      } else {
        report(position, "\(quoted(text)) is listed for several clients; expected CLIENT.NAME")
      }
      return nil
    }
    if let index, index > entry.count {
      let events = entry.count == 1 ? "one observation" : "\(entry.count) observations"
      report(
        position, "\(quoted(text)) is not listed; expected an index within \(events) of \(name)")
      return nil
    }
    return .init(client: entry.client, label: entry.label, index: index)
  }

  private static func listed(
    in expectation: Expectation
  ) -> [(client: String, label: String, count: Int)] {
    let listeners = expectation.listeners.map { listener in
      (listener.client, listener.listener.name, listener.items.reduce(0) { $0 + $1.count })
    }
    return listeners + expectation.outcomes.map { ($0.client, $0.call.name, 1) }
  }
}

extension ListenerExpectation.Item {
  fileprivate var count: Int {
    switch self {
    case .event: 1
    case let .unordered(events): events.count
    }
  }
}
