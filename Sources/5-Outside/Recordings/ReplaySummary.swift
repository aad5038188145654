internal import Document
public import Trace
internal import Tree

/// The figures of several replays.
public struct ReplaySummary: Sendable {
  /// How many replays were added.
  public private(set) var recordings = 0
  /// In how many groups either client showed the application anything or sent a request.
  public private(set) var groupsWithOutput = 0
  /// How many differences an accident explains.
  public private(set) var explained = 0
  /// How many differences stand without an explanation.
  public private(set) var unexplained = 0
  /// How many groups each accident explains, alone or with others. Those that explain none are left
  /// out.
  public private(set) var accidents: [Accident: Int] = [:]

  /// A summary of no replays.
  public init() {}

  /// The verdicts on groups with output: equal and explained ones pass, unexplained ones fail.
  public var tally: Tally { Tally(passed: equal + explained, failed: unexplained) }

  /// How many groups with output do not differ at all.
  public var equal: Int { groupsWithOutput - explained - unexplained }

  /// Adds the figures of one replay; linear in the number of its differences.
  public mutating func add(_ replay: Replay) {
    recordings += 1
    groupsWithOutput += replay.groupsWithOutput
    explained += replay.explained.count
    unexplained += replay.unexplained.count
    for accident in replay.differences.flatMap(\.accidents) { accidents[accident, default: 0] += 1 }
  }

  /// The accidents with their figures, all groups, and the line of verdicts that ends every run.
  public var text: String {
    var lines = Accident.allCases.compactMap { accident in
      accidents[accident].map {
        "\(accident.id)  \(padded(String($0), to: 5, .right))  \(accident.title)"
      }
    }
    lines.append(
      "\(counted(recordings, "recording")), \(groupsWithOutput) groups with output: \(equal) equal (\(share) %),"
        + " \(explained) explained by accidents, \(unexplained) unexplained")
    return (lines + [tally.line]).map { $0 + "\n" }.joined()
  }

  /// Rounded down, so that 100 means all.
  private var share: String {
    let hundredths = groupsWithOutput == 0 ? 10_000 : equal * 10_000 / groupsWithOutput
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }
}

extension Replay.Difference {
  /// What happened in the group, a line each.
  ///
  /// What was recorded is marked `-`, what the client did `+`; what both did alike has no mark.
  ///
  /// - Parameter file: The recording, as reports name it.
  /// - Returns: Lines, each with its end: the accidents and the location first.
  public func text(file: String) -> String {
    let kind = accidents.isEmpty ? "UNEXPLAINED" : accidents.map(\.id).joined(separator: " ")
    var lines = ["\(kind)  \(file):\(line)", "    input \(input.text)"]
    lines += observed.marked(against: expected).map { "  \($0.mark) \($0.element.text)" }
    return lines.map { $0 + "\n" }.joined()
  }
}
