import ClientInterface
import Dispatch
import Faults
import Glibc
import LiveServer
import Synchronization
import System
import Tree

/// Keeps recordings. What takes long is kept in a second thread, and so is what happens meanwhile,
/// in the same order; everything else is kept at once.
final class RecordingThread {
  /// More than that takes long, in bytes of text, and no more than that and one record waits: as data
  /// they take about ten times as much.
  private static let limit = (large: 1 << 16, waiting: 32 << 20)

  private let queue = DispatchQueue(label: "kennel.recordings")
  private let folder: RecordingFolder
  private let waiting = Waiting()

  private final class Waiting: Sendable {
    let bytes = Atomic(0)
  }

  init(_ folder: RecordingFolder) { self.folder = folder }

  func receive(_ record: Effect.Record, of connection: Int, at now: Instant) {
    perform(record.byteCount(upTo: Self.limit.waiting)) {
      $0.receive(record, of: connection, at: now)
    }
  }

  func receive(_ fault: IndexedFault, of client: String?, at now: Instant) {
    perform(0) { $0.receive(fault, of: client, at: now) }
  }

  /// Waits until everything is kept.
  func finish() { queue.sync {} }

  private func perform(_ bytes: Int, _ body: @escaping @Sendable (RecordingFolder) -> Void) {
    let before = waiting.bytes.load(ordering: .acquiring)
    if before == 0, bytes <= Self.limit.large { return body(folder) }
    let bytes = bytes + 1
    waiting.bytes.add(bytes, ordering: .relaxed)
    // It is the queue's as long as something waits.
    nonisolated(unsafe) let folder = folder
    queue.async { [waiting] in
      body(folder)
      waiting.bytes.subtract(bytes, ordering: .releasing)
    }
    if before > Self.limit.waiting { finish() }
  }
}

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

/// Reports the files that cannot be written, a few of them: most fail alike.
final class RecordingProblems {
  private static let maxCount = 5

  private let warn: (String) -> Void
  private var count = 0

  init(warn: @escaping (String) -> Void) { self.warn = warn }

  func report(_ text: String) {
    count += 1
    if count <= Self.maxCount { warn(text) }
    if count == Self.maxCount + 1 { warn("other recordings cannot be written either") }
  }
}

/// A file that grows while the server runs.
///
/// Once it cannot be written it ends, with its last whole line: what comes later would not fit to what
/// is missing.
final class RecordingFile {
  private let path: String
  private var descriptor: Int32?
  private var hasEnded = false
  private let problems: RecordingProblems

  /// Creates the first file of this name that is not there yet: `name`, `name-2`, …
  ///
  /// - Parameters:
  ///   - folder: The directory.
  ///   - name: Any text; what is no plain letter, digit, dot, dash or underscore becomes one.
  ///   - suffix: What follows the name.
  ///   - problems: Takes what cannot be written.
  init(freeIn folder: String, named name: String, suffix: String, _ problems: RecordingProblems) {
    self.problems = problems
    var stem = String(name.prefix(100).map { Self.isPlain($0) ? $0 : "_" })
    // Files that programs take for options, or do not show.
    if stem.hasPrefix("-") || stem.hasPrefix(".") { stem = "_" + stem.dropFirst() }
    var number = 1
    var path = Files.join(folder, stem + suffix)
    // Without O_EXCL a link to nowhere would be followed.
    var opened = Self.create(path)
    while opened < 0, errno == EEXIST {
      number += 1
      path = Files.join(folder, "\(stem)-\(number)" + suffix)
      opened = Self.create(path)
    }
    self.path = path
    if opened < 0 {
      end("cannot write \(path): \(Files.lastReason())")
    } else {
      descriptor = opened
    }
  }

  deinit { close() }

  private static func create(_ path: String) -> Int32 {
    Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o644)
  }

  /// Hands whole lines to the system; opens the file where it is not open.
  func write(_ bytes: [UInt8]) {
    guard !hasEnded, let descriptor = descriptor ?? open() else { return }
    let length = lseek(descriptor, 0, SEEK_END)
    do throws(Failure) {
      try Files.write(bytes[...], to: descriptor) { .results(path: path, reason: $0) }
    } catch {
      if length >= 0 { _ = ftruncate(descriptor, length) }
      end("\(error); the file ends here")
    }
  }

  /// Lets go of the file until something is written again: clients that are gone cost nothing.
  func close() {
    if let descriptor { Glibc.close(descriptor) }
    descriptor = nil
  }

  private func open() -> Int32? {
    let opened = Glibc.open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC)
    if opened < 0 { end("cannot write \(path): \(Files.lastReason())") }
    descriptor = opened < 0 ? nil : opened
    return descriptor
  }

  private func end(_ text: String) {
    hasEnded = true
    close()
    problems.report(text)
  }

  private static func isPlain(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "-_.".contains(character))
  }
}
