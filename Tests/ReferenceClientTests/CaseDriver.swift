import ClientInterface
import ReferenceClient
import Tree
import Wire

/// A client that is driven input by input; what it does is told in short lines.
struct CaseDriver {
  var client: ReferenceClient
  let profile: Profile
  var now = Instant(milliseconds: 1_480_000_000_000)

  /// A client that has just been opened.
  init(_ profile: Profile = .wilddog2, seed: UInt64 = 1) {
    client = ReferenceClient(profile: profile)
    self.profile = profile
    _ = feed(.open(.init(seed: seed)))
  }

  /// A client that is connected; request 1 was its statistics.
  static func connected(_ profile: Profile = .wilddog2, seed: UInt64 = 1) -> CaseDriver {
    var driver = CaseDriver(profile, seed: seed)
    _ = driver.feed(.opened)
    _ = driver.hello()
    return driver
  }

  mutating func feed(_ input: ClientInput) -> [String] {
    var outputs: [ClientOutput] = []
    client.handle(input, at: now, into: &outputs)
    return outputs.map(line)
  }

  mutating func call(_ id: CallID, _ operation: Operation) -> [String] {
    feed(.call(id, operation))
  }

  /// Listens to everything of a location, or of a query, under a name.
  mutating func listen(
    _ listener: ListenerID, _ path: Path, _ query: Query = .all,
    to events: Set<EventType> = Set(EventType.allCases)
  ) -> [String] {
    call("listen", .listen(listener, .init(path, query), events))
  }

  mutating func set(_ id: CallID, _ path: Path, _ json: JSON) -> [String] {
    call(id, .set(path, Node(json: json)))
  }

  mutating func hello(ahead milliseconds: Double = 0) -> [String] {
    let timestamp = now.milliseconds + milliseconds
    return feed(
      .frame(.hello(.init(timestamp: timestamp, version: "1.0", host: "h", session: "s"))))
  }

  mutating func put(_ path: Path, _ json: JSON, tag: Int? = nil) -> [String] {
    feed(.frame(.put(path, Node(json: json), tag: tag)))
  }

  mutating func merge(_ path: Path, _ json: JSON, tag: Int? = nil) -> [String] {
    feed(.frame(.merge(path, [Assignment](json: json) ?? [], tag: tag)))
  }

  mutating func answer(_ request: Int, _ status: String = "ok") -> [String] {
    feed(.frame(.response(.init(to: request, status: status))))
  }

  /// Listens to a location and lets the server answer with `json`; the request is number `request`.
  mutating func know(_ path: Path, _ json: JSON, as listener: ListenerID = "l", request: Int) {
    _ = listen(listener, path)
    _ = put(path, json)
    _ = answer(request)
  }

  private func line(_ output: ClientOutput) -> String {
    switch output {
    case .connect: "connect"
    case let .connectTo(host): "connect to \(host)"
    case .disconnect: "disconnect"
    case let .send(message): "send " + (message.json(in: profile.dialect)["d"]?.text ?? "")
    case let .setTimer(timer, after, purpose):
      after == .zero ? "timer \(timer.number) now" : "timer \(timer.number) \(purpose.rawValue)"
    case let .cancelTimer(timer): "cancel timer \(timer.number)"
    case let .event(event): line(event)
    case let .cancelled(listener, error): "\(listener.name) cancelled \(error)"
    case let .completed(call, completion): "\(call.name) \(line(completion))"
    case let .answered(call, json): "\(call.name) answered \(json)"
    case let .threw(call, error): "\(call.name) threw \(error)"
    case let .updateRan(call, input): "\(call.name) ran \(input)"
    case let .calling(call): "calling \(call.name)"
    case let .returned(call): "\(call.name) returned"
    case let .store(key, text): "store \(key) \(text)"
    case let .erase(key): "erase \(key)"
    case let .log(text): "log \(text)"
    case let .uncaught(exception): "uncaught \(exception.message)"
    }
  }

  private func line(_ event: Event) -> String {
    let keyText = event.type == .value ? "" : " " + (event.key?.string ?? "?")
    let previous =
      switch event.previous {
      case .none: ""
      case .first: " first"
      case let .key(key): " after \(key)"
      }
    return "\(event.listener.name) \(event.type.rawValue)\(keyText) \(event.value)\(previous)"
  }

  private func line(_ completion: Completion) -> String {
    let value = completion.value.map { " \($0)" } ?? ""
    let error = completion.error.map { " \($0)" } ?? ""
    return switch completion.committed {
    case nil: completion.error.map { "failed \($0)" } ?? "ok"
    case true?: "committed" + value + error
    case false?: "not committed" + value + error
    }
  }
}
