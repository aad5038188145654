import Commands
import Document
import Mutants
import MutationAnalysis
import Processes
import System
import Tree

/// Has several processes examine mutants, each of them some.
struct Examination {
  private let options: MutantsOptions
  /// What was found, in the order in which it was told.
  private(set) var evidence: [Evidence] = []

  init(_ options: MutantsOptions) {
    self.options = options
  }

  mutating func run() throws(Failure) {
    let names = options.mutants.map(\.name)
    let count = min(options.jobs ?? Processors.count, max(1, names.count))
    var processes: [ChildProcess] = []
    for job in 0..<count {
      // One after the other, so that all have some that take long.
      let share = names.indices.filter { $0 % count == job }.map { names[$0] }
      processes.append(try ChildProcess(ChildProcess.thisProgram, words(for: share)))
    }
    var lines = [Lines](repeating: Lines(), count: count)
    while processes.contains(where: \.isTalking) {
      for arrival in Arrival.next(from: processes, within: nil) where !arrival.bytes.isEmpty {
        if arrival.stream == .error {
          Console.message(String(decoding: arrival.bytes, as: UTF8.self))
          continue
        }
        for line in lines[arrival.process].take(arrival.bytes) { try take(line) }
      }
    }
    for process in processes { try requireSuccess(of: process) }
  }

  private func words(for names: [String]) -> [String] {
    let budget =
      switch options.budget {
      case let .scenarios(count): String(count)
      case let .seconds(seconds): "\(seconds)s"
      }
    return ["mutants", "--format", "json", "--budget", budget]
      + (options.shrinks ? [] : ["--no-shrink"]) + names
  }

  private mutating func take(_ line: String) throws(Failure) {
    guard let found = try? JSON(parsing: line), var evidence = Evidence(json: found) else {
      throw .unusable("a process that examines mutants says what nobody understands: \(line)")
    }
    // This process is another one than that which found it.
    let isConfirmed = Detector.confirms(evidence)
    evidence.shrunk?.isConfirmed = isConfirmed
    self.evidence.append(evidence)
    if options.format == .text { try Console.output(KillMatrix.line(evidence)) }
  }

  private func requireSuccess(of process: ChildProcess) throws(Failure) {
    let ending = process.wait()
    guard ending != .exited(0), ending != .exited(1) else { return }
    throw .unusable("a process that examines mutants has ended with \(ending)")
  }
}

/// Lines of text that arrive in parts.
private struct Lines {
  private var rest: [UInt8] = []

  /// Takes in some bytes and hands out the lines that are complete now.
  mutating func take(_ bytes: [UInt8]) -> [String] {
    var lines: [String] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        lines.append(String(decoding: rest, as: UTF8.self))
        rest = []
      } else {
        rest.append(byte)
      }
    }
    return lines
  }
}
