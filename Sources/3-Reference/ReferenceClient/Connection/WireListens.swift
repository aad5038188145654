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
  /// By location, with the number of the first listen since there was none.
  private var groups: [Path: (first: Int, listens: [WireListen])] = [:]
  private var nextNumber = 1

  /// CON-7: location by location, the location with the oldest listen first.
  var inRestoreOrder: [WireListen] {
    groups.values.sorted { $0.first < $1.first }.flatMap(\.listens)
  }

  /// The listens at one location, oldest first.
  func listens(at path: Path) -> [WireListen] { groups[path]?.listens ?? [] }

  func contains(_ listen: WireListen) -> Bool { listens(at: listen.path).contains(listen) }

  mutating func add(_ view: View) -> WireListen {
    let query = view.query.filters ? view.query : nil
    let number = nextNumber
    let listen = WireListen(path: view.path, query: query, tag: view.tag, number: number)
    groups[view.path, default: (number, [])].listens.append(listen)
    nextNumber += 1
    return listen
  }

  /// Takes out the listen of a view; `nil` when there is none.
  mutating func remove(_ view: View) -> WireListen? {
    let query = view.query.filters ? view.query : nil
    let listen = listens(at: view.path).first { $0.query == query }
    if let listen { remove(listen) }
    return listen
  }

  mutating func remove(_ listen: WireListen) {
    groups[listen.path]?.listens.removeAll { $0 == listen }
    if groups[listen.path]?.listens.isEmpty ?? false { groups[listen.path] = nil }
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
    let below = views.allPositions(.atOrBelow, path).filter { views[$0].path.count > path.count }
    if below.isEmpty { return [] }
    let keys = Set(below.map { views[$0].path.keys[path.count] })
    return keys.sorted().flatMap { outermostViews(at: path.appending($0)) }
  }
}
