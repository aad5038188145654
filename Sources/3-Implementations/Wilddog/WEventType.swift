public import ClientEngine

/// The kinds of event (EVT-1).
public enum WEventType: Sendable, _DocumentedEventType {
  case childAdded
  case childRemoved
  case childChanged
  case childMoved
  case value
}

/// What removes a listener. 0 is none.
public typealias WilddogHandle = UInt
