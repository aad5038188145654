import Foundation
import Testing

/// A file with mistakes, and beside it what must be said about them.
///
/// `Tests/Mistakes/scenarios/calls/unknown-client.yaml` has its messages, one on each line and with
/// their positions, in `unknown-client.txt`.
package struct Mistake: Sendable, CustomStringConvertible {
  /// The file with the mistakes, relative to the source tree.
  package var file: String
  /// The file with the messages.
  package var messages: String

  package var description: String { file }

  /// The text with the mistakes.
  package var text: String { get throws { try SourceTree.text(of: file) } }

  /// The files below a folder of `Tests/Mistakes`, in order.
  package static func files(of kind: String) throws -> [Mistake] {
    try SourceTree.files(below: "Tests/Mistakes/\(kind)", ending: ["yaml", "json", "jsonl"]).map {
      Mistake(file: $0, messages: NSString(string: $0).deletingPathExtension + ".txt")
    }
  }

  /// Compares what is said with what must be said, or writes it down where texts are rewritten.
  package func check(_ found: [String]) throws {
    let found = found.joined(separator: "\n") + "\n"
    if SourceTree.isRewriting { return try SourceTree.write(found, to: messages) }
    #expect(found == (try SourceTree.text(of: messages)), "\(file)")
    #expect(found != "\n", "\(file) has no mistake")
  }
}
