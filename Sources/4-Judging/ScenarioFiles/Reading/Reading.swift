import ClientInterface
import Document
import Faults
import Scenario
import Tree
import Wire

/// The reading of one scenario from its files: what was found so far, and everything that is wrong.
///
/// Each part of the format has an extension of its own. They return `nil` for what cannot be read;
/// by then the problem is reported, and reading goes on with the next part.
struct Reading {
  /// The file in which the problems found next lie.
  var file: String
  private(set) var problems: [SourceError] = []
  /// The rules that there are; `nil` where they are not known.
  let rules: RuleBook?
  let purpose: ScenarioReader.Purpose
  /// The clients of the scenario, in order.
  var clients: [String] = []
  /// The names that steps have given so far.
  var labels = Labels()
  /// The clients that were killed and not started again so far.
  var killed: Set<String> = []
  /// The clients that will be killed at some time, which only the run can know.
  var removed: Set<String> = []
  /// The names that `$bind` has given so far.
  var boundNames: [String] = []
  /// Calls without a name that every client refuses, so that no expectation can list that.
  var refusedCalls: [(file: String, position: Position, message: String)] = []
  /// What callbacks name, which may be given its name later.
  var forwardNames: [ForwardName] = []
  /// The client whose call is being read.
  var caller = ""
  /// The client of the fault whose trigger is being read; `nil` where it is about none.
  var affected: String?
  /// The listener or the call of which the observations are being read.
  var observed: Labels.Label?
  /// Whether the calls that are read are made from inside a callback.
  var isInCallback = false

  init(file: String, rules: RuleBook?, for purpose: ScenarioReader.Purpose = .run) {
    (self.file, self.rules, self.purpose) = (file, rules, purpose)
  }

  mutating func report(_ position: Position, _ message: String) {
    problems.append(SourceError(file: file, position: position, message: message))
  }

  /// Reports that a value has the wrong type.
  mutating func mismatch(_ what: String, _ node: DocumentNode, expected: String) {
    report(node.position, "\(what) is \(node.kind); expected \(expected)")
  }

  /// Reports a word that is none of those that are known, or of other ones that are also expected there.
  mutating func unknown(
    _ what: String, _ word: String, at position: Position, among candidates: [String],
    or others: [String] = []
  ) {
    let hint = hint(for: word, among: candidates)
    // A long list behind what was meant is not read, and one of a single word says the same.
    let list =
      hint.isEmpty || (2...12).contains(candidates.count)
      ? "; expected \(alternatives(candidates + (hint.isEmpty ? others : [])))" : ""
    report(position, "unknown \(what) \(quoted(word))\(list)\(hint)")
  }
}

/// The entries of a mapping whose keys are known.
struct Fields {
  var position: Position
  var entries: [DocumentNode.Entry] = []
  /// Whether keys were reported that do not belong there.
  var hasUnknownKeys = false

  subscript(_ key: String) -> DocumentNode? { entry(key)?.value }

  func entry(_ key: String) -> DocumentNode.Entry? { entries.first { $0.key == key } }
}

extension Reading {
  /// The entries of a mapping. Keys that do not belong there, and required keys that are missing,
  /// are reported.
  mutating func fields(
    of node: DocumentNode, _ what: String, keys: [String], required: [String] = []
  ) -> Fields? {
    guard case let .mapping(entries) = node.content else {
      mismatch(what, node, expected: "a mapping with the keys \(keys.joined(separator: ", "))")
      return nil
    }
    let misspelt = entries.filter { !keys.contains($0.key) }
    for entry in misspelt {
      if let home = home(of: entry.key, among: keys) {
        report(entry.keyPosition, "\(entry.key) is in the wrong location; expected it \(home)")
      } else {
        unknown("key", entry.key, at: entry.keyPosition, among: keys)
      }
    }
    // What a misspelt key was meant to be is not missing.
    let meant = misspelt.flatMap { closestMatches(to: $0.key, in: keys).prefix(1) }
    for key in required where !entries.contains(where: { $0.key == key }) && !meant.contains(key) {
      report(node.position, missing(key, in: what))
    }
    return Fields(
      position: node.position, entries: entries, hasUnknownKeys: !misspelt.isEmpty)
  }

