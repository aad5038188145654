internal import Text

/// What can be wrong with a sync-point file whose text is JSON.
enum CaseMistake {
  /// A step of a kind that does not exist.
  case unknownStep(String)
  /// An event of a kind that does not exist.
  case unknownEvent(String)
  /// Something in `params` that no query has.
  case unknownParameter(String)
  /// `field` is not there, although `owner` must have it.
  case missing(field: String, owner: String)
  /// A value of another kind than it must be.
  case wrongType(what: String, found: String, expected: String)
  /// An answer to a write that no earlier step makes.
  case unknownWrite(Int, made: Int)

  var message: String {
    switch self {
    case let .unknownStep(name):
      "unknown step type \"\(name)\"" + closestOrAll(to: name, in: CaseStep.Action.names)
    case let .unknownEvent(name):
      "unknown event type \"\(name)\"" + closestOrAll(to: name, in: CaseReader.eventTypes)
    case let .unknownParameter(name):
      "unknown query parameter \"\(name)\"" + closestOrAll(to: name, in: CaseReader.parameters)
    case let .missing(field, owner): "\(owner) has no \"\(field)\"; expected one"
    case let .wrongType(what, found, expected): "\(what) is \(found); expected \(expected)"
    case let .unknownWrite(number, made):
      "write \(number) is answered here, but the steps before make "
        + (made == 0 ? "none" : made == 1 ? "only write 0" : "only writes 0 to \(made - 1)")
    }
  }
}
