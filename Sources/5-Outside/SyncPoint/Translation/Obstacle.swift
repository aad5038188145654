public import Document

/// Why a case cannot be a scenario: its server does what the protocol's server never does.
public struct UntranslatableCase: Error, CustomStringConvertible {
  /// Where the step is that cannot be expressed.
  public var location: FileLocation
  /// What the file calls the case.
  public var name: String
  /// The reason, as a sentence without a full stop.
  public var reason: String

  init(_ subject: Case, at position: Position, _ obstacle: Obstacle) {
    location = FileLocation(file: subject.file, position: position)
    name = subject.name
    reason = obstacle.text
  }

  /// `FILE:LINE:COLUMN: REASON`.
  public var description: String { "\(location): \(reason)" }
}

/// What no scenario can express.
enum Obstacle: Error {
  /// A write that its own client does not show.
  case hiddenWrite
  /// Data at a location to which no listen of the client reaches.
  case unrequestedData
  /// A part of what the client has listened to, before all of it.
  case partBeforeWhole
  /// Data that would have reached other listens too, or not only what the case sends.
  case otherData
  /// An answer to this write without the data that it leads to.
  case answerWithoutData(write: Int)
  /// An answer while an earlier request has none.
  case answerOutOfOrder
  /// Data for several listens at once, of which the first would show a part to the next.
  case answersInOneStep
  /// A write that is accepted where an earlier one was refused.
  case acceptedAfterRefusal(write: Int)
  /// A write by which one sees what the server would not have sent for a query.
  case unfilteredData
  /// Events at a location without a listener, or of listeners that cannot be told apart.
  case unclearListener
  /// What the reader of scenarios has to say against the result.
  case refused(String)

  var text: String {
    switch self {
    case .hiddenWrite: "only a transaction hides its write, and it may run again"
    case .unrequestedData: "the server sends data to which the client does not listen"
    case .partBeforeWhole: "the server sends a part of the data before the whole"
    case .otherData: "the server sends other data than its queries would select"
    case let .answerWithoutData(write):
      "the server accepts write \(write) and has other data than it would lead to"
    case .answerOutOfOrder: "the server answers before it has answered an earlier request"
    case .answersInOneStep: "the server sends at once what answers several listens"
    case let .acceptedAfterRefusal(write):
      "the server accepts write \(write) where it has refused another"
    case .unfilteredData: "the write depends on data that the server would not send for a query"
    case .unclearListener: "the case does not say which listener receives the events"
    case let .refused(problem): problem
    }
  }
}
