internal import CWebsockets
internal import ClientEngine
internal import Dispatch
internal import Glibc

/// The thread on which libwebsockets works, for all databases of a program.
///
/// Unchecked: `tasks` is used with `lock` taken, `trusting` on the thread; the rest never changes.
final class SocketThread: @unchecked Sendable {
  static let shared = SocketThread()

  private let lock = SerialLock()
  private var tasks: [@Sendable () -> Void] = []
  private let context: OpaquePointer?
  private let protocols = UnsafeMutablePointer<lws_protocols>.allocate(capacity: 2)
  /// By a file of certificates, what trusts these besides those of the system.
  private var trusting: [String: OpaquePointer] = [:]

  private init() {
    lws_set_log_level(0, nil)
    // What libwebsockets keeps pointers to lives as long as the program.
    protocols.initialize(repeating: lws_protocols(), count: 2)
    let name: StaticString = "wilddog"
    protocols[0].name = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    protocols[0].callback = exchangeEvent
    protocols[0].rx_buffer_size = 1 << 16
    var info = lws_context_creation_info()
    info.port = Self.listensNowhere
    info.protocols = UnsafePointer(protocols)
    info.options = Self.initialisesTLS | Self.validatesText
    info.timeout_secs = 20
    info.pt_serv_buf_size = 1 << 16
    context = lws_create_context(&info)
    precondition(context != nil, "libwebsockets does not start")
    DispatchQueue(label: "kennel.sockets").async { [self] in
      while lws_service(context, 0) >= 0 { doTasks() }
    }
  }

  /// CONTEXT_PORT_NO_LISTEN, LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT and
  /// LWS_SERVER_OPTION_VALIDATE_UTF8: macros that are not imported.
  private static let listensNowhere: Int32 = -1
  private static let initialisesTLS: UInt64 = 1 << 12
  private static let validatesText: UInt64 = 1 << 8

  /// Does something on the thread, after what it was given before.
  func perform(_ task: @escaping @Sendable () -> Void) {
    lock.locked { tasks.append(task) }
    lws_cancel_service(context)
  }

  /// Does something on the thread after some seconds.
  func perform(after seconds: Double, _ task: @escaping @Sendable () -> Void) {
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { self.perform(task) }
  }

  private func doTasks() {
    let due = lock.locked {
      defer { tasks = [] }
      return tasks
    }
    for task in due { task() }
  }

  /// Begins a connection or a request.
  ///
  /// - Parameters:
  ///   - info: What it is.
  ///   - authorities: A file of certificates that are trusted besides those of the system.
  /// - Returns: What libwebsockets knows it by; `nil` when it does not even begin.
  func connect(
    _ info: inout lws_client_connect_info, trusting authorities: String?
  ) -> OpaquePointer? {
    info.context = context
    info.vhost = authorities.flatMap { host(trusting: $0) }
    return lws_client_connect_via_info(&info)
  }

  private func host(trusting file: String) -> OpaquePointer? {
    if let known = trusting[file] { return known }
    var info = lws_context_creation_info()
    info.port = Self.listensNowhere
    info.protocols = UnsafePointer(protocols)
    info.options = Self.initialisesTLS | Self.validatesText
    // It lives as long as the program, as above.
    let name = strdup(file)
    info.vhost_name = UnsafePointer(name)
    info.client_ssl_ca_filepath = UnsafePointer(name)
    let host = lws_create_vhost(context, &info)
    if let host { trusting[file] = host }
    return host
  }
}

/// What libwebsockets calls.
private func exchangeEvent(
  wsi: OpaquePointer?, reason: lws_callback_reasons, user: UnsafeMutableRawPointer?,
  input: UnsafeMutableRawPointer?, length: Int
) -> Int32 {
  guard let wsi, let owner = lws_get_opaque_user_data(wsi) else {
    return lws_callback_http_dummy(wsi, reason, user, input, length)
  }
  let exchange = Unmanaged<Exchange>.fromOpaque(owner).takeUnretainedValue()
  return exchange.handle(
    wsi, reason, UnsafeRawBufferPointer(start: input, count: input == nil ? 0 : length))
    ?? lws_callback_http_dummy(wsi, reason, user, input, length)
}
