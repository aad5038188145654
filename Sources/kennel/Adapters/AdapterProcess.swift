import Adapters
import ClientInterface
import Glibc
import Wire

/// A running adapter: the conversation with it over pipes, against the clock on the wall.
///
/// It is the only place where the kit waits for an adapter, and it never waits longer than it was told.
final class AdapterProcess {
  /// The number of what it was asked last.
  var asked: Int { dialogue.id }
  /// How it introduced itself.
  private(set) var hello = AdapterHello(name: "", version: "", capabilities: [])
  /// What it was told last of a run.
  private(set) var run: AdapterRun?
  /// Whether it was told nothing else since.
  private(set) var isFresh = true
  /// What it wrote last on standard error.
  private(set) var log = LogTail()
  private let child: ChildProcess
  private let transcript: Transcript?
  private var dialogue = AdapterDialogue()
  private var chunk = [UInt8](repeating: 0, count: 1 << 16)

  /// Starts a command.
  ///
  /// - Throws: `Failure.notStarted` when there is no such program.
  init(
    _ command: [String], transcript: Transcript?, inspector: LineInspector?
  ) throws(Failure) {
    child = try ChildProcess(command.first ?? "", Array(command.dropFirst()))
    self.transcript = transcript
    dialogue.inspector = inspector
    // Whoever does not read must not keep this process from noticing it.
    if let input = child.input { _ = fcntl(input, F_SETFL, O_NONBLOCK) }
  }

  /// Asks and waits for the whole answer, at most so many milliseconds.
  ///
  /// - Throws: What is wrong with the answer; the process is then good for nothing more.
  func ask(
    _ request: AdapterRequest, within milliseconds: Int
  ) throws(AdapterFault) -> AdapterDialogue.Answer {
    let bytes = dialogue.ask(request)
    run = request.run ?? run
    isFresh = request.run != nil
    transcript?.note(">", bytes)
    var unsent = bytes[...]
    let deadline = Measurement.now + Int64(milliseconds) * 1_000_000
    while !dialogue.answer.isComplete {
      unsent = offer(unsent)
      let rest = (deadline - Measurement.now) / 1_000_000
      guard rest > 0 else {
        throw .silent(milliseconds: milliseconds, hasWritten: dialogue.answer.hasBegun)
      }
      // A process that has ended is not told by its pipes when something that it started holds them.
      let hasHeard = try listen(within: min(Int(rest), 50), forSpace: !unsent.isEmpty)
      let isAtEnd = child.streams[.output] == nil
      if isAtEnd || (!hasHeard && child.hasEnded) { throw dialogue.fault(atEnd: ending()) }
    }
    hello = dialogue.answer.hello ?? hello
    return dialogue.answer
  }

  /// How messages look in its run.
  var dialect: Dialect { run?.profile.dialect ?? .firebase }

  /// Looks whether it has written more than it was asked for.
  ///
  /// - Throws: `AdapterFault.afterIdle` if so.
  func checkSilence() throws(AdapterFault) {
    _ = try listen(within: 0, forSpace: false)
  }

  /// Says goodbye and waits for its end, a second at most; then as `stop`.
  func end() {
    let bytes = dialogue.ask(.bye)
    transcript?.note(">", bytes)
    _ = offer(bytes[...])
    child.closeInput()
    if !hasEnded(within: 1000) { _ = stop() } else { reap() }
  }

  /// Ends it and all that it started: asks it first, and kills it after a second.
  ///
  /// - Returns: Whether it ended when it was asked.
  func stop() -> Bool {
    child.kill(SIGTERM)
    let isObedient = hasEnded(within: 1000)
    reap()
    return isObedient
  }

  /// Leaves nothing behind: the group of processes still has its name as long as its first process
  /// was not waited for.
  private func reap() {
    child.kill(SIGKILL)
    _ = child.wait()
  }

  deinit { reap() }
}

extension AdapterProcess {
  /// Writes as much as there is space for; returns what is left.
  private func offer(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard !bytes.isEmpty, let input = child.input else { return [] }
    let count = bytes.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
    if count >= 0 { return bytes.dropFirst(count) }
    // A process that reads no more is found out when it does not answer.
    return errno == EAGAIN || errno == EINTR ? bytes : []
  }

  /// Reads what arrives within so many milliseconds.
  ///
  /// - Returns: Whether anything did.
  private func listen(within milliseconds: Int, forSpace: Bool) throws(AdapterFault) -> Bool {
    let descriptors = (child.streams[.output], child.streams[.error])
    var polled = [pollfd(fd: descriptors.0 ?? -1, events: Int16(POLLIN), revents: 0)]
    polled.append(pollfd(fd: descriptors.1 ?? -1, events: Int16(POLLIN), revents: 0))
    if forSpace { polled.append(pollfd(fd: child.input ?? -1, events: Int16(POLLOUT), revents: 0)) }
    guard poll(&polled, nfds_t(polled.count), Int32(milliseconds)) > 0 else { return false }
    if polled[1].revents != 0 { log.append(read(.error)) }
    if polled[0].revents != 0 {
      let bytes = read(.output)
      transcript?.note("<", bytes)
      try dialogue.receive(bytes)
    }
    return true
  }

  private func read(_ stream: ChildProcess.Stream) -> ArraySlice<UInt8> {
    guard let descriptor = child.streams[stream] else { return [] }
    let count = Glibc.read(descriptor, &chunk, chunk.count)
    if count > 0 { return chunk[..<count] }
    if count == 0 || errno != EINTR { child.close(stream) }
    return []
  }

  /// Whether it ends within so many milliseconds; what it writes meanwhile is its log at most.
  private func hasEnded(within milliseconds: Int) -> Bool {
    let deadline = Measurement.now + Int64(milliseconds) * 1_000_000
    while !child.hasEnded {
      if Measurement.now > deadline { return false }
      if child.isTalking {
        var polled = ChildProcess.Stream.allCases.map {
          pollfd(fd: child.streams[$0] ?? -1, events: Int16(POLLIN), revents: 0)
        }
        _ = poll(&polled, nfds_t(polled.count), 2)
        if polled[0].revents != 0 { _ = read(.output) }
        if polled[1].revents != 0 { log.append(read(.error)) }
      } else {
        usleep(1000)
      }
    }
    while let error = child.streams[.error], isReadable(error) { log.append(read(.error)) }
    return true
  }

  private func isReadable(_ descriptor: Int32) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, 0) > 0
  }

  /// How it ended; `nil` when it still runs after a moment.
  private func ending() -> String? {
    guard hasEnded(within: 500) else { return nil }
    reap()
    return child.ending?.description
  }
}
