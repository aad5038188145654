import Document
import Scenario

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
  /// What callbacks name, which may be given its name later.
  var forwardNames: [ForwardName] = []
  /// The client whose call is being read.
  var caller = ""
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

  /// Reports a word that is none of those that are known.
  mutating func unknown(
    _ what: String, _ word: String, at position: Position, among candidates: [String]
  ) {
    let parts = ["; expected \(alternatives(candidates))", hint(for: word, among: candidates)]
    // The end of a long list is not read.
    let ordered = candidates.count > 12 ? parts.reversed() : parts
    report(position, "unknown \(what) \(quoted(word))" + ordered.joined())
  }
}

/// The entries of a mapping whose keys are known.
struct Fields {
  var position: Position
  var entries: [DocumentNode.Entry] = []

  subscript(_ key: String) -> DocumentNode? { entry(key)?.value }

  func entry(_ key: String) -> DocumentNode.Entry? { entries.first { $0.key == key } }
}

extension Reading {
  /// The entries of a mapping. Keys that do not belong there, and required keys that are missing,
  /// are reported; `unsupported` keys belong to the format, but the kit does not understand them yet.
  mutating func fields(
    of node: DocumentNode, _ what: String, keys: [String], required: [String] = [],
    unsupported: [String] = []
  ) -> Fields? {
    guard case let .mapping(entries) = node.content else {
      mismatch(what, node, expected: "a mapping with the keys \(keys.joined(separator: ", "))")
      return nil
    }
    for entry in entries where !keys.contains(entry.key) {
      if unsupported.contains(entry.key) {
        report(entry.keyPosition, "\(entry.key) is not supported yet")
      } else if let home = home(of: entry.key, among: keys) {
        report(entry.keyPosition, "\(entry.key) is in the wrong location; expected it \(home)")
      } else {
        unknown("key", entry.key, at: entry.keyPosition, among: keys)
      }
    }
    for key in required where !entries.contains(where: { $0.key == key }) {
      report(node.position, "\(what) has no \(key); expected \(key): ...")
    }
    return Fields(position: node.position, entries: entries)
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
      mismatch(what, node, expected: "a list of \(elements)")
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
