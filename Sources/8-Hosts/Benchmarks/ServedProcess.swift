import Glibc
import Processes
import ServerHost
import System

/// A live server in a process of its own, for measuring it.
final class ServedProcess {
  private let process: ChildProcess
  private let folder: String?
  let port: UInt16

  /// Starts one; `nil` when it does not start within ten seconds.
  ///
  /// - Parameter isRecording: Whether it writes a recording of each client.
  init?(isRecording: Bool) {
    _ = Descriptors.allow(4096)
    var arguments = ["serve", "--port", "0"]
    var template = Array("/tmp/kennel-bench-XXXXXX".utf8CString)
    if isRecording, mkdtemp(&template) != nil {
      let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      arguments += ["--record", path]
      folder = path
    } else {
      folder = nil
    }
    guard let process = try? ChildProcess(ChildProcess.thisProgram, arguments) else { return nil }
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
    guard let folder else { return }
    for name in (try? Files.entries(of: folder)) ?? [] { unlink(Files.join(folder, name)) }
    rmdir(folder)
  }

  /// How much memory it holds now, in bytes.
  var memory: Int { Self.memory(of: "\(process.id)") }

  /// The same of any process, by its number or as `self`.
  static func memory(of process: String) -> Int {
    guard let status = try? Files.text(of: "/proc/\(process)/status") else { return 0 }
    for line in status.split(separator: "\n") where line.hasPrefix("VmRSS:") {
      return (Int(line.filter(\.isNumber)) ?? 0) * 1024
    }
    return 0
  }

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
