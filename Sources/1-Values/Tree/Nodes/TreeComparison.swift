/// Compares what a session has left at the server with what a run has.
package enum TreeComparison {
  /// Numbers from here on are taken for times in milliseconds since 1970, which differ between runs.
  private static let firstTime = 1_300_000_000_000.0

  /// The first location, in the order of keys, where two trees differ otherwise than by the time.
  ///
  /// - Complexity: O(*n*).
  package static func first(
    _ session: Node, _ run: Node, at path: Path = .root
  ) -> (path: Path, session: JSON, run: JSON)? {
    if session == run { return nil }
    if case let .number(first)? = session.scalar, case let .number(second)? = run.scalar,
      first >= firstTime, second >= firstTime, session.priority == run.priority
    {
      return nil
    }
    guard !session.isScalar, !run.isScalar, session.priority == run.priority else {
      return (path, session.json, run.json)
    }
    for difference in session.children.differences(from: run.children) {
      let found = first(
        session[difference.key], run[difference.key], at: path.appending(difference.key))
      if let found { return found }
    }
    return nil
  }
}
