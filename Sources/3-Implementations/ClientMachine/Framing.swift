internal import Document
internal import Tree
package import Wire

/// One connection in the framing of a dialect: reads what arrives, and writes what is sent.
///
/// It has no socket and no clock: it returns what is to be done.
package struct Framing {
  /// One thing that is to be done, in the order in which they are returned.
  package enum Step {
    /// The connection is open: messages go both ways.
    case opened
    case message(ServerMessage)
    /// Something goes to the server besides messages.
    case send(String)
    /// A WebSocket takes over the session of engine.io that has this name.
    case upgrade(session: String)
    /// The connection ends, and why. Nothing follows.
    case end(String)
  }

  /// How far the connection has come; Firebase's framing opens with the socket.
  private enum Stage {
    case asking
    case probing
    case open
  }

  /// The longest message, in bytes.
  static let longest = 1 << 28
  /// The most packets of one answer.
  private static let mostPackets = 1000

  private let dialect: Dialect
  private var stage = Stage.asking
  private var assembler = SegmentAssembler()
  /// Packets that came before the connection was open.
  private var early: [String] = []
  /// How long after an answer the server is asked whether it is still there, in seconds; for
  /// engine.io only.
  package private(set) var pingInterval = 25.0
  /// How long it then has to answer, in seconds.
  package private(set) var pingTimeout = 60.0
  /// Whether the server has answered since ``ping()``.
  package private(set) var isPingAnswered = true

  /// A connection that is to be made.
  package init(_ dialect: Dialect) { self.dialect = dialect }

  /// Whether messages go both ways.
  package var isOpen: Bool { stage == .open }

  /// The frames that carry a message.
  package func frames(of message: ClientMessage) -> [String] {
    let text = message.json(in: dialect).text
    switch dialect {
    case .firebase: return Segments.frames(of: text)
    case .wilddog: return [Packet.message(text)]
    }
  }

  /// What the server is asked with, whether it is still there.
  package mutating func ping() -> String {
    isPingAnswered = false
    return "2"
  }

  /// The server has answered the request that begins a session of engine.io.
  package mutating func receive(handshake body: String) -> [Step] {
    guard stage == .asking else { return [] }
    let packets = Payload.decode(Array(body.utf8), upTo: Self.mostPackets) ?? []
    guard let first = packets.first, first.first == "0",
      let terms = try? JSON(parsing: String(first.dropFirst())),
      let session = terms["sid"]?.string, Self.isSession(session)
    else { return [.end("the answer is no handshake of engine.io")] }
    pingInterval = Self.seconds(terms["pingInterval"], unlessStated: pingInterval)
    pingTimeout = Self.seconds(terms["pingTimeout"], unlessStated: pingTimeout)
    early = Array(packets.dropFirst())
    stage = .probing
    return [.upgrade(session: session)]
  }

  /// The name becomes part of a request, whose lines and length it must not change.
  private static func isSession(_ text: String) -> Bool {
    text.utf8.count <= 200 && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
  }

  /// A time that the server states, in milliseconds. A clock cannot wait for any number.
  private static func seconds(_ stated: JSON?, unlessStated usual: Double) -> Double {
    stated?.number.map { min(max($0 / 1000, 1), 86_400) } ?? usual
  }

  /// The WebSocket is open.
  package mutating func socketOpened() -> [Step] {
    switch dialect {
    case .firebase:
      stage = .open
      return [.opened]
    case .wilddog: return [.send("2probe")]
    }
  }

  /// A text frame of the WebSocket.
  package mutating func receive(_ frame: String) -> [Step] {
    switch dialect {
    case .firebase: assembler.receive(frame).map { [Self.message($0)] } ?? []
    case .wilddog: receive(packet: frame)
    }
  }

  private mutating func receive(packet: String) -> [Step] {
    switch packet.first {
    case "1": return [.end("the server closes")]
    case "2": return [.send("3" + packet.dropFirst())]
    case "3":
      isPingAnswered = true
      guard stage == .probing, packet == "3probe" else { return [] }
      stage = .open
      defer { early = [] }
      return [.send("5"), .opened] + early.flatMap { receive(packet: $0) }
    case "4":
      guard isOpen else {
        early.append(packet)
        return []
      }
      switch Packet.content(of: packet.dropFirst(), limit: Self.longest) {
      case let .message(text): return [Self.message(text)]
      case .ignored: return []
      case let .mistake(reason): return [.end(reason)]
      }
    case "0", "5", "6": return []
    default: return [.end("a packet that is none of engine.io")]
    }
  }

  private static func message(_ text: String) -> Step {
    do {
      return .message(try ServerMessage(json: try JSON(parsing: text, upTo: longest)))
    } catch {
      return .end("what the server sent is no message: \(error)")
    }
  }
}
