import Document
import YAML

/// Finds the fragments that a file includes.
struct Inclusion {
  let load: (String) throws -> [UInt8]?
  private(set) var problems: [SourceError] = []
  /// The files that are being read, each included by the one before.
  private var chain: [String] = []
  private var taken: Set<String> = []

  init(load: @escaping (String) throws -> [UInt8]?) {
    self.load = load
  }

  /// The file and its fragments, each after those that it includes, none twice.
  mutating func sources(of file: String, _ bytes: [UInt8]) -> [Source] {
    guard let root = root(of: file, bytes) else { return [] }
    chain.append(file)
    defer { chain.removeLast() }
    var sources: [Source] = []
    for name in names(in: root, file) {
      sources += fragment(named: name, from: file)
    }
    return sources + [Source(file: file, root: root)]
  }

  private mutating func root(of file: String, _ bytes: [UInt8]) -> DocumentNode? {
    let document =
      file.hasSuffix(".json") ? DocumentReader.readJSON(bytes) : DocumentReader.readYAML(bytes)
    problems += document.problems.map { SourceError(file: file, $0) }
    return document.root
  }

  private struct Name {
    var text: String
    var position: Position
  }

  private mutating func names(in root: DocumentNode, _ file: String) -> [Name] {
    guard let node = root["include"] else { return [] }
    guard case let .list(elements) = node.content else {
      report(file, node.position, "include is \(node.kind); expected a list of file names")
      return []
    }
    return elements.compactMap { element in
      guard case let .string(text) = element.content else {
        report(file, element.position, "include names \(element.kind); expected a file name")
        return nil
      }
      return Name(text: text, position: element.position)
    }
  }

  private mutating func fragment(named name: Name, from file: String) -> [Source] {
    let path = Self.path(name.text, from: file)
    guard Source.isFragment(path) else {
      report(
        file, name.position,
        "\(quoted(name.text)) is not a fragment; expected a file whose name begins with _")
      return []
    }
    guard !chain.contains(path) else {
      let loop = (chain + [path]).joined(separator: " -> ")
      report(file, name.position, "\(quoted(name.text)) includes itself: \(loop)")
      return []
    }
    guard taken.insert(path).inserted else { return [] }
    do {
      if let bytes = try load(path) { return sources(of: path, bytes) }
      report(
        file, name.position,
        "there is no file \(quoted(path)); expected the name of a fragment, relative to this file")
    } catch {
      report(file, name.position, "\(error)")
    }
    return []
  }

  private mutating func report(_ file: String, _ position: Position, _ message: String) {
    problems.append(SourceError(file: file, position: position, message: message))
  }

  /// The path of a file that is named relative to another one. The suffix may be left out.
  static func path(_ name: String, from file: String) -> String {
    var parts = file.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    for part in name.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." {
        parts.removeLast()
      } else {
        parts.append(part)
      }
    }
    let path = parts.joined(separator: "/")
    return path.hasSuffix(".yaml") || path.hasSuffix(".json") ? path : path + ".yaml"
  }
}
