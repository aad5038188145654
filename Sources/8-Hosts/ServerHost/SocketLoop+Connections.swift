import CWebsockets
import Glibc
import LiveServer

// WebSockets, as libwebsockets reports them, and writing to any connection.

extension SocketLoop {
  /// Room that libwebsockets wants in front of what it writes (its LWS_PRE).
  private static let room = 16
  /// How much is written at a time before others have their turn, in bytes and in pieces.
  private static let writeBudget = (bytes: 1 << 18, pieces: 256)

  /// A WebSocket for which a request was taken over has begun.
  func established(_ wsi: OpaquePointer) -> Int32 {
    guard let request = handovers.removeValue(forKey: lws_get_socket_fd(wsi)) else { return -1 }
    let socket = newSocket()
    channels[wsi] = Channel(socket, request)
    carriers[socket] = wsi
    perform { live.open(socket, for: request, at: now, into: &$0) }
    return 0
  }

  /// Takes part of a frame.
  func receive(_ bytes: UnsafeRawBufferPointer, _ wsi: OpaquePointer) -> Int32 {
    guard let channel = channels[wsi], let socket = channel.socket, !channel.ignoresInput else {
      return 0
    }
    channel.incoming += bytes
    load.count(channel)
    if channel.incoming.count > live.server.settings.bounds.message {
      return refuse(channel, wsi, 1009, "the message is too long")
    }
    if load.isTooMuch(of: channel, among: channels.count) {
      return refuse(channel, wsi, 1013, "the server has too much to keep")
    }
    guard lws_is_final_fragment(wsi) != 0, lws_remaining_packet_payload(wsi) == 0 else { return 0 }
    let frame = channel.incoming
    channel.incoming.removeAll(keepingCapacity: frame.count < 1 << 16)
    load.count(channel)
    if lws_frame_is_binary(wsi) != 0 {
      perform {
        live.disturb(at: now, into: &$0) { $0.receiveBinary(from: socket, at: now, into: &$1) }
      }
    } else {
      guard let text = String(validating: frame, as: UTF8.self) else {
        warn("a client sends a text frame that is not UTF-8, and is cut off (WIR-11)")
        return refuse(channel, wsi, 1007, "a text frame is not UTF-8")
      }
      perform { live.receive(text, from: socket, at: now, into: &$0) }
    }
    return 0
  }

  /// Closes a WebSocket whose message is not taken.
  private func refuse(
    _ channel: Channel, _ wsi: OpaquePointer, _ code: Int, _ reason: String
  ) -> Int32 {
    channel.incoming = []
    channel.ignoresInput = true
    load.count(channel)
    channel.append(.close(code: code, reason: reason))
    lws_callback_on_writable(wsi)
    return 0
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
      case let .frame(frame):
        bytes += frame.count
        guard writeBytes(frame, wsi, LWS_WRITE_TEXT) else { return -1 }
      case let .bytes(part):
        // LWS_WRITE_HTTP is what LWS_WRITE_RAW stands for: bytes as they are.
        bytes += part.count
        guard writeBytes(part, wsi, LWS_WRITE_HTTP) else { return -1 }
      case .end:
        let ending = answered(channel, wsi)
        if ending != 0 { return ending }
      case let .close(code, reason):
        return close(channel, wsi, code, reason)
      }
    }
    lws_callback_on_writable(wsi)
    return 0
  }

  private func close(
    _ channel: Channel, _ wsi: OpaquePointer, _ code: Int, _ reason: String
  ) -> Int32 {
    // 1006 stands for a line that breaks.
    if code == 1006 { return -1 }
    guard channel.isWebSocket else { return linger(channel, wsi) }
    sendClose(code, reason, wsi)
    return -1
  }

  /// States to a client why it is left; 123 bytes are all that a WebSocket has for that.
  private func sendClose(_ code: Int, _ reason: String, _ wsi: OpaquePointer) {
    var text = ""
    for character in reason where text.utf8.count + character.utf8.count <= 123 {
      text.append(character)
    }
    var bytes = Array(text.utf8)
    bytes.withUnsafeMutableBufferPointer {
      lws_close_reason(wsi, lws_close_status(rawValue: UInt32(code)), $0.baseAddress, $0.count)
    }
  }

  private func writeBytes(
    _ bytes: [UInt8], _ wsi: OpaquePointer, _ kind: lws_write_protocol
  ) -> Bool {
    var buffer = [UInt8](repeating: 0, count: Self.room)
    buffer.reserveCapacity(Self.room + bytes.count)
    buffer += bytes
    let count = buffer.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.map { lws_write(wsi, $0 + Self.room, bytes.count, kind) } ?? -1
    }
    return count >= 0
  }
}
