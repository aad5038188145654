internal import ClientEngine

// Two references are equal when they name the same location, two queries when they ask for the same
// as well (REF-6).

extension WQuery: Hashable {
  public static func == (a: WQuery, b: WQuery) -> Bool {
    a.location.url == b.location.url && a.location.target == b.location.target
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(location.url) }
}
