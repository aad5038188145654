internal import Document

/// Why a case cannot be a scenario.
public struct UntranslatableCase: Error, CustomStringConvertible {
  let location: FileLocation
  let reason: String

  init(_ subject: Case, at position: Position, _ reason: String) {
    location = FileLocation(file: subject.file, position: position)
    self.reason = reason
  }

  /// `FILE:LINE:COLUMN: REASON`.
  public var description: String { "\(location): \(reason)" }
}

/// What no scenario can express: its server is that of the protocol.
enum Obstacle: String, Error {
  case hiddenWrite = "only a transaction hides its write, and it may run again"
  case unrequestedData = "the server sends data to which the client does not listen"
  case partBeforeWhole = "the server sends a part of the data before the whole"
  case otherData = "the server sends other data than its queries would select"
  case answerWithoutData = "the server accepts a write and has other data than it would lead to"
  case answerOutOfOrder = "the server answers before it has answered an earlier request"
  case answersInOneStep = "the server sends at once what answers several listens"
  case acceptedAfterRefusal = "the server accepts a write where it has refused another"
  case unfilteredData = "the write depends on data that the server would not send for a query"
  case unclearListener = "the case does not say which listener receives the events"
}
