import AdapterSessions
package import KnownFailures
package import System

/// When a run is red, and when it ends early.
package struct GateSettings {
  /// The list of known failures; nil for none.
  package var list: String?
  /// The day on which the list is asked.
  package var today: CalendarDate
  /// After how many failures nothing more is run; nil for never.
  package var maxFailures: Int?
  /// How many processes share the work.
  package var jobs = 1
  /// The client under test as a command line names it; empty for the reference client.
  package var subject = ""
  /// Whether that is another program.
  package var hasAdapter: Bool { subject.hasPrefix(AdapterOptions.mark) }

  /// - Parameter today: The day on which the list is asked.
  package init(today: CalendarDate) { self.today = today }
}

extension Calendar {
  /// Today, in universal time.
  ///
  /// - Throws: `Failure.fault` when the clock of this machine has no valid date.
  package static func today() throws(Failure) -> CalendarDate {
    guard let date = CalendarDate(String(now.prefix(10))) else {
      throw .fault("the clock of this machine has no valid date: \(now)")
    }
    return date
  }
}
