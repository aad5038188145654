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
  private static let patience: UInt32 = 10

  private(set) var context: OpaquePointer?
  /// Where requests for control come from.
  private(set) var control: OpaquePointer?
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

  /// Listens on the loopback addresses.
  ///
  /// - Returns: The port.
  /// - Throws: `Failure.notStarted`.
  func begin(port: Int) throws(Failure) -> Int {
    try createContext()
    guard let first = vhost(addresses[0], Int32(port), UInt64(1 << 5)) else {
      throw .notStarted("port \(port) of 127.0.0.1 is not free: \(Files.lastReason())")
    }
    let chosen = lws_get_vhost_listen_port(first)
    // A machine without IPv6 has no ::1.
    _ = vhost(addresses[1], chosen, UInt64(1 << 16 | 1 << 18))
    return Int(chosen)
  }

  private func createContext() throws(Failure) {
    lws_set_log_level(0, nil)
    var info = lws_context_creation_info()
    info.options = UInt64(1 << 13)  // LWS_SERVER_OPTION_EXPLICIT_VHOSTS, which is not imported.
    info.user = user
    info.port = -1
    info.timeout_secs = Self.patience
    // All that it reads itself are the heads that it is given for WebSockets.
    info.max_http_header_data2 = 1 << 10
    info.pt_serv_buf_size = 1 << 16
    context = lws_create_context(&info)
    guard context != nil else { throw .notStarted("libwebsockets does not start") }
  }

  /// Listens for requests for control too.
  ///
  /// - Returns: The port.
  /// - Throws: `Failure.notStarted`.
  func beginControl(port: Int) throws(Failure) -> Int {
    control = vhost(addresses[2], Int32(port), UInt64(1 << 5))
    guard let control else {
      throw .notStarted("port \(port) of 127.0.0.1 is not free: \(Files.lastReason())")
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
    guard let host = vhost(addresses[0], 0, UInt64(1 << 5), name: name) else {
      throw .notStarted("there is no free port of 127.0.0.1: \(Files.lastReason())")
    }
    return (Int(lws_get_vhost_listen_port(host)), host)
  }

  /// Has the callback told when there is something to read from a descriptor; the descriptor is
  /// closed at the end.
  package func watch(_ descriptor: Int32, with host: OpaquePointer?) {
    var file = lws_sock_file_fd_type()
    file.filefd = descriptor
    _ = lws_adopt_descriptor_vhost(host, LWS_ADOPT_RAW_FILE_DESC, file, name, nil)
  }

  /// Listens on one address. Of the options, bit 5 is LWS_SERVER_OPTION_DISABLE_IPV6, and bits 16 and
  /// 18 say that only IPv6 is meant.
  private func vhost(
    _ address: UnsafeMutablePointer<CChar>?, _ port: Int32, _ options: UInt64,
    name: UnsafeMutablePointer<CChar>? = nil
  ) -> OpaquePointer? {
    var info = lws_context_creation_info()
    // Bit 8: LWS_SERVER_OPTION_VALIDATE_UTF8; bit 22: ADOPT_APPLY_LISTEN_ACCEPT_CONFIG, without
    // such a configuration: connections begin as mere bytes; bit 30: FAIL_UPON_UNABLE_TO_BIND.
    info.options = options | 1 << 8 | 1 << 22 | 1 << 30
    info.iface = UnsafePointer(address)
    info.vhost_name = UnsafePointer(name ?? address)
    info.port = port
    info.protocols = UnsafePointer(protocols)
    info.user = user
    info.timeout_secs = Self.patience
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

/// Does something again and again.
package final class Alarm {
  /// What libwebsockets keeps. It hands back a pointer to its first member.
  private struct Entry {
    var list: lws_sorted_usec_list_t
    let owner: Unmanaged<Alarm>
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
