internal import ClientInterface
internal import Document
internal import Scenario
internal import Trace
internal import Tree
internal import Wire

/// Compares all that was observed in a period with one expectation.
struct Judge {
  let expectation: Expectation
  let period: ObservationWindow
  let registry: Registry
  let state: RunEvaluation.SystemState
  /// What patterns have found out so far; gains what this expectation names.
  var bindings: Bindings
  /// What was found, each with the order in which it became apparent.
  private(set) var findings: [(moment: Int, divergence: Divergence)] = []

  /// Which of the alternatives held, by their positions.
  private(set) var held: [Int] = []

  init(
    _ expectation: Expectation, _ period: ObservationWindow, _ registry: Registry,
    _ state: RunEvaluation.SystemState, _ bindings: Bindings
  ) {
    self.expectation = expectation
    self.period = period
    self.registry = registry
    self.state = state
    self.bindings = bindings
  }

  /// All divergences, in the order in which they became apparent: what did not happen is apparent
  /// at the end, and there a call that did not end comes first, because what else is missing often
  /// follows from it.
  mutating func divergences() -> [Divergence] {
    guard expectation.alternatives.isEmpty else { return nearestAlternative() }
    judgeBreaches()
    judgeListed()
    judgeSilentListeners()
    judgeUnlistedOutcomes()
    judgeOrder()
    judgeFrames()
    judgeServer()
    if expectation.isConverged { judgeConvergence() }
    return findings.enumerated()
      .sorted { ($0.element.moment, $0.offset) < ($1.element.moment, $1.offset) }
      .map(\.element.divergence)
  }

  /// Listeners and outcomes in the order of the file, so that a value has its name where the file
  /// uses it.
  private mutating func judgeListed() {
    let listeners = expectation.listeners.map { (position: $0.position, part: Part.listener($0)) }
    let outcomes = expectation.outcomes.map { (position: $0.position, part: Part.outcome($0)) }
    for (_, part) in (listeners + outcomes).sorted(by: { $0.position < $1.position }) {
      switch part {
      case let .listener(listener): judge(listener)
      case let .outcome(outcome): judge(outcome)
      }
    }
  }

  private enum Part {
    case listener(ListenerExpectation)
    case outcome(OutcomeExpectation)
  }

  /// The divergences from the alternative that comes nearest; of equals the first counts.
  private mutating func nearestAlternative() -> [Divergence] {
    var nearest: (divergences: [Divergence], bindings: Bindings)?
    var leastDistance = Int.max
    for (index, alternative) in expectation.alternatives.enumerated() {
      var judge = Judge(alternative, period, registry, state, bindings)
      let divergences = judge.divergences()
      if divergences.isEmpty { held.append(index) }
      let distance = divergences.reduce(0) { $0 + $1.distance }
      if distance < leastDistance {
        leastDistance = distance
        let location = Divergence.Alternative(
          number: index + 1, of: expectation.alternatives.count, at: alternative.position)
        nearest = (divergences.map { $0.within(location) }, judge.bindings)
      }
    }
    guard let nearest else { return [] }
    bindings = nearest.bindings
    return nearest.divergences
  }

  /// Adds a divergence that became apparent at this event of the trace, or without one at the end
  /// of the period.
  mutating func record(_ divergence: Divergence, at moment: Int?) {
    if case .outcomeMissing = divergence.kind { return findings.append((.max - 1, divergence)) }
    findings.append((moment ?? .max, divergence))
  }
}

extension Judge {
  private mutating func judgeBreaches() {
    for breach in period.breaches {
      record(registry.divergence(breach, at: expectation.position), at: breach.sequence)
    }
  }

  private mutating func judgeServer() {
    guard let pattern = expectation.server,
      let mismatch = pattern.mismatch(with: state.server, bindings: &bindings)
    else { return }
    let last = period.lastWrite(about: mismatch.path) ?? period.serverWrites.last?.sequence
    let rows: [Divergence.Row] = [
      .expected(1, .pattern(pattern)), .observed(1, .node(state.server)),
    ]
    record(
      Divergence(
        .serverTree(mismatch), of: .server, at: expectation.position, evidence: last,
        rows: rows),
      at: nil)
  }

  private mutating func judgeFrames() {
    for frame in expectation.frames {
      let client = registry.index(of: frame.client)
      let sent = period.frames.filter { $0.client == client && $0.action.rawValue == frame.kind }
      guard sent.count != frame.count else { continue }
      let arrival = client.flatMap { period.lastArrival(at: $0) }
      record(
        Divergence(
          .frames(frame, count: sent.count), of: .client(frame.client), at: frame.position,
          evidence: sent.count > frame.count ? sent.last?.sequence : arrival),
        at: nil)
    }
  }

  private mutating func judgeConvergence() {
    for name in registry.order where state.online.contains(name.client) {
      guard let listener = registry.listeners[name], listener.state == .live, !listener.isOnce,
        !listener.target.query.filters, listener.showsEverything, let view = listener.view,
        listener.target.path.keys.first != .info
      else { continue }
      var server = state.server[listener.target.path]
      if !listener.types.contains(.value) { server = Node(server.children) }
      guard
        let mismatch = Pattern.exactly(server.json).mismatch(with: view, bindings: &bindings)
      else { continue }
      let rows: [Divergence.Row] = [.expected(1, .node(server)), .observed(1, .node(view))]
      let evidence = period.lastArrival(at: name.client, about: listener.target.path)
      record(
        Divergence(
          .notConverged(mismatch), of: registry.subject(of: name), at: expectation.position,
          evidence: evidence, rows: rows),
        at: nil)
    }
  }
}

extension Divergence {
  /// How far apart both sides are: the lines that differ, pairs of them counted once, and at least
  /// one.
  fileprivate var distance: Int {
    var (expected, observed) = (0, 0)
    for row in rows {
      switch row {
      case .same: break
      case .expected: expected += 1
      case .observed: observed += 1
      }
    }
    return max(1, expected, observed)
  }

  /// The divergence as one from an alternative, unless it lies in an alternative of that one.
  fileprivate func within(_ alternative: Alternative) -> Divergence {
    var divergence = self
    divergence.alternative = self.alternative ?? alternative
    return divergence
  }
}
