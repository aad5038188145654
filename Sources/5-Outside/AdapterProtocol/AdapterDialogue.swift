public import ClientInterface
internal import Document
internal import RunModel
public import Tree
internal import Wire

/// Reports what is wrong with a line; `nil` for nothing.
public typealias LineInspector = @Sendable (JSON) -> String?

/// One side of the conversation with an adapter, without the pipes: what to write, and what the
/// bytes mean that come back.
///
/// Strict lockstep: a request is asked, its answer is read up to `idle`, then the next is asked. A
/// fault ends the conversation. Messages between which nothing is decided may be one request.
public struct AdapterDialogue: Sendable {
  /// The longest line, in bytes without the line feed.
  public static let lineLimit = 16 * 1024 * 1024
  /// The longest answer to one request, in bytes.
  public static let answerLimit = 64 * 1024 * 1024

  /// What has come back since the last request.
  public struct Answer: Sendable {
    /// What the client did in answer, in the order of the lines; empty for clients with their own
    /// clock.
    public var outputs: [ClientOutput] = []
    /// What it did in answer to each further message of the request, as far as it has come.
    public var later: [[ClientOutput]] = []
    /// How the adapter introduced itself.
    public var hello: AdapterHello?
    /// The codes of the errors with which it answered something unknown.
    public var refusals: [String] = []
    /// Whether it has written idle.
    public var isComplete = false
    /// Whether it has written anything, and whether that was a whole line.
    public var hasBegun = false
    /// Whether at least one whole line has come.
    public var hasLines = false
  }

  /// What has come back so far for the last request.
  public private(set) var answer = Answer()
  /// What clients with a clock of their own have done since this was taken last; they speak when
  /// they like.
  private var receivedOutputs: [ReceivedOutput] = []
  /// Whose clock, and whose network: those of the kit, or of the adapter.
  private var runtime: (clock: AdapterHello.Clock, transport: AdapterHello.Transport) =
    (.virtual, .frames)

  /// Something that a client did, whenever it was.
  public struct ReceivedOutput: Hashable, Sendable {
    /// The name of the client that did it.
    public var client: String
    /// What the client did.
    public var output: ClientOutput
  }

  /// Hands out what clients with a clock of their own have done.
  public mutating func takeReceived() -> [ReceivedOutput] {
    defer { receivedOutputs = [] }
    received = 0
    return receivedOutputs
  }
  /// Looks at each line that came, besides; says what is wrong with it.
  public var inspector: LineInspector?

  private var dialect = Dialect.firebase
  /// The capabilities that its hello has declared.
  private var declared: Set<String> = []
  private var conduct = KnownReferences()
  /// The number of the last request.
  public private(set) var id = 0
  private var request: AdapterRequest?
  /// What came of a line so far, and how much was asked for and came.
  private var line: [UInt8] = []
  private var received = 0

  /// A conversation in which nothing has been asked.
  public init() {}

  /// Asks.
  ///
  /// - Parameters:
  ///   - request: What is asked.
  ///   - members: What is added to the line.
  /// - Returns: What the adapter is to be sent.
  public mutating func ask(
    _ request: AdapterRequest, adding members: [JSON.Member] = []
  ) -> [UInt8] {
    begin(request)
    if let run = request.run { dialect = run.profile.dialect }
    conduct.follow(request)
    let line = request.json(id: id, in: dialect)
    return Self.line(members.isEmpty ? line : .object((line.members ?? []) + members))
  }

  /// Asks something that this version of the protocol does not know; the answer should be
  /// `not-supported`.
  ///
  /// - Parameter members: The request without its id.
  /// - Returns: What the adapter is to be sent.
  public mutating func ask(unknown members: [JSON.Member]) -> [UInt8] {
    begin(nil)
    return Self.line(.object([.init("id", .number(Double(id)))] + members))
  }

  private mutating func begin(_ request: AdapterRequest?) {
    id += 1
    self.request = request
    answer = Answer()
    received = 0
  }

