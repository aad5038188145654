import Document
import Glibc
package import Hunting
import Reports
import Scenario
package import System
import Tree
import Workspace

/// The directory that keeps what a campaign has shown, so that it can go on after any end.
///
/// `campaign.json` says what is run, `chunks.jsonl` has a line for each chunk of seeds that was run,
/// and `found` the scenarios that fail. Lines are only ever appended, and are on the disk before
/// anything is said about them. A line that was cut off by a sudden end is dropped.
package final class ResultsFolder {
  package let path: String
  private let descriptor: Int32
  /// The states that the campaign has reached so far, when it is opened.
  package private(set) var states = StateTable()

  /// Begins a campaign in a directory that has none, or goes on with the one that it has.
  ///
  /// - Returns: The folder, and the records that it has.
  package static func open(
    _ path: String, _ settings: HuntSettings, resuming: Bool
  ) throws(Failure) -> (folder: ResultsFolder, records: [ChunkRecord]) {
    // A file that may not grow must be an error, not the end of this process.
    signal(SIGXFSZ, SIG_IGN)
    if hasCampaign(path) {
      guard resuming else {
        throw .unusable(
          "\(path) has the results of a hunt already; go on with it by --resume, or name another folder"
        )
      }
      let known = try Self.settings(in: path)
      if known.known != nil, settings.known == nil {
        throw .unusable("\(path) was begun with --known FILE; expected that list again")
      }
      if let difference = known.difference(from: settings) {
        throw .unusable(
          "\(path) has another hunt: \(difference); expected what it was begun with, or another folder "
            + "for --output")
      }
    } else if resuming {
      throw .unusable(
        "--resume: \(Files.isDirectory(path) ? "\(path) has no hunt to go on with" : "there is no folder \(path)"); expected a folder that 'kennel hunt --output' has made; without "
          + "--resume a new hunt begins there")
    } else {
      try requireNothingElse(in: path)
      try Files.makeDirectory(path)
      try Files.replace(settings.json.text + "\n", at: Files.join(path, "campaign.json"))
    }
    let folder = try ResultsFolder(path)
    return (folder, try folder.takeOver())
  }

  /// Makes sure that results do not mix with other files, which they could take the place of.
  private static func requireNothingElse(in path: String) throws(Failure) {
    guard Files.isDirectory(path) else { return }
    let others = try Files.entries(of: path).filter { !$0.hasPrefix(".") }
    guard let first = others.first else { return }
    throw .unusable(
      "\(path) holds something else, such as \(first); expected an empty folder or a new one for the results "
        + "of a hunt, and nothing was written")
  }

  package static func hasCampaign(_ path: String) -> Bool {
    Files.exists(Files.join(path, "campaign.json"))
  }

  /// What the campaign in a directory runs.
  ///
  /// - Throws: `Failure.file` when there is none.
  package static func settings(in path: String) throws(Failure) -> HuntSettings {
    let file = Files.join(path, "campaign.json")
    guard Files.exists(file) else {
      throw .unusable(
        "\(path) has no results of a hunt; expected a folder that 'kennel hunt --output' has made")
    }
    let text = try Files.text(of: file)
    switch HuntSettings.read(try? JSON(parsing: text)) {
    case let .settings(settings): return settings
    case let .unusable(reason): throw .file(path: file, reason: reason)
    }
  }

  /// The records of the campaign in a directory, and how many bytes of the file they take.
  package static func records(
    in path: String
  ) throws(Failure) -> (records: [ChunkRecord], bytes: Int) {
    let file = Files.join(path, "chunks.jsonl")
    guard Files.exists(file) else { return ([], 0) }
    let text = try Files.text(of: file)
    let whole = text.utf8.lastIndex(of: UInt8(ascii: "\n")).map { text[...$0] } ?? ""
    var records: [ChunkRecord] = []
    for (index, line) in whole.split(separator: "\n").enumerated() {
      guard let record = ChunkRecord(line: String(line)) else {
        throw .file(path: file, reason: "line \(index + 1) is no record of a chunk")
      }
      records.append(record)
    }
    return (records, whole.utf8.count)
  }

  private init(_ path: String) throws(Failure) {
    self.path = path
    let file = Files.join(path, "chunks.jsonl")
    descriptor = Glibc.open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .results(path: file, reason: Files.lastReason()) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw .unusable("another kennel is hunting in \(path)")
    }
  }

  deinit { close(descriptor) }

  /// Reads the records and drops what was cut off behind them.
  private func takeOver() throws(Failure) -> [ChunkRecord] {
    for name in ["states.txt", "recipes.txt"] { try Self.dropCutLine(of: Files.join(path, name)) }
    states = try Self.states(in: path)
    let (records, bytes) = try Self.records(in: path)
    guard ftruncate(descriptor, bytes) == 0 else {
      throw .results(path: path, reason: Files.lastReason())
    }
    return records
  }

  /// Where the recipes are that the campaign began with.
  package var corpusPath: String { Self.corpus(in: path) }

  package static func corpus(in path: String) -> String { Files.join(path, "corpus") }

  /// Drops what a sudden end has cut off: the chunk that it belongs to is run again.
  private static func dropCutLine(of file: String) throws(Failure) {
    guard Files.exists(file) else { return }
    let text = try Files.text(of: file)
    if text.isEmpty || text.hasSuffix("\n") { return }
    let whole = text.utf8.lastIndex(of: UInt8(ascii: "\n")).map { String(text[...$0]) } ?? ""
    try Files.replace(whole, at: file)
  }

  /// The states that a campaign has reached.
  package static func states(in path: String) throws(Failure) -> StateTable {
    var table = StateTable()
    let file = Files.join(path, "states.txt")
    for line in try lines(of: file) {
      if let entry = StateTable.Entry(text: line) { table.add(entry) }
    }
    return table
  }

  /// The lines of a file; none where there is no file.
  private static func lines(of file: String) throws(Failure) -> [Substring] {
    guard Files.exists(file) else { return [] }
    return try Files.text(of: file).utf8.split(separator: UInt8(ascii: "\n")).map { Substring($0) }
  }

  /// Adds states; they come before the records of the seeds that reached them, so none is missing.
  package func append(_ states: [StateTable.Entry]) throws(Failure) {
    try append(lines: states.map(\.text), to: "states.txt")
  }

  /// Adds recipes that reached something first.
  package func append(_ recipes: [KeptRecipe]) throws(Failure) {
    try append(lines: recipes.map(\.text), to: "recipes.txt")
  }

  private func append(lines: [String], to name: String) throws(Failure) {
    guard !lines.isEmpty else { return }
    let file = Files.join(path, name)
    let opened = Glibc.open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard opened >= 0 else { throw .results(path: file, reason: Files.lastReason()) }
    defer { close(opened) }
    let text = lines.map { $0 + "\n" }.joined()
    try Files.write(Array(text.utf8)[...], to: opened) { .results(path: file, reason: $0) }
    if fdatasync(opened) != 0 && errno != EINVAL && errno != EROFS {
      throw .results(path: file, reason: Files.lastReason())
    }
  }

  /// The recipes that a campaign has kept.
  package static func recipes(in path: String) throws(Failure) -> [KeptRecipe] {
    try lines(of: Files.join(path, "recipes.txt")).compactMap { KeptRecipe(text: $0) }
  }

  /// Adds records, which are on the disk when this returns.
  package func append(_ records: [ChunkRecord]) throws(Failure) {
    guard !records.isEmpty else { return }
    let text = records.map { $0.line + "\n" }.joined()
    let file = Files.join(path, "chunks.jsonl")
    try Files.write(Array(text.utf8)[...], to: descriptor) { .results(path: file, reason: $0) }
    // What is no file on a disk cannot be synchronized, and need not be.
    if fsync(descriptor) != 0 && errno != EINVAL && errno != EROFS {
      throw .results(path: file, reason: Files.lastReason())
    }
  }

  /// The file of the scenario that shows a failure.
  package func file(of signature: String) -> String { Self.file(of: signature, in: path) }

  package static func file(of signature: String, in path: String) -> String {
    let name = signature.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
    return Files.join(found(in: path), String(name) + ".yaml")
  }

  /// The files that may show a failure: `NAME.yaml`, `NAME-2.yaml`, ….
  package static func variants(of file: String) -> [String] {
    let stem = file.dropLast(".yaml".count)
    return (1...mostVariants).map { $0 == 1 ? file : "\(stem)-\($0).yaml" }
  }

  private static let mostVariants = 4

  /// What is known of the files of a failure, in lines; empty where there are none.
  package static func evidence(_ file: String) -> [String] {
    variants(of: file).flatMap { file -> [String] in
      guard let find = FoundFile(file: file)?.scenario.find else { return [] }
      let name = shellWord(PathDisplay.here.name(of: file))
      return [find.seeds] + find.sentences + ["\(programWord) run \(name) \(find.words)"]
    }
  }

  /// Where the scenarios that fail are.
  package static func found(in path: String) -> String { Files.join(path, "found") }

  /// The first of `.kennel/hunt-1`, `.kennel/hunt-2`, … that is not there; or the last that is.
  package static func standard(resuming: Bool) -> String {
    var number = 1
    while Files.exists(".kennel/hunt-\(number)") { number += 1 }
    return ".kennel/hunt-\(resuming ? max(1, number - 1) : number)"
  }
}
