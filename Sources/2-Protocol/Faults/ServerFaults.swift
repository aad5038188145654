package import ClientInterface
public import Tree
package import Wire

/// That a connection is refused, with the mark of the fault that does it.
package struct Refusal: Sendable {
  package let mark: Int?

  package init(mark: Int?) { self.mark = mark }
}

/// What is wrong with the server, and the marks of it that wait for something to happen.
package struct ServerFaults: Sendable {
  package private(set) var skewMark: Int?
  /// The fault by which conditional writes are refused as stale.
  package var staleMark: Int?
  /// Until when it accepts no connection.
  private var down: (until: Instant, mark: Int?)?
  /// The rules that have refused nothing yet.
  private var rules: [(rule: SecurityRule, mark: Int)] = []

  package init() {}

  /// Whether a mark is to be set when something happens.
  package var waits: Bool { skewMark != nil || staleMark != nil || !rules.isEmpty }

  package mutating func setSkew(_ skew: Interval, mark: Int?) {
    skewMark = skew == .zero ? nil : mark
  }

  /// The fault that set the clock wrong, once: it shows now.
  package mutating func takeSkewMark() -> Int? {
    defer { skewMark = nil }
    return skewMark
  }

  package mutating func goDown(until end: Instant, mark: Int?) { down = (end, mark) }

  /// Whether no connection is accepted, and because of which fault.
  package func refusal(at now: Instant) -> Refusal? {
    down.flatMap { now < $0.until ? Refusal(mark: $0.mark) : nil }
  }

  package mutating func add(_ rule: SecurityRule, mark: Int?) {
    if let mark { rules.append((rule, mark)) }
  }

  /// The fault because of which a request was answered as it was, once.
  package mutating func takeRefusal(
    of request: Request, by response: ServerMessage.Response
  ) -> Int? {
    guard response.status != "ok", !rules.isEmpty else { return nil }
    return rules.firstIndex {
      $0.rule.answer == response.status && request.touches($0.rule)
    }.map { rules.remove(at: $0).mark }
  }
}

extension Request {
  /// What it needs the permission for; `nil` for what no rule is about.
  package var access: SecurityRule.Access? {
    switch self {
    case .listen, .get: .read
    case .put, .merge, .onDisconnectPut, .onDisconnectMerge: .write
    case .unlisten, .onDisconnectCancel, .stats, .authenticate, .unauthenticate: nil
    }
  }

  /// Whether the request is of a kind and at a location that the rule is about.
  package func touches(_ rule: SecurityRule) -> Bool {
    guard let path, let access, rule.deny.contains(access) else { return false }
    switch self {
    case let .merge(_, assignments, _), let .onDisconnectMerge(_, assignments):
      let below = assignments.map { path.appending($0.path) }
      return ([path] + below).contains { $0.starts(with: rule.path) }
    default: return path.starts(with: rule.path)
    }
  }

  /// Whether the server fills in the time when it does what is asked.
  package var holdsTimestamp: Bool {
    switch self {
    case let .put(_, node, _): node.holdsTimestamp
    case let .merge(_, assignments, _): assignments.contains { $0.node.holdsTimestamp }
    case .listen, .get, .unlisten, .onDisconnectPut, .onDisconnectMerge, .onDisconnectCancel,
      .stats, .authenticate, .unauthenticate:
      false
    }
  }
}

extension Node {
  /// Whether the time is to be filled in somewhere in it.
  public var holdsTimestamp: Bool {
    if case .serverValue(.timestamp)? = scalar { return true }
    if case .serverValue(.timestamp)? = priority { return true }
    return children.contains { $0.node.holdsTimestamp }
  }
}
