import Commands
import Document
import System
import Workspace

/// The command `kennel fmt`.
struct FormatCommand: Command {
  /// Whether files are looked at only.
  var checks = false
  /// Files and directories of them; at least one.
  var paths: [String] = []

  static var options: [Option<Self>] {
    [
      .flag(
        "check", \.checks,
        "Change nothing; name the files that would be changed, and end with 1.")
    ]
  }

  static let grammar = Grammar(
    command: "kennel fmt", operands: "PATH...",
    summary: """
      Formats scenario files in one layout without changing their meaning. It keeps comments and \
      the order of keys.
      """,
    notes: """
      Examples:
        kennel fmt Scenarios
        kennel fmt --check Scenarios/writes/local-echo.yaml
      """)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    paths = try arguments.someOperands(else: "fmt needs the path of a scenario file or directory")
  }

  /// Lays out the files given, fragments too.
  func perform() throws(Failure) -> ExitCode {
    var changed = 0
    var unreadable = 0
    var refused: [String] = []
    var files: [String] = []
    for path in paths {
      let listing = try ScenarioLibrary.listing(at: path, withFragments: true)
      files += listing.files
      for other in listing.leftOut {
        Console.message("kennel: \(other.path): this is \(other.reason); it stays as it is\n")
      }
    }
    for file in files {
      let text = try Files.regularText(of: file)
      let bytes = Array(text.utf8)
      let outcome =
        file.hasSuffix(".json") ? DocumentLayout.json(bytes) : DocumentLayout.yaml(bytes)
      switch outcome {
      case let .text(new) where new == text: break
      case let .text(new):
        changed += 1
        try Console.output(file + "\n")
        if !checks { try Files.replace(new, at: file) }
      case let .problems(problems):
        unreadable += 1
        for problem in problems { Console.message("\(file):\(problem)\n") }
      case .refused:
        refused.append(file)
      }
    }
    for file in refused {
      Console.message("kennel: \(file): no layout of it means the same; it stays as it is\n")
    }
    let count = files.count == 1 ? "1 file" : "\(files.count) files"
    try Console.output("\(count): \(changed) \(checks ? "to be changed" : "changed")\n")
    if unreadable > 0 || !refused.isEmpty || files.isEmpty { return .usage }
    return checks && changed > 0 ? .divergence : .success
  }
}
