import ClientInterface
import Faults
import LiveServer
import Scenario
import System
import Trace
import TraceFiles
import Tree

/// Keeps what happens at a live server, a trace for each namespace.
///
/// Every line is handed to the system at once, so that a trace is complete however this process
/// ends.
final class TraceFolder {
  /// What all traces begin with.
  struct Beginning {
    /// The server's tree.
    var data: Node
    /// The id and the texts of the scenario that the server was given.
    var scenario: (id: String, sources: [TraceFile.Source])?
  }

  private struct File {
    let output: RecordingFile
    let profile: Profile
    var session: SessionTrace
  }

  private struct ConnectionTrace {
    let namespace: String
    let client: ClientIndex
  }

  private let folder: String
  private let beginning: Beginning
  private let problems: RecordingProblems
  private var files: [String: File] = [:]
  /// Whose connection is which, and where.
  private var connectionTraces: [Int: ConnectionTrace] = [:]

  init(_ folder: String, _ beginning: Beginning, _ problems: RecordingProblems) {
    self.folder = folder
    self.problems = problems
    self.beginning = beginning
  }

  /// A connection begins.
  ///
  /// - Parameters:
  ///   - opening: How.
  ///   - connection: Its number.
  ///   - name: What its client is called in this session.
  ///   - now: When.
  func open(_ opening: Effect.Opening, _ connection: Int, _ name: String, at now: Instant) {
    let profile = opening.dialect == "wilddog" ? Profile.wilddog2 : .firebase
    begin(opening.namespace, profile, at: now)
    guard var file = files[opening.namespace] else { return }
    let client =
      file.session.clients.firstIndex(of: name).map { ClientIndex($0) }
      ?? file.session.addClient(name)
    connectionTraces[connection] = ConnectionTrace(namespace: opening.namespace, client: client)
    files[opening.namespace] = file
    receive(.opened(opening), connection, at: now)
  }

  func receive(_ record: Effect.Record, _ connection: Int, at now: Instant) {
    switch record {
    case let .wrote(_, _, namespace), let .updated(_, _, namespace):
      begin(namespace, .firebase, at: now)
      add(record, connection, nil, to: namespace, at: now)
    default:
      guard let seat = connectionTraces[connection] else { return }
      add(record, connection, seat.client, to: seat.namespace, at: now)
      if case .closed = record { connectionTraces[connection] = nil }
    }
  }

  /// Keeps a fault in every trace that has its client.
  func receive(_ fault: IndexedFault, of name: String?, at now: Instant) {
    for namespace in files.keys.sorted() {
      let client = name.flatMap { files[namespace]?.session.clients.firstIndex(of: $0) }
      if name != nil, client == nil { continue }
      let own = fault.mapping { client.map { ClientIndex($0) } ?? $0 }
      add(.fault(own), 0, own.client, to: namespace, at: now)
    }
  }

  private func add(
    _ record: Effect.Record, _ connection: Int, _ client: ClientIndex?, to namespace: String,
    at now: Instant
  ) {
    guard var file = files.removeValue(forKey: namespace) else { return }
    file.session.take(record, connection: connection, client: client, at: now)
    var bytes: [UInt8] = []
    for event in file.session.fresh() {
      event.json(clients: file.session.clients, file.profile.dialect).write(to: &bytes)
      bytes.append(UInt8(ascii: "\n"))
    }
    file.output.write(bytes)
    files[namespace] = file
  }

  private func begin(_ namespace: String, _ profile: Profile, at now: Instant) {
    guard files[namespace] == nil else { return }
    let start = Instant(milliseconds: now.milliseconds)
    let header = TraceFile.Header(
      kit: kitVersion, scenario: beginning.scenario?.id ?? "",
      title: "A live session in the namespace \(namespace)", file: "", profile: profile, seed: 0,
      client: "live", clients: [], judging: .expectations, choices: [],
      sources: beginning.scenario?.sources ?? [],
      session: TraceFile.LiveSession(epoch: start, data: beginning.data))
    let output = RecordingFile(
      freeIn: folder, named: namespace, suffix: ".trace.jsonl", problems)
    output.write(Array((header.json.text + "\n").utf8))
    files[namespace] = File(
      output: output, profile: profile,
      session: SessionTrace(clients: [], start: start, retention: .hashOnly))
  }
}
