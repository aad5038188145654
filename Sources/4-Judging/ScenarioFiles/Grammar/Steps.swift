import ClientInterface
import Document
import Faults
import Scenario
import Tree

extension Action {
  /// Steps that are about no client, network or server, and expect nothing.
  static let plain: [OneOf<Action>.Case] = [
    .init(
      "wait", .duration, "Lets time pass: `wait: 30ms`.", { .wait($0) },
      of: { if case let .wait(interval) = $0 { interval } else { nil } }),
    word(.settle, "settle", "Lets time pass until the run has settled."),
    word(
      .disarm, "disarm",
      "Takes back all steps that wait for something (see below) and have not happened; what "
        + "`close-after` and `lose-acknowledgement` still wait for too."),
    .init(
      FieldKey(
        "together", ["type": "array", "minItems": 2, "items": ["$ref": "#/$defs/step"]],
        "Does several steps at one instant, in any order, none of which lets time pass; `kennel "
          + "run` takes that of the file, `kennel explore` every one that keeps each client's "
          + "own."),
      read: { reading, node, _ in reading.together(node) },
      write: {
        if case let .together(steps) = $0 { [.init("together", .steps(steps))] } else { nil }
      }
    ),
  ]

  /// A step without arguments, with the name of its family.
  private static func word(
    _ action: Action, _ name: String, _ summary: String
  ) -> OneOf<Action>.Case {
    .init(
      FieldKey(name, summary),
      read: { reading, node, _ in
        reading.checkNoArguments(node, name)
        return action
      }, write: { $0.family == action.family ? [.init(name, nil)] : nil })
  }
}

extension Expectation.Timing {
  /// The steps that compare what was observed.
  static let keys: [FieldKey] = [
    FieldKey(
      Expectation.Timing.settled.name, ["$ref": "#/$defs/expectation"],
      "Settles, then compares everything that was observed since the last expectation."),
    FieldKey(
      Expectation.Timing.now.name, ["$ref": "#/$defs/expectation"],
      "Compares at this instant, for what must be synchronous."),
  ]

  var name: String {
    switch self {
    case .settled: "expect"
    case .now: "expect-now"
    }
  }
}

// MARK: - Reading

extension Reading {
  mutating func readSteps(_ node: DocumentNode, inFragment: Bool) -> [Step] {
    var steps: [Step] = []
    for element in list(node, "steps", of: "steps") {
      guard let step = readStep(element) else { continue }
      if inFragment, let expectation = step.expectation {
        report(
          expectation.position,
          "a fragment expects something; expected expectations in the including file")
      }
      steps.append(step)
    }
    return steps
  }

  private mutating func readStep(_ node: DocumentNode) -> Step? {
    guard let entries = stepEntries(node).map({ indented($0) }) else { return nil }
    let names = Expectation.Timing.keys.map(\.name)
    let expectations = entries.filter { names.contains($0.key) }
    let actions = entries.filter { !names.contains($0.key) }
    for entry in actions.dropFirst() + expectations.dropFirst() {
      report(
        entry.keyPosition,
        "a step does a second thing, \(entry.key); expected a step of its own for it")
    }
    var step = Step(file: file, position: node.position, text: "", action: .expect)
    if let entry = actions.first {
      step.text = Self.text(of: entry)
      step.position = entry.keyPosition
      let action = action(entry)
      let trigger = trigger(of: entry, action)
      guard let action else {
        if let entry = expectations.first { _ = readExpectation(entry) }
        return nil
      }
      step.action = action
      step.trigger = trigger
    }
    if let entry = expectations.first {
      if actions.isEmpty { step.text = Self.text(of: entry) }
      step.expectation = readExpectation(entry)
    }
    return step
  }

  private mutating func stepEntries(_ node: DocumentNode) -> [DocumentNode.Entry]? {
    let entries = node.entries
    if entries?.isEmpty == false { return entries }
    let found = entries == nil ? node.kind : "an empty mapping"
    report(node.position, "a step is \(found); expected a mapping such as {alice.set: {...}}")
    return nil
  }

