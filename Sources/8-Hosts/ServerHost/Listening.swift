import CWebsockets
import Glibc
package import System

/// The sockets that libwebsockets listens on, and what it needs to know all the time.
package final class Listening {
  /// What libwebsockets calls for everything that happens.
  typealias Callback =
    @convention(c) (
      OpaquePointer?, lws_callback_reasons, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, Int
    ) -> Int32

  /// How long what libwebsockets itself waits for may take, in seconds.
  private static let timeout: UInt32 = 10

  private(set) var context: OpaquePointer?
  /// Where requests for control come from.
  private(set) var control: OpaquePointer?
  /// Whether another program has the port at ::1.
  private(set) var isTakenOnIPv6 = false
  private let protocols = UnsafeMutablePointer<lws_protocols>.allocate(capacity: 2)
  private let name = strdup("kennel")
  private let addresses = [strdup("127.0.0.1"), strdup("::1"), strdup("127.0.0.1")]
  private var clientNames: [UnsafeMutablePointer<CChar>?] = []
  private let user: UnsafeMutableRawPointer

  init(user: UnsafeMutableRawPointer, callback: @escaping Callback) {
    self.user = user
    protocols.initialize(repeating: lws_protocols(), count: 2)
    protocols[0].name = UnsafePointer(name)
    protocols[0].callback = callback
    protocols[0].rx_buffer_size = 1 << 16
  }

  /// Listens on the loopback addresses, or on every address of IPv4.
  ///
  /// - Returns: The port.
  /// - Throws: `Failure.notStarted`.
  func begin(port: Int, onEveryAddress isOpen: Bool = false) throws(Failure) -> Int {
    try createContext()
    let address = isOpen ? nil : addresses[0]
    guard let first = vhost(address, Int32(port), Option.disableIPv6, name: addresses[0]) else {
      throw Self.isTaken(port, "--port")
    }
    let chosen = lws_get_vhost_listen_port(first)
    // A machine without IPv6 has no ::1.
    isTakenOnIPv6 = vhost(addresses[1], chosen, Option.onlyIPv6) == nil && errno == EADDRINUSE
    return Int(chosen)
  }

  private static func isTaken(_ port: Int, _ option: String) -> Failure {
    .notStarted(
      "port \(port) of 127.0.0.1 is not free: \(Files.lastReason()); \(option) 0 takes a free one")
  }

  private func createContext() throws(Failure) {
    lws_set_log_level(0, nil)
    var info = lws_context_creation_info()
    info.options = Option.explicitVhosts
    info.user = user
    info.port = -1
    info.timeout_secs = Self.timeout
    info.pt_serv_buf_size = 1 << 16
    context = lws_create_context(&info)
    guard context != nil else { throw .notStarted("libwebsockets does not start") }
  }

  /// Listens for requests for control too.
  ///
  /// - Returns: The port.
  /// - Throws: `Failure.notStarted`.
  func beginControl(port: Int) throws(Failure) -> Int {
    control = vhost(addresses[2], Int32(port), Option.disableIPv6)
    guard let control else {
      throw Self.isTaken(port, "--control")
    }
    return Int(lws_get_vhost_listen_port(control))
  }

  /// Starts without listening anywhere, for ports that belong to one client each.
  ///
  /// - Throws: `Failure.notStarted`.
  package func beginEmpty() throws(Failure) {
    try createContext()
  }

  /// Listens on a port of its own for one client.
  ///
  /// - Returns: The port, and what libwebsockets knows it by.
  /// - Throws: `Failure.notStarted`.
  package func addPort(for client: String) throws(Failure) -> (port: Int, host: OpaquePointer) {
    let name = strdup("client \(client)")
    clientNames.append(name)
    guard let host = vhost(addresses[0], 0, Option.disableIPv6, name: name) else {
      throw .notStarted("there is no free port of 127.0.0.1: \(Files.lastReason())")
    }
    return (Int(lws_get_vhost_listen_port(host)), host)
  }

  /// Has the callback called when there is something to read from a descriptor; the descriptor is
  /// closed at the end.
  package func watch(_ descriptor: Int32, with host: OpaquePointer?) {
    var file = lws_sock_file_fd_type()
    file.filefd = descriptor
    _ = lws_adopt_descriptor_vhost(host, LWS_ADOPT_RAW_FILE_DESC, file, name, nil)
  }

  /// Options of libwebsockets, which are macros that are not imported.
  private enum Option {
    /// LWS_SERVER_OPTION_DISABLE_IPV6
    static let disableIPv6: UInt64 = 1 << 5
    /// LWS_SERVER_OPTION_EXPLICIT_VHOSTS
    static let explicitVhosts: UInt64 = 1 << 13
    /// LWS_SERVER_OPTION_IPV6_V6ONLY_MODIFY and LWS_SERVER_OPTION_IPV6_V6ONLY_VALUE
    static let onlyIPv6: UInt64 = 1 << 16 | 1 << 17
    /// LWS_SERVER_OPTION_ADOPT_APPLY_LISTEN_ACCEPT_CONFIG. There is no such configuration, so
    /// connections begin as mere bytes.
    static let beginAsBytes: UInt64 = 1 << 22
    /// LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND
    static let failIfNotBound: UInt64 = 1 << 30
  }

  /// Listens on one address.
  private func vhost(
    _ address: UnsafeMutablePointer<CChar>?, _ port: Int32, _ options: UInt64,
    name: UnsafeMutablePointer<CChar>? = nil
  ) -> OpaquePointer? {
    var info = lws_context_creation_info()
    info.options = options | Option.beginAsBytes | Option.failIfNotBound
    info.iface = UnsafePointer(address)
    info.vhost_name = UnsafePointer(name ?? address)
    info.port = port
    info.protocols = UnsafePointer(protocols)
    info.user = user
    info.timeout_secs = Self.timeout
    info.keepalive_timeout = 60
    return lws_create_vhost(context, &info)
  }

  /// Lets libwebsockets handle what has happened, and wait for something until the next alarm.
  ///
  /// - Returns: Whether it works.
  @discardableResult
  package func serve() -> Bool { lws_service(context, 0) >= 0 }

  /// Closes everything.
  package func end() {
    if let context { lws_context_destroy(context) }
    context = nil
    protocols.deallocate()
    free(name)
    (addresses + clientNames).forEach { free($0) }
  }
}

