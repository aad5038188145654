import CWebsockets
import ClientInterface
import Glibc
import HTTP
import LiveServer

// Requests of HTTP. libwebsockets hands on bytes as they come; they are read here, because it does
// not read bodies in chunks, and closes connections where clients expect an answer.

extension SocketLoop {
  /// How long a client may take, in microseconds: for the head of a request, for its body, for the
  /// next request, and until it closes after the last answer.
  private enum Timeouts {
    static let head: lws_usec_t = 10_000_000
    static let body: lws_usec_t = 60_000_000
    static let next: lws_usec_t = 60_000_000
    static let shutdownGrace: lws_usec_t = 2_000_000
    static let none: lws_usec_t = -1
  }

  /// How much may wait behind a request that is being answered, in bytes.
  private static let maxPipelined = 1 << 16

  /// Whether a client that connects is taken, 0 for yes. One that is not is refused.
  func filter(_ descriptor: Int32) -> Int32 {
    if isStopping { return -1 }
    let isFull = Int(descriptor) >= maxDescriptors - Descriptors.reserve
    guard isFull || connections >= maxConnections else { return 0 }
    let reason =
      isFull
      ? "this process may have only \(maxDescriptors) files and sockets open (see ulimit -n)"
      : "there are \(connections); --connections allows more"
    if lastFull.map({ now >= $0 + .seconds(60) }) ?? true {
      lastFull = now
      warn("a client is refused, there are too many connections: \(reason)")
    }
    let response = HTTPResponse.error(503, "there are too many connections").open
    let bytes = response.head(isLast: true) + response.body
    _ = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    return -1
  }

  /// A client has connected.
  func adopted(_ wsi: OpaquePointer) -> Int32 {
    let channel = Channel(maxBodyBytes: live.server.settings.bounds.message)
    channel.isRemote = lan != nil && LANAccess.isRemote(lws_get_socket_fd(wsi))
    channels[wsi] = channel
    lws_set_timer_usecs(wsi, Timeouts.head)
    return 0
  }

  /// Takes bytes that have arrived.
  func receive(_ bytes: UnsafeRawBufferPointer, _ wsi: OpaquePointer) -> Int32 {
    guard let channel = channels[wsi], !channel.ignoresInput else { return 0 }
    return channel.isWebSocket
      ? receiveFrames(bytes, channel, wsi) : receiveRequests(bytes, channel, wsi)
  }

  private func receiveRequests(
    _ bytes: UnsafeRawBufferPointer, _ channel: Channel, _ wsi: OpaquePointer
  ) -> Int32 {
    let wasIdle = channel.requests?.isIdle ?? false
    channel.requests?.append(bytes)
    load.count(channel)
    if channel.socket == nil {
      if wasIdle { lws_set_timer_usecs(wsi, Timeouts.head) }
      let ending = readOn(channel, wsi)
      // At once: a client that has closed its half is gone when libwebsockets looks next.
      return ending == 0 ? write(wsi) : ending
    }
    if channel.requests?.waiting ?? 0 > Self.maxPipelined { lws_rx_flow_control(wsi, 0) }
    return 0
  }

  /// A request that states whose it is, where the port does.
  private func owned(_ request: HTTPRequest) -> HTTPRequest {
    guard let currentClient else { return request }
    var request = request
    request.client = currentClient
    return request
  }

  /// The request, if it comes from this machine or names the token.
  private func admitted(_ request: HTTPRequest, _ channel: Channel) -> HTTPRequest? {
    guard channel.isRemote, let lan else { return request }
    return lan.admitted(request)
  }

