import Glibc
import System

/// Reports the first file that cannot be written, and no other: they all fail alike.
final class RecordingProblems {
  private let warn: (String) -> Void
  private var hasReported = false

  init(warn: @escaping (String) -> Void) { self.warn = warn }

  func report(_ text: String) {
    if !hasReported { warn(text) }
    hasReported = true
  }
}

/// A file that grows while the server runs.
final class RecordingFile {
  private let path: String
  private var descriptor: Int32?
  private let problems: RecordingProblems

  /// The first file of this name that is not there yet: `name`, `name-2`, …
  ///
  /// - Parameters:
  ///   - folder: The directory.
  ///   - name: Any text; what is no plain letter, digit, dot, dash or underscore becomes one.
  ///   - suffix: What follows the name.
  ///   - problems: Takes what cannot be written.
  init(freeIn folder: String, named name: String, suffix: String, _ problems: RecordingProblems) {
    self.problems = problems
    let stem = String(name.prefix(100).map { Self.isPlain($0) ? $0 : "_" })
    var number = 1
    func candidate() -> String {
      Files.join(folder, (number == 1 ? stem : "\(stem)-\(number)") + suffix)
    }
    while Files.exists(candidate()) { number += 1 }
    path = candidate()
  }

  deinit { close() }

  /// Hands the bytes to the system; opens the file where it is not open.
  func write(_ bytes: [UInt8]) {
    guard let descriptor = descriptor ?? open() else { return }
    do throws(Failure) {
      try Files.write(bytes[...], to: descriptor) { .results(path: path, reason: $0) }
    } catch {
      reportProblem("\(error)")
    }
  }

  /// Lets go of the file until something is written again: clients that are gone cost nothing.
  func close() {
    if let descriptor { Glibc.close(descriptor) }
    descriptor = nil
  }

  private func open() -> Int32? {
    let opened = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    if opened < 0 { reportProblem("cannot write \(path): \(Files.lastReason())") }
    descriptor = opened < 0 ? nil : opened
    return descriptor
  }

  private func reportProblem(_ text: String) {
    problems.report(text)
  }

  private static func isPlain(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "-_.".contains(character))
  }
}