  mutating func string(_ node: DocumentNode, _ what: String) -> String? {
    switch node.content {
    case let .string(text): return text
    case .number, .bool:
      mismatch(what, node, expected: "a string; put it in quotes")
    case .null, .list, .mapping:
      mismatch(what, node, expected: "a string")
    }
    return nil
  }

  /// The elements of a list. A list without any is reported.
  mutating func list(_ node: DocumentNode, _ what: String, of elements: String) -> [DocumentNode] {
    guard case let .list(nodes) = node.content else {
      let hyphens = node.isCollection ? ", with \"- \" before each of them" : ""
      mismatch(what, node, expected: "a list of \(elements)\(hyphens)")
      return []
    }
    if nodes.isEmpty {
      report(node.position, "\(what) is an empty list; expected at least one element")
    }
    return nodes
  }

  /// The strings of a list, each once.
  mutating func words(
    _ node: DocumentNode, _ what: String, of elements: String
  ) -> [(text: String, position: Position)] {
    var words: [(text: String, position: Position)] = []
    if case let .string(text) = node.content {
      mismatch(what, node, expected: "a list of \(elements): [\(node.flowText)]")
      return [(text, node.position)]
    }
    for element in list(node, what, of: elements) {
      guard let text = string(element, "an element of \(what)") else { continue }
      if words.contains(where: { $0.text == text }) {
        report(element.position, "\(quoted(text)) occurs twice in \(what); expected it once")
      } else {
        words.append((text, element.position))
      }
    }
    return words
  }

  /// One of the words that there are, which messages call `what` where it is none of them.
  mutating func word(
    _ node: DocumentNode, _ key: String, as what: String? = nil, among words: [String]
  ) -> String? {
    guard let text = string(node, key) else { return nil }
    if words.contains(text) { return text }
    unknown(what ?? key, text, at: node.position, among: words)
    return nil
  }

  /// One of the cases of an enumeration, by its raw value.
  mutating func choice<Choice: CaseIterable & RawRepresentable>(
    _ node: DocumentNode, _ what: String, as type: Choice.Type
  ) -> Choice? where Choice.RawValue == String {
    guard let text = string(node, what) else { return nil }
    return choice(text, what, at: node.position, as: type)
  }

  mutating func choice<Choice: CaseIterable & RawRepresentable>(
    _ text: String, _ what: String, at position: Position, as type: Choice.Type
  ) -> Choice? where Choice.RawValue == String {
    if let choice = Choice(rawValue: text) { return choice }
    unknown(what, text, at: position, among: Choice.allCases.map(\.rawValue))
    return nil
  }
}

// Rules for faults between real clients and a server.

extension Reading {
  private static let maxTimes = 1000

  /// Reads a list of rules, or a mapping with one.
  ///
  /// - Returns: The latency that the mapping states.
  mutating func faultRules(
    _ root: DocumentNode, into rules: inout [ReadFaultRules.Rule]
  ) -> Scenario.Latency? {
    var latency: Scenario.Latency?
    var list = root
    if case let .mapping(entries) = root.content, !Self.isRule(entries) {
      let keys = ["kennel", "clients", "network", "faults"]
      if entries.contains(where: { $0.key == "steps" }) {
        report(
          root.position,
          "this is a scenario; expected faults; 'kennel serve --scenario FILE' takes its faults, too"
        )
        return nil
      }
      guard let fields = fields(of: root, "a file of faults", keys: keys) else { return nil }
      readFaultClients(fields)
      if let node = fields["network"] { latency = readNetwork(node) }
      guard let node = fields["faults"] else { return latency }
      // A file that states clients or latency need not have faults.
      if case .list(let elements) = node.content, elements.isEmpty { return latency }
      list = node
    }
    addEveryone()
    let nodes: [DocumentNode]
    if case .mapping = list.content {
      nodes = [list]
    } else {
      nodes = self.list(list, "faults", of: "faults such as {network.cut: alice}")
    }
    for node in nodes {
      if let rule = faultRule(node) { rules.append(rule) }
    }
    return latency
  }

