import Document
import Faults
import Scenario
import Tree

extension Reading {
  private static let steps = (plainSteps + expectSteps).map(\.name)

  /// Steps that are about no client, network or server, and expect nothing.
  static let plainSteps: [FieldKey] = [
    .init("wait", Schema.text, "Lets time pass: `wait: 30ms`."),
    .init("settle", "Lets time pass until the run has settled."),
    .init(
      "disarm",
      "Takes back all steps that wait for something (see below) and have not happened; what "
        + "`close-after` and `lose-acknowledgement` still wait for too."),
    .init(
      "together", ["type": "array", "minItems": 2, "items": ["$ref": "#/$defs/step"]],
      "Does several steps at one instant, in any order, none of which lets time pass; `kennel run` "
        + "takes that of the file, `kennel explore` every one that keeps each client's own."),
  ]

  /// Steps that compare what was observed.
  static let expectSteps: [FieldKey] = [
    .init(
      "expect", ["$ref": "#/$defs/expectation"],
      "Settles, then compares everything that was observed since the last expectation."),
    .init(
      "expect-now", ["$ref": "#/$defs/expectation"],
      "Compares at this instant, for what must be synchronous."),
  ]

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
    guard let entries = stepEntries(node) else { return nil }
    let expectations = entries.filter { ["expect", "expect-now"].contains($0.key) }
    let actions = entries.filter { !["expect", "expect-now"].contains($0.key) }
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

  /// The entries of a step; a plain word such as `settle` is a step without arguments.
  private mutating func stepEntries(_ node: DocumentNode) -> [DocumentNode.Entry]? {
    switch node.content {
    case let .mapping(entries) where !entries.isEmpty: return entries
    case let .string(word):
      let nothing = DocumentNode(.null, at: node.position)
      return [.init(key: word, keyPosition: node.position, value: nothing)]
    case .null, .bool, .number, .list, .mapping:
      let found = node.kind == "a mapping" ? "an empty mapping" : node.kind
      report(
        node.position, "a step is \(found); expected a mapping such as {alice.set: {...}}")
      return nil
    }
  }

  static func text(of entry: DocumentNode.Entry) -> String {
    if entry.value.isNull { return entry.key }
    return Truncation.end(of: "\(entry.key): \(entry.value.flowText)", to: 120)
  }

  private mutating func action(_ entry: DocumentNode.Entry) -> Action? {
    switch entry.key {
    case "wait": return interval(entry.value, "wait").map(Action.wait)
    case "settle":
      checkNoArguments(entry)
      return .settle
    case "disarm":
      checkNoArguments(entry)
      return .disarm
    case "together": return together(entry.value)
    default: break
    }
    guard let dot = entry.key.firstIndex(of: ".") else {
      let words = Self.steps + clients.map { "\($0).OPERATION" }
      unknown("step", entry.key, at: entry.keyPosition, among: words)
      return nil
    }
    let verb = String(entry.key[entry.key.index(after: dot)...])
    switch entry.key[..<dot] {
    case "network": return fault(.network, verb, entry).map(Action.fault)
    case "server": return fault(.server, verb, entry).map(Action.fault)
    case let client where Self.processVerbs.contains(verb):
      return processAction(String(client), verb, entry).map(Action.fault)
    case let client: return call(of: String(client), verb, entry).map(Action.call)
    }
  }

  /// Reports arguments of something that takes none.
  mutating func checkNoArguments(_ entry: DocumentNode.Entry) {
    if entry.value.isNull || entry.value.json.members?.isEmpty == true { return }
    report(
      entry.value.position, "\(entry.key) takes no arguments; expected {} or nothing behind it")
  }

  private mutating func together(_ node: DocumentNode) -> Action? {
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
