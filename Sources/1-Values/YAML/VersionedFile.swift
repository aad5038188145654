package import Document
internal import Tree

/// A YAML file of one mapping that says in which version of its format it is written: `kennel: 1`.
///
/// With problems, `fields` are what could be made out nevertheless, as `ReadDocument` says.
package struct VersionedFile {
  /// The path of the file, as problems show it.
  package let file: String
  /// The members of the mapping by their keys; empty where there is none.
  package private(set) var fields: [String: DocumentNode] = [:]
  private var found: [SourceError]

  /// The version of all formats.
  private static let version = 1

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - file: Its path, as problems shall show it.
  ///   - bytes: Its content.
  ///   - keys: The keys that it may have beside `kennel`.
  ///   - optional: Those of them that it need not have.
  package init(file: String, bytes: [UInt8], keys: [String], optional: [String] = []) {
    self.file = file
    let document = DocumentReader.readYAML(bytes)
    found = document.problems.map { SourceError(file: file, $0) }
    let members = document.root?.fields(
      "the file", keys: ["kennel"] + keys, optional: optional, report: { report($0, $1) })
    fields = members ?? [:]
    if let version = fields["kennel"], version.json.integer != Self.version {
      report(version.position, "kennel is \(version.json.text); expected \(Self.version)")
    }
  }

  /// Notes something that is wrong with what a field means.
  package mutating func report(_ position: Position, _ message: String) {
    found.append(SourceError(file: file, position: position, message: message))
  }

  /// Everything that is wrong, in the order of the file.
  package var problems: [SourceError] { found.inReadingOrder() }
}
