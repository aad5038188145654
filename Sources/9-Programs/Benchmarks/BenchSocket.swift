import Glibc
import ServerHost
import System

/// A WebSocket to a live server, as bare as possible, so that what is measured is the server.
///
/// Frames are not looked at; those that the server sends are counted.
final class BenchSocket {
  let descriptor: Int32
  private var waiting: [UInt8] = []
  private var written = 0
  /// How much of the frame that is arriving is still to come.
  private var left = 0
  /// The beginning of a frame whose length is not known.
  private var start: [UInt8] = []
  private var isOpen = false
  /// The head of the answer to the handshake, as far as it has arrived.
  private var head: [UInt8] = []
  /// How many frames have arrived whole.
  private(set) var frames = 0
  private(set) var isBroken = false

  /// A request for a WebSocket.
  static let handshake =
    "GET /.ws?v=5&ns=bench HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
    + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    + "Sec-WebSocket-Key: a2VubmVsIGJlbmNoIGtleQ==\r\n\r\n"

  /// Connects to a port of this machine and asks for something, a WebSocket unless stated; `nil` when
  /// that fails.
  init?(port: UInt16, asking request: String = handshake) {
    guard let descriptor = LoopbackSocket.connected(to: port) else { return nil }
    self.descriptor = descriptor
    guard fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else { return nil }
    var one: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    send(Array(request.utf8))
  }

  deinit { close(descriptor) }

  /// The bytes of a text frame; a mask of zeros is a mask.
  static func frame(_ text: String) -> [UInt8] {
    let body = Array(text.utf8)
    let low = UInt8(truncatingIfNeeded: body.count)
    let high = UInt8(truncatingIfNeeded: body.count >> 8)
    let length: [UInt8] = body.count < 126 ? [128 | low] : [128 | 126, high, low]
    return [0x81] + length + [0, 0, 0, 0] + body
  }

  /// A write of a number.
  static func put(_ number: Int) -> [UInt8] {
    frame(
      "{\"t\":\"d\",\"d\":{\"r\":\(number),\"a\":\"p\",\"b\":{\"p\":\"/bench/\(number % 100)\","
        + "\"d\":\(number)}}}")
  }

  /// Sends as much as the system takes, and keeps the rest until it takes more.
  func send(_ bytes: [UInt8]) {
    waiting += bytes
    flush()
  }

  var hasMore: Bool { written < waiting.count }

  private func flush() {
    while hasMore {
      let count = waiting[written...].withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress, min($0.count, 1 << 16))
      }
      guard count > 0 else {
        if errno != EAGAIN, errno != EINTR { isBroken = true }
        return
      }
      written += count
    }
    (waiting, written) = ([], 0)
  }

  /// Takes what has arrived, and sends what waits.
  func serve(_ buffer: inout [UInt8]) {
    if hasMore { flush() }
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    guard count > 0 else {
      if count == 0 || errno != EAGAIN && errno != EINTR { isBroken = true }
      return
    }
    var position = 0
    if !isOpen { position = open(buffer[..<count]) }
    while position < count { position = take(buffer, position, count) }
  }

  /// Skips the answer to the handshake.
  private func open(_ bytes: ArraySlice<UInt8>) -> Int {
    for (index, byte) in bytes.enumerated() {
      head.append(byte)
      if head.suffix(4).elementsEqual([13, 10, 13, 10]) {
        isOpen = true
        return index + 1
      }
    }
    return bytes.count
  }

  /// Goes on in a frame, and returns where it has come to.
  private func take(_ bytes: [UInt8], _ position: Int, _ end: Int) -> Int {
    if left > 0 {
      let step = min(left, end - position)
      left -= step
      if left == 0 { frames += 1 }
      return position + step
    }
    start.append(bytes[position])
    let code = start.count > 1 ? Int(start[1] & 127) : 0
    let size = code == 126 ? 4 : code == 127 ? 10 : 2
    if start.count == size {
      left = code < 126 ? code : start[2...].reduce(0) { $0 << 8 | Int($1) }
      start = []
      if left == 0 { frames += 1 }
    }
    return position + 1
  }
}

