package import AdapterProtocol
package import ClientInterface
package import Conformance
import Document
package import System
import Tree

/// An implementation behind an adapter, over all the processes that it takes.
///
/// Each run has a process of its own as long as it lasts. A process that can be reset is used for
/// another run afterwards; any other one is ended. What goes wrong in a process ends it and that
/// run.
package final class AdapterSession {
  /// After so many failures in a row nothing more is run; all those on one occasion count as one.
  package static let limit = 3

  /// How it introduced itself.
  package private(set) var hello = AdapterHello(name: "", version: "", capabilities: [])
  /// Whether it is given up after some failures. A search for what leads to one needs many.
  package var givesUp = true
  package let options: AdapterOptions
  private let transcript: Transcript?
  /// Processes that no run uses.
  private var waiting: [AdapterProcess] = []
  private var consecutiveErrors = 0
  /// What is being run, where several runs are likely to end in the same way: a scenario in one
  /// profile after another. Without it each run counts.
  package var situation: String?
  private var lastFailureTime: String?
  /// How the memory of one of its processes has grown most; nil where none has much.
  package private(set) var memoryGrowth: MemoryGrowth?
  /// How often one of its processes was asked something.
  package private(set) var roundTrips = 0
  /// How long its processes had a processor until they had introduced themselves, in nanoseconds.
  package private(set) var startTime: Int64 = 0
  /// Whether it was said that it does not end by itself.
  private var hasComplained = false

  /// Starts a first process, to learn what the implementation can do.
  ///
  /// - Throws: `Failure.notStarted` when it cannot be talked to.
  package init(_ options: AdapterOptions) throws(Failure) {
    self.options = options
    transcript = try options.transcript.map { path throws(Failure) in try Transcript(path) }
    if options.staysOnOneProcessor { Processors.stayOnOne() }
    do throws(AdapterError) {
      let process = try start(AdapterRun(.firebase, seed: 0))
      hello = process.hello
      waiting.append(process)
    } catch {
      throw .notStarted(error.text)
    }
  }

  deinit { endWaiting() }

  /// Ends the processes that no run uses, so that the next run has a fresh one.
  package func endWaiting() {
    for process in waiting { end(process) }
    waiting = []
  }

  /// How long the processes that no run uses have had a processor, in nanoseconds.
  package var processorTime: Int64 {
    waiting.reduce(0) { $0 + ($1.transport.group?.processorTime ?? 0) }
  }

  /// Whether it has failed so often that there is no point in going on.
  package var hasGivenUp: Bool { givesUp && consecutiveErrors >= Self.limit }

  /// The clients of a run.
  package func clientFactory(_ profile: Profile, _ seed: UInt64) -> ClientFactory {
    let run = RemoteRun(AdapterRun(profile, seed: seed), in: self)
    return ClientFactory(makeClient: { run.makeClient($0) }, outage: { run.outage })
  }
}

extension AdapterSession {
  /// A process that is ready for a run.
  package func process(for run: AdapterRun) throws(AdapterError) -> AdapterProcess {
    guard let process = waiting.popLast() else { return try start(run) }
    if process.isFresh, process.run == run { return process }
    guard hello.canReset else {
      end(process)
      return try start(run)
    }
    _ = try answer(to: .reset(run), from: process)
    return process
  }

  /// Hands an input to a process.
  ///
  /// - Throws: What went wrong; the process has then ended.
  package func answer(
    to request: AdapterRequest, from process: AdapterProcess, within milliseconds: Int? = nil
  ) throws(AdapterError) -> AdapterDialogue.Answer {
    roundTrips += 1
    if options.isChecked {
      let line = request.json(id: process.asked + 1, in: process.dialect)
      if let unsupportedReason = AdapterSchema.request.mismatch(to: line) {
        throw AdapterError(
          verdict: .kitError, reason: "the kit's own line is wrong: \(unsupportedReason)")
      }
    }
    do throws(AdapterFault) {
      return try process.ask(request, within: milliseconds ?? options.timeout)
    } catch {
      throw AdapterError(error, in: process, asked: request, options.command)
    }
  }

