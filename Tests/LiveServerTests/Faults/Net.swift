import ClientInterface
import Document
import Faults
import LiveServer
import ReferenceServer
import Testing
import Trace
import Tree
import Wire

let alice = ClientIndex(0)
let bob = ClientIndex(1)

/// What carries a client's messages.
enum Carrier: CaseIterable {
  case segments
  case engine
  case polling
  case scripts
}

/// A server behind lines, with clients that are played, in time that is played.
struct Net {
  var live: FaultyServer
  var effects: [Effect] = []
  var now = Instant(milliseconds: 1_480_000_000_000)
  /// What each client has received since it was asked last, by its name.
  private var received: [String: [String]] = [:]
  private var ends: [String: End] = [:]
  private var sockets = 0

  /// What a client has of its connection.
  private struct End {
    var carrier: Carrier
    var socket: Socket
    var session: String?
    var page: Page?
    var requests = 0
  }

  init(_ clients: String..., latency: Latency = .fixed(.zero), seed: UInt64 = 0) {
    live = FaultyServer(LiveServer(), clients: clients, latency: latency, seed: seed)
  }

  init(_ live: FaultyServer) { self.live = live }

  @discardableResult
  mutating func perform<Result>(_ body: (inout FaultyServer) -> Result) -> Result {
    live.perform(at: now, into: &effects, body)
  }

  mutating func newSocket() -> Socket {
    sockets += 1
    return Socket(sockets)
  }

  /// Connects a client.
  ///
  /// - Returns: Whether it was not refused.
  @discardableResult
  mutating func connect(
    _ name: String, _ carrier: Carrier = .segments, _ arguments: String..., isNamed: Bool = true
  ) -> Bool {
    var all = (isNamed ? ["client=\(name)"] : []) + arguments
    switch carrier {
    case .segments: break
    case .engine, .polling: all += ["EIO=3", "transport=\(carrier)"]
    case .scripts: all += ["start=t", "cb=1", "v=5"]
    }
    let request = HTTPRequest(
      "GET", carrier == .scripts ? "/.lp" : "/.ws", all.map { HTTPRequest.Argument($0) },
      headers: ["host": "here:9000"])
    guard !perform({ $0.refuses(request) }) else { return false }
    let socket = newSocket()
    ends[name] = End(carrier: carrier, socket: socket)
    if carrier == .polling || carrier == .scripts {
      perform { $0.handle(request, from: socket) }
    } else if live.server.refusal(ofSocketFor: request) == nil {
      perform { $0.open(socket, for: request) }
    }
    receiveOutput()
    return true
  }

  /// A client sends a message.
  mutating func say(_ name: String, _ text: String) {
    guard let end = ends[name] else { return }
    switch end.carrier {
    case .segments: perform { $0.receive(text, from: end.socket) }
    case .engine: perform { $0.receive("42[\"wd\",\(text)]", from: end.socket) }
    case .polling:
      let packet = "42[\"wd\",\(text)]"
      post(name, "\(packet.utf16.count):\(packet)")
    case .scripts: fetch(name, text)
    }
    receiveOutput()
  }

