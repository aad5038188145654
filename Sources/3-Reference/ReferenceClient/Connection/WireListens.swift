internal import Tree

/// A listen as the server knows it.
struct WireListen: Hashable {
  let path: Path
  /// `nil` for a plain listen. A query that only orders is listened to plainly (WIR-13).
  let query: Query?
  let tag: Int?
  /// Distinguishes a listen from a later one for the same query.
  let number: Int
}

/// The listens that the server has, or will have once there is a connection.
struct WireListens {
  /// Grouped by location, locations in the order of their first listen.
  private var groups: [(path: Path, listens: [WireListen])] = []
  private var nextNumber = 1

  /// CON-7: location by location, the location with the oldest listen first.
  var inRestoreOrder: [WireListen] { groups.flatMap(\.listens) }

  func contains(_ listen: WireListen) -> Bool {
    groups.contains { $0.listens.contains(listen) }
  }

  mutating func add(_ view: View) -> WireListen {
    let query = view.query.filters ? view.query : nil
    let listen = WireListen(path: view.path, query: query, tag: view.tag, number: nextNumber)
    nextNumber += 1
    if let index = groups.firstIndex(where: { $0.path == view.path }) {
      groups[index].listens.append(listen)
    } else {
      groups.append((view.path, [listen]))
    }
    return listen
  }

  /// Takes out the listen of a view; `nil` when there is none.
  mutating func remove(_ view: View) -> WireListen? {
    let query = view.query.filters ? view.query : nil
    let listen = inRestoreOrder.first { $0.path == view.path && $0.query == query }
    if let listen { remove(listen) }
    return listen
  }

  mutating func remove(_ listen: WireListen) {
    for index in groups.indices { groups[index].listens.removeAll { $0 == listen } }
    groups.removeAll { $0.listens.isEmpty }
  }
}

extension LocalTree {
  /// The views that would need listens of their own if nothing covered `path`: at each location a
  /// plain one hides all others there and below.
  func outermostViews(at path: Path) -> [View] {
    let here = views(at: path)
    if let plain = here.first(where: { !$0.query.filters }) { return [plain] }
    return here + outermostViewsStrictlyBelow(path)
  }

  /// What a new plain listen at `path` makes superfluous: filtered listens there, and all below.
  func outermostViews(below path: Path) -> [View] {
    views(at: path).filter(\.query.filters) + outermostViewsStrictlyBelow(path)
  }

  private func outermostViewsStrictlyBelow(_ path: Path) -> [View] {
    let below = views.filter { $0.path.count > path.count && $0.path.starts(with: path) }
    let keys = Set(below.map { $0.path.keys[path.count] })
    return keys.sorted().flatMap { outermostViews(at: path.appending($0)) }
  }
}
