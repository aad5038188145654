import CWebsockets
import ClientInterface
import HTTP
import LiveServer

// WebSockets, and writing to any connection.

extension SocketLoop {
  /// Room that libwebsockets wants in front of what it writes (its LWS_PRE).
  private static let room = 16
  /// How much is written at a time before others have their turn, in bytes and in pieces.
  private static let writeBudget = (bytes: 1 << 18, pieces: 256)
  /// How long a client may be silent before a ping asks for a sign, and before it is given up.
  private static let silence = (allowed: Interval.seconds(300), longest: Interval.seconds(310))

  /// Makes a WebSocket of the connection over which a request for one has come.
  func begin(
    _ request: HTTPRequest, _ key: String, _ channel: Channel, _ wsi: OpaquePointer
  ) -> Int32 {
    let socket = newSocket()
    let rest = channel.becomeWebSocket(
      socket, request, maxMessageBytes: live.server.settings.bounds.message)
    carriers[socket] = wsi
    channel.append(.bytes(WebSocketFrame.handshake(key: key)))
    lws_callback_on_writable(wsi)
    perform { $0.open(socket, for: request) }
    return rest.withUnsafeBytes { receiveFrames($0, channel, wsi) }
  }

  /// Takes bytes of a WebSocket.
  func receiveFrames(
    _ bytes: UnsafeRawBufferPointer, _ channel: Channel, _ wsi: OpaquePointer
  ) -> Int32 {
    defer { load.count(channel) }
    (channel.lastInput, channel.isPinged) = (now, false)
    channel.frames?.append(bytes)
    while !channel.ignoresInput, let socket = channel.socket, let next = channel.frames?.next() {
      switch next {
      case .nothing:
        load.count(channel)
        guard load.isTooMuch(of: channel, among: channels.count) else { return 0 }
        return refuse(channel, wsi, 1013, "the server has too much to keep")
      case let .text(text): perform { $0.receive(text, from: socket) }
      case .binary:
        perform { $0.disturb { $0.receiveBinary(from: socket) } }
      case let .ping(payload): append(.bytes(WebSocketFrame.pong.bytes(payload)), to: socket)
      case let .close(code):
        live.server.leaves(socket)
        return refuse(channel, wsi, code, "")
      case let .violation(code, reason):
        warn("a client does not send what a WebSocket allows, and is cut off: \(reason)")
        return refuse(channel, wsi, code, reason)
      }
    }
    return 0
  }

  /// Closes a WebSocket of which nothing more is read.
  private func refuse(
    _ channel: Channel, _ wsi: OpaquePointer, _ code: Int, _ reason: String
  ) -> Int32 {
    channel.ignoresInput = true
    channel.append(.close(code: code, reason: reason))
    lws_callback_on_writable(wsi)
    return 0
  }

  /// Asks WebSockets that are silent for a sign, and gives up those that give none.
  func askSilent(at now: Instant) {
    for (wsi, channel) in channels where channel.isWebSocket && !channel.isLingering {
      let silence = now - channel.lastInput
      if silence >= Self.silence.longest {
        lws_set_timeout(wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_ASYNC)
      } else if silence >= Self.silence.allowed, !channel.isPinged {
        channel.isPinged = true
        channel.append(.bytes(WebSocketFrame.ping.bytes([])))
        lws_callback_on_writable(wsi)
      }
    }
  }

  /// Writes what waits, as much as the connection takes now.
  func write(_ wsi: OpaquePointer) -> Int32 {
    guard let channel = channels[wsi] else { return 0 }
    defer { load.count(channel) }
    var (bytes, pieces) = (0, 0)
    while bytes < Self.writeBudget.bytes, pieces < Self.writeBudget.pieces,
      lws_send_pipe_choked(wsi) == 0
    {
      guard let piece = channel.next() else { return 0 }
      pieces += 1
      switch piece {
      case let .frame(part), let .bytes(part):
        bytes += part.count
        guard writeBytes(part, wsi) else { return -1 }
      case .end:
        let ending = answered(channel, wsi)
        if ending != 0 { return ending }
      case let .close(code, _): return code == Channel.breaking ? -1 : linger(channel, wsi)
      }
    }
    lws_callback_on_writable(wsi)
    return 0
  }

  private func writeBytes(_ bytes: [UInt8], _ wsi: OpaquePointer) -> Bool {
    var buffer = [UInt8](repeating: 0, count: Self.room)
    buffer.reserveCapacity(Self.room + bytes.count)
    buffer += bytes
    let count = buffer.withUnsafeMutableBufferPointer { buffer in
      // LWS_WRITE_HTTP is what LWS_WRITE_RAW stands for: bytes as they are.
      buffer.baseAddress.map { lws_write(wsi, $0 + Self.room, bytes.count, LWS_WRITE_HTTP) } ?? -1
    }
    return count >= 0
  }
}
