internal import ClientInterface

/// The kinds of event (EVT-1).
public enum WDGDataEventType: Sendable {
  /// A child is there that was not (EVT-2).
  case childAdded
  /// A child is gone (EVT-6).
  case childRemoved
  /// Something in a child has changed (EVT-5).
  case childChanged
  /// A child has another position in the order (EVT-11).
  case childMoved
  /// Everything at the location, once at the beginning and after every change (EVT-3).
  case value

  var type: EventType {
    switch self {
    case .childAdded: .childAdded
    case .childRemoved: .childRemoved
    case .childChanged: .childChanged
    case .childMoved: .childMoved
    case .value: .value
    }
  }
}

/// What removes a listener. 0 is none.
public typealias WDGSyncHandle = UInt
