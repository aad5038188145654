package import Document
import Hunting
import Reports
import Scenario
package import System
import Workspace

/// What is wrong with files: scenarios, project files, and lists of known failures and causes.
package struct CheckedFiles {
  /// Everything that is wrong, ready to be printed.
  package private(set) var problems: [SourceError] = []
  /// How many files were checked.
  package private(set) var count = 0
  /// The files of directories that are nothing of these, and were not checked.
  package private(set) var leftOut: [String] = []

  /// Checks files, and those in directories.
  ///
  /// - Throws: `Failure` when a path names nothing or a file cannot be read.
  package init(_ paths: [String]) throws(Failure) {
    var scenarios: [String] = []
    for path in paths {
      let suffixes = ScenarioLibrary.checkedSuffixes
      let files =
        Files.exists(path) ? try ScenarioLibrary.listing(at: path, suffixes: suffixes).files : []
      let others = try files.count { (file) throws(Failure) in try check(file) }
      count += others
      if others == 0 || others < files.count { scenarios.append(path) }
    }
    if scenarios.isEmpty { return }
    let library = try ScenarioLibrary(scenarios)
    leftOut = library.leftOut
    problems = library.rules.problems + library.problems + library.strays + problems
    count += Set(library.scenarios.map(\.file) + library.problems.map(\.file)).count
  }

  /// Checks a file, if it is of a kind that is no scenario.
  private mutating func check(_ file: String) throws(Failure) -> Bool {
    let text = try Files.regularText(of: file)
    let bytes = Array(text.utf8)
    switch FileKind(of: text, in: file) {
    case .project:
      problems += ProjectFile.read(file: file, bytes: bytes, RunSettings.inProjects).problems
    case .knownFailures:
      let own = try ScenarioLibrary(ProjectFile.find(RunSettings.inProjects)?.scenarios ?? [])
      let context = try KnownFailuresReader.Context(
        own, false, flaky: true, allowsNoScenario: false)
      problems += KnownFailuresReader.read(file: file, bytes: bytes, context).problems
    case .knownCauses:
      let context = try KnownCauses.Context(of: file)
      problems += KnownCauses.read(file: file, bytes: bytes, context).problems
    default: return false
    }
    return true
  }
}
