internal import ClientInterface
internal import Scenario
internal import Trace
internal import Tree

// What listeners are shown was true at some moment: some state of the server, with what the client
// had asked for and not been answered on top, explains each event.

extension ClientMonitor {
  /// What the server had, and what the client has asked for.
  struct Truth {
    /// The states of the server from the start until now.
    let states: [Node]
    let ledger: CallLedger
  }

  /// Judges an event at one of the listeners, in a step that the ledger has taken.
  func judgeValue(
    _ event: Event, at index: Int, _ truth: Truth, _ client: ClientIndex, _ sequence: Int
  ) -> InvariantViolation? {
    let target = listeners.listeners[index].target
    guard event.type != .childRemoved, isServed(target) else { return nil }
    let shown = ShownValue(event, of: target, in: profile)
    if let state = truth.states.last,
      shown.isExplained(by: Layers.usual(over: shown.path, truth.ledger), over: state)
    {
      return nil
    }
    guard let layers = Layers.over(shown, truth) else { return nil }
    // A get is answered with the server's data.
    let ways = listeners.listeners[index].isOnce ? layers.ways + [[]] : layers.ways
    if shown.isExplained(by: ways, truth.states) { return nil }
    return InvariantViolation(
      .trueOnce, .listener(client, event.listener, target), at: sequence,
      "\(event.name) shows \(event.value), which the server never had, nor with the pending writes "
        + "of the client on top")
  }

  /// Whether it is known what a listener's data come from. Kept data may be of several moments
  /// until the server has answered (OFF-13), and so may what lies outside a window (EVT-19).
  private func isServed(_ target: Operation.Target) -> Bool {
    if target.path.keys.first == .info { return false }
    if target.query.filters {
      return listens.serves(target) && !listens.isUnreported(target)
        && !calls.estimates(target.path)
    }
    if listens.hasAnswer(for: target) { return true }
    // The estimate of an accepted write stays until the server has sent what it filled in (WRT-16).
    return !persists && !listens.isMixed(target) && !calls.estimates(target.path)
  }
}

/// What an event shows of the data.
private struct ShownValue {
  let path: Path
  let node: Node
  /// The query whose window it is; `nil` for everything at the path.
  let query: Query?
  let profile: Profile

  init(_ event: Event, of target: Operation.Target, in profile: Profile) {
    node = event.value
    self.profile = profile
    if event.type != .value, let key = event.key {
      path = target.path.appending(key)
      query = nil
    } else {
      path = target.path
      query = target.query.filters ? target.query.asked(in: profile) : nil
    }
  }

  /// Whether priorities are shown, or decide what is.
  var restsOnPriorities: Bool { node.hasPriorities || query?.ordering == .priority }

  /// The newest state first: that is it in most cases.
  func isExplained(by ways: [[Layers.Layer]], _ states: [Node]) -> Bool {
    for state in states.reversed() {
      if ways.contains(where: { isExplained(by: $0, over: state) }) { return true }
    }
    return false
  }

  /// Whether a state with these layers on top shows it. Equal data of client and server share
  /// nothing, so that digests are compared.
  func isExplained(by layers: [Layers.Layer], over state: Node) -> Bool {
    let stored = state[path]
    let whole = layers.isEmpty ? stored : layers.applied(to: stored, at: path)
    guard let query else { return whole.fingerprint == node.fingerprint }
    if query.window(of: whole).node.fingerprint == node.fingerprint { return true }
    guard node.children.allSatisfy({ whole[$0.key] == $0.node }) else { return false }
    guard query.ordering.isSettled(for: whole.children, in: profile) else { return true }
    return query.window(of: known(of: stored, layers, query)).node == node
  }

  /// What the client certainly knows, and what it shows: outside the window that the server has sent
  /// it may know anything, or nothing.
  private func known(of stored: Node, _ layers: [Layers.Layer], _ query: Query) -> Node {
    let window = query.window(of: stored).node
    var known = layers.isEmpty ? window : layers.applied(to: window, at: path)
    for layer in layers {
      if let below = layer.path.relative(to: path), below.count > 1, let key = below.keys.first,
        window[key].isEmpty
      {
        known = known.setting(.empty, at: key)
      }
    }
    for child in node.children { known = known.setting(child.node, at: child.key) }
    return known
  }
}

/// What may lie over the server's data at a path: the pending writes of a client and the results of
/// its transactions, in every way in which they may be shown.
private struct Layers {
  struct Layer: Equatable {
    var path: Path
    var node: Node
    /// Whether the path keeps the priority that it has (TXN-20). A run on data that are not known
    /// yet keeps none.
    var keepsPriority = false
  }

