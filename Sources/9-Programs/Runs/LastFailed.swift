package import Reports
package import System
import Workspace

/// The scenarios that failed when they were last run from this directory.
///
/// They are listed in `.kennel/failed`, an id on each line, so that `--last-failed` runs them again.
package enum LastFailed {
  private static let folder = ".kennel"
  private static let file = ".kennel/failed"

  /// The ids of the scenarios.
  ///
  /// - Throws: `Failure.unusable` when none is recorded.
  package static func read() throws(Failure) -> Set<String> {
    guard Files.exists(file) else {
      throw .unusable(
        "no run from this directory has failed: there is no \(file), which 'kennel run' writes when one does"
      )
    }
    return Set(try Files.text(of: file).split(separator: "\n").map(String.init))
  }

  /// What to read for them: what a command line selects, or else all scenarios of the kit, and files of the
  /// reader that are listed.
  ///
  /// - Throws: `Failure.unusable` when none is recorded.
  package static func selectors(beside given: [String]) throws(Failure) -> [String] {
    let paths = Set(try read().map { String($0.prefix { $0 != "[" }) }).sorted()
    let files = paths.compactMap { path in
      ScenarioLibrary.suffixes.map { path + $0 }.first(where: Files.exists)
    }
    return (given.isEmpty ? [try Home.find().scenarios] : given) + files
  }

  /// Takes the scenarios of some runs off the list, and puts those on it that failed.
  ///
  /// Drafts of hunts are left out, because they are removed again. Nothing is written where nothing failed and nothing is listed. What cannot be written is left
  /// out: the directory may belong to another user.
  package static func save(_ records: [RunRecord]) {
    let failed = Set(records.filter { $0.outcome == .failed }.map(\.scenario))
      .filter { !isDraft($0) }
    let before = (try? read()) ?? []
    if failed.isEmpty, before.isEmpty { return }
    let ids = before.subtracting(records.map(\.scenario)).union(failed).sorted()
    do throws(Failure) {
      try Files.makeDirectory(folder)
      try Files.write(ids.map { $0 + "\n" }.joined(), to: file)
    } catch {}
  }

  /// Whether the name of the scenario's file begins with a full stop.
  private static func isDraft(_ id: String) -> Bool { id.split(separator: "/").last?.first == "." }
}
