import ClientInterface
import Glibc
import LiveServer
import Tree

/// Keeps what clients are told and say, a recording for each client.
///
/// A client that connects again and names its last session goes on in its recording. Every line is
/// handed to the system at once, so that a recording is complete however this process ends.
final class RecordingFolder {
  private struct File {
    let path: String
    let epoch: Instant
    var descriptor: Int32?
  }

  private let folder: String
  private var files: [File] = []
  /// Which of them a connection goes to.
  private var indices: [Int: Int] = [:]
  private var isBroken = false

  /// - Throws: `Failure.results` when there is no such directory and it cannot be made.
  init(_ folder: String) throws(Failure) {
    self.folder = folder
    try Files.makeDirectory(folder)
  }

  func keep(_ record: Effect.Record, of connection: Int, at now: Instant) {
    if case let .opened(opening) = record, !opening.isStream {
      let old = opening.previous.flatMap { indices[$0] }
      let index = old ?? begin(opening.dialect, opening.namespace, at: now)
      indices[connection] = index
      files[index].descriptor = files[index].descriptor ?? open(files[index].path)
    }
    guard let index = indices[connection], let file = files[index].descriptor else { return }
    let time = Int(((now - files[index].epoch).milliseconds).rounded(.down))
    for line in Self.lines(for: record) {
      write("{\"t\":\(max(0, time)),\(line)}\n", to: file, files[index].path)
    }
    if case .closed = record {
      Glibc.close(file)
      files[index].descriptor = nil
    }
  }

  private static func lines(for record: Effect.Record) -> [String] {
    switch record {
    case .opened: ["\"out\":{\"connect\":{}}", "\"in\":{\"opened\":{}}"]
    case let .sent(text): ["\"out\":{\"send\":\(text)}"]
    case let .received(text): ["\"in\":{\"frame\":\(text)}"]
    case .closed(.client): ["\"out\":{\"disconnect\":{}}"]
    case .closed: ["\"in\":{\"closed\":{}}"]
    case .wrote, .updated, .fault: []
    }
  }

  private func begin(_ dialect: String, _ namespace: String, at now: Instant) -> Int {
    var number = files.count + 1
    func path() -> String { Files.join(folder, "client-\(number).jsonl") }
    while Files.exists(path()) { number += 1 }
    let file = File(path: path(), epoch: now, descriptor: open(path()))
    files.append(file)
    let header: JSON = [
      "recording": 1, "client": .string(dialect), "seed": 0, "name": .string("client-\(number)"),
      "namespace": .string(namespace), "epoch": .number(now.milliseconds),
    ]
    if let descriptor = file.descriptor { write(header.text + "\n", to: descriptor, file.path) }
    return files.count - 1
  }

  private func open(_ path: String) -> Int32? {
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    if descriptor < 0 { complain(path, Files.lastReason()) }
    return descriptor < 0 ? nil : descriptor
  }

  private func write(_ text: String, to descriptor: Int32, _ path: String) {
    do throws(Failure) {
      try Files.write(Array(text.utf8)[...], to: descriptor) { .results(path: path, reason: $0) }
    } catch {
      if !isBroken { Console.message("kennel: \(error)\n") }
      isBroken = true
    }
  }

  private func complain(_ path: String, _ reason: String) {
    if !isBroken { Console.message("kennel: cannot write \(path): \(reason)\n") }
    isBroken = true
  }
}
