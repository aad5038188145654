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

  /// What one client has named.
  private struct Names {
    /// In the order of the steps.
    var labels: [Label] = []
    var positions: [String: Int] = [:]
    /// Where those are that its process has, and perhaps others.
    var current: [Int] = []
    /// How many listens and how many calls there were without names.
    var listens = 0
    var calls = 0

    mutating func put(_ label: Labels.Label) {
      guard let position = positions[label.name] else {
        positions[label.name] = labels.count
        current.append(labels.count)
        labels.append(label)
        return
      }
      if labels[position].isFinished { current.append(position) }
      labels[position] = label
    }

    mutating func endAll() {
      for position in current { labels[position].isFinished = true }
      current = []
    }
  }

  private var names: [String: Names] = [:]

  subscript(client: String, name: String) -> Label? {
    get { names[client].flatMap { names in names.positions[name].map { names.labels[$0] } } }
    set { if let newValue { names[client, default: Names()].put(newValue) } }
  }

  /// The labels of a client in the order of the steps.
  func labels(of client: String) -> [Label] { names[client]?.labels ?? [] }

  /// What a name that is not known may mean: the last names of a client, so that many mistakes among
  /// many names do not take the square of the time.
  func candidates(of client: String) -> [String] { labels(of: client).suffix(50).map(\.name) }

  /// The process of a client was killed, and its listeners and calls with it.
  mutating func endAll(of client: String) { names[client]?.endAll() }

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
    names[client, default: Names()].listens += 1
    return "L\(names[client]?.listens ?? 0)"
  }

  /// `#1`, `#2`, … for the calls of a client that have no name.
  mutating func nextCall(of client: String) -> String {
    names[client, default: Names()].calls += 1
    return "#\(names[client]?.calls ?? 0)"
  }
}
