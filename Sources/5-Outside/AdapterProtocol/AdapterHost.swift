public import ClientInterface
internal import Document
internal import Tree

/// The other side of the conversation: clients of this process behind the adapter protocol.
///
/// It reads lines and answers with lines, and does no input or output of its own, so that an
/// implementation in Swift becomes an adapter with a loop around it.
public struct AdapterHost {
  /// Makes a client; called for each `open`.
  public typealias Factory = (_ name: String, _ profile: Profile) -> any SyncClient

  private let hello: AdapterHello
  private let makeClient: Factory
  private var run = AdapterRun(.firebase, seed: 0)
  private var clients: [String: any SyncClient] = [:]
  /// Learns that a run begins, before its clients are made.
  public var runBegins: () -> Void = {}
  /// Whether `bye` was sent.
  public private(set) var isFinished = false

  /// A host that answers `hello` with this introduction and makes its clients with the closure.
  public init(_ hello: AdapterHello, client: @escaping Factory) {
    self.hello = hello
    makeClient = client
  }

  /// Answers one line, with as many lines as it causes.
  public mutating func answer(_ line: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    var id: Int?
    do {
      let json = try JSON(parsing: line)
      id = json["id"]?.integer
      if let request = try AdapterRequest.read(json) {
        try carryOut(request, into: &bytes)
      } else {
        Self.write(
          Self.error("not-supported", "this is no verb or operation that is known here"), to: &bytes
        )
      }
    } catch {
      Self.write(Self.error("invalid", "\(error)"), to: &bytes)
    }
    if let id { Self.write(["idle": .number(Double(id))], to: &bytes) }
    return bytes
  }

  private mutating func carryOut(
    _ request: AdapterRequest, into bytes: inout [UInt8]
  ) throws(VocabularyError) {
    switch request {
    case let .hello(run):
      self.run = run
      runBegins()
      Self.write(["hello": hello.json], to: &bytes)
    case let .reset(run):
      self.run = run
      clients = [:]
      runBegins()
    case let .input(name, input, now):
      if case .open = input { clients[name] = makeClient(name, run.profile) }
      let outputs = try handle(input, of: name, at: now)
      if input == .close { clients[name] = nil }
      bytes += lines(about: outputs, of: name)
    case let .frames(name, messages, now):
      for (index, message) in messages.enumerated() {
        if index > 0 { Self.write(["next": [:]], to: &bytes) }
        let outputs = try handle(ClientInput(message), of: name, at: now)
        bytes += lines(about: outputs, of: name)
        if outputs.endConnection { break }
      }
    case .bye: isFinished = true
    }
  }

  private mutating func handle(
    _ input: ClientInput, of name: String, at now: Instant
  ) throws(VocabularyError) -> [ClientOutput] {
    guard var client = clients[name] else {
      throw VocabularyError("\"\(name)\" is no client that was opened")
    }
    var outputs: [ClientOutput] = []
    client.handle(input, at: now, into: &outputs)
    clients[name] = client
    return outputs
  }

  /// The lines about what a client has done. Where clients have a clock of their own, each names its
  /// client, and they come at any time.
  public func lines(about outputs: [ClientOutput], of client: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for output in outputs {
      var json = output.exactJSON(in: run.profile.dialect)
      if hello.clock == .real {
        json = .object([.init("client", .string(client))] + (json.members ?? []))
      }
      Self.write(json, to: &bytes)
    }
    return bytes
  }

  private static func error(_ code: JSON, _ message: String) -> JSON {
    ["error": ["code": code, "message": .string(message)]]
  }

  private static func write(_ json: JSON, to bytes: inout [UInt8]) {
    json.write(to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
  }
}
