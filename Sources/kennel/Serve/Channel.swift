import LiveServer

/// What waits to be written to one TCP connection, and what has arrived of a message or request.
final class Channel {
  /// What goes out next.
  enum Piece {
    case frame([UInt8])
    /// Bytes of an answer.
    case bytes([UInt8])
    /// The answer is whole: another request may come.
    case end
    /// Close the connection.
    case close(code: Int, reason: String)
  }

  /// How many bytes may wait for a client that does not read.
  static let mostBytes = 64 << 20

  let isWebSocket: Bool
  /// The socket or the request that it carries now.
  var socket: Socket
  var request: HTTPRequest
  var incoming: [UInt8] = []
  /// Whether the request was handed on, or what comes of this connection is not read any more.
  var isDeaf = false

  private var pieces: [Piece] = []
  private var first = 0
  private(set) var waitingBytes = 0

  init(_ socket: Socket, _ request: HTTPRequest, isWebSocket: Bool) {
    self.socket = socket
    self.request = request
    self.isWebSocket = isWebSocket
  }

  func append(_ piece: Piece) {
    pieces.append(piece)
    waitingBytes += Self.size(of: piece)
  }

  var isEmpty: Bool { first == pieces.count }

  func next() -> Piece? {
    guard !isEmpty else { return nil }
    let piece = pieces[first]
    first += 1
    waitingBytes -= Self.size(of: piece)
    if isEmpty {
      pieces.removeAll(keepingCapacity: pieces.capacity < 1024)
      first = 0
    } else if first >= 1024 {
      pieces.removeFirst(first)
      first = 0
    }
    return piece
  }

  private static func size(of piece: Piece) -> Int {
    switch piece {
    case let .frame(bytes), let .bytes(bytes): bytes.count
    case .end, .close: 0
    }
  }
}
