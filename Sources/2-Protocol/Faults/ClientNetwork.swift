/// How the network is for one client, with the marks of the faults that made it so.
package struct ClientNetwork: Sendable {
  /// Whether new connections can be made.
  package var access = Access.up
  /// The fault because of which new connections are refused.
  package var accessMark: Int?
  package var latency: Latency
  /// The fault that takes effect when a latency is drawn next.
  package var latencyMark: Int?
  package var stalls = Stalls()
  /// The host to which the server sends the client; `nil` where it has always been.
  package var home: (host: String, mark: Int?)?

  package enum Access: String, Sendable {
    case up
    /// Nothing but new connections is wrong.
    case refusing
    case cut
  }

  package init(latency: Latency) { self.latency = latency }

  /// Whether new connections are refused, and because of which fault.
  package var refusal: Refusal? { access == .up ? nil : Refusal(mark: accessMark) }

  /// Whether something keeps messages or new connections from arriving until it is ended.
  package var isDisturbed: Bool { access != .up || !stalls.isEmpty }

  package mutating func setAccess(_ access: Access, mark: Int?) {
    self.access = access
    accessMark = mark
  }

  package mutating func setLatency(_ latency: Latency, mark: Int?) {
    if self.latency != latency { latencyMark = mark }
    self.latency = latency
  }
}

/// Which directions of a client's network are stalled, with the marks of the faults.
@usableFromInline package struct Stalls: Sendable {
  /// A stalled direction.
  @usableFromInline package struct Stall: Sendable {
    package let mark: Int?
  }

  /// Which ways something needs to arrive.
  package enum Need {
    case toServer
    case toClient
    /// A request for a connection and its answer.
    case bothWays
  }

  @usableFromInline package private(set) var toServer: Stall?
  @usableFromInline package private(set) var toClient: Stall?

  package init() {}

  @inlinable package var isEmpty: Bool { toServer == nil && toClient == nil }

  /// The stall that keeps something from arriving.
  package func stall(of need: Need) -> Stall? {
    switch need {
    case .toServer: toServer
    case .toClient: toClient
    case .bothWays: toServer ?? toClient
    }
  }

  package mutating func begin(_ direction: FaultDirection, mark: Int?) {
    if direction != .toClient, toServer == nil { toServer = Stall(mark: mark) }
    if direction != .toServer, toClient == nil { toClient = Stall(mark: mark) }
  }

  package mutating func end(_ direction: FaultDirection) {
    if direction != .toClient { toServer = nil }
    if direction != .toServer { toClient = nil }
  }
}