  mutating func request(_ name: String, _ action: String, _ body: String) {
    ends[name]?.requests += 1
    let number = ends[name]?.requests ?? 0
    say(name, #"{"t":"d","d":{"r":\#(number),"a":"\#(action)","b":\#(body)}}"#)
  }

  mutating func put(_ name: String, _ path: String, _ value: String) {
    request(name, "p", #"{"p":"\#(path)","d":\#(value)}"#)
  }

  mutating func listen(_ name: String, _ path: String) {
    request(name, "q", #"{"p":"\#(path)","h":""}"#)
  }

  /// A client closes its connection.
  mutating func leave(_ name: String) {
    guard let end = ends.removeValue(forKey: name) else { return }
    if end.carrier == .polling {
      ends[name] = end
      post(name, "1:1")
      ends[name] = nil
    } else if end.carrier == .scripts {
      ends[name] = end
      get("/.lp?disconn=t&id=\(end.page?.id ?? "")&pw=\(end.page?.password ?? "")", on: newSocket())
      ends[name] = nil
    } else {
      perform { $0.closed(end.socket) }
    }
    receiveOutput()
  }

  private mutating func post(_ name: String, _ body: String) {
    guard let end = ends[name], let session = end.session else { return }
    let request = HTTPRequest(
      "POST", "/.ws", [.init("EIO=3"), .init("transport=polling"), .init("sid=\(session)")],
      body: Array(body.utf8))
    let socket = newSocket()
    perform { $0.handle(request, from: socket) }
  }

  /// Fetches the next script, with a message for the server.
  private mutating func fetch(_ name: String, _ messages: String...) {
    guard var page = ends[name]?.page else { return }
    let socket = newSocket()
    let url = page.url(messages)
    ends[name]?.page = page
    ends[name]?.socket = socket
    get(url, on: socket)
  }

  private mutating func get(_ target: String, on socket: Socket) {
    let parts = target.split(separator: "?")
    let request = HTTPRequest(
      "GET", String(parts[0]), parts[1].split(separator: "&").map { .init(String($0)) })
    perform { $0.handle(request, from: socket) }
  }

  private mutating func poll(_ name: String) {
    guard let end = ends[name], let session = end.session else { return }
    let socket = newSocket()
    ends[name]?.socket = socket
    let request = HTTPRequest(
      "GET", "/.ws", [.init("EIO=3"), .init("transport=polling"), .init("sid=\(session)")])
    perform { $0.handle(request, from: socket) }
  }

  /// Lets time pass.
  mutating func wait(_ milliseconds: Int) {
    let end = now + .milliseconds(milliseconds)
    while let due = live.nextDue, due <= end {
      now = max(now, due)
      perform { $0.arriveDue() }
      receiveOutput()
    }
    now = end
    perform { $0.arriveDue() }
    receiveOutput()
  }

  mutating func inject(_ fault: IndexedFault) {
    perform { $0.inject(fault) }
    receiveOutput()
  }

  mutating func arm(_ fault: IndexedFault, when trigger: Trigger) {
    perform { $0.arm(fault, when: trigger) }
    receiveOutput()
  }

  /// What a client has received since this was asked last: messages in short, and the end.
  mutating func received(_ name: String) -> [String] {
    received.removeValue(forKey: name) ?? []
  }

  /// The faults that were told since this was asked last, each with its client.
  mutating func reported() -> [String] {
    let reported = effects.compactMap { effect -> String? in
      guard case let .fault(fault) = effect else { return nil }
      let text = Incident.fault(fault).text
      return fault.client.map { "\(live.clients[$0.number]): \(text)" } ?? text
    }
    effects.removeAll { if case .fault = $0 { true } else { false } }
    return reported
  }

  var tree: String { live.server.server(of: "default")?.tree.json.text ?? "" }
  var fired: [Bool] { live.marks.map(\.hasFired) }
  var bitten: [Bool] { live.marks.map(\.hasTakenEffect) }
}

extension Net {
  /// Hands the effects to the clients; those that poll go on.
  private mutating func receiveOutput() {
    var isFinished = false
    while !isFinished {
      isFinished = true
      for name in ends.keys.sorted() {
        guard let end = ends[name] else { continue }
        for effect in effects.filter({ $0.socket == end.socket }) {
          isFinished = false
          effects.removeAll { $0 == effect }
          take(effect, name, end)
        }
      }
    }
  }

  private mutating func take(_ effect: Effect, _ name: String, _ end: End) {
    switch effect {
    case let .send(_, frame):
      receiveOutput(name, end.carrier == .engine ? Self.event(frame) : frame)
    case let .respond(_, response) where end.carrier == .scripts:
      if let page = Page(response.text) { ends[name]?.page = page }
      for message in Page.messages(in: response.text) { receiveOutput(name, message.text) }
      if response.text.contains("close") {
        ends[name]?.page = nil
        received[name, default: []].append("closed")
      } else {
        fetch(name)
      }
    case let .respond(_, response):
      for packet in Self.packets(response.text) {
        if packet.hasPrefix("0"), let terms = try? JSON(parsing: String(packet.dropFirst())) {
          ends[name]?.session = terms["sid"]?.string
        } else if packet == "1" {
          received[name, default: []].append("closed")
        }
        receiveOutput(name, Self.event(packet))
      }
      if response.status == 200 { poll(name) } else { received[name, default: []].append("closed") }
    case .close:
      ends[name]?.page = nil
      received[name, default: []].append("closed")
    default: break
    }
  }

  private mutating func receiveOutput(_ name: String, _ text: String?) {
    guard let text, let json = try? JSON(parsing: text),
      let message = try? ServerMessage(json: json)
    else { return }
    received[name, default: []].append(message.short)
  }

  private static func event(_ packet: String) -> String? {
    packet.hasPrefix(#"42["wd","#) ? String(packet.dropFirst(8).dropLast()) : nil
  }

  private static func packets(_ body: String) -> [String] {
    var rest = body[...]
    var packets: [String] = []
    while let colon = rest.firstIndex(of: ":"), let length = Int(rest[..<colon]) {
      rest = rest[rest.index(after: colon)...]
      packets.append(String(rest.prefix(length)))
      rest = rest.dropFirst(length)
    }
    return packets
  }
}
