public import ClientInterface
internal import Document
public import Tree
public import Wire

/// What the kit sends to an adapter: one line of JSON.
public enum AdapterRequest: Hashable, Sendable {
  /// The first line that a process gets: which protocol is spoken, and what the run is like.
  case hello(AdapterRun)
  /// Forget everything: another run begins in the same process. Only adapters that declare it get
  /// it.
  case reset(AdapterRun)
  /// Something happens to a client.
  case input(client: String, ClientInput, at: Instant)
  /// Messages that arrive at a client directly after one another. Only adapters that declare it get them
  /// together.
  case frames(client: String, [ServerMessage], at: Instant)
  /// The end. Not answered.
  case bye

  /// The version of the protocol.
  public static let version = 1
  static let versionField = Shape.Field.needs("protocol", .exactly(version))

  /// The request as an object: `{"id": 7, "client": "alice", "now": 1600000000000, "opened": {}}`.
  ///
  /// The id is what the adapter says when it has done everything; `bye` has none.
  public func json(id: Int, in dialect: Dialect) -> JSON {
    let number = JSON.Member("id", .number(Double(id)))
    switch self {
    case let .hello(run):
      let version = JSON.Member("protocol", .number(Double(Self.version)))
      return .object([number, .init("hello", .object([version] + run.members))])
    case let .reset(run): return .object([number, .init("reset", .object(run.members))])
    case let .input(client, input, now):
      let (verb, arguments) = input.line(in: dialect)
      return .object([number] + Self.members(client, now) + [.init(verb.request, arguments)])
    case let .frames(client, messages, now):
      let lines = messages.map { ClientInput($0).line(in: dialect).arguments }
      return .object([number] + Self.members(client, now) + [.init("frames", .array(lines))])
    case .bye: return ["bye": .object([])]
    }
  }

  private static func members(_ client: String, _ now: Instant) -> [JSON.Member] {
    // Whole microseconds, because these are exact where milliseconds are a fraction.
    let time = Double(now.nanoseconds / 1000) / 1000
    return [.init("client", .string(client)), .init("now", .number(time))]
  }

  /// The client that it is about.
  var client: String? {
    switch self {
    case let .input(client, _, _), let .frames(client, _, _): client
    case .hello, .reset, .bye: nil
    }
  }

  /// How many answers it gets, one behind the other.
  var answers: Int { if case let .frames(_, messages, _) = self { messages.count } else { 1 } }

  /// What it reports about a run.
  public var run: AdapterRun? {
    switch self {
    case let .hello(run), let .reset(run): run
    case .input, .frames, .bye: nil
    }
  }

  /// Reads what `json(id:in:)` writes.
  ///
  /// - Returns: `nil` for a verb or an operation that is unknown.
  /// - Throws: `VocabularyError` or `WireError` for a line that has not the shape of its verb.
  static func read(_ json: JSON) throws -> AdapterRequest? {
    if json["bye"] != nil { return .bye }
    if let arguments = json["hello"] { return .hello(try AdapterRun(json: arguments)) }
    if let arguments = json["reset"] { return .reset(try AdapterRun(json: arguments)) }
    if let messages = json["frames"]?.elements {
      return .frames(
        client: try json.text("client"), try messages.map { try ServerMessage(json: $0) },
        at: try Instant(json.member("now"), called: "now"))
    }
    // What is not known beside a verb that is does not matter.
    let verbs = ClientInput.Verb.allCases.filter { json[$0.request] != nil }
    guard let verb = verbs.first, verbs.count == 1, let arguments = json[verb.request] else {
      return nil
    }
    if verb == .call, let name = arguments["op"]?.string, Operation.Kind(rawValue: name) == nil {
      return nil
    }
    let now = try Instant(json.member("now"), called: "now")
    let input = try ClientInput(json: .object([.init(verb.rawValue, arguments)]))
    return .input(client: try json.text("client"), input, at: now)
  }
}

/// What an adapter is sent about a run.
public struct AdapterRun: Hashable, Sendable {
  /// The profile by whose rules the clients are judged.
  public var profile: Profile
  /// Where randomness that is not a client's own starts.
  public var seed: UInt64

  /// Describes a run to an adapter; the seed is sent as text, because JSON numbers cannot hold all
  /// of it.
  public init(_ profile: Profile, seed: UInt64) {
    self.profile = profile
    self.seed = seed
  }

  /// The seed is a text: not every number of 64 bits is a number of JSON.
  fileprivate var members: [JSON.Member] {
    [.init("profile", .string(profile.name)), .init("seed", .string(String(seed)))]
  }

  static let fields: [Shape.Field] = [
    .needs("profile", .word(Profile.all.map(\.name))), .needs("seed", .text),
  ]

  fileprivate init(json: JSON) throws(VocabularyError) {
    let name = try json.text("profile")
    guard let profile = Profile(named: name) else {
      throw VocabularyError("\"\(name)\" is not a profile")
    }
    guard let seed = UInt64(try json.text("seed")) else {
      throw VocabularyError("\"seed\" is no whole number of 64 bits")
    }
    self.init(profile, seed: seed)
  }
}

extension AdapterRequest {
  /// What to declare where an implementation does not have what a call uses, for the end of a message; empty
  /// for every other refusal.
  func remedy(for code: String, _ declared: Set<String>) -> String {
    guard code == "not-supported", case let .input(_, .call(_, operation), _) = self else {
      return ""
    }
    let names = Feature.allCases.filter(operation.features.contains).map { "\"\($0.rawValue)\"" }
    if !names.isEmpty {
      return "; if its interface does not have that, its hello says so: \"lacks\": "
        + "[\(names.joined(separator: ", "))]"
    }
    guard let capability = operation.kind.capability, declared.contains(capability) else {
      return ""
    }
    return
      "; its hello declares the capability \"\(capability)\": offer \(operation.kind.rawValue), or leave "
      + "the capability out"
  }
}