extension BenchSocket {
  /// Serves connections until something holds, as it should within some seconds.
  ///
  /// - Parameters:
  ///   - sockets: The connections.
  ///   - seconds: When to give up.
  ///   - pause: How many milliseconds to wait for something to happen; what `condition` does may
  ///     want to be done earlier.
  ///   - condition: Is asked each time something may have happened.
  /// - Returns: Whether it came to hold.
  static func serve(
    _ sockets: [BenchSocket], within seconds: Int64 = 60, pause: Int32 = 100,
    until condition: () -> Bool
  ) -> Bool {
    let end = Measurement.now + seconds * 1_000_000_000
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var polled = sockets.map { pollfd(fd: $0.descriptor, events: 0, revents: 0) }
    while !condition() {
      if Measurement.now > end { return false }
      for (index, socket) in sockets.enumerated() {
        polled[index].events = Int16(socket.hasMore ? POLLIN | POLLOUT : POLLIN)
      }
      guard poll(&polled, nfds_t(polled.count), pause) > 0 else { continue }
      for (index, socket) in sockets.enumerated() where polled[index].revents != 0 {
        socket.serve(&buffer)
        if socket.isBroken { return false }
      }
    }
    return true
  }
}

/// A live server in a process of its own, for measuring it.
final class ServedProcess {
  private let process: ChildProcess
  private let folder: BenchFolder?
  let port: UInt16

  /// Starts one; `nil` when it does not start within ten seconds.
  ///
  /// - Parameter isRecording: Whether it writes a recording of each client.
  init?(isRecording: Bool) {
    _ = Descriptors.allow(4096)
    folder = isRecording ? BenchFolder() : nil
    let recording = folder.map { ["--record", $0.path] } ?? []
    guard
      let process = try? ChildProcess(
        ChildProcess.thisProgram, ["serve", "--port", "0"] + recording)
    else { return nil }
    self.process = process
    var written: [UInt8] = []
    while !written.contains(UInt8(ascii: "\n")) {
      let arrived = ProcessOutput.next(from: [process], within: 10_000)
      if arrived.isEmpty || arrived.contains(where: { $0.bytes.isEmpty }) { break }
      written += arrived.filter { $0.stream == .output }.flatMap(\.bytes)
    }
    let digits = String(decoding: written, as: UTF8.self).split(separator: ":").last ?? ""
    port = UInt16(digits.filter(\.isNumber)) ?? 0
    if port == 0 { return nil }
  }

  deinit {
    process.kill()
    _ = process.wait()
    folder?.remove()
  }

  /// How much memory it holds now, in bytes.
  var memory: Int { Measurement.memory(of: "\(process.id)") }

  /// Asks it to end, and waits until it has; nanoseconds, `nil` when it does not end well.
  func stop() -> Int64? {
    let begin = Measurement.now
    process.kill(SIGTERM)
    let ending = process.wait()
    return ending == .exited(0) ? Measurement.now - begin : nil
  }

  /// A connection that has had its hello.
  func connect() -> BenchSocket? {
    guard let socket = BenchSocket(port: port),
      BenchSocket.serve([socket], until: { socket.frames > 0 })
    else { return nil }
    return socket
  }

  /// Many connections with a listen each; and how long it took until all had their hello, in
  /// nanoseconds.
  func crowd(of count: Int) -> (sockets: [BenchSocket], time: Int64)? {
    let begin = Measurement.now
    let sockets = (0..<count).compactMap { _ in BenchSocket(port: port) }
    guard sockets.count == count, Self.wait(for: 1, on: sockets) else { return nil }
    let time = Measurement.now - begin
    let listen = BenchSocket.frame(
      "{\"t\":\"d\",\"d\":{\"r\":1,\"a\":\"q\",\"b\":{\"p\":\"/bench/7\",\"h\":\"\"}}}")
    for socket in sockets { socket.send(listen) }
    return Self.wait(for: 2, on: sockets) ? (sockets, time) : nil
  }

  /// Waits until each of some connections has had so many frames.
  static func wait(for count: Int, on sockets: [BenchSocket]) -> Bool {
    // Those that have are looked at no more.
    var rest = sockets[...]
    return BenchSocket.serve(sockets) {
      while let first = rest.first, first.frames >= count { rest.removeFirst() }
      return rest.isEmpty
    }
  }
}

/// A folder for files that are not kept.
struct BenchFolder {
  let path: String

  /// Makes one; `nil` when that fails.
  init?() {
    var template = Array("/tmp/kennel-bench-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Removes it with what it contains.
  func remove() {
    for name in (try? Files.entries(of: path)) ?? [] { unlink(Files.join(path, name)) }
    rmdir(path)
  }
}
