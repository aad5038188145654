public import Exploration
public import Reports
internal import Scenario
internal import Text

/// What searches have shown, as text for people: every order that scenarios leave open, one fault
/// at every moment, and changes that must not matter.
public struct SearchReport {
  /// How a failure is reported.
  let report: TextReport
  /// The options of `kennel explore` that repeat a run that was found.
  private let options: Options

  /// The options of `kennel explore` that repeat a run that was found.
  public typealias Options = (RepeatedRun, Found) -> [String]

  /// What a search has found.
  public enum Found: Hashable, Sendable {
    case order(Order)
    case fault(Sweep.FaultInjection)
  }

  /// How many outcomes, or ways of failing, of a scenario are reported.
  static let reportedFindings = 10

  /// - Parameters:
  ///   - report: How a failure is reported.
  ///   - options: The options of `kennel explore` that repeat a run that was found.
  public init(_ report: TextReport, options: @escaping Options = { _, _ in [] }) {
    self.report = report
    self.options = options
  }

  /// How the failure of a run is reported that a search has found.
  func report(repeating found: Found) -> TextReport {
    var report = report
    report.command = "explore"
    report.options = { options($0, found) }
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