  private static func line(_ json: JSON) -> [UInt8] {
    var bytes: [UInt8] = []
    json.write(to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  /// Reads what came from the adapter, in pieces of any length.
  ///
  /// - Throws: The first fault.
  public mutating func receive(_ bytes: ArraySlice<UInt8>) throws(AdapterFault) {
    if bytes.isEmpty { return }
    answer.hasBegun = true
    received += bytes.count
    var rest = bytes
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      line += rest[..<end]
      rest = rest[(end + 1)...]
      let whole = line
      line.removeAll(keepingCapacity: true)
      try read(whole)
    }
    line += rest
    guard line.count <= Self.lineLimit else { throw .longLine(limit: Self.lineLimit) }
    guard received <= Self.answerLimit else { throw .longAnswer(limit: Self.answerLimit) }
    if isLockstep, answer.isComplete, !line.isEmpty {
      throw .afterIdle(line: Self.quoted(line))
    }
  }

  /// What it means that the output of the adapter is at its end.
  ///
  /// The ending is how the process ended, `nil` when it runs.
  public func fault(atEnd ending: String?) -> AdapterFault {
    guard let ending else { return .closedOutput }
    return line.isEmpty ? .ended(ending) : .unfinishedLine(Self.quoted(line), ending: ending)
  }

  private mutating func read(_ bytes: [UInt8]) throws(AdapterFault) {
    answer.hasLines = true
    if isLockstep, answer.isComplete { throw .afterIdle(line: Self.quoted(bytes)) }
    guard bytes.count <= Self.lineLimit else { throw .longLine(limit: Self.lineLimit) }
    let json: JSON
    do throws(DocumentError) {
      json = try JSON(parsing: bytes, upTo: Self.lineLimit)
    } catch {
      throw .notJSON(line: Self.quoted(bytes), reason: Self.reason(bytes, error))
    }
    if let mismatch = inspector?(json) {
      throw .malformed(line: Self.quoted(bytes), expected: mismatch)
    }
    try take(json, bytes)
  }

  private var isLockstep: Bool { runtime.clock == .virtual }

  private mutating func take(_ json: JSON, _ bytes: [UInt8]) throws(AdapterFault) {
    if let idle = json["idle"] {
      if answer.isComplete { throw .secondIdle(idle.text) }
      guard idle == .number(Double(id)) else { throw .wrongIdle(found: idle.text, expected: id) }
      if case .hello = request, answer.hello == nil { throw .noHello }
      if let mismatch = answer.shortage(of: request) {
        throw .malformed(line: Self.quoted(bytes), expected: mismatch)
      }
      answer.isComplete = true
    } else if json["next"] != nil {
      if let mismatch = answer.beginNext(of: request) {
        throw .malformed(line: Self.quoted(bytes), expected: mismatch)
      }
    } else if let error = json["error"] {
      let code = error["code"]?.string ?? "an error"
      let message = error["message"]?.string ?? error.text
      if let request {
        throw .refused(code: code, message: message + request.remedy(for: code, declared))
      }
      answer.refusals.append(code)
    } else {
      do {
        try takeOutput(json, bytes)
      } catch let fault as AdapterFault {
        throw fault
      } catch {
        throw .malformed(line: Self.quoted(bytes), expected: "\(error)")
      }
    }
  }

  private mutating func takeOutput(_ json: JSON, _ bytes: [UInt8]) throws {
    let verb = try Self.verb(of: json)
    let content = verb.map { .object([$0]) } ?? json
    if let name = verb?.name, json["hello"] == nil { try requireVerb(name) }
    if verb?.name == "log", request?.client == nil {
      // There is no client yet that it could be about: it is in the transcript, and nowhere else.
      _ = try ClientOutput(json: content)
      return
    }
    if let hello = json["hello"], case .hello = request {
      do {
        let found = try AdapterHello(json: hello)
        answer.hello = found
        declared = found.capabilities
        runtime = (found.clock, found.transport)
      } catch {
        throw AdapterFault.unsuitable("\(error)", line: Self.quoted(bytes))
      }
      return
    }
    if !isLockstep, answer.hello == nil { return try takeReceived(json, content, bytes) }
    guard let client = request?.client else { throw unexpected }
    if verb != nil, let named = json["client"], named != .string(client) {
      throw AdapterFault.otherClient(line: Self.quoted(bytes), asked: client)
    }
    if verb?.name == "send", let message = verb?.value,
      let finding = WireMonitor.mistake(inSent: message)
    {
      throw VocabularyError("\(finding.text) (\(finding.rule))")
    }
    let done = try ClientOutput(json: content)
    if let mismatch = conduct.mismatch(to: done, of: client) {
      throw AdapterFault.baseless(line: Self.quoted(bytes), mismatch: mismatch)
    }
    answer.append(done)
  }

  /// Refuses what resembles an answer, and is none.
  private func requireVerb(_ name: String) throws(VocabularyError) {
    if ClientOutput.Verb(rawValue: name) != nil { return }
    let near = closestMatches(to: name, in: ["idle", "next", "error", "hello"])
    if near.isEmpty { return }
    throw VocabularyError("\"\(name)\" is not an output\(didYouMean(near))")
  }

  /// What is wrong with an output in answer to a request that is about no client.
  private var unexpected: VocabularyError {
    switch request {
    case .hello: VocabularyError("expected a hello and then idle")
    case .reset: VocabularyError("a reset is answered with nothing but idle")
    case .input, .frames, .bye, nil:
      VocabularyError("expected the error \"not-supported\" and then idle")
    }
  }

  /// Takes what a client with a clock of its own says.
  private mutating func takeReceived(_ json: JSON, _ content: JSON, _ bytes: [UInt8]) throws {
    guard let client = json["client"]?.string else {
      throw VocabularyError("with a real clock each line about a client names it: \"client\"")
    }
    let done = try ClientOutput(json: content)
    if let mismatch = conduct.mismatch(to: done, of: client) ?? done.mismatch(runtime) {
      throw AdapterFault.baseless(line: Self.quoted(bytes), mismatch: mismatch)
    }
    receivedOutputs.append(ReceivedOutput(client: client, output: done))
  }

  /// The member of a line that says what it is about. All others are for another reader; whether
  /// they should be there is for the inspector to say.
  ///
  /// - Throws: `VocabularyError` when there are several.
  private static func verb(of json: JSON) throws(VocabularyError) -> JSON.Member? {
    if let members = json.members, members.count == 1 {
      return members.first { $0.name != "client" }
    }
    let verbs = json.members?.filter { ClientOutput.Verb(rawValue: $0.name) != nil } ?? []
    guard verbs.count > 1 else {
      return verbs.first ?? json.members?.first { $0.name != "client" }
    }
    let names = verbs.map(\.name).joined(separator: ", ")
    throw VocabularyError("a line has one verb, not \(verbs.count): \(names)")
  }

  /// The beginning of a line, for a message: what is no character to be seen is a question mark.
  private static func quoted(_ line: [UInt8]) -> String {
    let limit = 160
    let shown = String(decoding: line.prefix(limit), as: UTF8.self).replacingScalars { scalar in
      scalar.isControl || scalar == "\u{FFFD}" ? "?" : nil
    }
    return line.count > limit ? shown + "\(Truncation.mark) (\(line.count) bytes)" : shown
  }

  /// Why a line is no JSON. What does not even begin like a line was printed by something else.
  private static func reason(_ line: [UInt8], _ error: DocumentError) -> String {
    if let problem = problem(ofBytesIn: line) { return problem }
    if line.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") { return error.message }
    return "standard output belongs to the protocol: print to standard error, or set KENNEL_FD=3"
  }

  /// The first byte that is no text; nil for none.
  private static func problem(ofBytesIn line: [UInt8]) -> String? {
    func named(_ index: Int) -> String {
      "byte \(index + 1), 0x\(hexadecimal(line[index], digits: 2, .upper)),"
    }
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: line.span)
    } catch {
      return "\(named(error.byteOffsets.lowerBound)) is no UTF-8; expected lines in UTF-8"
    }
    let blanks = "\t\r".utf8
    return line.firstIndex { $0 < 0x20 && !blanks.contains($0) }.map {
      "\(named($0)) is a control character; expected a line of text"
    }
  }

  /// The line that came without its end, when nothing else did; `nil` for none.
  public var unfinishedLine: String? {
    line.isEmpty || answer.hasLines ? nil : Self.quoted(line)
  }
}

