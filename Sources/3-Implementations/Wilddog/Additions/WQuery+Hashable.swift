internal import ClientEngine

// Two references are equal when they name the same location, two queries when they ask for the same
// as well (REF-6), if they are of one application.

extension WQuery: Hashable {
  public static func == (a: WQuery, b: WQuery) -> Bool {
    a.location.engine === b.location.engine && a.location.url == b.location.url
      && a.location.target == b.location.target
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(location.url) }
}

extension WQuery: CustomDebugStringConvertible {
  /// The address of the location, which is also what `print` shows.
  public var debugDescription: String { location.url }
}
