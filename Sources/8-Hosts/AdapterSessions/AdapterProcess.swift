package import AdapterProtocol
import ClientInterface
import Glibc
import System
package import Tree
package import Wire

/// A running adapter: the conversation with it over pipes, against the clock on the wall.
///
/// It is the only location where the kit waits for an adapter, and it never waits longer than it
/// was asked to, but for the time that the machine had no processor for the adapter or the kit.
package final class AdapterProcess {
  /// The number of what it was asked last.
  package var asked: Int { dialogue.id }
  /// How it introduced itself.
  package private(set) var hello = AdapterHello(name: "", version: "", capabilities: [])
  /// What was last reported to it about a run.
  var run: AdapterRun?
  /// Whether it received nothing else since.
  var isFresh = true
  /// Its memory, from run to run.
  private(set) var memory = MemoryLog()
  /// The first and last lines that it wrote on standard error.
  package private(set) var log = LogExcerpt()
  let transport: any AdapterTransport
  let transcript: Transcript?
  var dialogue = AdapterDialogue()
  private var chunk = [UInt8](repeating: 0, count: 1 << 16)
  /// What was not written yet of what a client with a clock of its own is sent.
  var unsent: ArraySlice<UInt8> = []
  /// Whether it has closed its input.
  private(set) var ignoresInput = false

  /// How long an answer may take when there is time.
  package static let forever = Int.max

  init(_ transport: any AdapterTransport, transcript: Transcript?, inspector: LineInspector?) {
    self.transport = transport
    self.transcript = transcript
    dialogue.inspector = inspector
    // A process that does not read must not keep this process from noticing it.
    if let input = transport.input { _ = fcntl(input, F_SETFL, O_NONBLOCK) }
  }

  deinit { transport.destroy() }

  /// Asks and waits for the whole answer, at most so many milliseconds.
  ///
  /// - Parameters:
  ///   - request: What is asked.
  ///   - members: What is added to the line, which no adapter knows.
  ///   - milliseconds: How long the answer may take.
  /// - Returns: The whole answer.
  /// - Throws: What is wrong with the answer; the process is then good for nothing more.
  package func ask(
    _ request: AdapterRequest, adding members: [JSON.Member] = [], within milliseconds: Int
  ) throws(AdapterFault) -> AdapterDialogue.Answer {
    run = request.run ?? run
    isFresh = request.run != nil
    let answer = try exchange(dialogue.ask(request, adding: members), within: milliseconds)
    hello = answer.hello ?? hello
    return answer
  }

  /// Asks something that the protocol does not know.
  ///
  /// - Throws: As `ask`.
  package func ask(
    unknown members: [JSON.Member], within milliseconds: Int
  ) throws(AdapterFault) -> AdapterDialogue.Answer {
    isFresh = false
    return try exchange(dialogue.ask(unknown: members), within: milliseconds)
  }

  private func exchange(
    _ bytes: [UInt8], within milliseconds: Int
  ) throws(AdapterFault) -> AdapterDialogue.Answer {
    transcript?.append(">", bytes)
    var unsent = bytes[...]
    let start = Measurement.now
    var patience = Patience(milliseconds: milliseconds)
    while !dialogue.answer.isComplete {
      unsent = offer(unsent)
      let passed = Int((Measurement.now - start) / 1_000_000)
      // A user who wants an end does not wait for an adapter that hangs.
      let isUnwanted = passed > 200 && Interrupt.hasCome()
      guard patience.lasts(passed, waited: millisecondsWaited), !isUnwanted else {
        throw silence(after: milliseconds)
      }
      // The end of a process is not reported by its pipes when something that it started holds
      // them.
      let hasReceived = try listen(
        within: passed < milliseconds ? min(milliseconds - passed, 50) : 50,
        forSpace: !unsent.isEmpty)
      let isAtEnd = transport.streams[.output] == nil
      if isAtEnd || (!hasReceived && transport.hasEnded) { throw dialogue.fault(atEnd: ending()) }
      if ignoresInput, !hasReceived { throw .closedInput }
    }
    return dialogue.answer
  }

  /// How long it, or the kit, was ready to go on and had no processor.
  private func millisecondsWaited() -> Int {
    ProcessGroup.ownMillisecondsWaited + (transport.group?.millisecondsWaited ?? 0)
  }

  /// How messages look in its run.
  package var dialect: Dialect { run?.profile.dialect ?? .firebase }

  /// Looks whether it has written more than it was asked for.
  ///
  /// - Throws: `AdapterFault.afterIdle` if so.
  package func checkSilence() throws(AdapterFault) {
    _ = try listen(within: 0, forSpace: false)
  }

  /// Sends bye and waits for its end, a second at most; then as `stop`.
  ///
  /// - Returns: Whether it ended by itself.
  @discardableResult
  package func end() -> Bool {
    let bytes = dialogue.ask(.bye)
    transcript?.append(">", bytes)
    _ = offer(bytes[...])
    return endInput()
  }

  /// Ends its input, and waits as `end` does.
  ///
  /// - Returns: Whether it ended by itself.
  package func endInput() -> Bool {
    transport.closeInput()
    let isPolite = hasEnded(within: 1000)
    if isPolite { transport.destroy() } else { stop() }
    return isPolite
  }

  /// Notes that it has made a run, and is used for another one.
  func endRun() {
    if let group = transport.group { memory.endRun { group.memory } }
  }

  /// How it ended; `nil` when that is not known.
  package var endingText: String? { transport.endingText }

  /// Ends it and all that it started: asks it first, and kills it after a second.
  ///
  /// - Returns: Whether it ended when it was asked.
  @discardableResult
  package func stop() -> Bool {
    transport.terminate()
    let isConforming = hasEnded(within: 1000)
    transport.destroy()
    return isConforming
  }
}