/// How many files and sockets this process may have open.
package enum Descriptors {
  /// How many are kept for what is not a connection: recordings, and copies for a moment.
  package static let reserve = 32

  /// Lets the process have so many open, if that is allowed.
  ///
  /// - Returns: How many there may be now.
  package static func allow(_ count: Int) -> Int {
    let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(files, &limit) == 0 else { return 1024 }
    // libwebsockets has a table as long as this, so more than is of use costs memory.
    let wanted = min(rlim_t(count), limit.rlim_max)
    if wanted > limit.rlim_cur || limit.rlim_cur > 1 << 20 {
      var new = rlimit(rlim_cur: wanted, rlim_max: limit.rlim_max)
      if setrlimit(files, &new) == 0 { return Int(wanted) }
    }
    return Int(limit.rlim_cur)
  }
}

/// Does something again and again.
package final class RepeatingTimer {
  /// What libwebsockets keeps. It hands back a pointer to its first member.
  private struct Entry {
    var list: lws_sorted_usec_list_t
    let owner: Unmanaged<RepeatingTimer>
  }

  private var entry: UnsafeMutablePointer<Entry>?
  private let pause: () -> lws_usec_t
  private let action: () -> Void
  private var context: OpaquePointer?

  /// - Parameters:
  ///   - pause: How long it is until the next time, in microseconds.
  ///   - action: What is done.
  package init(pause: @escaping () -> Int64, action: @escaping () -> Void) {
    self.pause = pause
    self.action = action
  }

  package func start(in listening: Listening) {
    let entry = UnsafeMutablePointer<Entry>.allocate(capacity: 1)
    entry.initialize(
      to: Entry(list: lws_sorted_usec_list_t(), owner: Unmanaged.passUnretained(self)))
    self.entry = entry
    context = listening.context
    schedule()
  }

  /// Frees what libwebsockets had; its context must be gone, or go without serving again.
  package func end() {
    if let entry {
      lws_sul_cancel(
        UnsafeMutableRawPointer(entry).assumingMemoryBound(to: lws_sorted_usec_list_t.self))
      entry.deallocate()
    }
    entry = nil
  }

  private func schedule() {
    guard let entry else { return }
    let list = UnsafeMutableRawPointer(entry).assumingMemoryBound(to: lws_sorted_usec_list_t.self)
    lws_sul_schedule(
      context, 0, list,
      { list in
        guard let list else { return }
        let entry = UnsafeMutableRawPointer(list).assumingMemoryBound(to: Entry.self)
        let alarm = entry.pointee.owner.takeUnretainedValue()
        alarm.action()
        alarm.schedule()
      }, pause())
  }
}
