import ClientInterface
import Document
import LiveServer
import ReferenceServer
import Scenario
import ScenarioFiles
import Tree
import Wire
import YAML

func fuzzYAML(_ bytes: [UInt8]) {
  let document = DocumentReader.readYAML(bytes)
  require(document.root != nil || !document.problems.isEmpty, "nothing read, and nothing wrong")
}

func fuzzJSON(_ bytes: [UInt8]) {
  let document = DocumentReader.readJSON(bytes)
  guard let json = try? JSON(parsing: bytes) else {
    require(!document.problems.isEmpty, "the fast reader refuses what the other one reads")
    return
  }
  require(document.problems.isEmpty, "the fast reader reads what the other one refuses")
  require(document.root?.json.text == json.text, "the two readers read different values")
  let again = try? JSON(parsing: Array(json.text.utf8))
  require(again?.text == json.text, "what is written is read differently")
  let node = Node(json: json)
  _ = NodeProblem.first(in: node, at: .root)
  _ = node.hash
}

/// A scenario in YAML; one that is read is written and read again.
func fuzzScenario(_ bytes: [UInt8]) {
  let read = ScenarioReader.read(file: "Scenarios/a/b.yaml", bytes: bytes, load: { _ in nil })
  for scenario in read.scenarios.prefix(1) where scenario.parameters.isEmpty {
    let text = scenario.yaml()
    let again = ScenarioReader.read(
      file: "Scenarios/a/b.yaml", bytes: Array(text.utf8), load: { _ in nil })
    require(again.problems.isEmpty, "a scenario cannot be read again: \(again.problems)\n\(text)")
  }
}

/// A message of a client. What is read means the same when it is written and read again.
func fuzzClientMessage(_ bytes: [UInt8]) {
  guard let json = try? JSON(parsing: bytes), let message = try? ClientMessage(json: json) else {
    return
  }
  for dialect in [Dialect.firebase, .wilddog] {
    let written = message.json(in: dialect)
    require(
      (try? ClientMessage(json: written)) == message,
      "a message is read differently: \(written.text)")
  }
}

func fuzzServerMessage(_ bytes: [UInt8]) {
  guard let json = try? JSON(parsing: bytes), let message = try? ServerMessage(json: json) else {
    return
  }
  let written = message.json(in: .firebase)
  require(
    (try? ServerMessage(json: written))?.json(in: .firebase).text == written.text,
    "a message is read differently: \(written.text)")
}

/// Frames, one in a line; and a message that is cut into frames and put together.
func fuzzSegments(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  var assembler = SegmentAssembler()
  for frame in text.split(separator: "\n", omittingEmptySubsequences: false) {
    _ = assembler.receive(String(frame))
  }
  guard !text.isEmpty, Int(text) == nil else { return }
  var other = SegmentAssembler()
  let whole = Segments.frames(of: text).compactMap { other.receive($0) }
  require(whole.count == 1 && whole.first == text, "a message is put together differently")
}

func fuzzEngine(_ bytes: [UInt8]) {
  guard let packets = Payload.decode(bytes, upTo: 1000) else { return }
  for packet in packets { _ = Packet.content(of: packet.dropFirst(), limit: 1 << 20) }
  let again = Payload.decode(
    Payload.encode(packets.filter { $0.allSatisfy(\.isASCII) }), upTo: 1000)
  require(again == packets.filter { $0.allSatisfy(\.isASCII) }, "packets are read differently")
}

/// Requests in one piece, and in pieces whose length the first byte gives: both are the same.
func fuzzHTTP(_ bytes: [UInt8]) {
  let text = bytes.dropFirst()
  let whole = requests(in: text, pieces: max(1, text.count))
  let cut = requests(in: text, pieces: max(1, Int(bytes.first ?? 1)))
  require(whole == cut, "requests depend on the pieces they arrive in")
}

private func requests(in bytes: ArraySlice<UInt8>, pieces size: Int) -> [String] {
  var reader = RequestReader(maxBodyBytes: 1 << 16)
  var found: [String] = []
  var rest = bytes
  while !rest.isEmpty {
    reader.append(rest.prefix(size))
    rest = rest.dropFirst(size)
    var isDone = false
    while !isDone {
      switch reader.next() {
      case .nothing: isDone = true
      // Whether a client is asked for the body depends on what has arrived.
      case .expectContinue: break
      case let .request(request, isLast):
        found.append(
          "\(request.method) \(request.path) \(request.arguments) \(request.body) \(isLast)")
      case let .webSocket(request, key): found.append("socket \(request.path) \(key)")
      case let .refusal(response): found.append("\(response.status)")
      }
    }
  }
  return found
}