extension AdapterProcess {
  /// Writes as much as there is space for; returns what is left.
  func offer(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard !bytes.isEmpty, let input = transport.input else { return [] }
    let count = bytes.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
    if count >= 0 { return bytes.dropFirst(count) }
    if errno == EAGAIN || errno == EINTR { return bytes }
    ignoresInput = true
    return []
  }

  /// Reads what arrives within so many milliseconds.
  ///
  /// - Returns: Whether anything did.
  func listen(within milliseconds: Int, forSpace: Bool) throws(AdapterFault) -> Bool {
    var polled = descriptors
    if forSpace {
      polled.append(pollfd(fd: transport.input ?? -1, events: Int16(POLLOUT), revents: 0))
    }
    guard poll(&polled, nfds_t(polled.count), Int32(milliseconds)) > 0 else { return false }
    if polled[1].revents != 0 { log.append(read(.error)) }
    if polled[0].revents != 0 {
      let bytes = read(.output)
      transcript?.append("<", bytes)
      try dialogue.receive(bytes)
    }
    return true
  }

  /// What it writes to: first its output, then its log.
  private var descriptors: [pollfd] {
    [ChildProcess.Stream.output, .error].map {
      pollfd(fd: transport.streams[$0] ?? -1, events: Int16(POLLIN), revents: 0)
    }
  }

  private func read(_ stream: ChildProcess.Stream) -> ArraySlice<UInt8> {
    guard let descriptor = transport.streams[stream] else { return [] }
    let count = Glibc.read(descriptor, &chunk, chunk.count)
    if count > 0 { return chunk[..<count] }
    if count == 0 || (errno != EINTR && errno != EAGAIN) { transport.close(stream) }
    return []
  }

  /// Whether it ends within so many milliseconds; what it writes meanwhile is its log at most.
  private func hasEnded(within milliseconds: Int) -> Bool {
    let deadline = Measurement.now + Int64(milliseconds) * 1_000_000
    while !transport.hasEnded {
      if Measurement.now > deadline { return false }
      drain(within: 2)
    }
    // What it wrote at last; whatever it started may write for ever.
    for _ in 0..<64 where drain(within: 0) {}
    return true
  }

