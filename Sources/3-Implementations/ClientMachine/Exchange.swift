internal import CWebsockets
internal import ClientEngine

/// A WebSocket, one request, or a connection that carries bytes. On the thread of sockets only.
final class Exchange {
  enum Kind {
    case socket
    /// A request for what is at the path.
    case get
    /// Bytes as they are.
    case bytes

    /// What libwebsockets calls it; nil for a WebSocket.
    var method: String? {
      switch self {
      case .socket: nil
      case .get: "GET"
      case .bytes: "RAW"
      }
    }
  }

  enum Event {
    case opened
    /// A text frame, or the whole body of an answer.
    case text(String)
    /// What has arrived of them.
    case bytes([UInt8])
    /// Nothing follows.
    case ended(String)
  }

  /// The longest message that is taken, in bytes.
  private static let longest = 1 << 28
  /// Room that libwebsockets wants in front of what it writes (its LWS_PRE).
  private static let room = 16

  private let kind: Kind
  private let receive: (Event) -> Void
  private var wsi: OpaquePointer?
  private var waiting: ArraySlice<[UInt8]> = []
  private var incoming: [UInt8] = []
  /// Whether it can be written to.
  private var isUp = false
  private var isClosing = false
  private var hasEnded = false
  /// Holds this while libwebsockets knows it.
  private var own: Unmanaged<Exchange>?

  init(_ kind: Kind, _ receive: @escaping (Event) -> Void) {
    self.kind = kind
    self.receive = receive
  }

  /// Connects to a host at one of its numeric addresses.
  func begin(
    _ address: DatabaseAddress, at place: String, path: String, trusting authorities: String?
  ) {
    let port = Int32(address.endpoint?.port ?? 0)
    own = Unmanaged.passRetained(self)
    let started = place.withCString { name in
      address.host.withCString { host in
        path.withCString { path in
          start(
            name, port, host, path, trusting: address.isEncrypted ? authorities : nil,
            isEncrypted: address.isEncrypted)
        }
      }
    }
    // When it fails at once, libwebsockets may have said so already.
    if started == nil {
      end("\(address.host) cannot be connected to")
    } else if !hasEnded {
      wsi = started
    }
  }

  private func start(
    _ name: UnsafePointer<CChar>, _ port: Int32, _ host: UnsafePointer<CChar>,
    _ path: UnsafePointer<CChar>, trusting authorities: String?, isEncrypted: Bool
  ) -> OpaquePointer? {
    var info = lws_client_connect_info()
    info.address = name
    info.port = port
    info.path = path
    info.host = host
    info.ssl_connection = isEncrypted ? Int32(LCCSCF_USE_SSL.rawValue) : 0
    info.opaque_user_data = own?.toOpaque()
    return (kind.method ?? "").withCString { method in
      "http/1.1".withCString { alpn in
        "wilddog".withCString { local in
          info.alpn = alpn
          info.local_protocol_name = local
          if kind != .socket { info.method = method }
          return SocketThread.shared.connect(&info, trusting: authorities)
        }
      }
    }
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) {
    waiting.append(bytes)
    if isUp, let wsi { lws_callback_on_writable(wsi) }
  }

  /// Ends it, after what was sent before. Nothing is received any more.
  func close() {
    isClosing = true
    guard let wsi else { return }
    if isUp { lws_callback_on_writable(wsi) }
    // A server that does not read is not waited for.
    lws_set_timeout(wsi, PENDING_TIMEOUT_CLOSE_SEND, 2)
  }

  private func end(_ reason: String) {
    if hasEnded { return }
    hasEnded = true
    // libwebsockets still has something to say of it, but no longer to this.
    if let wsi { lws_set_opaque_user_data(wsi, nil) }
    wsi = nil
    if !isClosing { receive(.ended(reason)) }
    let own = own
    self.own = nil
    own?.release()
  }

