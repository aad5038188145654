internal import ClientInterface
internal import Document
internal import Scenario
internal import Tree
internal import Wire

/// One case of a sync-point file: steps made with a client, and all events that each must raise.
///
/// Sync points are where the listeners of one location meet. Such files drive the part of a client
/// that keeps data and raises events, without a server: what the server sends is a step like
/// others.
public struct Case {
  /// What the file calls the case.
  public let name: String
  /// The path under which the file was read.
  let file: String
  let position: Position
  let steps: [CaseStep]
}

/// One thing that happens to the client.
struct CaseStep {
  let action: Action
  /// What it raises; whatever is not listed must not be raised.
  let events: [Event]
  let position: Position

  enum Action {
    /// One registration that receives all kinds of event.
    ///
    /// The tag is what the file calls the query in later data of the server. The callback shows
    /// registrations apart that are to be removed.
    case listen(Operation.Target, tag: Int?, callback: Int?)
    /// Removes the registrations with this callback from the location.
    case unlisten(Path, callback: Int)
    /// With a tag, for that query alone.
    case serverUpdate(Path, Node, tag: Int?)
    case serverMerge(Path, [Assignment], tag: Int?)
    case write(CaseWrite)
    /// A write that listeners do not see before the server has accepted it.
    case hiddenWrite
    /// The server's answer to a write; a rejected one is reverted.
    case acknowledge(write: Int, isAccepted: Bool)
    /// Does nothing.
    case suppressWarning

    /// Whether a single listener is concerned.
    var isConversation: Bool {
      switch self {
      case .listen, .unlisten: true
      case .serverUpdate, .serverMerge, .write, .hiddenWrite, .acknowledge, .suppressWarning: false
      }
    }
  }

  /// One call of a listener, as far as cases contain it: which registration it was they do not.
  struct Event {
    /// The location of the listener.
    let path: Path
    let type: EventType
    let value: Node
    let expected: ExpectedEvent
  }
}

/// A write of the client.
struct CaseWrite {
  /// From 0, over all writes of the case.
  let number: Int
  let operation: ClientInterface.Operation
  /// What the client's frame is called.
  let kind: String
  /// Where it is made.
  let path: Path
  /// What it overwrites, by full paths.
  let parts: [(path: Path, node: Node)]
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
