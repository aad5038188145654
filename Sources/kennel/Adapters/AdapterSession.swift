import Adapters
import ClientInterface
import Conformance
import Tree

/// An implementation behind an adapter, over all the processes that it takes.
///
/// Each run has a process of its own, unless the adapter says that it can be reset. What goes wrong in
/// one ends that process and that run; the next run begins in a fresh one.
final class AdapterSession {
  /// After so many bad ends in a row nothing more is run.
  static let limit = 3

  /// How it introduced itself last.
  private(set) var hello = AdapterHello(name: "", version: "", capabilities: [])
  private let options: AdapterOptions
  private let transcript: Transcript?
  private let inspector: LineInspector?
  private var process: AdapterProcess?
  private var run: AdapterRun?
  /// Whether the process was told anything since it was fresh.
  private var isUsed = false
  /// The names of clients that are open in the process.
  private var open: Set<String> = []
  private var mishap: Mishap?
  private var mishapsInARow = 0
  /// How many inputs were answered.
  private(set) var roundTrips = 0

  /// What went wrong in a run.
  private struct Mishap {
    var fault: AdapterFault
    var circumstances: [String]
  }

  /// - Throws: `Failure` when what is needed besides the program is not there.
  init(_ options: AdapterOptions) throws(Failure) {
    self.options = options
    transcript = try options.transcript.map { path throws(Failure) in try Transcript(path) }
    inspector = nil
    Processors.stayOnOne()
  }

  deinit { process?.end() }

  /// Whether it has come to a bad end so often that there is no point in going on.
  var hasGivenUp: Bool { mishapsInARow >= Self.limit }

  /// Makes ready for a run.
  ///
  /// - Throws: `Failure.notStarted` when the first process of all cannot be talked to.
  func begin(_ run: AdapterRun) throws(Failure) {
    mishap = nil
    open = []
    if isUsed || self.run != run { leave(for: run) }
    self.run = run
    guard process == nil, mishap == nil else { return }
    let process = try AdapterProcess(
      options.command, transcript: transcript, inspector: inspector)
    let isFirst = hello.name.isEmpty
    do throws(AdapterFault) {
      let answer = try process.ask(.hello(run), within: options.firstPatience)
      hello = answer.hello ?? hello
      self.process = process
    } catch {
      note(error, in: process, request: .hello(run))
      if isFirst { throw .notStarted(words) }
    }
  }

  /// Hands an input to a client, and appends what it does; nothing after something went wrong.
  func handle(
    _ input: ClientInput, of client: String, at now: Instant, into outputs: inout [ClientOutput]
  ) {
    guard let process, mishap == nil else { return }
    isUsed = true
    if case .open = input { open.insert(client) }
    let request = AdapterRequest.input(client: client, input, at: now)
    do throws(AdapterFault) {
      outputs += try process.ask(request, within: options.patience).outputs
      roundTrips += 1
    } catch {
      note(error, in: process, request: request)
    }
  }

  /// Makes the verdict that of the adapter when something went wrong in the run.
  func conclude(_ result: inout ScenarioResult) {
    if let process, mishap == nil {
      do throws(AdapterFault) { try process.checkSilence() } catch {
        note(error, in: process, request: nil)
      }
    }
    guard let mishap else {
      if result.verdict != .unsupported { mishapsInARow = 0 }
      return
    }
    mishapsInARow += 1
    result.verdict = mishap.fault.kind.verdict
    result.reason = mishap.fault.description
    result.circumstances = mishap.circumstances
    result.divergences = []
  }
}

extension AdapterSession {
  /// Leaves the run before this one: by a reset where the adapter can do that.
  private func leave(for run: AdapterRun) {
    isUsed = false
    guard let process else { return }
    guard hello.canReset else {
      process.end()
      self.process = nil
      return
    }
    do throws(AdapterFault) {
      _ = try process.ask(.reset(run), within: options.patience)
    } catch {
      note(error, in: process, request: .reset(run))
    }
  }

  /// Ends a process with which something is wrong, and keeps what is known of it.
  private func note(_ fault: AdapterFault, in process: AdapterProcess, request: AdapterRequest?) {
    let isObedient = process.stop()
    self.process = nil
    isUsed = false
    var lines: [String] = []
    if let request, let run {
      let asked: JSON = request.json(id: process.asked, in: run.profile.dialect)
      lines.append("asked: " + asked.text)
    }
    if !isObedient { lines.append("it did not end on SIGTERM within 1 s, and was killed") }
    let log = process.log.text
    if !log.isEmpty { lines += ["it wrote last on standard error:"] + log.map { "  " + $0 } }
    mishap = Mishap(fault: fault, circumstances: lines)
  }

  /// What went wrong at the first start.
  private var words: String {
    guard let mishap else { return "the adapter could not be started" }
    return ([mishap.fault.description] + mishap.circumstances.map { "  " + $0 })
      .joined(separator: "\n")
  }
}

extension AdapterFault.Kind {
  fileprivate var verdict: Verdict {
    switch self {
    case .crash: .crash
    case .hang: .hang
    case .brokenProtocol: .brokenProtocol
    }
  }
}

/// A client that lives behind an adapter.
struct RemoteClient: SyncClient {
  let name: String
  let session: AdapterSession

  var capabilities: Set<String> { session.hello.capabilities }

  mutating func handle(_ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]) {
    session.handle(input, of: name, at: now, into: &outputs)
  }
}