  /// Handles one event; `nil` for what libwebsockets does by itself.
  func handle(
    _ wsi: OpaquePointer, _ reason: lws_callback_reasons, _ input: UnsafeRawBufferPointer
  ) -> Int32? {
    if hasEnded { return -1 }
    self.wsi = wsi
    switch reason {
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
      end(Self.reason(String(decoding: input, as: UTF8.self)))
      return 0
    case LWS_CALLBACK_CLIENT_ESTABLISHED, LWS_CALLBACK_RAW_CONNECTED:
      isUp = true
      if !isClosing { receive(.opened) }
      lws_callback_on_writable(wsi)
      return 0
    case LWS_CALLBACK_CLIENT_RECEIVE: return take(input, wsi)
    case LWS_CALLBACK_RAW_RX:
      if !isClosing { receive(.bytes(Array(input))) }
      return 0
    case LWS_CALLBACK_CLIENT_WRITEABLE, LWS_CALLBACK_RAW_WRITEABLE: return write(wsi)
    case LWS_CALLBACK_ESTABLISHED_CLIENT_HTTP:
      // A WebSocket begins as a request too.
      let status = lws_http_client_http_response(wsi)
      if status == (kind == .socket ? 101 : 200) { return 0 }
      end("the server answers \(status)")
      return -1
    case LWS_CALLBACK_RECEIVE_CLIENT_HTTP: return read(wsi)
    case LWS_CALLBACK_RECEIVE_CLIENT_HTTP_READ:
      incoming += input
      return incoming.count > Self.longest ? -1 : 0
    case LWS_CALLBACK_COMPLETED_CLIENT_HTTP:
      if !isClosing { receive(.text(String(decoding: incoming, as: UTF8.self))) }
      end("the answer is complete")
      return -1
    case LWS_CALLBACK_CLIENT_CLOSED, LWS_CALLBACK_CLOSED_CLIENT_HTTP, LWS_CALLBACK_RAW_CLOSE,
      LWS_CALLBACK_WSI_DESTROY:
      end("the connection was closed")
      return 0
    default: return nil
    }
  }

  /// Why there is no connection. Of a certificate libwebsockets only states that the handshake failed.
  private static func reason(_ text: String) -> String {
    if text.isEmpty { return "no connection" }
    guard text.hasPrefix("connect SSL err") else { return text }
    return "its certificate is not trusted, is for another host or has expired,"
      + " or it does not encrypt"
  }

  private func take(_ input: UnsafeRawBufferPointer, _ wsi: OpaquePointer) -> Int32 {
    if isClosing { return 0 }
    incoming += input
    if incoming.count > Self.longest || lws_frame_is_binary(wsi) != 0 {
      end("a message that is binary or too long")
      return -1
    }
    guard lws_is_final_fragment(wsi) != 0, lws_remaining_packet_payload(wsi) == 0 else { return 0 }
    let text = String(decoding: incoming, as: UTF8.self)
    incoming.removeAll(keepingCapacity: incoming.count < 1 << 16)
    receive(.text(text))
    return 0
  }

  /// Has libwebsockets hand over a part of a body.
  private func read(_ wsi: OpaquePointer) -> Int32 {
    var buffer = [CChar](repeating: 0, count: Self.room + 4096)
    return buffer.withUnsafeMutableBufferPointer { buffer in
      var start = buffer.baseAddress.map { $0 + Self.room }
      var length = Int32(buffer.count - Self.room)
      return lws_http_client_read(wsi, &start, &length) < 0 ? -1 : 0
    }
  }

  private func write(_ wsi: OpaquePointer) -> Int32 {
    // LWS_WRITE_HTTP is what LWS_WRITE_RAW stands for.
    let mode = kind == .bytes ? LWS_WRITE_HTTP : LWS_WRITE_TEXT
    while lws_send_pipe_choked(wsi) == 0 {
      guard let next = waiting.popFirst() else {
        if isClosing, kind == .socket { lws_close_reason(wsi, LWS_CLOSE_STATUS_NORMAL, nil, 0) }
        return isClosing ? -1 : 0
      }
      var bytes = [UInt8](repeating: 0, count: Self.room) + next
      let written = bytes.withUnsafeMutableBufferPointer { buffer in
        buffer.baseAddress.map { lws_write(wsi, $0 + Self.room, next.count, mode) } ?? -1
      }
      if written < Int32(next.count) { return -1 }
    }
    lws_callback_on_writable(wsi)
    return 0
  }
}
