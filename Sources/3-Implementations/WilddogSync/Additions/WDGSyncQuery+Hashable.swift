internal import ClientEngine

// Two references are equal when they name the same location, two queries when they ask for the same
// as well (REF-6), if they are of one application.

extension WDGSyncQuery: Hashable {
  public static func == (a: WDGSyncQuery, b: WDGSyncQuery) -> Bool {
    a.location.engine === b.location.engine && a.location.url == b.location.url
      && a.location.target == b.location.target
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(location.url) }
}

extension WDGSyncQuery: CustomDebugStringConvertible {
  /// The address of the location, which is also what `print` shows.
  public var debugDescription: String { location.url }
}
