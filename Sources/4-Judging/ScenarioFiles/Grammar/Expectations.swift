import ClientInterface
import Document
public import Scenario
import Tree

/// What an expectation lists, and what it need not list: an alternative begins with what all of
/// them have in common, and states the rest.
struct StatedExpectation {
  var whole: Expectation
  var common: Expectation?

  init(_ whole: Expectation, beside common: Expectation? = nil) {
    (self.whole, self.common) = (whole, common)
  }

  /// All that can be listed, in the order in which it is read, written and compared: a name must be
  /// given before it is used, and `order` is about everything else.
  static let table: Table<StatedExpectation> = Table([
    Field(
      "rules", Schema.list(of: Schema.text),
      summary: "What it is evidence for, of the scenario's rules; all, if left out.",
      read: { $2.whole.rules = $0.citations($1) },
      write: { stated in
        let rules = stated.whole.rules
        return rules.isEmpty || stated.common != nil ? nil : .words(rules.map(\.id))
      }),
    Field(
      [],
      read: { reading, fields, stated in
        for entry in fields.entries where !table.names.contains(entry.key) {
          reading.readLabel(entry, into: &stated.whole)
        }
      }, write: \.labels),
    Field(
      "server", Form.pattern.schema,
      summary: "The server's whole tree, in export format or as a pattern.",
      read: { $2.whole.server = $0.pattern($1, "server") },
      write: { $0.common?.server == nil ? $0.whole.server.map { .pattern($0) } : nil }),
    Field(
      "frames", ["type": "object"], summary: "How many messages of a kind each client sent.",
      read: { $2.whole.frames += $0.readFrames($1) }, write: \.frames),
    Field(
      "order", Schema.list(of: Schema.text), summary: "What came before what: `feed#1 < w`.",
      read: { $0.readOrder($1, into: &$2.whole) }, write: \.order),
    Field(
      "converged", .mark(true), \.isConverged, unless: false,
      "Every complete view equals the server's tree."),
    Field(
      "one-of", ["type": "array", "minItems": 2],
      summary: "Alternatives, of which one must match.",
      read: { $2.whole.alternatives = $0.readAlternatives($1, common: $2.whole) },
      write: { stated in
        let whole = stated.whole
        if whole.alternatives.isEmpty { return nil }
        let alternatives = whole.alternatives.map { StatedExpectation($0, beside: whole) }
        return .list(alternatives.map { .mapping($0, by: table) }, .block)
      }),
  ])
}

// MARK: - Writing

extension Expectation {
  /// What it lists, as a file does: each key with its value on one line.
  public var lines: [(key: String, value: String)] {
    StatedExpectation.table.entries(of: .init(self)).compactMap { entry in
      entry.value?.line.map { (entry.key, $0) }
    }
  }

  var yaml: YAML { .mapping(StatedExpectation.table.entries(of: .init(self)), .single) }
}

extension StatedExpectation {
  private var isConverged: Bool {
    get { whole.isConverged && common?.isConverged != true }
    set { whole.isConverged = newValue }
  }

  /// In the order of the file, since a name must be given before it is used.
  private var labels: [YAML.Entry] {
    let listeners = whole.listeners.dropFirst(common?.listeners.count ?? 0).map {
      (position: $0.position, entry: YAML.Entry("\($0.client).\($0.listener.name)", $0.yaml))
    }
    let outcomes = whole.outcomes.dropFirst(common?.outcomes.count ?? 0).map {
      (position: $0.position, entry: YAML.Entry("\($0.client).\($0.call.name)", $0.yaml))
    }
    return (listeners + outcomes).enumerated()
      .sorted { ($0.element.position, $0.offset) < ($1.element.position, $1.offset) }
      .map(\.element.entry)
  }

  /// `{CLIENT: {KIND: COUNT}}`.
  private var frames: YAML? {
    var clients: [(name: String, counts: [YAML.Entry])] = []
    for frame in whole.frames.dropFirst(common?.frames.count ?? 0) {
      let count = YAML.Entry(frame.kind, .word("\(frame.count)"))
      if let index = clients.firstIndex(where: { $0.name == frame.client }) {
        clients[index].counts.append(count)
      } else {
        clients.append((frame.client, [count]))
      }
    }
    return clients.isEmpty ? nil : .mapping(clients.map { .init($0.name, .mapping($0.counts)) })
  }

