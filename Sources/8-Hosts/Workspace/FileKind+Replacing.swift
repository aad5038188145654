package import System

extension FileKind {
  /// Makes sure that nothing is lost before a result takes the place of a file, and that it can be written
  /// there: what a long run has found must not be lost either.
  ///
  /// A result may replace an empty file and one of its own kind: it can be made again. So may one without a
  /// kind, such as Markdown, replace a text without one, unless that is a program. A scenario may be written by
  /// a person, so it only takes the place of the same text.
  ///
  /// - Parameters:
  ///   - path: Where the result goes.
  ///   - result: Of which kind it is; nil for a text or data of none.
  ///   - new: Its text, where that is known.
  /// - Throws: `Failure.output` for a file that stays, and for a folder that is missing or in the way.
  package static func requireReplaceable(
    _ path: String, by result: FileKind?, _ new: String? = nil
  ) throws(Failure) {
    // The folder of a scenario is made with it.
    if let obstacle = Files.obstacle(to: path), result != .scenario || Files.isDirectory(path) {
      throw .output(path: path, reason: obstacle)
    }
    let text: String
    do throws(Failure) {
      text = try Files.regularText(of: path)
    } catch .mistakes {
      throw loss(of: "a file that is no text", at: path, to: result)
    } catch {
      // There is none, it is a device, or writing it says what is wrong.
      return
    }
    if text == new { return }
    if let lost = lost(text, in: path, to: result) { throw loss(of: lost, at: path, to: result) }
  }

  /// Makes `text` the content of a file.
  ///
  /// - Parameters:
  ///   - text: The result.
  ///   - path: Where it goes.
  ///   - kind: Of which kind it is; nil for a text or data of none.
  /// - Throws: `Failure.output` when it cannot be written, and for a file that stays.
  package static func write(
    _ text: String, to path: String, as kind: FileKind?
  ) throws(Failure) {
    try requireReplaceable(path, by: kind, text)
    try Files.write(text, to: path)
  }

  private static func loss(
    of noun: String, at path: String, to result: FileKind?
  ) -> Failure {
    let own =
      switch result {
      case nil: ", or of a result"
      case .scenario: "; remove that one if it is not needed"
      case let result?: ", or of \(result.noun)"
      }
    return .output(
      path: path,
      reason: "it is \(noun), which would be lost; expected the name of a new file\(own)")
  }

  /// What would be lost of a file; nil for one that may be replaced.
  private static func lost(
    _ text: String, in path: String, to result: FileKind?
  ) -> String? {
    if text.utf8.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) { return nil }
    if isProgram(text, path) { return "the source of a program" }
    guard let kind = FileKind(of: text, in: path) else {
      return result == nil ? nil : "a text of another kind"
    }
    if kind == result, kind != .scenario { return nil }
    // Data may have the keys of any mapping.
    if result == nil, kind.isMapping, kind != .project, !Lines(text).has("kennel") { return nil }
    return kind.noun
  }

  private static func isProgram(_ text: String, _ path: String) -> Bool {
    let ends = [
      "c", "cc", "cpp", "cs", "dart", "ex", "go", "h", "java", "js", "jsx", "kt", "lua", "m", "mjs",
      "php", "pl", "py", "rb", "rs", "scala", "sh", "swift", "ts", "tsx",
    ]
    let name = Files.name(of: path)
    return text.hasPrefix("#!") || ends.contains { name.hasSuffix(".\($0)") }
  }
}
