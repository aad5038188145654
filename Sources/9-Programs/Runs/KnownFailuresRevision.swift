import Document
package import Reports
import Scenario
package import System
import Workspace

/// Runs scenarios and brings a list of known failures up to date.
package struct KnownFailuresRevision {
  private let file: String
  private let library: ScenarioLibrary
  private let context: KnownFailuresReader.Context
  private let old: String
  private let list: KnownFailures
  private let terms: KnownFailuresUpdate.Terms
  private var session: RunSession
  private var ends: [RunEnd] = []
  /// What is not listed because it does not fail again, a line each.
  package private(set) var unsteady: [String] = []

  /// Reads scenarios and the list.
  ///
  /// - Parameters:
  ///   - file: The file of the list, which is made where there is none.
  ///   - settings: What is run.
  ///   - terms: How new failures are listed.
  /// - Throws: `Failure` when something cannot be read, has mistakes or does not start.
  package init(
    of file: String, _ settings: RunSettings, _ terms: KnownFailuresUpdate.Terms
  ) throws(Failure) {
    self.file = file
    self.terms = terms
    library = try ScenarioLibrary(settings)
    context = try KnownFailuresReader.Context(
      library, settings.selectors.isEmpty, flaky: settings.mayHaveOwnClock)
    old =
      Files.exists(file)
      ? try FileKind.text(of: file, expecting: [.knownFailures]) : KnownFailuresUpdate.emptyList
    list = try KnownFailures(file: file, text: old, context)
    session = try RunSession(settings, library, palette: .plain)
    session.isNew = { [list] in !list.lists($0) }
    if terms.kind == .flaky, !session.isLive {
      throw .unusable("--kind flaky is for clients on a real clock; expected bug or wontfix")
    }
  }

  /// How many scenarios are run.
  package var total: Int { library.scenarios.count }

  /// Whether the client has failed so often that the rest is not run.
  package var hasGivenUp: Bool { session.hasGivenUp }

  /// Runs the scenarios.
  ///
  /// - Parameter onNext: Takes the id of each before it is run.
  /// - Throws: `Failure` when a file cannot be written.
  package mutating func run(onNext: (String) -> Void) throws(Failure) {
    for scenario in library.scenarios where !session.hasGivenUp {
      onNext(scenario.id)
      for record in try session.records(of: scenario) {
        if record.isSteady {
          ends.append(record.runEnd)
        } else {
          unsteady.append("left out, because \(record.message): \(record.scenario)")
        }
      }
    }
  }

  /// What changes in the list.
  package var update: KnownFailuresUpdate {
    KnownFailuresUpdate(of: list, text: old, runs: ends, context, terms)
  }

  /// Writes the list, if it changes and can be read again as what it should be.
  ///
  /// - Throws: `Failure.mistakes` when it cannot be read again, `Failure.results` when it cannot be
  ///   written.
  package func write() throws(Failure) {
    let text = update.text
    guard text != old else { return }
    let problems = KnownFailuresReader.read(file: file, bytes: Array(text.utf8), context).problems
    if !problems.isEmpty {
      throw .mistakes(
        problems.map { "\($0)" },
        "\(file) cannot be brought up to date as it is laid out; write each entry on lines "
          + "of its own; it stays as it is")
    }
    try Files.replace(text, at: file)
  }
}

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
    let content = try FileKind.text(of: file, expecting: [.knownFailures])
    let list = try KnownFailures(file: file, text: content, context)
    var expired = 0
    var text = ""
    for entry in list.entries {
      let days = entry.until.map { today.days(until: $0) }
      let isExpired = days.map { $0 < 0 } == true
      if isExpired { expired += 1 }
      let count = context.scenarios.count { entry.scenario.matches($0.id) }
      let time = days.map { isExpired ? "expired" : $0 == 1 ? "1 day" : "\($0) days" }
      let end = entry.until.flatMap { until in time.map { "\(until) (\($0))" } }
      text +=
        "\(entry.location)  \(entry.scenario)  \(count == 1 ? "1 scenario" : "\(count) scenarios")  "
        + ([entry.kind.rawValue, end, entry.issue ?? entry.note].compactMap(\.self))
        .joined(separator: "  ") + "\n"
    }
    let count = list.entries.count
    text += "\(count == 1 ? "1 known failure" : "\(count) known failures"), \(expired) expired\n"
    self.text = text
    self.expired = expired
  }
}
