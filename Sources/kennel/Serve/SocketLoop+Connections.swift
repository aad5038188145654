import CWebsockets
import Glibc
import LiveServer

// What libwebsockets tells of one connection, and writing to it.

extension SocketLoop {
  /// Room that libwebsockets wants in front of what it writes (its LWS_PRE).
  private static let room = 16
  /// How much is written at a time before others have their turn, in bytes and in pieces.
  private static let turn = (bytes: 1 << 18, pieces: 256)

  /// Whether a WebSocket is refused before it begins.
  func refuses(_ wsi: OpaquePointer) -> Int32 {
    guard let response = live.server.refusal(ofSocketFor: Handshake(connection: wsi).request) else {
      return 0
    }
    _ = writeBytes(response.head() + response.body, wsi, LWS_WRITE_HTTP_HEADERS)
    return -1
  }

  func established(_ wsi: OpaquePointer) -> Int32 {
    let request = Handshake(connection: wsi).request
    let channel = Channel(newSocket(), request, isWebSocket: true)
    channels[wsi] = channel
    carriers[channel.socket] = wsi
    perform { live.open(channel.socket, for: request, at: now, into: &$0) }
    return 0
  }

  /// Takes part of a frame.
  func receive(_ bytes: UnsafeRawBufferPointer, _ wsi: OpaquePointer) -> Int32 {
    guard let channel = channels[wsi], !channel.isDeaf else { return 0 }
    channel.incoming += bytes
    if channel.incoming.count > live.server.settings.bounds.message {
      channel.incoming = []
      channel.isDeaf = true
      channel.append(.close(code: 1009, reason: "the message is too long"))
      lws_callback_on_writable(wsi)
      return 0
    }
    guard lws_is_final_fragment(wsi) != 0, lws_remaining_packet_payload(wsi) == 0 else { return 0 }
    let frame = channel.incoming
    channel.incoming.removeAll(keepingCapacity: frame.count < 1 << 16)
    if lws_frame_is_binary(wsi) != 0 {
      perform {
        live.disturb(at: now, into: &$0) {
          $0.receiveBinary(from: channel.socket, at: now, into: &$1)
        }
      }
    } else {
      let text = String(decoding: frame, as: UTF8.self)
      perform { live.receive(text, from: channel.socket, at: now, into: &$0) }
    }
    return 0
  }

  /// The head of a request is there.
  func begin(_ wsi: OpaquePointer) -> Int32 {
    let handshake = Handshake(connection: wsi)
    let request = handshake.request
    let channel = Channel(newSocket(), request, isWebSocket: false)
    if let old = channels.updateValue(channel, forKey: wsi) { end(old.socket) }
    carriers[channel.socket] = wsi
    let hasBody = ["PUT", "POST", "PATCH"].contains(request.method)
    switch handshake.bodyLength {
    case nil where hasBody:
      return refuse(channel, wsi, .error(411, "the head of the request states no length"))
    case let length? where length > live.server.settings.bounds.message:
      let most = live.server.settings.bounds.message
      return refuse(channel, wsi, .error(413, "the body has more than \(most) bytes"))
    case let length? where length > 0: return 0
    default: return dispatch(channel, wsi)
    }
  }

  /// Answers without having read everything, and closes.
  private func refuse(_ channel: Channel, _ wsi: OpaquePointer, _ response: HTTPResponse) -> Int32 {
    channel.isDeaf = true
    channel.append(.bytes(response.head() + response.body))
    channel.append(.close(code: 1000, reason: ""))
    lws_callback_on_writable(wsi)
    return 0
  }

  func receiveBody(_ bytes: UnsafeRawBufferPointer, _ wsi: OpaquePointer) -> Int32 {
    guard let channel = channels[wsi], !channel.isDeaf else { return 0 }
    guard channel.incoming.count + bytes.count <= live.server.settings.bounds.message else {
      return -1
    }
    channel.incoming += bytes
    return 0
  }

  func endBody(_ wsi: OpaquePointer) -> Int32 {
    guard let channel = channels[wsi] else { return 0 }
    return dispatch(channel, wsi)
  }

  private func dispatch(_ channel: Channel, _ wsi: OpaquePointer) -> Int32 {
    guard !channel.isDeaf else { return 0 }
    channel.isDeaf = true
    // An answer may take its time: whoever polls, or listens to a stream, waits.
    lws_set_timeout(wsi, NO_PENDING_TIMEOUT, 0)
    var request = channel.request
    request.body = channel.incoming
    channel.incoming = []
    if let controlHost, lws_get_vhost(wsi) == controlHost {
      perform { effects in
        let response = live.control(request, at: now, into: &effects)
        effects.append(.respond(channel.socket, response))
      }
      return 0
    }
    perform {
      live.disturb(at: now, into: &$0) {
        $0.handle(request, from: channel.socket, at: now, into: &$1)
      }
    }
    return 0
  }

  /// Writes what waits, as much as the connection takes now.
  func write(_ wsi: OpaquePointer) -> Int32 {
    guard let channel = channels[wsi] else { return 0 }
    var (bytes, pieces) = (0, 0)
    while bytes < Self.turn.bytes, pieces < Self.turn.pieces, lws_send_pipe_choked(wsi) == 0 {
      guard let piece = channel.next() else { return 0 }
      pieces += 1
      switch piece {
      case let .frame(frame):
        bytes += frame.count
        guard writeBytes(frame, wsi, LWS_WRITE_TEXT) else { return -1 }
      case let .bytes(part):
        bytes += part.count
        guard writeBytes(part, wsi, LWS_WRITE_HTTP) else { return -1 }
      case .end:
        channels[wsi] = nil
        end(channel.socket)
        return lws_http_transaction_completed(wsi) == 0 ? 0 : -1
      case let .close(code, reason):
        if channel.isWebSocket, code != 1006 { sayGoodbye(code, reason, wsi) }
        return -1
      }
    }
    lws_callback_on_writable(wsi)
    return 0
  }

  /// Tells a client why it is left; 123 bytes are all that a WebSocket has for that.
  private func sayGoodbye(_ code: Int, _ reason: String, _ wsi: OpaquePointer) {
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
