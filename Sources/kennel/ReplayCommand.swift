import ClientInterface
import Recordings

/// What `kennel replay` was asked for.
struct ReplayOptions {
  /// The client that is tried; nil means the reference client.
  var client: String?

  /// Whether groups that an accident explains are shown as well.
  var isVerbose: Bool

  /// Recordings and directories of them; at least one.
  var paths: [String]
}

extension ReplayOptions {
  /// - Throws: `Failure.usage` when there is no path.
  init(_ arguments: Arguments) throws(Failure) {
    guard !arguments.operands.isEmpty else {
      throw arguments.failure("replay needs the path of a recording or of a directory of them")
    }
    client = arguments.value(of: "client")
    isVerbose = arguments.contains("verbose")
    paths = arguments.operands
  }

  static let grammar = Grammar(
    command: "kennel replay", operands: "FILE...",
    summary: """
      Feeds what happened to a recorded client to the reference client and compares what both do, \
      group by group: all that one input causes, in order. A difference fails unless an accident of \
      the recorded client explains it; Specs/accidents.md describes the accidents. A directory stands \
      for all recordings (*.jsonl) below it.
      """,
    options: [
      .init(
        name: "client", value: "NAME",
        summary: "Try the client NAME instead of the reference client."),
      .init(name: "verbose", letter: "v", summary: "Show also what accidents explain."),
    ],
    notes: """
      Lines with - were recorded, lines with + were done now. Groups are counted if they have output.

      Examples:
        kennel replay Tests/AdaptersTests/Recordings/firebase-js-12.18
        kennel replay -v session.jsonl

      \(ExitCode.help)
      """)
}

/// Replays the recordings and reports where they differ.
func run(_ options: ReplayOptions) throws(Failure) -> ExitCode {
  let makeClient = try options.client.map { name throws(Failure) in
    try ClientUnderTest(named: name).makeClient
  }
  var summary = ReplaySummary()
  for file in try recordingFiles(options.paths) {
    let recording = try recording(in: file)
    let client = makeClient.map { $0("", recording.profile) }
    let replay = Replay(of: recording, with: client)
    summary.add(replay)
    for difference in options.isVerbose ? replay.differences : replay.unexplained {
      try Console.output(difference.text(file: file))
    }
  }
  try Console.output(summary.text)
  if summary.unexplained > 0 { return .divergence }
  return summary.groupsWithOutput == 0 ? .usage : .success
}

private func recordingFiles(_ paths: [String]) throws(Failure) -> [String] {
  var files: [String] = []
  for path in paths {
    guard Files.isDirectory(path) else {
      files.append(path)
      continue
    }
    let directory = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    let found = try Files.files(below: directory, suffix: ".jsonl")
    if found.isEmpty { throw .unusable("there is no recording (*.jsonl) in \(path)") }
    files += found
  }
  return files
}

private func recording(in file: String) throws(Failure) -> Recording {
  let text = try Files.text(of: file)
  do throws(RecordingError) {
    return try Recording(text, file: file)
  } catch {
    throw .unusable("\(error)")
  }
}
