public import ClientInterface
internal import Document
public import Tree
internal import Wire

/// Says what is wrong with a line; `nil` for nothing.
public typealias LineInspector = @Sendable (JSON) -> String?

/// One side of the conversation with an adapter, without the pipes: what to write, and what the bytes
/// mean that come back.
///
/// Strict lockstep: a request is asked, its answer is read up to `idle`, then the next is asked. A
/// fault ends the conversation.
public struct AdapterDialogue: Sendable {
  /// The longest line, in bytes without the line feed.
  public static let lineLimit = 16 * 1024 * 1024
  /// The longest answer to one request, in bytes.
  public static let answerLimit = 64 * 1024 * 1024

  /// What has come back since the last request.
  public struct Answer: Sendable {
    public var outputs: [ClientOutput] = []
    /// How the adapter introduced itself.
    public var hello: AdapterHello?
    /// Whether it has said idle.
    public var isComplete = false
    /// Whether it has written anything.
    public var hasBegun = false
  }

  public private(set) var answer = Answer()
  /// Looks at each line that came, besides; says what is wrong with it.
  public var inspector: LineInspector?

  private var dialect = Dialect.firebase
  /// The number of the last request.
  public private(set) var id = 0
  private var request: AdapterRequest?
  /// What came of a line so far, and how much was asked for and came.
  private var line: [UInt8] = []
  private var received = 0

  public init() {}

  /// Asks; the bytes are what the adapter is to be sent.
  public mutating func ask(_ request: AdapterRequest) -> [UInt8] {
    id += 1
    self.request = request
    if let run = request.run { dialect = run.profile.dialect }
    answer = Answer()
    received = 0
    var bytes: [UInt8] = []
    request.json(id: id, in: dialect).write(to: &bytes)
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
    if answer.isComplete, !line.isEmpty { throw .afterIdle(line: Self.quoted(line)) }
  }

  /// What it means that the output of the adapter is at its end.
  ///
  /// The ending is how the process ended, `nil` when it runs.
  public func fault(atEnd ending: String?) -> AdapterFault {
    guard let ending else { return .closedOutput }
    return line.isEmpty ? .ended(ending) : .unfinishedLine(Self.quoted(line), ending: ending)
  }

  private mutating func read(_ bytes: [UInt8]) throws(AdapterFault) {
    if answer.isComplete { throw .afterIdle(line: Self.quoted(bytes)) }
    guard bytes.count <= Self.lineLimit else { throw .longLine(limit: Self.lineLimit) }
    let json: JSON
    do throws(JSONError) {
      json = try JSON(parsing: bytes, upTo: Self.lineLimit)
    } catch {
      throw .notJSON(line: Self.quoted(bytes), reason: error.message)
    }
    if let objection = inspector?(json) {
      throw .misshapen(line: Self.quoted(bytes), expected: objection)
    }
    try take(json, bytes)
  }

  private mutating func take(_ json: JSON, _ bytes: [UInt8]) throws(AdapterFault) {
    if let idle = json["idle"] {
      guard idle == .number(Double(id)) else { throw .wrongIdle(found: idle.text, expected: id) }
      if case .hello = request, answer.hello == nil { throw .noHello }
      answer.isComplete = true
    } else if let error = json["error"] {
      throw .refused(
        code: error["code"]?.string ?? "an error", message: error["message"]?.string ?? error.text)
    } else {
      do {
        try takeOutput(json, bytes)
      } catch let fault as AdapterFault {
        throw fault
      } catch {
        throw .misshapen(line: Self.quoted(bytes), expected: "\(error)")
      }
    }
  }

  private mutating func takeOutput(_ json: JSON, _ bytes: [UInt8]) throws {
    if let hello = json["hello"], case .hello = request {
      answer.hello = try AdapterHello(json: hello)
      return
    }
    guard case let .input(client, _, _) = request else {
      throw VocabularyError("expected a hello and then idle")
    }
    var output = json
    if case let .object(members) = json, members.count > 1 {
      if let named = json["client"], named != .string(client) {
        throw AdapterFault.otherClient(line: Self.quoted(bytes), asked: client)
      }
      output = .object(members.filter { $0.name != "client" })
    }
    answer.outputs.append(try ClientOutput(json: output))
  }

  /// The beginning of a line, for a message.
  private static func quoted(_ line: [UInt8]) -> String {
    let shown = String(decoding: line.prefix(160), as: UTF8.self)
    return line.count > 160 ? shown + "... (\(line.count) bytes)" : shown
  }
}