  /// Reads what there is, without any meaning.
  @discardableResult
  private func drain(within milliseconds: Int32) -> Bool {
    var polled = descriptors
    guard poll(&polled, nfds_t(polled.count), milliseconds) > 0 else { return false }
    if polled[0].revents != 0 { _ = read(.output) }
    if polled[1].revents != 0 { log.append(read(.error)) }
    return true
  }

  /// How it ended; `nil` when it still runs after a moment.
  func ending() -> String? {
    guard hasEnded(within: 500) else { return nil }
    transport.destroy()
    return transport.endingText
  }
}

// The conversation with an adapter whose clients have a clock of their own: the kit does not wait
// for anybody.

extension AdapterProcess {
  /// Asks without waiting for the answer.
  package func post(_ request: AdapterRequest) {
    run = request.run ?? run
    isFresh = false
    post(dialogue.ask(request))
  }

  /// Asks something that costs nothing to answer: every adapter says that it does not know it.
  package func postProbe() {
    isFresh = false
    post(dialogue.ask(unknown: [.init("probe", .object([]))]))
  }

  private func post(_ bytes: [UInt8]) {
    transcript?.append(">", bytes)
    unsent = offer(unsent + bytes)
  }

  /// Whether everything that it was asked is answered.
  package var isIdle: Bool { unsent.isEmpty && dialogue.answer.isComplete }

  /// Reads what it has written, and writes what waits for it.
  ///
  /// - Returns: What its clients have done meanwhile.
  /// - Throws: What is wrong with it; the process is then good for nothing more.
  package func exchange() throws(AdapterFault) -> [AdapterDialogue.ReceivedOutput] {
    unsent = offer(unsent)
    while try listen(within: 0, forSpace: false) {}
    if transport.streams[.output] == nil || transport.hasEnded {
      throw dialogue.fault(atEnd: ending())
    }
    if ignoresInput { throw .closedInput }
    return dialogue.takeReceived()
  }

  /// What it means that it has not answered for so many milliseconds.
  package func silence(after milliseconds: Int) -> AdapterFault {
    .silent(
      milliseconds: milliseconds, hasWritten: dialogue.answer.hasBegun,
      unfinishedLine: dialogue.unfinishedLine)
  }

  /// The descriptors that it writes to.
  package var outputs: [Int32] { ChildProcess.Stream.allCases.compactMap { transport.streams[$0] } }
}

/// The first and the last lines of what a process wrote: a stack trace has its cause at either end.
package struct LogExcerpt {
  /// How much is kept of the whole, in bytes.
  static let limit = 1 << 20
  static let linesAtEachEnd = 16
  static let width = 200

  private var first: [String] = []
  private var last: [String] = []
  private var count = 0
  private var current: [UInt8] = []
  private var whole: [UInt8] = []

  package init() {}

  package mutating func append(_ bytes: ArraySlice<UInt8>) {
    whole += bytes.prefix(Self.limit - whole.count)
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        finish()
      } else if byte == UInt8(ascii: "\t") {
        current += Array(repeating: UInt8(ascii: " "), count: 4)
      } else if current.count < Self.width {
        current.append(byte)
      }
    }
  }

  /// The lines, also one that has not ended; where some are left out, a line with their number.
  package var text: [String] {
    var all = self
    if !current.isEmpty { all.finish() }
    let end = all.last.suffix(Self.linesAtEachEnd)
    let omitted = all.count - all.first.count - end.count
    return all.first + (omitted > 0 ? ["... \(omitted) lines left out ..."] : []) + end
  }

  /// Writes the whole into a file where some lines are left out of the text; its name follows from what
  /// it has.
  ///
  /// - Returns: The file; nil where there is none: the directory may belong to another user.
  package func save() -> String? {
    let end = min(last.count, Self.linesAtEachEnd)
    guard count > first.count + end else { return nil }
    let text = String(decoding: whole, as: UTF8.self)
    let file = ".kennel/stderr-\(String(Fingerprint(of: text).bits, radix: 16)).log"
    do throws(Failure) {
      try Files.makeDirectory(of: file)
      try Files.write(text, to: file)
      return file
    } catch { return nil }
  }

  private mutating func finish() {
    let line = String(decoding: current, as: UTF8.self)
    current.removeAll(keepingCapacity: true)
    count += 1
    if first.count < Self.linesAtEachEnd { return first.append(line) }
    last.append(line)
    if last.count > 2 * Self.linesAtEachEnd { last.removeFirst(Self.linesAtEachEnd) }
  }
}

