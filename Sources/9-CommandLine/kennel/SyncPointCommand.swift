import Commands
import Document
import SyncPoint
import System

/// The command `kennel sync-point`.
struct SyncPointCommand: Command {
  /// Files of cases; at least one.
  var files: [String] = []

  static let grammar = Grammar(
    command: "kennel sync-point", operands: "FILE...",
    summary: """
      Runs the cases of sync-point files against the reference client, each at the root and under \
      foo/bar/baz. A FILE is a JSON list of cases in the form that the Firebase clients share.
      """,
    notes: """
      Examples:
        kennel sync-point syncPointSpec.json
      """)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    files = try arguments.someOperands(else: "sync-point needs a file of cases")
  }

  /// Runs all cases of the files; they are all read before the first runs.
  func perform() throws(Failure) -> ExitCode {
    var cases: [Case] = []
    for file in files { cases += try readCases(file) }
    let palette = Console.palette
    var runs: [CaseRun] = []
    for subject in cases {
      for path in CaseRun.paths {
        let run = CaseRun(of: subject, at: path)
        let text = SyncPointReport.text(of: run, palette)
        if !text.isEmpty { try Console.output(text) }
        runs.append(run)
      }
    }
    try Console.output(SyncPointReport.summary(of: runs))
    return SyncPointReport.tally(of: runs).exitCode
  }
}

private func readCases(_ file: String) throws(Failure) -> [Case] {
  let bytes = Array(try Files.text(of: file).utf8)
  do throws(SourceError) {
    return try CaseReader.read(bytes, file: file)
  } catch {
    throw .unusable("\(error)")
  }
}
