internal import ClientInterface
internal import RunModel
internal import Scenario
internal import Tree

// What listeners are shown was true at some moment: some state of the server, with what the client
// had asked for and not been answered on top, explains each event.

extension EventLaws {
  static let truth = Law<EventOccasion>(.trueOnce) { occasion in
    guard occasion.event.type != .childRemoved, !occasion.listener.isLocal else { return .holds }
    // What a call from inside a callback has changed cannot be distinguished from what its turn has.
    if occasion.turn.step.isSplit { return .unknown(.severalChanges) }
    guard let server = occasion.server else { return .unknown(.unclearServer) }
    let target = occasion.listener.target
    if !occasion.isServed { return .unknown(.unansweredListen) }
    let shown = ShownValue(occasion.event, of: target, in: occasion.turn.profile)
    let states = server.pointee.states
    let usual =
      occasion.turn.calls.showsNothing
      ? [] : Layers.usual(over: shown.path, occasion.turn.calls)
    if let state = states.last, shown.isExplained(by: usual, over: state) { return .holds }
    switch Layers.over(shown, occasion.turn.calls, states) {
    case let .unknown(doubt): return .unknown(doubt)
    case let .known(layers):
      // A get is answered with the server's data.
      let ways = occasion.listener.isOnce ? layers + [[]] : layers
      if shown.isExplained(by: ways, states) { return .holds }
      return occasion.violated(
        "\(occasion.event.name) shows \(occasion.event.value), which the server never had, nor with "
          + "the pending writes of the client on top")
    }
  }
}

extension EventOccasion {
  /// Whether it is known what a listener's data come from. Kept data may be of several moments
  /// until the server has answered (OFF-13), and so may what lies outside a window (EVT-19).
  fileprivate var isServed: Bool {
    let target = listener.target
    let estimates = turn.calls.hasEstimates && turn.calls.estimates(target.path)
    if target.query.filters {
      return turn.listens.serves(target) && !turn.listens.isUnreported(target)
        && !estimates
    }
    if turn.listens.hasAnswer(for: target) { return true }
    // The estimate of an accepted write stays until the server has sent what it filled in (WRT-16).
    return !turn.persists && !turn.listens.isMixed(target) && !estimates
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

  /// The ways in which layers may lie; unknown where the server fills something in, or there are
  /// too many.
  enum Ways {
    case known([[Layer]])
    case unknown(Doubt)
  }

  /// How many ways are tried.
  private static let maxCount = 128

  /// The way in which data are shown nearly always: all that may cover them does. It is
  /// tried before the others, which are many.
  static func usual(over path: Path, _ calls: Calls) -> [Layer] {
    var layers: [Layer] = []
    for index in calls.shown {
      if let write = calls.requested[index].write {
        if write.reaches(path) { layers += write.sets.map { Layer(path: $0.path, node: $0.node) } }
      } else if calls.requested[index].path.isRelated(to: path) {
        layers += calls.requested[index].results(keeping: []).prefix(1)
      }
    }
    return layers
  }

  static func over(_ shown: ShownValue, _ calls: Calls, _ states: [Node]) -> Ways {
    if calls.showsNothing { return .known([[]]) }
    let path = shown.path
    if calls.onDisconnectPaths.contains(where: { $0.isRelated(to: path) }) {
      return .unknown(.ownOnDisconnect)
    }
    var ways: [[Layer]] = [[]]
    var late: [[Layer]] = []
    for index in calls.shown {
      let call = calls.requested[index]
      if let write = call.write {
        guard write.reaches(path) else { continue }
        let own = write.sets.map { Layer(path: $0.path, node: $0.node) }
        ways = ways.flatMap { calls.mayBeHidden(index) ? [$0 + own, $0] : [$0 + own] }
      } else if call.path.isRelated(to: path) {
        let earlier = calls.shown.prefix { $0 < index }.map { calls.requested[$0] }
        let results = call.results(
          keeping: shown.restsOnPriorities ? call.mayHaveFound(states, after: earlier) : [])
        ways = ways.flatMap { way in results.map { way + [$0] } + [way] }
        late.append(results)
      }
      if ways.count > maxCount { return .unknown(.manyWays) }
    }
    // After a later run a result lies over what was written since the call.
    for results in late where ways.contains(where: { $0.count > 1 }) {
      ways += ways.flatMap { way in results.map { way + [$0] } }
      if ways.count > maxCount { return .unknown(.manyWays) }
    }
    if ways.contains(where: { $0.contains { $0.node.hasServerValues } }) {
      return .unknown(.serverValues)
    }
    return .known(ways)
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