/// How long an answer may take: by the clock on the wall, without the time for which the machine had
/// no processor.
package struct Patience {
  /// How much time an answer has.
  let milliseconds: Int
  /// How long had been waited for a processor when the answer was no longer a quick one.
  private var before: Int?

  package init(milliseconds: Int) { self.milliseconds = milliseconds }

  /// How many times as long it lasts by the clock on the wall, on a machine that is never free.
  static let most = 10
  /// Most answers come at once; what they wait for is not asked.
  private static let quick = 50

  /// Whether it lasts on.
  ///
  /// - Parameters:
  ///   - passed: How many milliseconds it has lasted by the clock on the wall.
  ///   - waited: How many were spent on waiting for a processor, from some beginning on.
  /// - Returns: Whether to wait on.
  package mutating func lasts(_ passed: Int, waited: () -> Int) -> Bool {
    if passed < min(milliseconds, Self.quick) { return true }
    let start = before ?? waited()
    before = start
    if passed < milliseconds { return true }
    return passed / Self.most < milliseconds && passed - (waited() - start) < milliseconds
  }
}

/// What an adapter looks like from here: descriptors, and an end.
protocol AdapterTransport: AnyObject {
  /// Where its input is written to; nil once it is closed.
  var input: Int32? { get }
  /// Where its output and its log are read from, as long as they are open.
  var streams: [ChildProcess.Stream: Int32] { get }
  /// Whether it has ended.
  var hasEnded: Bool { get }
  /// Its processes; nil where the kit has not started them.
  var group: ProcessGroup? { get }
  /// How it ended, in words; nil for one of which nothing is known.
  var endingText: String? { get }

  func closeInput()
  func close(_ stream: ChildProcess.Stream)
  /// Asks it to end.
  func terminate()
  /// Ends it, and all that it has started, and waits for that.
  func destroy()
}

extension ChildProcess: AdapterTransport {
  var group: ProcessGroup? { ProcessGroup(leader: id) }

  var endingText: String? { ending?.description }

  func terminate() { kill(SIGTERM) }

  /// The group still has its name as long as its first process was not waited for.
  func destroy() {
    kill(SIGKILL)
    _ = wait()
    Descendants.endOrphans()
  }
}

/// A file with every line that was exchanged with an adapter: `> ` before what the kit wrote, `< `
/// before what came back.
package final class Transcript {
  private let descriptor: Int32
  private let path: String
  private var isAtStart = true

  /// - Throws: `Failure.output` when the file cannot be made.
  init(_ path: String) throws(Failure) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .output(path: path, reason: Files.lastReason()) }
  }

  deinit { close(descriptor) }

  /// Adds bytes of one direction, which need not be whole lines.
  func append(_ direction: String, _ bytes: some Collection<UInt8>) {
    var text: [UInt8] = []
    let mark = Array((direction + " ").utf8)
    for byte in bytes {
      if isAtStart { text += mark }
      text.append(byte)
      isAtStart = byte == UInt8(ascii: "\n")
    }
    // A full disk is no reason to judge a client differently.
    try? Files.write(text[...], to: descriptor) { .output(path: path, reason: $0) }
  }
}
