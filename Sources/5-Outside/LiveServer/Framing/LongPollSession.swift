internal import ClientInterface
internal import HTTP
internal import Text
internal import Tree
internal import Wire

/// What carries a connection of the Firebase family where no WebSocket does: scripts that a page
/// fetches, one after the other.
///
/// Messages of the client are in the arguments of these requests: base64 text in numbered segments.
/// The session may go over to a WebSocket.
struct LongPollSession: Sendable {
  /// How long a client may leave a request unrenewed that waits, and how long none may wait.
  static let silence = (polling: Interval.seconds(120), between: Interval.seconds(30))
  /// How far ahead of the next segment another one may arrive.
  static let maxAhead = 4096

  /// One part of a message, and how many its message has.
  struct Segment: Sendable {
    let count: Int
    let text: String
  }

  /// A WebSocket to which the session goes over.
  struct Handover: Sendable {
    let socket: Socket
    var assembler = BoundedAssembler()
    /// Whether the client takes the WebSocket: it is sent everything there from then on.
    var isTaken = false
    /// Whether the client sends nothing more by requests.
    var hasEnded = false
    /// What came over the WebSocket before that.
    var early: [String] = []
  }

  let id: String
  let password: String
  /// How the functions of the page are called; `nil` once they have been defined.
  var callback: String?
  /// The request that waits for messages.
  var poll: Socket?
  /// What has not been fetched yet.
  var waiting: [String] = []
  var waitingBytes = 0
  /// How many answers had messages.
  var answers = 0
  /// Segments that arrived before others.
  var ahead: [Int: Segment] = [:]
  var nextSegment = 0
  /// The segments so far of the message that is not whole.
  var parts: [String] = []
  /// What all segments take that wait, in bytes.
  var assembling = 0
  /// When the client last sent a request, or was answered.
  var lastActivity: Instant
  var handover: Handover?

  init(id: String, password: String, callback: String, lastActivity: Instant) {
    self.id = id
    self.password = password
    self.callback = callback
    self.lastActivity = lastActivity
  }

  /// Whether the client has been silent for too long.
  func isSilent(at now: Instant) -> Bool {
    let limit = poll == nil ? Self.silence.between : Self.silence.polling
    return now - lastActivity > limit
  }

  /// The script that answers a request: the messages that wait.
  ///
  /// - Parameters:
  ///   - host: Where the client is to connect.
  ///   - isOver: Whether the session ends with it.
  /// - Returns: The answer.
  mutating func script(host: String, isOver: Bool = false) -> HTTPResponse {
    var text = ""
    if let callback { text += opening(callback, host: host) }
    callback = nil
    text += "pRTLPCB(\(answers),\(Self.literal("[\(waiting.joined(separator: ","))]")));\n"
    answers += 1
    (waiting, waitingBytes) = ([], 0)
    return Self.answer(isOver ? text + Self.closing : text)
  }

  /// JSON as a value of a script, where the key `__proto__` means something else.
  private static func literal(_ json: String) -> String {
    json.contains("\"__proto__\"") ? "JSON.parse(\(JSON.string(json).text))" : json
  }

  /// What a client receives whose session is over.
  static let closing = "pLPCommand(\"close\");\n"

  static func answer(_ text: String) -> HTTPResponse {
    var response = HTTPResponse(200, text: text, type: "application/javascript; charset=utf-8")
    response.headers.append(.init("Cache-Control", "no-cache, no-store"))
    return response
  }

  /// Defines the functions that later scripts call, and gives the session its name.
  private func opening(_ callback: String, host: String) -> String {
    func function(_ name: String, _ arguments: String) -> String {
      let target = "parent.window[\"\(name)\(callback)\"]"
      return "function \(name)(\(arguments)){\(target)&&\(target)(\(arguments));}\n"
    }
    let names = [id, password, host, "5"].map { JSON.string($0).text }.joined(separator: ",")
    return function("pLPCommand", "c,a,b,d,e") + function("pRTLPCB", "n,d")
      + "pLPCommand(\"start\",\(names));\n"
  }

  /// A page that reports its own end: clients put it into a frame, and remove it when they leave.
  func frame(namespace: String) -> HTTPResponse {
    let target = "/.lp?disconn=t&id=\(id)&pw=\(password)&ns=\(namespace)"
    return HTTPResponse(
      200,
      text: "<!doctype html><script>addEventListener(\"pagehide\","
        + "()=>navigator.sendBeacon(\"\(target)\"))</script>\n",
      type: "text/html; charset=utf-8")
  }
}

extension LongPollSession {
  /// Why segments are not taken.
  enum Mistake: Error {
    case tooLong
    case malformed(String)
  }

  /// Takes the segments of a request, in whatever order requests come.
  ///
  /// - Returns: The messages that they complete, in order.
  mutating func take(
    _ request: HTTPRequest, limit: Int
  ) throws(Mistake) -> [String] {
    for index in 0... {
      guard let number = request.argument("seg\(index)") else { break }
      guard let number = Int(number), let count = request.argument("ts\(index)").flatMap(Int.init),
        count > 0, let text = request.argument("d\(index)")
      else { throw .malformed("seg\(index), ts\(index) and d\(index) are no segment") }
      if number < nextSegment || ahead[number] != nil { continue }
      guard number < nextSegment + Self.maxAhead else {
        throw .malformed("segment \(number) is far ahead of \(nextSegment)")
      }
      ahead[number] = Segment(count: count, text: text)
      assembling += text.utf8.count + 32
    }
    if assembling > limit / 3 * 4 + 64 { throw .tooLong }
    var messages: [String] = []
    while let segment = ahead.removeValue(forKey: nextSegment) {
      nextSegment += 1
      parts.append(segment.text)
      if parts.count < segment.count { continue }
      messages.append(try wholeMessage())
    }
    return messages
  }

  private mutating func wholeMessage() throws(Mistake) -> String {
    defer {
      assembling -= parts.reduce(0) { $0 + $1.utf8.count + 32 }
      parts = []
    }
    guard let bytes = [UInt8](base64: parts.joined()),
      let text = String(validating: bytes, as: UTF8.self)
    else { throw .malformed("a message is no base64 of UTF-8") }
    return text
  }
}