  /// How many ways are tried.
  private static let maxCount = 128

  private(set) var ways: [[Layer]] = [[]]

  private static let none = Layers()

  private init() {}

  /// - Returns: `nil` where it is unknown: the server fills something in, or there are too many.
  static func over(_ shown: ShownValue, _ truth: ClientMonitor.Truth) -> Layers? {
    truth.ledger.showsNothing ? none : Layers(over: shown, truth)
  }

  /// The way in which data are shown nearly always: all that may cover them does. It is
  /// tried before the others, which are many.
  static func usual(over path: Path, _ ledger: CallLedger) -> [Layer] {
    if ledger.showsNothing { return [] }
    var layers: [Layer] = []
    for index in ledger.shown {
      if let write = ledger.calls[index].write {
        if write.reaches(path) { layers += write.sets.map { Layer(path: $0.path, node: $0.node) } }
      } else if ledger.calls[index].path.isRelated(to: path) {
        layers += ledger.calls[index].results(keeping: []).prefix(1)
      }
    }
    return layers
  }

  private init?(over shown: ShownValue, _ truth: ClientMonitor.Truth) {
    let path = shown.path
    let ledger = truth.ledger
    if ledger.wills.contains(where: { $0.isRelated(to: path) }) { return nil }
    var late: [[Layer]] = []
    for index in ledger.shown {
      let call = ledger.calls[index]
      if let write = call.write {
        guard write.reaches(path) else { continue }
        let own = write.sets.map { Layer(path: $0.path, node: $0.node) }
        ways = ways.flatMap { ledger.mayBeHidden(index) ? [$0 + own, $0] : [$0 + own] }
      } else if call.path.isRelated(to: path) {
        let earlier = ledger.shown.prefix { $0 < index }.map { ledger.calls[$0] }
        let results = call.results(
          keeping: shown.restsOnPriorities ? call.mayHaveFound(truth.states, after: earlier) : [])
        ways = ways.flatMap { way in results.map { way + [$0] } + [way] }
        late.append(results)
      }
      if ways.count > Self.maxCount { return nil }
    }
    // After a later run a result lies over what was written since the call.
    for results in late where ways.contains(where: { $0.count > 1 }) {
      ways += ways.flatMap { way in results.map { way + [$0] } }
      if ways.count > Self.maxCount { return nil }
    }
    if ways.contains(where: { $0.contains { $0.node.hasServerValues } }) { return nil }
  }
}

extension RequestedCall {
  /// What the last runs of the function of a transaction have returned.
  fileprivate var outcomes: [JSON] {
    guard case let .transaction(function, _) = content else { return [] }
    return inputs.suffix(3).compactMap { input in
      if case let .returned(json) = function(input) { json } else { nil }
    }
  }

  /// What these outcomes put over the server's data.
  ///
  /// A result keeps the priority that was found, whatever became of it since (TXN-20).
  fileprivate func results(keeping found: [Scalar?]) -> [Layers.Layer] {
    guard case .transaction(_, .shown) = content else { return [] }
    let priorities = found.reduce(into: [Scalar]()) { priorities, found in
      if let found, !priorities.contains(found) { priorities.append(found) }
    }
    var results: [Layers.Layer] = []
    for json in outcomes {
      let result = Layers.Layer(path: path, node: Node(json: json))
      if results.contains(result) { continue }
      results.append(result)
      guard json[".priority"] == nil else { continue }
      results.append(Layers.Layer(path: path, node: result.node, keepsPriority: true))
      for priority in priorities {
        results.append(Layers.Layer(path: path, node: result.node.settingPriority(priority)))
      }
    }
    return results
  }

  /// The priorities that a transaction may have found: those that the server had in some state, and
  /// those that earlier calls have named, also without local events.
  fileprivate func mayHaveFound(_ states: [Node], after earlier: [RequestedCall]) -> [Scalar?] {
    let named = earlier.flatMap { call in
      call.outcomes.compactMap { json in path.relative(to: call.path).map { Node(json: json)[$0] } }
    }
    return states.map { $0[path].priority } + named.map(\.priority) + [sent.priority]
  }
}

extension [Layers.Layer] {
  /// What these layers make of `node`, which is at `path`.
  fileprivate func applied(to node: Node, at path: Path) -> Node {
    reduce(node) { node, layer in
      if let below = layer.path.relative(to: path) {
        let new =
          layer.keepsPriority ? layer.node.settingPriority(node[below].priority) : layer.node
        return node.setting(new, at: below)
      }
      return path.relative(to: layer.path).map { layer.node[$0] } ?? node
    }
  }
}
