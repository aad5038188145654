import Conformance
import Glibc
import Hunting
import Report
import Scenario

/// What `kennel hunt-worker` was asked for: the process that does the work of a campaign. It is no
/// command for people, and no help tells of it.
struct WorkerOptions {
  var settings: HuntSettings
  var shrinks: Bool

  init(_ arguments: Arguments) throws(Failure) {
    settings = HuntSettings(
      size: try arguments.number(of: "size", from: 20, through: 100_000)
        ?? Generator.standardSize,
      profile: try arguments.profiles().last, client: arguments.value(of: "client"),
      hasShadow: !arguments.contains("no-shadow"))
    shrinks = !arguments.contains("no-shrink")
  }

  static let grammar = Grammar(
    command: "kennel hunt-worker", operands: "",
    summary: "Does the work of a campaign, as 'kennel hunt' tells it on standard input.",
    options: HuntOptions.settingOptions + [HuntOptions.shrinkOption], notes: ExitCode.help)
}

/// Does what each line of standard input says, until its end.
///
/// The process ends with its input: when the one that started it is killed, it does not go on.
func run(_ options: WorkerOptions) throws(Failure) -> ExitCode {
  let hunter = try options.settings.hunter()
  while let line = readLine() {
    guard let job = Job(line: line) else {
      throw .fault("hunt-worker does not understand \"\(line)\"")
    }
    switch job {
    case let .run(seeds): try Console.output("record \(hunter.run(seeds).line)\n")
    case let .watch(seeds):
      // Whoever waits must know the seed when the process ends in the middle of it.
      let record = hunter.run(seeds) { seed in try? Console.output("seed \(seed)\n") }
      try Console.output("record \(record.line)\n")
    case let .hash(seed): try Console.output("hash \(hunter.hash(of: seed))\n")
    case let .save(seed, file):
      try Files.makeDirectory(String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)]))
      try Files.write(hunter.file(of: seed), to: file, asResult: true)
      try Console.output("saved\n")
    }
  }
  return .success
}

/// One thing that a worker does.
enum Job: Hashable {
  case run(ClosedRange<UInt64>)
  /// The same, telling each seed before it is run.
  case watch(ClosedRange<UInt64>)
  /// Tells the hash of a seed, to be compared with that of another process.
  case hash(UInt64)
  /// Writes the scenario of a seed that fails, made smaller.
  case save(UInt64, file: String)

  var line: String {
    switch self {
    case let .run(seeds): "run \(SeedRanges.text(of: seeds))\n"
    case let .watch(seeds): "watch \(SeedRanges.text(of: seeds))\n"
    case let .hash(seed): "hash \(seed)\n"
    case let .save(seed, file): "save \(seed) \(file)\n"
    }
  }

  init?(line: String) {
    let words = line.split(separator: " ", maxSplits: 2).map(String.init)
    guard words.count >= 2, let seeds = SeedRanges.range(from: words[1]) else { return nil }
    switch words[0] {
    case "run": self = .run(seeds)
    case "watch": self = .watch(seeds)
    case "hash": self = .hash(seeds.lowerBound)
    case "save" where words.count == 3: self = .save(seeds.lowerBound, file: words[2])
    default: return nil
    }
  }
}