/// Answers of a server elsewhere, in one piece, and in pieces whose length the first byte gives; then again and again,
/// as of a server that never ends.
func fuzzAnswer(_ bytes: [UInt8]) {
  let text = bytes.dropFirst()
  let (whole, _) = answers(in: text, pieces: max(1, text.count))
  let (cut, atEnd) = answers(in: text, pieces: max(1, Int(bytes.first ?? 1)))
  require(whole == cut, "answers depend on the pieces they arrive in")
  var reader = atEnd
  for _ in 0..<10 {
    let more = reader.take(text)
    require(more.isEmpty || !atEnd.isFinished, "something follows an answer that is over")
    let most = reader.isFinished ? 0 : answerLimit + 16 << 10
    require(reader.count <= most, "\(reader.count) bytes are held")
  }
}

private let answerLimit = 1 << 9

private func answers(
  in bytes: ArraySlice<UInt8>, pieces size: Int
) -> (events: [AnswerReader.Event], reader: AnswerReader) {
  var reader = AnswerReader(to: HTTPRequest("GET", "/a.json"), upTo: answerLimit)
  var found: [AnswerReader.Event] = []
  var rest = bytes
  while !rest.isEmpty {
    found += reader.take(rest.prefix(size))
    rest = rest.dropFirst(size)
  }
  var ended = reader
  return (found + ended.end(), reader)
}

/// Frames of a WebSocket, in one piece, and in pieces whose length the first byte gives.
func fuzzWebSocket(_ bytes: [UInt8]) {
  let frames = bytes.dropFirst()
  let whole = frames.isEmpty ? [] : outcomes(of: frames, pieces: frames.count)
  let cut = outcomes(of: frames, pieces: max(1, Int(bytes.first ?? 1)))
  require(whole == cut, "messages depend on the pieces they arrive in")
}

private func outcomes(
  of bytes: ArraySlice<UInt8>, pieces size: Int
) -> [WebSocketReader.Outcome] {
  var reader = WebSocketReader(maxMessageBytes: 1 << 10)
  var found: [WebSocketReader.Outcome] = []
  var rest = bytes
  while !rest.isEmpty {
    reader.append(rest.prefix(size))
    rest = rest.dropFirst(size)
    var next = reader.next()
    while next != .nothing {
      found.append(next)
      next = reader.next()
    }
  }
  return found
}

/// A body that says that it is packed.
func fuzzGzip(_ bytes: [UInt8]) {
  let head =
    "PUT /a.json HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nContent-Length: \(bytes.count)\r\n\r\n"
  _ = requests(in: (Array(head.utf8) + bytes)[...], pieces: 1 << 16)
}

/// A file of rules. Those that are read are asked.
func fuzzRules(_ bytes: [UInt8]) {
  let (rules, problems) = SecurityRules.read(bytes)
  require(rules != nil || !problems.isEmpty, "nothing read, and nothing wrong")
  if let rules { ask(rules) }
}

/// An expression of a rule.
func fuzzExpression(_ bytes: [UInt8]) {
  guard let text = String(validating: bytes, as: UTF8.self) else { return }
  for kind in [".read", ".write", ".validate"] {
    let json: JSON = .object([
      .init(
        "rules",
        .object([
          .init(".write", true), .init("$key", .object([.init(kind, .string(text))])),
        ]))
    ])
    if let rules = SecurityRules.read(Array(json.text.utf8)).rules { ask(rules) }
  }
}

private func ask(_ rules: SecurityRules) {
  let tree = Node(json: ["a": ["b": 1, "c": "text"], "d": true])
  let auth: JSON = ["uid": "a", "provider": "custom", "token": ["admin": true, "email": "a@b.c"]]
  let request = RuleRequest(auth: auth, time: 1e12)
  for path in ["a", "a/b", "a/c", "d", "z/y"] as [Path] {
    _ = rules.allowRead(
      of: path, Query(ordering: .child("b"), limit: .first(2)), in: tree, for: request)
    let new = tree.setting(Node(json: ["b": 2, "e": "x"]), at: path)
    _ = rules.allowWrite(to: [path], from: tree, to: new, for: request)
    _ = rules.isIndexed(path, by: .value)
  }
}
