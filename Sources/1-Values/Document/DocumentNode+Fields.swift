extension DocumentNode {
  /// The members of a mapping by their keys.
  ///
  /// - Parameters:
  ///   - what: What the mapping is, for messages.
  ///   - keys: The keys that it may have.
  ///   - optional: Those of them that it need not have.
  ///   - report: Gets every key that is unknown or missing, with its position.
  /// - Returns: `nil` when this is no mapping.
  package func fields(
    _ what: String, keys: [String], optional: [String] = [],
    report: (Position, String) -> Void
  ) -> [String: DocumentNode]? {
    guard case let .mapping(entries) = content else {
      report(position, "\(what) is no mapping; expected the keys \(keys.joined(separator: ", "))")
      return nil
    }
    for entry in entries where !keys.contains(entry.key) {
      let near = closestMatches(to: entry.key, in: keys)
      let hint = near.isEmpty ? "" : "; did you mean \(near.joined(separator: " or "))?"
      report(
        entry.keyPosition,
        "unknown key \"\(entry.key)\"\(hint); expected one of \(keys.joined(separator: ", "))")
    }
    for key in keys where !optional.contains(key) && !entries.contains(where: { $0.key == key }) {
      report(position, "\(what) has no \(key); expected \(key): ...")
    }
    return Dictionary(entries.map { ($0.key, $0.value) }, uniquingKeysWith: { old, _ in old })
  }
}
