package import KnownFailures
package import System

/// When a run is red, and when it ends early.
package struct GateSettings: OptionSettings, Sendable {
  /// The list of known failures; nil for none.
  package var list: String?
  /// The day on which the list is asked; nil for today.
  package var day: CalendarDate?
  /// After how many failures nothing more is run; nil for never.
  package var maxFailures: Int?
  /// How many processes share the work.
  package var jobs = 1

  package init() {}

  /// The options, but for those that only one command has.
  package static var options: [Option<GateSettings>] {
    [
      .value(
        "known", "FILE", \.list, .text,
        "Compare with the list of known failures in FILE; see 'kennel known --help'."
      ).fromProject("known"),
      .value(
        "today", "DATE", \.day, .day,
        "Use DATE, such as 2026-12-31, as today's date for known failures."),
      .shorthand("fail-fast", \.maxFailures, 1, "Stop after the first failure.")
        .excluding("max-fail"),
      .value("max-fail", "N", \.maxFailures, .count, "Stop after N failures."),
      .value("jobs", "N", \.jobs, .count, "Work in N processes instead of one."),
    ]
  }

  /// The day on which the list is asked.
  ///
  /// - Throws: `Failure.fault` when the clock of this machine has no valid date.
  package func today() throws(Failure) -> CalendarDate {
    if let day { return day }
    guard let date = CalendarDate(String(Calendar.now.prefix(10))) else {
      throw .fault("the clock of this machine has no valid date: \(Calendar.now)")
    }
    return date
  }
}

extension OptionKind where Value == CalendarDate {
  /// A day of the calendar.
  package static var day: OptionKind {
    OptionKind("a day such as 2026-12-31", { CalendarDate($0) })
  }
}
