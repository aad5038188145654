import Glibc
import System

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
