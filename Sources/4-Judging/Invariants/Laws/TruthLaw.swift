internal import ClientInterface
internal import RunModel
internal import Scenario
internal import Trace
internal import Tree

// What listeners are shown was true at some moment: some state of the server, with the pending writes
// of the client on top, explains each event. This is judged where it is certain what may lie there.
// What transactions show is left to the comparison with a shadow.

extension EventLaws {
  static let truth = Law<EventOccasion>(
    .trueOnce,
    unknown: [
      .severalChanges, .unclearServer, .unansweredListen, .openTransactions, .ownOnDisconnect,
      .serverValues, .manyWays, .priorities,
    ]
  ) { $0.judgeTruth() }
}

extension EventOccasion {
  fileprivate func judgeTruth() -> Judgement {
    guard event.type != .childRemoved, !listener.isLocal else { return .holds }
    // What a call from inside a callback has changed cannot be distinguished from what its turn has.
    if turn.step.isSplit { return .unknown(.severalChanges) }
    guard let server else { return .unknown(.unclearServer) }
    if !isServed { return .unknown(.unansweredListen) }
    let shown = ShownValue(event, of: listener.target, in: turn.profile)
    if let tree = turn.laid, shown.isPart(of: tree) { return .holds }
    let known =
      turn.calls.mayBeShown ? turn.calls.layers(over: shown.path) : []
    guard let layers = known else { return .unknown(.openTransactions) }
    if let state = server.pointee.states.last,
      shown.isExplained(by: layers.flatMap(\.write.sets), over: state)
    {
      return .holds
    }
    if let doubt = doubt(of: layers, over: shown.path) { return .unknown(doubt) }
    // A get is answered with the server's data.
    var ways = layers.ways + (listener.isOnce ? [[]] : [])
    // What was accepted stays shown until the server has answered (WRT-16).
    let accepted = awaitsAnswer ? turn.calls.acceptedSets(over: shown.path) : []
    if !accepted.isEmpty { ways += ways.map { accepted + $0 } }
    // The newest state first: that is it in most cases.
    for state in server.pointee.states.reversed()
    where ways.contains(where: { shown.isExplained(by: $0, over: state) }) {
      return .holds
    }
    if mayLosePriority(layers, server.pointee.states) { return .unknown(.priorities) }
    return violated(
      "\(event.name) shows \(event.value), which the server never had, nor with the pending writes "
        + "of the client on top")
  }

  /// Whether it is known what a listener's data come from. Kept data may be of several moments
  /// until the server has answered (OFF-13), and so may what lies outside a window (EVT-19).
  private var isServed: Bool {
    let target = listener.target
    let filters = target.query.filters
    if !filters, !awaitsAnswer { return true }
    // The estimate of an accepted write stays until the server has sent what it filled in (WRT-16).
    if turn.calls.estimated.has(.related, target.path) { return false }
    if filters { return turn.listens.hasWindow(of: target) }
    return !turn.persists && !turn.listens.isMixed(target)
  }

  /// Whether it is about everything at its path, and the server has answered no listen to that.
  private var awaitsAnswer: Bool {
    !listener.target.query.filters && !turn.listens.isAnswered(at: listener.target.path)
  }

  /// Why the ways in which writes may lie over the data at a path are not known, or too many.
  private func doubt(of layers: [Calls.Layer], over path: Path) -> Doubt? {
    if turn.calls.onDisconnects.contains(where: { $0.path?.isRelated(to: path) ?? false }) {
      return .ownOnDisconnect
    }
    if layers.contains(where: \.write.hasServerValues) { return .serverValues }
    return layers.count(where: \.mayBeHidden) > Self.maxHidden ? .manyWays : nil
  }

  /// Whether a pending update removes a child of a parent with a priority: whether an update that
  /// removes all children and adds others keeps it is a matter of advice (PRI-16).
  private func mayLosePriority(_ layers: [Calls.Layer], _ states: [Node]) -> Bool {
    layers.contains { layer in
      layer.write.sets.count > 1
        && layer.write.sets.contains { set in
          guard set.node.isEmpty, let parent = set.path.parent else { return false }
          return states.contains { $0[parent].priority != nil }
        }
    }
  }

  /// How many writes of one turn are left out in every combination.
  private static var maxHidden: Int { 7 }
}

extension [Calls.Layer] {
  /// What may lie over the server's data: all the writes, without each that may be hidden.
  fileprivate var ways: [[(path: Path, node: Node)]] {
    reduce([[]]) { ways, layer in
      ways.flatMap { layer.mayBeHidden ? [$0 + layer.write.sets, $0] : [$0 + layer.write.sets] }
    }
  }
}

/// What an event shows of the data.
private struct ShownValue {
  /// Where it is: at a path, or at a child there.
  private let base: Path
  private let key: Key?
  private let node: Node
  /// The query whose window it is; `nil` for everything there.
  private let window: (query: Query, profile: Profile)?

  init(_ event: Event, of target: Operation.Target, in profile: Profile) {
    node = event.value
    base = target.path
    key = event.type == .value ? nil : event.key
    window =
      key == nil && target.query.filters ? (target.query.asked(in: profile), profile) : nil
  }

  /// Put together where it is asked for, which is rare.
  var path: Path { key.map { base.appending($0) } ?? base }

  /// Whether it is all that a tree has there.
  func isPart(of tree: Node) -> Bool {
    window == nil && (key.map { tree[base][$0] } ?? tree[base]).fingerprint == node.fingerprint
  }

  /// Whether a state with these writes on top shows it. Equal data of client and server share
  /// nothing, so that digests are compared.
  func isExplained(by sets: [(path: Path, node: Node)], over state: Node) -> Bool {
    let stored = key.map { state[base][$0] } ?? state[base]
    let whole = sets.isEmpty ? stored : sets.applied(to: stored, at: path)
    guard let (query, profile) = window else { return whole.fingerprint == node.fingerprint }
    if query.window(of: whole).node.fingerprint == node.fingerprint { return true }
    guard node.children.allSatisfy({ whole[$0.key] == $0.node }) else { return false }
    guard query.isSettled(for: whole.children, in: profile) else { return true }
    return query.window(of: known(of: stored, sets, query)).node == node
  }

  /// What the client certainly knows, and what it shows: outside the window that the server has sent
  /// it may know anything, or nothing.
  private func known(of stored: Node, _ sets: [(path: Path, node: Node)], _ query: Query) -> Node {
    let window = query.window(of: stored).node
    var known = sets.applied(to: window, at: base)
    for set in sets {
      if let below = set.path.relative(to: base), below.count > 1, let key = below.keys.first,
        window[key].isEmpty
      {
        known = known.setting(.empty, at: key)
      }
    }
    for child in node.children { known = known.setting(child.node, at: child.key) }
    return known
  }
}