extension ClientOutput {
  /// Why a client that has its own clock, and perhaps its own network, cannot do this.
  fileprivate func mismatch(
    _ runtime: (clock: AdapterHello.Clock, transport: AdapterHello.Transport)
  ) -> String? {
    switch topic {
    case .timer: "its clock is real, so its timers are its own"
    case .connect, .send, .disconnect:
      runtime.transport == .socket ? "its connections are its own" : nil
    case .storage, .listener, .call, .nesting, .uncaught, .remark: nil
    }
  }
}

extension AdapterDialogue.Answer {
  /// What was done for the message that the adapter is at.
  private var current: [ClientOutput] { later.last ?? outputs }

  private var hasDisconnected: Bool { current.endConnection }

  fileprivate mutating func append(_ output: ClientOutput) {
    if later.isEmpty { outputs.append(output) } else { later[later.count - 1].append(output) }
  }

  /// Goes on to the next message of a request; says why there can be none.
  fileprivate mutating func beginNext(of request: AdapterRequest?) -> String? {
    let count = request?.answers ?? 1
    if later.count + 1 >= count { return "\"next\" follows all but the last message of \"frames\"" }
    if hasDisconnected { return "nothing arrives on a connection that the client has closed" }
    later.append([])
    return nil
  }

  /// Why a request is not answered yet; `nil` when it is. What would arrive on a connection that the client
  /// has closed is left out.
  fileprivate func shortage(of request: AdapterRequest?) -> String? {
    let count = request?.answers ?? 1
    if later.count + 1 == count || hasDisconnected { return nil }
    return "idle after message \(later.count + 1) of \(count); expected \"next\" and the others"
  }
}

