public import ClientInterface
public import Simulator
public import Trace

/// A live server behind lines on which things go wrong: what arrives and what is sent over WebSockets
/// goes through here. Requests of HTTP are left alone, except that nobody connects while connections
/// are refused.
public struct DisturbedServer: Sendable {
  public var server: LiveServer
  /// What goes wrong on lines that begin from now on.
  public var plan: FaultPlan
  private var lines: [Socket: Line] = [:]
  private var held: [Held] = []
  private var lastHeld = 0
  private var beginning: Instant?
  private var random: RandomNumbers

  /// Something on its way.
  private struct Held: Sendable {
    enum Content: Sendable {
      case frame(Socket, String)
      case effect(Effect)
      case ended(Socket)
    }

    let due: Instant
    let number: Int
    let content: Content
  }

  /// The names of the clients: faults call each by its place in this list.
  public let clients: [String]
  /// What became of each fault, in the order in which they were injected or armed.
  public private(set) var marks: [FaultMark] = []

  public init(_ server: LiveServer, plan: FaultPlan = FaultPlan(), clients: [String] = []) {
    self.server = server
    self.plan = plan
    self.clients = clients
    random = RandomNumbers(seed: server.settings.seed ^ 0xFA17)
  }

  /// Lets a fault happen now.
  public mutating func inject(_ fault: Fault, at now: Instant, into effects: inout [Effect]) {
    marks.append(FaultMark(fault, trigger: nil))
  }

  /// Lets a fault happen once, when the trigger matches.
  public mutating func arm(
    _ fault: Fault, when trigger: Trigger, at now: Instant, into effects: inout [Effect]
  ) {
    marks.append(FaultMark(fault, trigger: trigger))
  }

  /// Whose connection this is; `nil` for one that is nobody's.
  public func client(of connection: Int) -> ClientIndex? { nil }

  /// When `tick` has something to do; `nil` when nothing is on its way.
  public var nextDue: Instant? { held.map(\.due).min() }

  /// From now on the times of faults count.
  public mutating func start(at now: Instant) { beginning = now }

  /// Whether nobody can connect now.
  public func refuses(at now: Instant) -> Bool {
    guard let begin = beginning else { return false }
    return plan.rules.contains { rule in
      guard case let .refuse(from, time) = rule.fault else { return false }
      return now - begin >= from && now - begin < from + time
    }
  }

  public mutating func open(
    _ socket: Socket, for request: HTTPRequest, at now: Instant, into effects: inout [Effect]
  ) {
    var line = Line(faults: [])
    for index in plan.rules.indices where plan.rules[index].times != 0 {
      line.faults.append(plan.rules[index].fault)
      if let left = plan.rules[index].times { plan.rules[index].times = left - 1 }
    }
    if !line.faults.isEmpty { lines[socket] = line }
    disturb(at: now, into: &effects) { $0.open(socket, for: request, at: now, into: &$1) }
  }

  /// A frame has come from a client.
  public mutating func receive(
    _ frame: String, from socket: Socket, at now: Instant, into effects: inout [Effect]
  ) {
    guard let line = lines[socket] else {
      return disturb(at: now, into: &effects) {
        $0.receive(frame, from: socket, at: now, into: &$1)
      }
    }
    guard let latency = line.latency else { return arrive(frame, socket, now, &effects) }
    let due = max(line.lastIn, now + drawn(latency))
    lines[socket]?.lastIn = due
    hold(.frame(socket, frame), until: due)
  }

  private mutating func arrive(
    _ frame: String, _ socket: Socket, _ now: Instant, _ effects: inout [Effect]
  ) {
    guard lines[socket]?.isDead == false, lines[socket]?.isOver == false else { return }
    let turn = frame == "0" ? .goOn : lines[socket]?.count(at: now) ?? .goOn
    disturb(at: now, into: &effects) { $0.receive(frame, from: socket, at: now, into: &$1) }
    if turn == .cut { cut(socket, into: &effects) }
  }

  /// Breaks a line.
  mutating func cut(_ socket: Socket, into effects: inout [Effect]) {
    // 1006 is never sent: whoever does the output closes without a word.
    effects.append(.close(socket, code: 1006, reason: ""))
    lines[socket]?.isMute = true
  }

  /// Lets the server do something, and lets what it sends take its time, or get lost.
  public mutating func disturb(
    at now: Instant, into effects: inout [Effect],
    _ body: (inout LiveServer, inout [Effect]) -> Void
  ) {
    var own: [Effect] = []
    body(&server, &own)
    if lines.isEmpty {
      effects += own
      return
    }
    for effect in own {
      switch effect {
      case let .send(socket, _), let .close(socket, _, _): pass(effect, socket, now, &effects)
      default: effects.append(effect)
      }
    }
  }

  private mutating func pass(
    _ effect: Effect, _ socket: Socket, _ now: Instant, _ effects: inout [Effect]
  ) {
    guard let line = lines[socket] else { return effects.append(effect) }
    if line.isDead || line.isMute { return }
    var due = max(line.lastOut, line.stalledUntil)
    if let latency = line.latency { due = max(due, now + drawn(latency)) }
    guard due > now else { return effects.append(effect) }
    lines[socket]?.lastOut = due
    hold(.effect(effect), until: due)
  }

  /// A client's WebSocket, or a request without an answer, has ended.
  public mutating func closed(
    _ socket: Socket, at now: Instant, into effects: inout [Effect]
  ) {
    lines[socket]?.isOver = true
    if let lateness = lines[socket]?.lateness {
      hold(.ended(socket), until: now + lateness)
    } else {
      end(socket, now, &effects)
    }
  }

  private mutating func end(_ socket: Socket, _ now: Instant, _ effects: inout [Effect]) {
    lines[socket] = nil
    disturb(at: now, into: &effects) { $0.closed(socket, at: now, into: &$1) }
  }

  /// Lets arrive what is due.
  public mutating func arriveDue(at now: Instant, into effects: inout [Effect]) {
    guard let next = nextDue, next <= now else { return }
    let due = held.filter { $0.due <= now }.sorted { ($0.due, $0.number) < ($1.due, $1.number) }
    held.removeAll { $0.due <= now }
    for one in due {
      switch one.content {
      case let .frame(socket, frame): arrive(frame, socket, now, &effects)
      case let .effect(effect):
        if let socket = effect.webSocket, lines[socket]?.isDead == true { continue }
        if let socket = effect.webSocket, lines[socket]?.isMute == true { continue }
        effects.append(effect)
      case let .ended(socket): end(socket, now, &effects)
      }
    }
  }

  private mutating func hold(_ content: Held.Content, until due: Instant) {
    lastHeld += 1
    held.append(Held(due: due, number: lastHeld, content: content))
  }

  private mutating func drawn(_ range: ClosedRange<Interval>) -> Interval {
    let width = range.upperBound.nanoseconds - range.lowerBound.nanoseconds
    let part = Int64(Double(width) * random.nextUnit())
    return Interval(nanoseconds: range.lowerBound.nanoseconds + part)
  }
}

extension Effect {
  /// The WebSocket that something is sent over.
  fileprivate var webSocket: Socket? {
    switch self {
    case let .send(socket, _), let .close(socket, _, _): socket
    default: nil
    }
  }
}
