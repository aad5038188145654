internal import ClientInterface
internal import RunModel
internal import Scenario
internal import Trace
internal import Tree

// What is true when a run has settled: nothing is under way, and every client that can be connected
// is.

/// A client that is connected in a settled run.
struct SettledOccasion {
  let judged: UnsafePointer<JudgedClient>
  let client: ClientIndex
  /// What the server stores.
  let server: Node

  var calls: Calls { _read { yield judged.pointee.application.calls } }
  var listeners: PathList<Listener> { _read { yield judged.pointee.application.listeners.all } }
  var listens: UnsafePointer<Listens> { judged.listens }
  var mayPause: Bool { judged.pointee.application.mayPause }
  var isIdle: Bool { judged.pointee.application.calls.isIdle }
  var profile: Profile { judged.pointee.application.profile }

  func violated(_ sentence: String) -> Judgement { .violated(.client(client), at: nil, sentence) }
}

enum SettledLaws {
  static let requestedAtAll = Law<SettledOccasion>(.requestedAtAll) {
    guard let call = $0.calls.unsentOnDisconnect else { return .holds }
    return $0.violated("the on-disconnect request for \(call.path ?? .root) has not gone out")
  }

  static let listens: [Law<SettledOccasion>] = [
    Law(.noneBelow) {
      guard $0.listens.pointee.entries.count > 1,
        let (entry, cover) = $0.listens.pointee.superfluous
      else {
        return .holds
      }
      return $0.violated(
        "the client listens to \(entry.path), which its listen to \(cover.path) covers")
    },
    Law(.covered) { occasion in
      let listeners = occasion.listeners
      let unserved = listeners.indices.first {
        listeners[$0].isLive && !listeners[$0].isLocal
          && !occasion.listens.serves(listeners[$0].target)
      }
      guard let unserved else { return .holds }
      return occasion.violated(
        "no listen serves the listeners at \(listeners[unserved].target.path)")
    },
    Law(.nothingLeft) { occasion in
      let listens = occasion.listens.pointee.entries
      let left = listens.first(.atOrBelow, .root) { !occasion.judged.needs(listens[$0]) }
      if let left {
        return occasion.violated(
          "the client listens to \(listens[left].path), where no client does")
      }
      if occasion.judged.pointee.application.link.tries.isEmpty { return .holds }
      return occasion.violated("the client is connected and has a timer to connect again")
    },
  ]

  static let allEnded = Law<SettledOccasion>(.allEnded, unknown: [.pausedWrites]) { occasion in
    if occasion.mayPause { return .unknown(.pausedWrites) }
    if occasion.isIdle { return .holds }
    let calls = occasion.calls
    let open = calls.pending.map(\.call) + calls.openTransactions.map(\.call).sorted()
    return .violated(
      open.compactMap { call in
        calls.operation(of: call).map {
          .init(
            about: .call(occasion.client, call, $0), evidence: nil,
            sentence:
              "the call has not ended although the client is connected and nothing is under way")
        }
      })
  }
}

// MARK: - Listeners

/// A listener of such a client.
struct SettledListener {
  let client: SettledOccasion
  /// The position of the listener.
  let index: Int
  /// What it shows, beside what the server has.
  fileprivate let comparison: Comparison

  fileprivate enum Comparison {
    case same
    case unknown(Doubt)
    case nothingShown
    /// A refused write that is still shown may explain it.
    case different(shown: Node, expected: Node, PlainWrite?)
  }

  var listener: Listener { _read { yield client.listeners[index] } }

  func violated(_ sentence: String) -> Judgement {
    .violated(.listener(client.client, listener.id, listener.target), at: nil, sentence)
  }
}

extension SettledLaws {
  static let listeners: [Law<SettledListener>] = [
    Law(.onceIsOnce) {
      guard $0.listener.isOnce, $0.listener.types == [.value], $0.listener.received == 0 else {
        return .holds
      }
      return $0.violated("the single read was not answered")
    },
    Law(.leavesNoTrace) {
      guard case let .different(shown, expected, refused?) = $0.comparison else { return .holds }
      return $0.violated(
        "the listener shows \(shown) with the refused write of \(refused.path), but the server has "
          + "\(expected)")
    },
    /// EVT-23: what a listener shows is what the server has.
    Law(.converged, unknown: [.looseOrder, .reruns, .unansweredListen]) {
      switch $0.comparison {
      // A refused write that is still shown is the better explanation.
      case .same, .different(_, _, _?): .holds
      case let .unknown(doubt): .unknown(doubt)
      case .nothingShown: $0.violated("the listener has not received a value event")
      case let .different(shown, expected, nil):
        $0.violated("the listener shows \(shown), but the server has \(expected)")
      }
    },
  ]
}

extension SettledOccasion {
  fileprivate func comparison(at index: Int) -> SettledListener.Comparison {
    if listeners[index].isOnce { return .same }
    let target = listeners[index].target
    var expected = server[target.path]
    if target.query.filters {
      let query = target.query.asked(in: profile)
      guard query.isSettled(for: expected.children, in: profile) else {
        return .unknown(.looseOrder)
      }
      expected = query.window(of: expected).node
    }
    let shown: Node
    if listeners[index].receivesValue {
      guard let value = listeners[index].value else { return .nothingShown }
      shown = value
    } else {
      guard listeners[index].reportsContent else { return .same }
      shown = Node(listeners[index].children)
      expected = Node(expected.children)
    }
    if shown.fingerprint == expected.fingerprint { return .same }
    if listeners[index].isInconsistent { return .unknown(.reruns) }
    // The window may rest on what the client took for granted, and the server says nothing about that
    // because it lies outside.
    if target.query.filters,
      listens.isUnreported(target) || calls.estimated.has(.related, target.path)
    {
      return .unknown(.unansweredListen)
    }
    let refused = calls.refused.first { write in
      !write.hasServerValues && write.reaches(target.path)
        && write.sets.applied(to: shown, at: target.path) == shown
        && write.sets.applied(to: expected, at: target.path) != expected
    }
    return .different(shown: shown, expected: expected, refused)
  }
}

extension Findings {
  /// Judges a client that is connected in a settled run.
  mutating func judge(_ client: SettledOccasion) {
    guard client.judged.pointee.application.isRunning,
      !judge(SettledLaws.requestedAtAll, client)
    else { return }
    judge(SettledLaws.listens, client)
    if judge(SettledLaws.allEnded, client) || client.mayPause { return }
    for index in client.listeners.indices
    where client.listeners[index].isLive && !client.listeners[index].isLocal {
      let comparison = client.comparison(at: index)
      let listener = SettledListener(client: client, index: index, comparison: comparison)
      judge(SettledLaws.listeners, listener)
    }
  }
}