  /// Takes the next request, if it is whole.
  private func readOn(_ channel: Channel, _ wsi: OpaquePointer) -> Int32 {
    while channel.socket == nil, !channel.ignoresInput {
      let wasInBody = channel.requests?.isInBody ?? false
      guard let outcome = channel.requests?.next() else { return -1 }
      load.count(channel)
      switch outcome {
      case .nothing:
        if !wasInBody, channel.requests?.isInBody ?? false {
          lws_set_timer_usecs(wsi, Timeouts.body)
        }
        guard load.isTooMuch(of: channel, among: channels.count) else { return 0 }
        return refuse(channel, wsi, .error(503, "the server has too much to keep"))
      case .expectContinue:
        channel.append(.bytes(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)))
        lws_callback_on_writable(wsi)
      case let .request(found, isLast):
        guard let request = admitted(owned(found), channel) else {
          return refuse(channel, wsi, LANAccess.refusal)
        }
        if lws_get_vhost(wsi) != controlHost, isRefused(request) { return -1 }
        channel.isLast = isLast || isStopping
        dispatch(request, channel, wsi)
      case let .webSocket(found, key):
        guard let request = admitted(owned(found), channel) else {
          return refuse(channel, wsi, LANAccess.refusal)
        }
        return open(request, key, channel, wsi)
      case let .refusal(response):
        return refuse(channel, wsi, response)
      }
    }
    return 0
  }

  /// Whether the connection is to break, as if there were no server.
  private func isRefused(_ request: HTTPRequest) -> Bool {
    // A watcher is no client, and must be able to repair things.
    !watch.isAsked(by: request) && perform { $0.refuses(request) }
  }

  /// Lets the server answer a request, now or later.
  private func dispatch(_ request: HTTPRequest, _ channel: Channel, _ wsi: OpaquePointer) {
    let socket = newSocket()
    channel.socket = socket
    channel.request = request
    carriers[socket] = wsi
    // An answer may take its time: a client that polls, or listens to a stream, waits.
    lws_set_timer_usecs(wsi, Timeouts.none)
    if let controlHost, lws_get_vhost(wsi) == controlHost {
      perform { watch.control(request, from: socket, by: &$0) }
      return
    }
    // The page is for this machine alone.
    if channel.isRemote {
      return perform { $0.handle(request, from: socket) }
    }
    if perform({ watch.handle(request, from: socket, by: &$0) }) { return }
    watch.take(request, on: socket)
    perform { $0.handle(request, from: socket) }
  }

  /// Sends the answer to a request.
  func respond(_ response: HTTPResponse, to socket: Socket) {
    guard let wsi = carriers[socket], let channel = channels[wsi] else { return }
    let response = channel.request.coded(response)
    let body = channel.request.method == "HEAD" ? [] : response.body
    append(.bytes(response.head(isLast: channel.isLast)), to: socket)
    if !body.isEmpty { append(.bytes(body), to: socket) }
    append(.end, to: socket)
  }

  /// An answer is written: the next request, if the client has sent one, gets its turn.
  func answered(_ channel: Channel, _ wsi: OpaquePointer) -> Int32 {
    if let socket = channel.socket {
      channel.socket = nil
      end(socket)
    }
    if channel.isLast || isStopping { return linger(channel, wsi) }
    lws_rx_flow_control(wsi, 1)
    let isIdle = channel.requests?.isIdle ?? true
    lws_set_timer_usecs(wsi, isIdle ? Timeouts.next : Timeouts.head)
    return readOn(channel, wsi)
  }

  /// Answers something that is no request, and closes.
  private func refuse(_ channel: Channel, _ wsi: OpaquePointer, _ response: HTTPResponse) -> Int32 {
    channel.ignoresInput = true
    channel.requests?.end()
    load.count(channel)
    // At the port for control no other origin reads anything.
    let response = lws_get_vhost(wsi) == controlHost ? response : response.open
    channel.append(.bytes(response.head(isLast: true) + response.body))
    channel.append(.close(code: 1000, reason: ""))
    lws_callback_on_writable(wsi)
    return 0
  }

  /// Waits until the client has read everything and closes: closing while it still sends would
  /// take the answer away from it.
  func linger(_ channel: Channel, _ wsi: OpaquePointer) -> Int32 {
    channel.ignoresInput = true
    channel.isLingering = true
    channel.requests?.end()
    if let socket = channel.socket {
      channel.socket = nil
      end(socket)
    }
    lws_rx_flow_control(wsi, 1)
    lws_set_timer_usecs(wsi, Timeouts.shutdownGrace)
    return shutdown(lws_get_socket_fd(wsi), Int32(SHUT_WR)) == 0 ? 0 : -1
  }

  /// A client has taken too long.
  func timeIsUp(_ wsi: OpaquePointer) -> Int32 {
    guard let channel = channels[wsi] else { return 0 }
    if channel.isLingering { return -1 }
    if channel.isWebSocket || channel.socket != nil || channel.ignoresInput { return 0 }
    if channel.requests?.isIdle ?? true { return -1 }
    return refuse(channel, wsi, .error(408, "the request has not arrived in time"))
  }

  /// Lets go of clients that only might ask for something.
  func dismissIdle() {
    for (wsi, channel) in channels where !channel.isWebSocket && channel.socket == nil {
      if channel.isEmpty, !channel.isLingering {
        channel.append(.close(code: 1000, reason: ""))
        lws_callback_on_writable(wsi)
      }
    }
  }
}

extension SocketLoop {
  /// Takes a request for a WebSocket.
  private func open(
    _ request: HTTPRequest, _ key: String, _ channel: Channel, _ wsi: OpaquePointer
  ) -> Int32 {
    guard lws_get_vhost(wsi) != controlHost else {
      return refuse(channel, wsi, .error(404, "there are no WebSockets at the port for control"))
    }
    if isRefused(request) { return -1 }
    if let response = live.server.refusal(ofSocketFor: request) {
      return refuse(channel, wsi, response)
    }
    if isStopping {
      return refuse(channel, wsi, .error(503, "the server takes no more connections"))
    }
    lws_set_timer_usecs(wsi, Timeouts.none)
    return begin(request, key, channel, wsi)
  }
}