  private mutating func readFaultClients(_ fields: Fields) {
    readClients(fields)
    if let position = fields.entry("clients")?.value.position,
      clients.contains(ReadFaultRules.everyone)
    {
      report(
        position,
        "any cannot be the name of a client; expected another one, since it means every client")
    }
    addEveryone()
  }

  private mutating func addEveryone() {
    if !clients.contains(ReadFaultRules.everyone) { clients.append(ReadFaultRules.everyone) }
  }

  /// Whether a mapping is a rule by itself.
  private static func isRule(_ entries: [DocumentNode.Entry]) -> Bool {
    entries.contains { $0.key.contains(".") }
  }

  private mutating func faultRule(_ node: DocumentNode) -> ReadFaultRules.Rule? {
    guard case let .mapping(entries) = node.content, !entries.isEmpty else {
      mismatch("a fault", node, expected: "a mapping such as {network.cut: alice}")
      return nil
    }
    let actions = entries.filter { $0.key != "times" }
    for entry in actions.dropFirst() {
      guard entry.key.contains(".") else {
        unknown("key", entry.key, at: entry.keyPosition, among: ["times"])
        continue
      }
      report(
        entry.keyPosition,
        "a fault does a second thing, \(entry.key); expected a fault of its own for it")
    }
    guard let entry = actions.first else {
      report(node.position, "a fault is only times; expected one such as network.cut: alice")
      return nil
    }
    guard let action = faultAction(entry) else { return nil }
    var step = Step(
      file: file, position: entry.keyPosition, text: Self.text(of: entry), action: action)
    step.trigger = trigger(of: entry, action)
    let isForEach =
      action.client == ReadFaultRules.everyone
      || step.trigger?.client == ReadFaultRules.everyone
    var rule = ReadFaultRules.Rule(step: step, isForEach: isForEach)
    if let times = entries.first(where: { $0.key == "times" }) {
      rule.times = repetition(times, of: step)
    }
    return rule
  }

  /// What a fault does: something of the network or the server.
  private mutating func faultAction(_ entry: DocumentNode.Entry) -> Action? {
    let parts = entry.key.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let verb = parts.count == 2 ? String(parts[1]) : ""
    switch parts.first {
    case "network" where parts.count == 2:
      return fault(.network, verb, entry).map { .fault($0) }
    case "server" where parts.count == 2:
      return fault(.server, verb, entry).map { .fault($0.forEach) }
    case _ where parts.count == 2 && FaultVerb.ofProcess.contains(verb):
      report(
        entry.keyPosition,
        "\(entry.key) is about the process or the machine of a client, which is not the server's"
          + " to disturb; expected network.… or server.…")
    default:
      let verbs = FaultVerb.all(of: .network) + FaultVerb.all(of: .server)
      let near = closestMatches(to: String(parts.last ?? ""), in: verbs.map(\.key.name))
      let meant = verbs.filter { near.contains($0.key.name) }.map(\.step)
      let rest = didYouMean(meant, orElse: "; expected \(alternatives(verbs.map(\.step)))")
      report(entry.keyPosition, "unknown fault \(quoted(entry.key))\(rest)")
    }
    return nil
  }

  private mutating func repetition(_ entry: DocumentNode.Entry, of step: Step) -> Int {
    guard let times = count(entry.value, "times", atLeast: 1) else { return 1 }
    if times > Self.maxTimes {
      report(entry.value.position, "times is \(times); expected at most \(Self.maxTimes)")
    } else if step.trigger == nil, times > 1 {
      report(
        entry.keyPosition,
        "the fault happens at once, so it cannot happen again; expected when: ... beside times")
    }
    return min(times, Self.maxTimes)
  }
}

extension NamedFault {
  /// What the server sends to everyone it sends to each client, those to come included.
  fileprivate var forEach: NamedFault {
    guard case .everyone = kind.form, client == nil else { return self }
    var fields = parts.fields
    fields.client = ReadFaultRules.everyone
    return NamedFault(kind, fields) ?? self
  }
}
