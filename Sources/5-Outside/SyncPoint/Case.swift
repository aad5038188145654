public import ClientInterface
public import Document
public import Tree
public import Wire

/// One case of a sync-point file: steps made with a client, and all events that each must raise.
///
/// Sync points are where the listeners of one location meet. Such files drive the part of a client
/// that keeps data and raises events, without a server: what the server sends is a step like
/// others.
public struct Case: Sendable {
  /// What the file calls the case.
  public var name: String
  /// The path under which the file was read.
  public var file: String
  /// Where in the file the case is.
  public var position: Position
  /// The steps, in the order in which they are made.
  public var steps: [CaseStep]
}

/// One thing that happens to the client.
public struct CaseStep: Sendable {
  /// What is done to the client.
  public var action: Action
  /// What it raises; whatever is not listed must not be raised.
  public var events: [Event]
  /// Where in the file the step is.
  public var position: Position

  /// A step with the complete list of the events that it must raise.
  public init(_ action: Action, events: [Event], at position: Position) {
    self.action = action
    self.events = events
    self.position = position
  }

  /// What can be done to the client: by the application, or by the server's data and answers.
  public enum Action: Sendable {
    /// One registration that receives all kinds of event.
    ///
    /// The tag is what the file calls the query in later data of the server. The callback shows
    /// registrations apart that are to be removed.
    indirect case listen(Path, Query, tag: Int?, callback: Int?)
    /// Removes the registrations with this callback from the location.
    case unlisten(Path, callback: Int)
    /// With a tag, for that query alone.
    case serverUpdate(Path, Node, tag: Int?)
    case serverMerge(Path, [Assignment], tag: Int?)
    case set(Path, Node, Visibility)
    case update(Path, [Assignment])
    /// The server's answer to a write; writes are numbered from 0 over both kinds of them.
    case acknowledge(write: Int, Answer)
    /// Does nothing.
    case suppressWarning
  }

  /// Whether listeners see a write before the server has accepted it.
  public enum Visibility: Sendable {
    case shown
    case hidden
  }

  /// The server's verdict on a write; a rejected one is reverted.
  public enum Answer: Sendable {
    case accepted
    case rejected
  }

  /// One call of a listener, as far as cases contain it: which registration it was they do not.
  public struct Event: Hashable, Sendable {
    /// The location of the listener.
    public var path: Path
    /// The type that the listener is called with.
    public var type: EventType
    /// The child; `nil` for a value event.
    public var key: Key?
    /// `none` for child_removed and value.
    public var previous: ClientInterface.Event.Previous
    /// The snapshot's node: the child's for a child event, else everything the query shows.
    public var value: Node

    /// Describes a call of a listener; key and previous key are left out for a value event.
    public init(
      _ type: EventType, at path: Path, key: Key? = nil,
      previous: ClientInterface.Event.Previous = .none, value: Node
    ) {
      self.type = type
      self.path = path
      self.key = key
      self.previous = previous
      self.value = value
    }
  }
}

extension CaseStep.Action {
  /// The name of the step in files.
  public var name: String {
    switch self {
    case .listen: "listen"
    case .unlisten: "unlisten"
    case .serverUpdate: "serverUpdate"
    case .serverMerge: "serverMerge"
    case .set: "set"
    case .update: "update"
    case .acknowledge: "ackUserWrite"
    case .suppressWarning: "suppressWarning"
    }
  }

  /// The names of all steps, in the order of the format's description.
  static let names = [
    "listen", "unlisten", "serverUpdate", "serverMerge", "set", "update", "ackUserWrite",
    "suppressWarning",
  ]
}

extension Case {
  /// Names of files for cases, made of what the cases are called: each once, in their order.
  public static func fileNames(of cases: [Case]) -> [String] {
    var taken: Set<String> = []
    return cases.map { subject in
      let words = subject.name.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
      let name = words.isEmpty ? "case" : words.joined(separator: "-")
      var (free, number) = (name, 1)
      while !taken.insert(free).inserted {
        number += 1
        free = "\(name)-\(number)"
      }
      return free
    }
  }
}