  private var order: YAML? {
    let texts = whole.order.dropFirst(common?.order.count ?? 0).map { constraint in
      "\(name(of: constraint.first)) < \(name(of: constraint.second))"
    }
    return texts.isEmpty ? nil : .words(texts)
  }

  /// Without the client where only one has that label.
  private func name(of moment: OrderConstraint.Moment) -> String {
    let labels = whole.listeners.map(\.listener.name) + whole.outcomes.map(\.call.name)
    let isAlone = labels.filter { $0 == moment.label }.count == 1
    return isAlone ? String(moment.description.dropFirst(moment.client.count + 1)) : "\(moment)"
  }
}

// MARK: - Reading

extension Reading {
  /// `expect: {…}` or `expect-now: {…}`.
  mutating func readExpectation(_ entry: DocumentNode.Entry) -> Expectation {
    let timing: Expectation.Timing =
      entry.key == Expectation.Timing.settled.name ? .settled : .now
    let expectation = Expectation(position: entry.keyPosition, timing: timing)
    if entry.value.isNull { return expectation }
    if case let .mapping(entries) = entry.value.content { return read(entries, into: expectation) }
    mismatch(
      entry.key, entry.value,
      expected:
        "a mapping with what each listener and call has received, such as {alice.feed: [{value: 1}]}"
    )
    for client in clients {
      for label in labels.labels(of: client) { labels.excuse(label.name, of: client) }
    }
    return expectation
  }

  private mutating func read(
    _ entries: [DocumentNode.Entry], into expectation: Expectation
  ) -> Expectation {
    var stated = StatedExpectation(expectation)
    let fields = Fields(position: expectation.position, entries: entries)
    read(fields, by: StatedExpectation.table, into: &stated)
    return stated.whole
  }

  /// `CLIENT.LABEL: [events]` or `CLIENT.LABEL: {outcome}`.
  fileprivate mutating func readLabel(
    _ entry: DocumentNode.Entry, into expectation: inout Expectation
  ) {
    guard let dot = entry.key.firstIndex(of: ".") else {
      let meant = clients.flatMap { client in
        closestMatches(to: entry.key, in: labels.candidates(of: client)).prefix(1)
          .map { (client: client, label: $0) }
      }
      for (client, label) in meant { labels.excuse(label, of: client) }
      let isKey = !closestMatches(to: entry.key, in: StatedExpectation.table.names).isEmpty
      if !meant.isEmpty, !isKey {
        let names = alternatives(meant.map { "\($0.client).\($0.label)" })
        return report(entry.keyPosition, "\(quoted(entry.key)) has no client; expected \(names)")
      }
      let names = clients.map { "\($0).NAME" }
      return unknown(
        "key", entry.key, at: entry.keyPosition, among: StatedExpectation.table.names + names)
    }
    let client = String(entry.key[..<dot])
    let name = String(entry.key[entry.key.index(after: dot)...])
    guard checkClient(client, at: entry.keyPosition) else {
      for meant in closestMatches(to: client, in: clients) { labels.excuse(name, of: meant) }
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
    let names = labels.candidates(of: client)
    let what = "listener or call of \(client)"
    if names.isEmpty {
      report(position, "unknown \(what) \(quoted(name)); expected one that a step before has named")
    } else {
      unknown(what, name, at: position, among: names)
      for meant in closestMatches(to: name, in: names) { labels.excuse(meant, of: client) }
    }
  }

  /// `{CLIENT: {KIND: COUNT}}`.
  fileprivate mutating func readFrames(_ node: DocumentNode) -> [FrameExpectation] {
    var frames: [FrameExpectation] = []
    for entry in perClient(node, "frames") {
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
  fileprivate mutating func readAlternatives(
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
    return read(entries.filter { $0.key != "one-of" }, into: alternative)
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
  fileprivate mutating func readOrder(_ node: DocumentNode, into expectation: inout Expectation) {
    for node in list(node, "order", of: "constraints such as feed#1 < w") {
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
