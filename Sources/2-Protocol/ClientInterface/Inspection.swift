public import Tree

/// A question that a client answers at once and locally, without the server.
///
/// It is data, so that every language can ask it: what to look at, how to get there from it, and
/// what to report about the location that is reached. The answer is JSON; a reference answers as
/// the path of its location, `/a/b`.
public struct Inspection: Hashable, Sendable {
  /// What the inspection starts from; `part` leads on from there.
  public var subject: Subject
  /// The way from the subject to the part of it that is meant. The root is the subject itself.
  public var part: Path
  /// The name of what is asked, one of `Inspection.questions(about:)`.
  public var question: String
  /// What the question needs besides: the path for `child`, the key for `hasChild`.
  public var argument: JSON

  /// Asks about the subject itself unless a part is given; whether the subject can be asked this is
  /// not checked.
  public init(
    _ subject: Subject, of part: Path = .root, _ question: String, _ argument: JSON = .null
  ) {
    self.subject = subject
    self.part = part
    self.question = question
    self.argument = argument
  }

  /// Something an application can hold and look into without the server.
  public enum Subject: Hashable, Sendable {
    /// A reference to a location.
    case reference(Path)
    /// A reference made from an absolute address (REF-8).
    case address(String)
    /// What an event of a listener handed to the application: the event of this number, counted
    /// from 1, or the last one.
    case snapshot(ListenerID, nth: Int? = nil)
    /// What the completion of a call handed to the application: the reference that was written to,
    /// or the snapshot of a transaction.
    case completion(CallID)
    /// The mutable data that a transaction's function gets, holding this value in export format,
    /// after these changes: each a mapping with one of `value` and `priority`, and with `child`
    /// when it is made to a part.
    case mutableData(JSON, changes: [JSON])
    /// A query built step by step at a location: each step a mapping such as `{orderBy: score}`.
    case query(Path, steps: [JSON])

    /// The listener or call whose snapshot is looked at.
    public var name: String? {
      switch self {
      case let .snapshot(listener, _): listener.name
      case let .completion(call): call.name
      case .reference, .address, .mutableData, .query: nil
      }
    }

    /// The same with another listener or call.
    public func renamed(_ name: String) -> Subject {
      switch self {
      case let .snapshot(_, nth): .snapshot(ListenerID(name), nth: nth)
      case .completion: .completion(CallID(name))
      case .reference, .address, .mutableData, .query: self
      }
    }
  }
}

extension Inspection: CustomStringConvertible {
  /// `inspect key of /a/b`, for reports.
  public var description: String {
    let argument = argument == .null ? "" : " \(argument)"
    let part = part.isRoot ? "" : " \(self.part.relativeText) in"
    let subjectText =
      switch subject {
      case let .reference(path): "\(path)"
      case let .address(text): text
      case let .snapshot(listener, nth):
        "the snapshot\(nth.map { " \($0)" } ?? "") of \(listener.name)"
      case let .completion(call): "the completion of \(call.name)"
      case let .mutableData(value, []): "mutable data \(value)"
      case let .mutableData(value, changes): "mutable data \(value) after \(JSON.array(changes))"
      case let .query(path, steps): "the query \(JSON.array(steps)) at \(path)"
      }
    return "inspect \(question)\(argument) of\(part) \(subjectText)"
  }
}

extension Inspection {
  /// What can be asked, and what the question needs besides.
  public struct Question: Hashable, Sendable {
    /// The spelling that `Inspection.question` uses, such as `hasChild`.
    public var name: String
    /// Whether `Inspection.argument` has to be, may be or cannot be given.
    public var argument: Argument

    /// Whether a question takes an argument; an inspection without one has JSON null there.
    public enum Argument: Hashable, Sendable {
      case none
      case optional
      case required
    }

    fileprivate init(_ name: String, _ argument: Argument = .none) {
      self.name = name
      self.argument = argument
    }
  }

  /// The kinds of subject, by the names that scenarios and recordings give them.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    case reference = "path"
    case address = "url"
    case snapshot
    case completion
    case mutableData = "mutable"
    case query
  }

  /// What a subject of this kind can be asked, in the order of the documentation.
  public static func questions(about kind: Kind) -> [Question] {
    switch kind {
    case .reference, .address:
      [
        Question("key"), Question("parent"), Question("root"), Question("child", .required),
        Question("equals", .required), Question("url"), Question("description"),
      ]
    case .snapshot, .completion: contents + [Question("exists"), Question("ref")]
    case .mutableData: contents
    case .query: [Question("valid", .optional), Question("ref")]
    }
  }

  private static let contents = [
    Question("value"), Question("export"), Question("key"), Question("priority"),
    Question("hasChild", .required), Question("hasChildren"), Question("childrenCount"),
    Question("children", .optional),
  ]
}