/// What an adapter can speak of: the listeners and calls that its clients have had so far.
///
/// Whether a client does the right thing is for scenarios to judge. Names that were never given
/// show a mistake in the adapter itself.
///
/// This is not asked of the model of a run: that takes whole turns, while this is asked of each line
/// as it comes, and clients with a clock of their own have no turns. And it knows a call of a callback
/// when it is made, while an adapter may speak of it as soon as the callback is stated.
private struct KnownReferences: Sendable {
  /// By clients: what the present process has had.
  private var known: [String: (listeners: Set<ListenerID>, calls: Set<CallID>)] = [:]

  /// Records what is asked.
  mutating func follow(_ request: AdapterRequest) {
    switch request {
    case .hello, .reset: known = [:]
    case let .input(client, .open, _): known[client] = ([], [])
    case let .input(client, .call(call, operation), _):
      for made in [Reaction.Call(call, operation)] + operation.nestedCalls {
        known[client, default: ([], [])].calls.insert(made.id)
        guard let listener = made.operation.registration?.listener else { continue }
        known[client]?.listeners.insert(listener)
      }
    case .input, .frames, .bye: break
    }
  }

  /// What an answer speaks of that there is not, in words; `nil` for nothing.
  func mismatch(to output: ClientOutput, of client: String) -> String? {
    switch output.topic {
    case let .listener(listener, _):
      known[client]?.listeners.contains(listener) == true
        ? nil : "\(client) was never asked to listen as \"\(listener.name)\""
    case let .call(call, _), let .nesting(call, _):
      known[client]?.calls.contains(call) == true
        ? nil : "\(client) was never called with the id \"\(call.name)\""
    case .connect, .send, .disconnect, .timer, .storage, .uncaught, .remark:
      known[client] == nil ? "there is no client \"\(client)\"" : nil
    }
  }
}

extension [ClientOutput] {
  /// Whether the client closed its connection: what else arrives over that is not handed to it.
  var endConnection: Bool { contains(.disconnect) }
}