  /// The entries of a step. Arguments that stand beside the operation, and not below it, are reported, and
  /// put there.
  private mutating func indented(_ entries: [DocumentNode.Entry]) -> [DocumentNode.Entry] {
    let timings = Expectation.Timing.keys.map(\.name)
    guard var first = entries.first, first.value.isNull,
      first.key.contains(".") || timings.contains(first.key)
    else { return entries }
    let steps = Action.plain.map(\.key.name) + timings
    let hasLabels = timings.contains(first.key)
    let arguments = entries.dropFirst().prefix {
      $0.key.contains(".") == hasLabels && !steps.contains($0.key)
    }
    guard let argument = arguments.first else { return entries }
    report(
      argument.keyPosition,
      "\(argument.key) stands beside \(first.key); expected it below, indented by two more blanks, or in "
        + "braces: \(first.key): {\(argument.key): \(argument.value.flowText), ...}")
    first.value = DocumentNode(.mapping(Array(arguments)), at: argument.keyPosition)
    return [first] + entries.dropFirst(1 + arguments.count)
  }

  static func text(of entry: DocumentNode.Entry) -> String {
    if entry.value.isNull { return entry.key }
    return Truncation.end(of: "\(entry.key): \(entry.value.flowText)", to: 120)
  }

  private mutating func action(_ entry: DocumentNode.Entry) -> Action? {
    if let plain = Action.plain.first(where: { $0.key.name == entry.key }) {
      return plain.read(&self, entry.value, Fields(position: entry.keyPosition))
    }
    guard let dot = entry.key.firstIndex(of: ".") else {
      let words = (Action.plain.map(\.key) + Expectation.Timing.keys).map(\.name)
      let owned = steps(of: entry.key)
      if owned.isEmpty {
        unknown(
          "step", entry.key, at: entry.keyPosition,
          among: words + clients.map { "\($0).OPERATION" })
      } else {
        report(
          entry.keyPosition,
          "\(entry.key) does not say whose it is; expected a name and a point before it; did you mean "
            + "\(alternatives(owned))?")
      }
      return nil
    }
    let verb = String(entry.key[entry.key.index(after: dot)...])
    switch entry.key[..<dot] {
    case "network": return fault(.network, verb, entry).map(Action.fault)
    case "server": return fault(.server, verb, entry).map(Action.fault)
    case let client where FaultVerb.ofProcess.contains(verb):
      return fault(.process, of: String(client), verb, entry).map(Action.fault)
    case let client: return call(of: String(client), verb, entry).map(Action.call)
    }
  }

  /// The steps of which a word is only the verb.
  private func steps(of word: String) -> [String] {
    let faults = FaultVerb.all.filter { $0.group != .process && $0.key.name == word }.map(\.step)
    let isOfClients =
      Operation.Kind(rawValue: word) != nil || FaultVerb.ofProcess.contains(word)
    return (isOfClients ? clients.map { "\($0).\(word)" } : []) + faults
  }

  /// Reports arguments of something that takes none.
  mutating func checkNoArguments(_ node: DocumentNode, _ what: String) {
    if node.isNull || node.json.members?.isEmpty == true { return }
    report(node.position, "\(what) takes no arguments; expected {} or nothing behind it")
  }

  fileprivate mutating func together(_ node: DocumentNode) -> Action? {
    let elements = list(node, "together", of: "steps")
    if elements.count == 1 {
      report(node.position, "together has one step; expected at least two")
    }
    let steps = elements.compactMap { element -> Step? in
      guard let step = readStep(element) else { return nil }
      if let expectation = step.expectation {
        report(
          expectation.position,
          "a step of together expects something; expected the expectation after together")
      }
      if step.action.passesTime || step.action.members != nil {
        report(
          step.position,
          "together does not take \(quoted(step.text)); expected steps that let no time pass")
      }
      return step
    }
    return steps.count == elements.count ? .together(steps) : nil
  }
}

// MARK: - Writing

extension YAML {
  static func steps(_ steps: [Step]) -> YAML { .list(steps.map { .step($0) }, .block) }

  private static func step(_ step: Step) -> YAML {
    var entries: [Entry] = []
    if var entry = entry(of: step.action, step.trigger) {
      // A plain word cannot have an expectation behind it.
      if entry.value == nil {
        guard step.expectation != nil else { return .word(entry.key) }
        entry.value = .mapping([])
      }
      entries.append(entry)
    }
    if let expectation = step.expectation {
      entries.append(Entry(expectation.timing.name, expectation.yaml))
    }
    return .mapping(entries, .block)
  }

  /// What a step does; `nil` for a step that only expects.
  private static func entry(of action: Action, _ trigger: Step.Trigger?) -> Entry? {
    switch action {
    case let .call(call): entry(of: call)
    case let .fault(fault): entry(of: fault, trigger)
    case .wait, .settle, .disarm, .together:
      Action.plain.lazy.compactMap { $0.write(action)?.first }.first
    case .expect: nil
    }
  }
}
