import Document
import Scenario
import Tree

/// The parameters of a file, and the replacing of `$(name)` by their values.
struct Matrix {
  /// Every choice of one value for each parameter; one empty choice without a matrix. The first
  /// parameter changes slowest.
  private(set) var combinations: [[Scenario.Parameter]] = [[]]

  static let limit = 1000

  private struct Axis {
    var name: String
    var position: Position
    var values: [JSON]
    var isUsed = false
  }

  private var axes: [Axis] = []
  private var problems: [SourceError] = []
  private let file: String
  /// The file whose strings are being looked at.
  private var current: String

  init(_ main: Source) {
    file = main.file
    current = main.file
    if let node = main.root["matrix"] { read(node) }
  }

  private mutating func read(_ node: DocumentNode) {
    guard case let .mapping(entries) = node.content else {
      return report(
        node.position, "matrix is \(node.kind); expected a mapping from names to lists of values")
    }
    if entries.isEmpty {
      report(node.position, "the matrix is empty; expected names with lists of values")
    }
    for entry in entries { readAxis(entry) }
    let count = axes.reduce(1) { min($0 * max(1, $1.values.count), Self.limit + 1) }
    guard count <= Self.limit else {
      return report(node.position, "the matrix has more than \(Self.limit) combinations")
    }
    for axis in axes {
      combinations = combinations.flatMap { combination in
        axis.values.map { combination + [.init(name: axis.name, value: $0)] }
      }
    }
  }

  private mutating func readAxis(_ entry: DocumentNode.Entry) {
    let name = entry.key
    guard isLabel(name) else {
      return report(
        entry.keyPosition,
        "\(quoted(name)) cannot be the name of a parameter; expected \(labelForm)")
    }
    guard case let .list(nodes) = entry.value.content, !nodes.isEmpty else {
      axes.append(Axis(name: name, position: entry.keyPosition, values: [.null]))
      let found = entry.value.kind == "a list" ? "an empty list" : entry.value.kind
      return report(
        entry.value.position, "parameter \(name) is \(found); expected a list of values")
    }
    var values: [JSON] = []
    for node in nodes {
      if node.isCollection {
        report(node.position, "a value of \(name) is \(node.kind); expected a scalar")
      } else if values.contains(node.json) {
        report(node.position, "\(node.json) is given twice for \(name); expected each value once")
      } else {
        values.append(node.json)
      }
    }
    axes.append(
      Axis(name: name, position: entry.keyPosition, values: values.isEmpty ? [.null] : values))
  }

  private mutating func report(_ position: Position, _ message: String) {
    problems.append(SourceError(file: current, position: position, message: message))
  }

  /// All problems, once every combination has been substituted.
  mutating func finish() -> [SourceError] {
    current = file
    for axis in axes where !axis.isUsed {
      report(
        axis.position,
        "parameter \(axis.name) is not used; expected $(\(axis.name)) in some string")
    }
    return problems
  }
}

extension Matrix {
  /// The source with these values in place of `$(name)`.
  mutating func substituting(_ parameters: [Scenario.Parameter], in source: Source) -> Source {
    current = source.file
    guard case let .mapping(entries) = source.root.content else { return source }
    var root = source.root
    root.content = .mapping(
      entries.map { entry in
        guard entry.key != "matrix" else { return entry }
        var settled = entry
        settled.value = substituting(parameters, in: entry.value)
        return settled
      })
    return Source(file: source.file, root: root)
  }

  private mutating func substituting(
    _ parameters: [Scenario.Parameter], in node: DocumentNode
  ) -> DocumentNode {
    switch node.content {
    case .null, .bool, .number: return node
    case let .string(text):
      let value = substituting(parameters, in: text, at: node.position)
      return DocumentNode(value, at: node.position)
    case let .list(elements):
      let settled = elements.map { substituting(parameters, in: $0) }
      return DocumentNode(.list(settled), at: node.position)
    case let .mapping(entries):
      return DocumentNode(.mapping(settled(entries, parameters)), at: node.position)
    }
  }

  private mutating func settled(
    _ entries: [DocumentNode.Entry], _ parameters: [Scenario.Parameter]
  ) -> [DocumentNode.Entry] {
    var settled: [DocumentNode.Entry] = []
    let isChanged = entries.contains { $0.key.contains("$(") }
    for entry in entries {
      let key = substituting(parameters, in: entry.key, at: entry.keyPosition).text
      if isChanged, settled.contains(where: { Text($0.key) == Text(key) }) {
        report(entry.keyPosition, "key \(quoted(key)) occurs twice; expected each key once")
      }
      settled.append(
        .init(
          key: key, keyPosition: entry.keyPosition,
          value: substituting(parameters, in: entry.value)))
    }
    return settled
  }

  /// A string that is one `$(name)` and nothing else becomes the value itself, a number for example.
  private mutating func substituting(
    _ parameters: [Scenario.Parameter], in text: String, at position: Position
  ) -> DocumentNode.Content {
    guard text.contains("$(") else { return .string(text) }
    var result = ""
    var rest = text[...]
    while let start = rest.firstRange(of: "$(") {
      guard let end = rest[start.upperBound...].firstIndex(of: ")") else { break }
      let name = String(rest[start.upperBound..<end])
      let value = value(of: name, parameters, at: position)
      if text.utf8.count == name.utf8.count + 3, let value { return value.content }
      result += rest[..<start.lowerBound]
      result += value?.content.text ?? "$(\(name))"
      rest = rest[rest.index(after: end)...]
    }
    return .string(result + rest)
  }

  private mutating func value(
    of name: String, _ parameters: [Scenario.Parameter], at position: Position
  ) -> JSON? {
    for index in axes.indices where axes[index].name == name { axes[index].isUsed = true }
    if let parameter = parameters.first(where: { $0.name == name }) { return parameter.value }
    if !axes.contains(where: { $0.name == name }) {
      let names = axes.map(\.name)
      let expected =
        names.isEmpty ? "expected a matrix with it" : "expected \(alternatives(names))"
      report(
        position,
        "unknown parameter $(\(name)); " + expected + hint(for: name, among: names))
    }
    return nil
  }
}

extension JSON {
  /// The same scalar as the content of a document.
  fileprivate var content: DocumentNode.Content {
    switch self {
    case .null, .array, .object: .null
    case let .bool(bool): .bool(bool)
    case let .number(number): .number(number)
    case let .string(text): .string(text)
    }
  }
}

extension DocumentNode.Content {
  /// A scalar as it stands inside a longer string.
  fileprivate var text: String {
    switch self {
    case .null, .list, .mapping: "null"
    case let .bool(bool): bool ? "true" : "false"
    case let .number(number): canonicalText(of: number)
    case let .string(text): text
    }
  }
}
