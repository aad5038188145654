package import ClientInterface
package import Tree
internal import Wire

extension Event {
  /// What was raised, without its value: `child_added b`, `value`.
  package var name: String { name { $0 } }

  /// The same, with the key of the child as `shown` writes it.
  package func name(key shown: (String) -> String) -> String {
    type == .value ? type.rawValue : "\(type.rawValue) \(shown(key?.string ?? "(no key)"))"
  }
}

extension Event.Previous {
  /// How a child is described that has nothing before it.
  package enum FirstChild: String {
    case full = "after (first)"
    case brief = "first"
  }

  /// What follows the words for an event: `, after a`; nothing for an event without a previous key.
  ///
  /// - Parameters:
  ///   - first: The words for the first child; pictures have less room than reports.
  ///   - shown: How a key is written.
  /// - Returns: The words with a comma before them.
  package func clause(
    first: FirstChild = .full, key shown: (String) -> String = { $0 }
  ) -> String {
    switch self {
    case .none: ""
    case .first: ", " + first.rawValue
    case let .key(key): ", after " + shown(key.string)
    }
  }
}

extension Completion {
  /// `ok`, `committed`, `not committed` or the name of the error.
  package var name: String {
    if let error { return error.name }
    return committed.map { $0 ? "committed" : "not committed" } ?? "ok"
  }

  /// The result of a transaction; `nil` for all other calls and for one that failed.
  package var result: Node? {
    error == nil && committed != nil ? value ?? .empty : nil
  }
}

extension Operation.Target {
  /// `/room limitToFirst(2)`.
  package var text: String {
    let conditions = query.text
    return "\(path)" + (conditions.isEmpty ? "" : " " + conditions)
  }
}

extension Query {
  /// The query as programs write it, or `nil` for everything at the path.
  package var words: String? { text.isEmpty ? nil : text }
}
