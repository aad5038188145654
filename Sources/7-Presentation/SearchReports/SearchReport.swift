public import Reports
internal import Scenario
internal import Text

/// What searches have shown, as text for people: every order that scenarios leave open, one fault
/// at every moment, and changes that must not matter.
public struct SearchReport {
  /// How a failure is reported.
  let report: TextReport
  /// What the command line must contain besides the order or the fault, to run it again.
  private let options: String

  /// How many outcomes, or ways of failing, of a scenario are reported.
  static let reportedFindings = 10

  /// - Parameters:
  ///   - report: How a failure is reported.
  ///   - options: What the command line must contain besides the order or the fault, to run it again.
  public init(_ report: TextReport, options: String = "") {
    self.report = report
    self.options = options
  }

  /// How the failure of a run is reported that this option of `kennel explore` repeats.
  func report(repeatedBy option: String) -> TextReport {
    var report = report
    report.explorationOptions = option + (options.isEmpty ? "" : " " + options)
    return report
  }

  /// Lines that stand below the id of a scenario.
  static func wrapped(_ text: String) -> [String] {
    ascii(text).wrapped(to: TextReport.width - 10).map { "          " + $0 }
  }

  /// The text of a failure in lines, after an empty one.
  static func lines(of failure: String) -> [String] {
    [""]
      + failure.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).dropLast()
  }

  /// `FAIL  races/two-writers  firebase`, for each run that failed, and an empty line behind them.
  static func failed<Run>(_ runs: [Run], _ cells: (Run) -> (String, Scenario, String)) -> [String] {
    var columns = TextTable([.left, .left, .left])
    for run in runs {
      let (verdict, scenario, profile) = cells(run)
      columns.append([verdict.uppercased(), ascii(scenario.id), profile])
    }
    return runs.isEmpty ? [] : columns.lines.map { "  " + $0 } + [""]
  }
}
