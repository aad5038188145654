import Document
import System
import Tree

/// Keys of a file with data that the database would refuse.
enum DataMistakes {
  /// Members that begin with a dot and are no keys.
  private static let reserved: Set = [".priority", ".value", ".sv"]

  /// Refuses all of them, with their places.
  ///
  /// - Throws: `Failure.mistakes`, if there are any and the text is one for the reader with places.
  static func refuseKeys(of text: String, in file: String) throws(Failure) {
    var problems: [SourceError] = []
    guard let root = DocumentReader.readJSON(Array(text.utf8)).root else { return }
    collect(root, file, into: &problems)
    if problems.isEmpty { return }
    let rest = problems.count - Failure.shownProblems
    throw .mistakes(
      problems.prefix(Failure.shownProblems).map(\.description),
      rest > 0 ? "\(counted(rest, "more key")) in \(file) cannot be stored" : nil)
  }

  private static func collect(_ node: DocumentNode, _ file: String, into out: inout [SourceError]) {
    switch node.content {
    case .null, .bool, .number, .string: break
    case let .list(nodes): for node in nodes { collect(node, file, into: &out) }
    case let .mapping(entries):
      for entry in entries {
        if !reserved.contains(entry.key), let problem = Key(entry.key).problem {
          let text = "\(problem); \(advice(on: entry.key))"
          out.append(SourceError(file: file, position: entry.keyPosition, message: text))
        }
        collect(entry.value, file, into: &out)
      }
    }
  }

  /// What could be written in place of a key.
  private static func advice(on key: String) -> String {
    if key.isEmpty { return "name it" }
    let encoded = key.unicodeScalars.map { scalar in
      Key(String(scalar)).problem == nil
        ? String(scalar) : String(scalar).percentEncoded(except: "")
    }.joined()
    return "encode it, such as \(quoted(encoded, upTo: 100)), also where clients name it"
  }
}
