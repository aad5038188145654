import Document
import Scenario
import System
import TraceFiles
import Workspace

/// The scenarios of a project as its page lists them.
///
/// Of a file with mistakes these are the scenarios that it had before, so that it keeps its last verdict. A file
/// that has had mistakes from the beginning is listed by its path, so that it can be opened.
struct ScenarioList {
  /// A scenario, or a file in which there has been none yet.
  struct Entry {
    let id: String
    let file: String
    /// Nil for a file in which there has been none yet.
    let scenario: Scenario?
    /// The texts that it was read from, that of the file first.
    let sources: [TraceFile.Source]
    /// Whether the file has mistakes by now.
    fileprivate(set) var isBroken = false
    /// What they are, as far as that is known.
    fileprivate(set) var problems: [SourceError] = []
  }

  private(set) var entries: [Entry]
  private var positions: [String: Int] = [:]

  /// - Parameters:
  ///   - library: What was read now.
  ///   - before: What was listed before.
  init(_ library: ScenarioLibrary, after before: ScenarioList? = nil) {
    entries = library.scenarios.map { scenario in
      Entry(
        id: scenario.id, file: scenario.file, scenario: scenario,
        sources: library.sources[scenario.file] ?? [])
    }
    let good = Set(library.all.map(\.file))
    let listed = (before?.entries.map(\.file) ?? []).filter(Files.exists)
    let broken = Set(library.sources.keys).union(listed).subtracting(good)
    for file in broken.sorted() { add(broken: file, library, before) }
    for (position, entry) in entries.enumerated() { positions[entry.id] = position }
  }

  private mutating func add(broken file: String, _ library: ScenarioLibrary, _ before: Self?) {
    let texts = library.sources[file] ?? []
    let problems = library.problems.filter { problem in
      problem.file == file || texts.contains { $0.file == problem.file }
    }
    let kept = before?.entries.filter { $0.file == file } ?? []
    let new =
      kept.isEmpty ? [Entry(id: file, file: file, scenario: nil, sources: texts)] : kept
    // Where it would be without mistakes: the files of a folder come in the order of their bytes.
    let place = entries.firstIndex {
      file.utf8.lexicographicallyPrecedes($0.file.utf8)
    }
    entries.insert(
      contentsOf: new.map { entry in
        var entry = entry
        (entry.isBroken, entry.problems) = (true, problems)
        return entry
      }, at: place ?? entries.endIndex)
  }

  /// The entry with this id.
  subscript(id: String) -> Entry? { positions[id].map { entries[$0] } }
}
