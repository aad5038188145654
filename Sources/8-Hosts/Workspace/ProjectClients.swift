import Document
import Glibc
package import System
import Tree

extension ProjectFile {
  /// The implementations that the file names.
  package var clients: NamedClients { NamedClients(implementations, objection: objection) }

  /// The implementations that the project file names, also in a process for which nothing else of it counts.
  ///
  /// - Parameter settings: What it may say.
  /// - Returns: None where there is no such file.
  /// - Throws: `Failure` when it cannot be read or has mistakes.
  package static func namedClients(_ settings: SettingsTable) throws(Failure) -> NamedClients {
    let handedOver = "KENNEL_CLIENTS"
    let variable = getenv(handedOver) == nil ? projectVariable : handedOver
    return try find(settings, by: variable)?.clients ?? NamedClients()
  }

  /// Reads the implementations that a project file names.
  ///
  /// - Parameters:
  ///   - node: What the file says of them.
  ///   - bytes: The content of the file.
  ///   - names: What they cannot be called: the clients of the kit.
  ///   - report: Receives everything that is wrong.
  /// - Returns: Those that can be started, in the order of the file.
  func clients(
    in node: DocumentNode, of bytes: [UInt8], besides names: [String],
    _ report: (Position, String) -> Void
  ) -> [NamedClient] {
    guard case let .mapping(entries) = node.content else {
      let expected = "implementations by their names, such as {old: {command: ./old}}"
      report(node.position, "clients is \(node.json.text); expected \(expected)")
      return []
    }
    return entries.compactMap { entry in
      if let problem = problem(ofName: entry.key, besides: names) {
        report(entry.keyPosition, "clients has \"\(entry.key)\", \(problem)")
      }
      return client(entry, of: bytes, report)
    }
  }

  /// What is wrong with the name of an implementation, as a clause. Elsewhere a word with a blank or a slash
  /// is a command, and what stands before `=` a client of a scenario.
  private func problem(ofName name: String, besides names: [String]) -> String? {
    if names.contains(name) { return "which is a client of the kit; expected another name" }
    let isWord = !name.isEmpty && !name.contains { $0.isWhitespace || "=/".contains($0) }
    return isWord ? nil : "which is no name; expected a word without \"=\" and \"/\""
  }

  private func client(
    _ entry: DocumentNode.Entry, of bytes: [UInt8], _ report: (Position, String) -> Void
  ) -> NamedClient? {
    let what = "clients \(entry.key)"
    let fields = entry.value.fields(
      what, keys: ["command", "version", "known"], optional: ["version", "known"], report: report)
    guard let fields, let node = fields["command"] else { return nil }
    func text(_ key: String, _ expected: String) -> String? {
      guard let node = fields[key] else { return nil }
      if let text = texts(of: node, isList: false)?.first?.text {
        return number(node, in: bytes) ?? text
      }
      report(node.position, "\(key) of \(what) is \(node.json.text); expected \(expected)")
      return nil
    }
    let version = text("version", "a text such as \"1.2\"")
    let known = text("known", "the path of a file")
    guard let words = texts(of: node, isList: true), !words.isEmpty else {
      let expected = "words, or a list of texts"
      report(node.position, "command of \(what) is \(node.json.text); expected \(expected)")
      return nil
    }
    return NamedClient(
      name: entry.key, command: words.map { located($0.text, .perhaps) }, version: version,
      known: known.map { located($0, .read) }, location: location(of: node))
  }

  /// A number as it is written: as versions, 1.1 and 1.10 are two. Nil for what is no number.
  private func number(_ node: DocumentNode, in bytes: [UInt8]) -> String? {
    guard case .number = node.content else { return nil }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let line = lines.dropFirst(node.position.line - 1).first ?? []
    let rest = String(decoding: line, as: UTF8.self).unicodeScalars
      .dropFirst(node.position.column - 1)
    return String(String.UnicodeScalarView(rest.prefix { !" ,}#\r".unicodeScalars.contains($0) }))
  }

  /// The values of a mapping of texts: `a=b` for `a: b`; nil for anything else.
  func pairs(of node: DocumentNode) -> [(text: String, node: DocumentNode)]? {
    guard case let .mapping(entries) = node.content else { return nil }
    let pairs = entries.compactMap { entry -> (text: String, node: DocumentNode)? in
      guard case let .string(text) = entry.value.content else { return nil }
      return ("\(entry.key)=\(text)", entry.value)
    }
    return pairs.count == entries.count ? pairs : nil
  }

  /// What was meant by the name of an implementation that neither the file nor the kit has; nil for one that
  /// there is.
  func hint(toClient node: DocumentNode, besides names: [String]) -> String? {
    guard knowsClients, case let .string(name) = node.content else { return nil }
    let own = implementations.map(\.name)
    if own.contains(name) || names.contains(name) { return nil }
    return didYouMean(
      name, own + names,
      orElse: "; expected one of \((own + ["reference"]).joined(separator: ", "))")
  }
}
