import ClientInterface
import Faults
import LiveServer
import System
import Tree

/// Keeps what clients receive and send: a recording for each client, a trace for each namespace.
///
/// A client that connects again and names its last session, or itself, goes on in its recording.
/// Every line is handed to the system at once, so that a recording is complete however this process
/// ends.
final class RecordingFolder {
  private struct Client {
    let name: String
    let namespace: String
    let epoch: Instant
    let file: RecordingFile?
  }

  private let folder: String
  private let traces: TraceFolder
  private let problems: RecordingProblems
  private var clients: [Client] = []
  /// Which of them a connection is of.
  private var indices: [Int: Int] = [:]

  /// - Throws: `Failure.results` when there is no such directory and it cannot be made.
  init(
    _ folder: String, _ beginning: TraceFolder.Beginning, warn: @escaping (String) -> Void
  ) throws(Failure) {
    try Files.makeDirectory(folder)
    self.folder = folder
    problems = RecordingProblems(warn: warn)
    traces = TraceFolder(folder, beginning, problems)
  }

  func receive(_ record: Effect.Record, of connection: Int, at now: Instant) {
    // Faults come by themselves too, for clients without a connection.
    if case .fault = record { return }
    guard case let .opened(opening) = record else {
      write(record, of: connection, at: now)
      return traces.receive(record, connection, at: now)
    }
    let index = known(opening) ?? begin(opening, at: now)
    indices[connection] = index
    write(record, of: connection, at: now)
    traces.open(opening, connection, clients[index].name, at: now)
  }

  /// Keeps a fault in the traces.
  ///
  /// - Parameters:
  ///   - fault: The fault, its client by the index at the server.
  ///   - client: The name of the client that it affects; nil for the server or everyone.
  ///   - now: When it happened.
  func receive(_ fault: IndexedFault, of client: String?, at now: Instant) {
    traces.receive(fault, of: client, at: now)
  }

  /// The client that has connected again.
  private func known(_ opening: Effect.Opening) -> Int? {
    if let name = opening.client {
      return clients.firstIndex { $0.name == name && $0.namespace == opening.namespace }
    }
    return opening.previous.flatMap { indices[$0] }
  }

  private func write(_ record: Effect.Record, of connection: Int, at now: Instant) {
    guard let index = indices[connection], let file = clients[index].file else { return }
    let time = Self.text(of: now - clients[index].epoch)
    let lines = Self.lines(for: record).map { "{\"t\":\(time),\($0)}\n" }.joined()
    if !lines.isEmpty { file.write(Array(lines.utf8)) }
    if case .closed = record { file.close() }
  }

  /// Milliseconds with what is below them, so that the order between clients stays known.
  private static func text(of time: Interval) -> String {
    let micros = max(0, time.nanoseconds / 1000)
    let rest = String(micros % 1000)
    if micros % 1000 == 0 { return "\(micros / 1000)" }
    return "\(micros / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
  }

  private static func lines(for record: Effect.Record) -> [String] {
    switch record {
    case .opened: ["\"out\":{\"connect\":{}}", "\"in\":{\"opened\":{}}"]
    case let .sent(text), let .left(text): ["\"out\":{\"send\":\(text)}"]
    case let .garbled(text): ["\"out\":{\"garbled\":\(JSON.string(text).text)}"]
    case let .received(text): ["\"in\":{\"frame\":\(text)}"]
    case .closed(.client): ["\"out\":{\"disconnect\":{}}"]
    case .closed: ["\"in\":{\"closed\":{}}"]
    case .arrived, .departed, .wrote, .updated, .fault: []
    }
  }

  private func begin(_ opening: Effect.Opening, at now: Instant) -> Int {
    let kind = opening.isStream ? "stream" : "client"
    let number = clients.count + 1
    let name = opening.client ?? "\(kind)-\(number)"
    let epoch = Instant(milliseconds: now.milliseconds)
    var file: RecordingFile?
    if !opening.isStream {
      let output = RecordingFile(freeIn: folder, named: name, suffix: ".jsonl", problems)
      let header: JSON = [
        "recording": 1, "client": .string(opening.dialect), "seed": 0, "name": .string(name),
        "namespace": .string(opening.namespace), "epoch": .number(epoch.milliseconds),
      ]
      output.write(Array((header.text + "\n").utf8))
      file = output
    }
    clients.append(
      Client(name: name, namespace: opening.namespace, epoch: epoch, file: file))
    return clients.count - 1
  }
}
