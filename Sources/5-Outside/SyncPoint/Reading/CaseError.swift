public import Document
internal import Text
internal import Tree

/// What is wrong with a sync-point file, and where.
public struct CaseError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Kind: Hashable, Sendable {
    /// The text ends too early or is no JSON; in the words of the reader of JSON.
    case notJSON(String)
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
  }

  public var file: String
  public var position: Position
  public var kind: Kind

  public init(file: String, position: Position, kind: Kind) {
    self.file = file
    self.position = position
    self.kind = kind
  }

  /// `FILE:LINE:COLUMN: what is wrong; what was expected`.
  public var description: String { "\(file):\(position): \(kind)" }
}

extension CaseError.Kind: CustomStringConvertible {
  public var description: String {
    switch self {
    case let .notJSON(message): message
    case let .unknownStep(name):
      "unknown step type \"\(name)\"" + hint(name, Step.Action.names)
    case let .unknownEvent(name):
      "unknown event type \"\(name)\"" + hint(name, CaseReader.eventTypes)
    case let .unknownParameter(name):
      "unknown query parameter \"\(name)\"" + hint(name, CaseReader.parameters)
    case let .missing(field, owner): "\(owner) has no \"\(field)\"; expected one"
    case let .wrongType(what, found, expected): "\(what) is \(found); expected \(expected)"
    case let .unknownWrite(number, made):
      "write \(number) is answered here, but the steps before make "
        + (made == 0 ? "none" : made == 1 ? "only write 0" : "only writes 0 to \(made - 1)")
    }
  }

  private func hint(_ text: String, _ known: [String]) -> String {
    guard let best = closestMatches(to: text, in: known).first else {
      return "; expected one of \(known.joined(separator: ", "))"
    }
    return "; did you mean \"\(best)\"?"
  }
}
