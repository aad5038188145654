internal import CWebsockets
internal import ClientEngine
internal import Dispatch
internal import Synchronization

/// The thread on which libwebsockets works, for all databases of a program.
///
/// Unchecked: `tasks` is used with `lock` taken; the context never changes.
final class SocketThread: @unchecked Sendable {
  static let shared = SocketThread()
  /// The file of certificates that are trusted besides those of the system.
  private static let authorities = Mutex<String?>(nil)

  /// Trusts the certificates of a file. It has an effect before the first connection of the program.
  static func trust(_ file: String) { authorities.withLock { $0 = file } }

  private let lock = SerialLock()
  private var tasks: [@Sendable () -> Void] = []
  private let context: OpaquePointer?

  private init() {
    lws_set_log_level(0, nil)
    // What libwebsockets keeps pointers to lives as long as the program.
    let protocols = UnsafeMutablePointer<lws_protocols>.allocate(capacity: 2)
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
    if let file = Self.authorities.withLock({ $0 }) {
      context = file.withCString {
        info.client_ssl_ca_filepath = $0
        return lws_create_context(&info)
      }
    } else {
      context = lws_create_context(&info)
    }
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

  /// The same after some seconds.
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
  /// - Returns: What libwebsockets knows it by; `nil` when it does not even begin.
  func connect(_ info: inout lws_client_connect_info) -> OpaquePointer? {
    info.context = context
    return lws_client_connect_via_info(&info)
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