  package func takeBack(_ process: AdapterProcess) {
    forgetErrors()
    guard hello.canReset else { return end(process) }
    process.endRun()
    memoryGrowth = .larger(memoryGrowth, process.memory.growth)
    waiting.append(process)
  }

  private func forgetErrors() {
    consecutiveErrors = 0
    lastFailureTime = nil
  }

  /// Counts the bad end of a process, but for one that only could not do what it was asked: it lives.
  package func count(_ error: AdapterError) {
    if error.isLack { return forgetErrors() }
    if let situation, situation == lastFailureTime { return }
    lastFailureTime = situation
    consecutiveErrors += 1
  }

  /// Sends bye to a process, and once that it did not listen, since each such end takes time.
  fileprivate func end(_ process: AdapterProcess) {
    if process.end() || hasComplained { return }
    hasComplained = true
    options.warn(
      "the adapter still ran a second after bye and the end of its input, and was ended by a signal; "
        + "each such end costs a second")
  }

  private func start(_ run: AdapterRun) throws(AdapterError) -> AdapterProcess {
    let process: AdapterProcess
    do throws(Failure) {
      process = try options.makeProcess(transcript)
    } catch {
      throw AdapterError(verdict: .crash, reason: error.description)
    }
    _ = try answer(to: .hello(run), from: process, within: options.initialTimeout)
    startTime += process.transport.group.map { ProcessGroup.processorTime(of: $0.leader) } ?? 0
    return process
  }
}

/// Something that went wrong with an adapter, and what is known of it.
package struct AdapterError: Error {
  package var verdict: Verdict
  package var reason: String
  package var context: [String] = []
  /// Whether the adapter only could not do what it was asked.
  package private(set) var isLack = false
  /// How many characters of a request are quoted; a transcript has the whole.
  private static let quoted = 400

  package init(verdict: Verdict, reason: String) {
    self.verdict = verdict
    self.reason = reason
  }

  /// Ends the process with which something is wrong.
  ///
  /// - Parameters:
  ///   - fault: What is wrong.
  ///   - process: With which.
  ///   - asked: What it was asked last.
  ///   - command: How it was started, where that may be what is wrong.
  package init(
    _ fault: AdapterFault, in process: AdapterProcess, asked: AdapterRequest?,
    _ command: [String] = []
  ) {
    verdict = fault.kind.verdict
    isLack = fault.isLack
    let isNew = asked?.run != nil && process.hello.name.isEmpty && !command.isEmpty
    let isConforming = process.stop()
    let log = process.log.text
    let lack = Interpreter.lack(in: command)
    let part = lack == nil ? Interpreter.missingPart(in: log) : nil
    let start =
      isNew
      ? fault.atStart(
        of: command.map(shellWord).joined(separator: " "),
        lack: lack ?? part?.lack, remedy: part?.expected)
      : nil
    reason = start ?? fault.description
    if let asked, start == nil {
      let line = asked.json(id: process.asked, in: process.dialect).text
      context.append("asked: " + Truncation.countedMiddle(of: line, retention: Self.quoted))
    }
    if !isConforming {
      context.append("it did not end on SIGTERM within 1 s, and was killed")
    }
    if log.isEmpty { return }
    context += ["on standard error it wrote:"] + log.map { "  " + $0 }
    if let file = process.log.save() { context.append("all of that is in \(file)") }
  }

  package var text: String { ([reason] + context.map { "  " + $0 }).joined(separator: "\n") }
}

extension AdapterFault.Kind {
  package var verdict: Verdict {
    switch self {
    case .crash: .crash
    case .hang: .hang
    case .brokenProtocol: .brokenProtocol
    }
  }
}
