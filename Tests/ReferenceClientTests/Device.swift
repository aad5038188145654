import ClientInterface
import ReferenceClient
import Tree
import Wire

/// A client with its storage and a server that says what a test tells it to.
struct Device {
  private(set) var client: ReferenceClient
  private(set) var storage: [String: String] = [:]
  /// What the client did in answer to the last input.
  private(set) var outputs: [ClientOutput] = []
  private let persistence: ClientInput.Persistence?
  private let profile: Profile

  init(
    _ persistence: ClientInput.Persistence? = .init(), storage: [String: String] = [:],
    profile: Profile = .firebase
  ) {
    self.persistence = persistence
    self.profile = profile
    client = ReferenceClient(profile: profile)
    self.storage = storage
    start()
  }

  /// Starts a new process with what is stored.
  mutating func start() {
    client = ReferenceClient(profile: profile)
    let items = storage.sorted { $0.key < $1.key }.map {
      ClientInput.StoredItem($0.key, $0.value)
    }
    give(.open(.init(persistence: persistence, storage: items)))
  }

  mutating func connect() {
    give(.opened)
    give(
      .frame(
        .hello(.init(timestamp: 0, version: "5", host: "kennel.test", session: "s"))))
  }

  mutating func call(_ operation: Operation, as call: CallID = "c") {
    give(.call(call, operation))
  }

  mutating func give(_ input: ClientInput) {
    outputs = []
    client.handle(input, at: Instant(milliseconds: 1000), into: &outputs)
    for output in outputs {
      switch output {
      case let .store(key, text): storage[key] = text
      case let .erase(key): storage[key] = nil
      default: break
      }
    }
  }

  /// The server sends what it has at a location that was just listened to.
  mutating func answerListen(at path: Path, with json: JSON, tag: Int? = nil) {
    let request = requests.last { $0.request.action == .listen }
    give(.frame(.put(path, Node(json: json), tag: tag)))
    if let request { give(.frame(.response(.init(to: request.number)))) }
  }

  var requests: [(number: Int, request: Request)] {
    outputs.compactMap {
      if case let .send(.request(number, request)) = $0 { (number, request) } else { nil }
    }
  }

  /// The values that listeners were told of.
  var values: [JSON] {
    outputs.compactMap {
      if case let .event(event) = $0, event.type == .value { event.value.json } else { nil }
    }
  }
}
