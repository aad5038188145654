import ClientInterface
import Document

/// The names of listeners and calls, which share one space for each client.
struct Labels {
  struct Label {
    var name: String
    var kind: Kind
    var position: Position
    var file: String
    var isNamed: Bool
    /// Where its end is listed, once it is.
    var listed: Position?
    /// Whether its end is listed wrongly: that it is missing is then not reported as well.
    var isExcused = false
    /// Whether it belonged to a process that was killed. The name may be given again then.
    var isFinished = false
  }

  enum Kind: Hashable {
    case listener(Set<EventType>)
    case write
    case push
    /// A push without a value: it gives a key and never completes.
    case keyOnly
    case transaction
    case inspection
    /// Signing in or out.
    case credential
    /// Its step is wrong, so what it is cannot be known.
    case unknown

    /// Whether it can name a listener.
    var canListen: Bool {
      switch self {
      case .listener, .unknown: true
      case .write, .push, .keyOnly, .transaction, .inspection, .credential: false
      }
    }
  }

  private var all: [(client: String, label: Label)] = []
  private var listens: [String: Int] = [:]
  private var unnamedCalls: [String: Int] = [:]

  subscript(client: String, name: String) -> Label? {
    get { all.first { $0.client == client && $0.label.name == name }?.label }
    set {
      guard let newValue else { return }
      if let index = all.firstIndex(where: { $0.client == client && $0.label.name == name }) {
        all[index].label = newValue
      } else {
        all.append((client, newValue))
      }
    }
  }

  /// The labels of a client in the order of the steps.
  func labels(of client: String) -> [Label] {
    all.filter { $0.client == client }.map(\.label)
  }

  /// The process of a client was killed, and its listeners and calls with it.
  mutating func endAll(of client: String) {
    for index in all.indices where all[index].client == client {
      all[index].label.isFinished = true
    }
  }

  /// Counts the end of a call as listed, although that is wrong: the mistake is reported already.
  mutating func excuse(_ name: String, of client: String) {
    self[client, name]?.isExcused = true
  }

  /// Whether a client may not give this name.
  func isTaken(_ name: String, by client: String) -> Bool {
    self[client, name].map { !$0.isFinished } ?? false
  }

  /// `L1`, `L2`, … for the listeners of a client that have no name.
  ///
  /// Every listen counts, so that the number is the same whichever of them are named.
  mutating func nextListener(of client: String) -> String {
    listens[client, default: 0] += 1
    return "L\(listens[client] ?? 0)"
  }

  /// `#1`, `#2`, … for the calls of a client that have no name.
  mutating func nextCall(of client: String) -> String {
    unnamedCalls[client, default: 0] += 1
    return "#\(unnamedCalls[client] ?? 0)"
  }
}
