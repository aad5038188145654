internal import ReferenceClient
internal import Tree

// Accidents of what a filtered view knows.
extension RecordedStep {
  /// What was said to a filtered view alone disagrees with what is known of the whole location,
  /// because one of the two messages was on its way for longer.
  var windowsAgainstCovers: [Unreliability] {
    after.views.compactMap { view in
      guard view.isNarrow, let cover = after.cover(of: view.path) else { return nil }
      let own = view.query.window(of: after.laid(over: view.known, at: view.path)).node
      let covered = view.query.window(of: after.laid(over: cover, at: view.path)).node
      return own == covered
        ? nil : Unreliability(.windowAgainstCover, .known, at: view.path, view.query)
    }
  }

  /// Untagged data below a view of which only the window is known, or a merge that reaches
  /// deep into a child outside that window.
  var forgottenNarrowness: [Unreliability] {
    guard isWilddog, let news else { return [] }
    return before.views.filter { view in
      guard view.isNarrow, news.tag == nil || news.tag == view.tag else { return false }
      return news.sets.contains { set in
        guard let below = set.path.relative(to: view.path), let key = below.keys.first else {
          return false
        }
        return news.tag == nil || below.count > 1 && view.known[key].isEmpty
      }
    }.map { Unreliability(.forgottenNarrowness, .known, at: $0.path, $0.query) }
  }

  /// A new view takes its data from the nearest location above with any view, even if that
  /// does not know them and one farther up does.
  var nearestPathDecides: [Unreliability] {
    guard isWilddog else { return [] }
    let new = after.views.filter { view in !before.views.contains { $0.isSame(as: view) } }
    return new.filter { view in
      let above = before.views.filter { $0.path != view.path && view.path.starts(with: $0.path) }
      guard let nearest = above.map(\.path.count).max(), view.isComplete else { return false }
      return !above.contains { $0.path.count == nearest && $0.knowsAll(at: view.path) }
    }.map { Unreliability(.nearestPathDecides, .known, at: $0.path, $0.query) }
  }
}

extension View {
  /// Whether the view knows everything at a location at or below its own.
  fileprivate func knowsAll(at location: Path) -> Bool {
    guard isComplete, let below = location.relative(to: path) else { return false }
    guard query.filters else { return true }
    return below.keys.first.map { !known[$0].isEmpty } ?? false
  }
}
