package import KnownFailures
import Scenario
package import System
import Workspace

/// What is on a list of known failures, and for how long.
package struct KnownFailuresInventory {
  /// A line for each entry, and one for all of them.
  package let text: String
  /// How many entries have expired.
  package let expired: Int

  /// Reads a list.
  ///
  /// - Parameters:
  ///   - file: Its file.
  ///   - today: The day on which it is asked.
  /// - Throws: `Failure` when it cannot be read or has mistakes.
  package init(_ file: String, on today: CalendarDate) throws(Failure) {
    let library = try ScenarioLibrary([])
    let context = try KnownFailuresReader.Context(library, true, flaky: true)
    let list = try KnownFailures(file: file, text: Files.text(of: file), context)
    var expired = 0
    var text = ""
    for entry in list.entries {
      let days = today.days(until: entry.until)
      if days < 0 { expired += 1 }
      let count = context.scenarios.count { entry.scenario.matches($0.id) }
      let time = days < 0 ? "expired" : days == 1 ? "1 day" : "\(days) days"
      text +=
        "\(entry.location)  \(entry.scenario)  \(count == 1 ? "1 scenario" : "\(count) scenarios")  "
        + "\(entry.kind.rawValue)  \(entry.until) (\(time))  \(entry.issue)\n"
    }
    let count = list.entries.count
    text += "\(count == 1 ? "1 known failure" : "\(count) known failures"), \(expired) expired\n"
    self.text = text
    self.expired = expired
  }
}
