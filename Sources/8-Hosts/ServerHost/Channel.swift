import ClientInterface
import LiveServer

/// What waits to be written to one TCP connection, and what has arrived of a message or request.
package final class Channel {
  /// What goes out next.
  package enum Piece {
    case frame([UInt8])
    /// Bytes of an answer.
    case bytes([UInt8])
    /// The answer is whole: another request may come.
    case end
    /// Close the connection.
    case close(code: Int, reason: String)
  }

  /// How many bytes may wait for a client that does not read, before there is more for it. One
  /// answer, or what one event leads to, may be longer.
  static let byteLimit = 64 << 20
  /// The code that stands for a line that breaks.
  static let breaking = 1006
  /// How much of an answer is written at a time, in bytes.
  private static let pieceSize = 1 << 18

  /// Reads requests; nil for a WebSocket.
  var requests: RequestReader?
  /// Reads what a client sends over a WebSocket; nil while there may be requests.
  var frames: WebSocketReader?
  /// The WebSocket, or the request that is being answered.
  var socket: Socket?
  var request = HTTPRequest("GET", "/")
  /// When a WebSocket last received something, and whether a ping has asked for a sign since.
  var lastInput = Instant(nanoseconds: 0)
  var isPinged = false
  /// Whether what comes of this connection is not read any more.
  var ignoresInput = false
  /// Whether it comes from another machine.
  var isRemote = false
  /// Whether the connection ends with the answer to the request.
  var isLast = false
  /// Whether everything was written, and the client is to close.
  var isLingering = false
  /// What of the channel was counted in ``MemoryInUse`` last.
  var counted = (incoming: 0, outgoing: 0)

  private var pieces: [Piece] = []
  private var first = 0
  /// How much of the first piece is written.
  private var offset = 0
  private(set) var waitingBytes = 0
  /// What waited before the event that is handled now, and which event that was.
  private(set) var waitingBefore = 0
  private var event = -1

  /// A connection over which a client may send requests.
  init(maxBodyBytes: Int) {
    requests = RequestReader(maxBodyBytes: maxBodyBytes)
  }

  var isWebSocket: Bool { frames != nil }

  /// Makes a WebSocket of it.
  ///
  /// - Returns: What has arrived of the WebSocket with the request.
  func becomeWebSocket(_ socket: Socket, _ request: HTTPRequest, maxMessageBytes: Int) -> [UInt8] {
    defer { requests = nil }
    frames = WebSocketReader(maxMessageBytes: maxMessageBytes)
    (self.socket, self.request) = (socket, request)
    return requests.map { Array($0.rest) } ?? []
  }

  /// How many bytes are held of what has arrived.
  var incomingBytes: Int { (requests?.count ?? 0) + (frames?.count ?? 0) }

  /// Adds what comes of the event with this number.
  func append(_ piece: Piece, of event: Int) {
    if event != self.event { (self.event, waitingBefore) = (event, waitingBytes) }
    append(piece)
  }

  /// Adds a piece; frames of a WebSocket become bytes.
  func append(_ piece: Piece) {
    switch piece {
    case let .frame(payload): add(.bytes(WebSocketFrame.text.bytes(payload)))
    case let .close(code, reason) where isWebSocket && code != Self.breaking:
      add(.bytes(WebSocketFrame.closing(code: code, reason: reason)))
      add(piece)
    case .bytes, .end, .close: add(piece)
    }
  }

  private func add(_ piece: Piece) {
    pieces.append(piece)
    waitingBytes += Self.size(of: piece)
  }

  var isEmpty: Bool { first == pieces.count }

  func next() -> Piece? {
    guard !isEmpty else { return nil }
    if let part = partOfFirst() { return part }
    let piece = pieces[first]
    pieces[first] = .end
    first += 1
    waitingBytes -= Self.size(of: piece)
    if isEmpty {
      pieces.removeAll(keepingCapacity: pieces.capacity < 1024)
      first = 0
    } else if first >= 1024, first > pieces.count / 2 {
      pieces.removeFirst(first)
      first = 0
    }
    return piece
  }

  /// The next part of a long answer: libwebsockets would copy all that it cannot write.
  private func partOfFirst() -> Piece? {
    guard case let .bytes(bytes) = pieces[first], bytes.count - offset > Self.pieceSize else {
      guard offset > 0, case let .bytes(bytes) = pieces[first] else { return nil }
      pieces[first] = .bytes(Array(bytes[offset...]))
      offset = 0
      return nil
    }
    let part = Array(bytes[offset..<(offset + Self.pieceSize)])
    offset += Self.pieceSize
    waitingBytes -= Self.pieceSize
    return .bytes(part)
  }

  private static func size(of piece: Piece) -> Int {
    switch piece {
    case let .frame(bytes), let .bytes(bytes): bytes.count
    case .end, .close: 0
    }
  }
}

/// What all connections together hold in memory.
struct MemoryInUse {
  /// From how many bytes on memory is given back to the system.
  private static let worthReturning = 16 << 20

  /// How many bytes all of them may hold of what has arrived only in part, and as many of what
  /// waits to be read.
  static let maxBytes = 512 << 20

  private(set) var incoming = 0
  private(set) var outgoing = 0
  /// The most that was held since memory was given back last.
  private var peak = 0

  /// Whether so much less is held than before that memory should be given back to the system.
  mutating func returnsMemory() -> Bool {
    let held = incoming + outgoing
    guard peak > Self.worthReturning, held < peak / 2 else { return false }
    peak = held
    return true
  }

  /// Counts a channel again.
  mutating func count(_ channel: Channel) {
    let now = (incoming: channel.incomingBytes, outgoing: channel.waitingBytes)
    incoming += now.incoming - channel.counted.incoming
    outgoing += now.outgoing - channel.counted.outgoing
    channel.counted = now
    peak = max(peak, incoming + outgoing)
  }

  mutating func forget(_ channel: Channel) {
    incoming -= channel.counted.incoming
    outgoing -= channel.counted.outgoing
    channel.counted = (0, 0)
  }

  /// Whether a channel must make room: together they hold too much, and it holds more than others.
  func isTooMuch(of channel: Channel, among count: Int) -> Bool {
    let share = Self.maxBytes / max(1, count)
    return incoming > Self.maxBytes && channel.counted.incoming > share
      || outgoing > Self.maxBytes && channel.counted.outgoing > share
  }
}
