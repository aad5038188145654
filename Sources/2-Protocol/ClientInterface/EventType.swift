internal import Tree

/// The five kinds of event.
public enum EventType: String, CaseIterable, Hashable, Comparable, Sendable {
  case childRemoved = "child_removed"
  case childAdded = "child_added"
  case childMoved = "child_moved"
  case childChanged = "child_changed"
  case value

  /// The order in which one change raises them (EVT-8).
  public static func < (a: EventType, b: EventType) -> Bool { a.order < b.order }

  /// Not by the text: sets of these are looked into with every event.
  public func hash(into hasher: inout Hasher) { hasher.combine(order) }
  public func _rawHashValue(seed: Int) -> Int {
    Fingerprint(bits: UInt64(order)).hashValue(seed: seed)
  }

  private var order: Int {
    switch self {
    case .childRemoved: 0
    case .childAdded: 1
    case .childMoved: 2
    case .childChanged: 3
    case .value: 4
    }
  }
}
