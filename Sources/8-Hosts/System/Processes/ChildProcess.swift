package import Glibc

/// A process that this one started, with pipes to its standard streams.
///
/// It leads a process group of its own, so that it and whatever it starts can be ended together. It
/// is meant to end by itself when its input ends: that also happens when this process is killed.
package final class ChildProcess {
  /// What it writes to.
  package enum Stream: Hashable, CaseIterable {
    case output, error
  }

  /// How it ended.
  package enum Ending: Hashable {
    case exited(Int32)
    /// By this signal.
    case killed(Int32)
  }

  package let id: pid_t
  /// How it ended; `nil` as long as that is not known.
  package private(set) var ending: Ending?
  package private(set) var input: Int32?
  package private(set) var streams: [Stream: Int32]

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: The path of its file, or a name that is looked for where the system looks for
  ///     programs; `ChildProcess.thisProgram` for another one of this.
  ///   - arguments: What follows the name of the program.
  ///   - environment: Variables that it gets besides those of this process, or in place of them.
  ///   - outputDescriptor: The descriptor that leads to the stream `output`. Where that is not standard
  ///     output, standard output leads to `error`.
  /// - Throws: `Failure.notStarted` when it does not start.
  package init(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
    outputDescriptor: Int32 = STDOUT_FILENO
  ) throws(Failure) {
    // Writing to a process that has ended must be an error here, not the end of this process too.
    signal(SIGPIPE, SIG_IGN)
    let pipes = try Pipes(outputDescriptor: outputDescriptor)
    defer { pipes.closeTheirs() }
    id = try spawn(program, arguments, Self.environment(of: program, with: environment), pipes) {
      pipes.closeOurs()
    }
    Descendants.add(id)
    input = pipes.input.ours
    streams = [.output: pipes.output.ours, .error: pipes.error.ours]
  }

  deinit {
    for descriptor in [input, streams[.output], streams[.error]] {
      if let descriptor { Glibc.close(descriptor) }
    }
  }

  /// Leads to the program of this process even when its file was replaced meanwhile.
  package static let thisProgram = "/proc/self/exe"

  /// The variables of this process.
  static var variables: [String: String] {
    var variables: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
      let text = String(cString: entry)
      let name = String(text.prefix { $0 != "=" })
      variables[name] = String(text.dropFirst(name.count + 1))
      next += 1
    }
    return variables
  }

  /// `NAME=VALUE` for each variable, in the order of names.
  private static func environment(
    of program: String, with changes: [String: String]
  ) -> [String] {
    var variables = variables.merging(changes) { $1 }
    // Another process of this program has everything on its command line.
    if program == thisProgram {
      // A command line may name clients of the project file, and nothing else of it counts.
      let project = variables["KENNEL_PROJECT"] ?? ""
      variables["KENNEL_CLIENTS"] = variables["KENNEL_CLIENTS"] ?? project
      variables["KENNEL_PROJECT"] = "none"
    }
    return variables.keys.sorted().map { "\($0)=\(variables[$0] ?? "")" }
  }
}

extension ChildProcess {
  /// Writes to its standard input, and waits until everything is on its way.
  ///
  /// - Returns: Whether it still reads.
  package func write(_ text: String) -> Bool {
    guard let input else { return false }
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
      if count >= 0 {
        bytes = bytes.dropFirst(count)
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }

  /// Ends its standard input.
  package func closeInput() {
    if let input { Glibc.close(input) }
    input = nil
  }

  /// Has come to the end of a stream.
  package func close(_ stream: Stream) {
    if let descriptor = streams[stream] { Glibc.close(descriptor) }
    streams[stream] = nil
  }

  /// Whether it has ended, without forgetting it: its group can still be sent a signal.
  package var hasEnded: Bool {
    if ending != nil { return true }
    var information = siginfo_t()
    let options = WEXITED | WNOHANG | WNOWAIT
    return waitid(P_PID, id_t(id), &information, options) == 0 && information.si_signo == SIGCHLD
  }

  /// Sends a signal to it and to all that it started.
  package func kill(_ signal: Int32 = SIGKILL) {
    if ending == nil { Glibc.kill(-id, signal) }
  }

  /// Waits for its end.
  package func wait() -> Ending {
    while ending == nil {
      var status: Int32 = 0
      if waitpid(id, &status, 0) == id {
        ending = Ending(status: status)
      } else if errno != EINTR {
        ending = .exited(-1)
      }
      if ending != nil { Descendants.remove(id) }
    }
    return ending ?? .exited(-1)
  }

  /// Reads what there is on a stream; nothing when the stream has ended.
  fileprivate func read(_ stream: Stream) -> [UInt8] {
    guard let descriptor = streams[stream] else { return [] }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count > 0 { return Array(chunk[..<count]) }
      if count < 0 && errno == EINTR { continue }
      close(stream)
      return []
    }
  }

  /// The descriptor of a stream that has not ended.
  fileprivate func descriptor(of stream: Stream) -> Int32? { streams[stream] }

  /// Whether neither stream has ended.
  package var hasOpenStreams: Bool { !streams.isEmpty }
}

/// What has arrived from one of several processes.
package struct ProcessOutput {
  /// The position of the process among those that were waited for.
  package var process: Int
  package var stream: ChildProcess.Stream
  /// Empty at the end of the stream.
  package var bytes: [UInt8]

  /// Waits until something arrives from one of the processes, or one of their streams ends; at most
  /// so many milliseconds, for any time when it is `nil`.
  ///
  /// Nothing has arrived after that time, and when all streams have ended.
  package static func next(
    from processes: [ChildProcess], within milliseconds: Int?
  ) -> [ProcessOutput] {
    var sources: [(process: Int, stream: ChildProcess.Stream)] = []
    var polled: [pollfd] = []
    for (index, process) in processes.enumerated() {
      for stream in ChildProcess.Stream.allCases {
        guard let descriptor = process.descriptor(of: stream) else { continue }
        sources.append((index, stream))
        polled.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
      }
    }
    guard !polled.isEmpty else { return [] }
    let timeout = milliseconds.map { Int32(clamping: $0) } ?? -1
    guard poll(&polled, nfds_t(polled.count), timeout) > 0 else { return [] }
    return zip(sources, polled).filter { $1.revents != 0 }.map { source, _ in
      ProcessOutput(
        process: source.process, stream: source.stream,
        bytes: processes[source.process].read(source.stream))
    }
  }
}

extension ChildProcess.Ending {
  /// Reads the status that the system reports.
  package init(status: Int32) {
    let signal = status & 0x7f
    self = signal == 0 ? .exited(status >> 8 & 0xff) : .killed(signal)
  }
}

extension ChildProcess.Ending: CustomStringConvertible {
  /// `exit code 3`, `signal 11 (Segmentation fault)`.
  package var description: String {
    switch self {
    case let .exited(code): "exit code \(code)"
    case let .killed(signal): "signal \(signal) (\(String(cString: strsignal(signal))))"
    }
  }
}
