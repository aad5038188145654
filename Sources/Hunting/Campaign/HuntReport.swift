/// What a campaign has shown, as text for people; at most 100 columns, and a plain last line.
public struct HuntReport {
  private let campaign: HuntResults
  /// What shows a failure again; `nil` where its scenario was not kept.
  private let command: (HuntResults.Finding) -> String?

  public init(of campaign: HuntResults, command: @escaping (HuntResults.Finding) -> String?) {
    self.campaign = campaign
    self.command = command
  }

  /// The whole; with how fast it went, where it is known how long it took by the clock on the wall.
  public func text(milliseconds: Int? = nil) -> String {
    var lines = [overview(milliseconds)]
    for finding in campaign.findings { lines += [""] + self.lines(of: finding) }
    if !campaign.missing.isEmpty {
      let names = campaign.missing.map(\.rawValue).joined(separator: ", ")
      lines += [""] + Self.wrapped("never happened: " + names)
    }
    return (lines + ["", lastLine]).map { $0 + "\n" }.joined()
  }

  /// `999 passed, 1 failed, 0 skipped`, as after every run.
  public var lastLine: String {
    let failed = campaign.failed
    return "\(campaign.seeds.count - failed) passed, \(failed) failed, 0 skipped"
  }

  private func overview(_ milliseconds: Int?) -> String {
    let count = campaign.seeds.count
    var text = "\(counted(count, "scenario")), seeds \(Self.brief(campaign.seeds)): "
    let kinds = campaign.findings.count
    text += kinds == 0 ? "no divergence" : "\(kinds == 1 ? "1 kind" : "\(kinds) kinds") of failure"
    if let milliseconds, milliseconds > 0 {
      text += "   \(count * 1000 / milliseconds) a second"
    }
    return text
  }

  /// The ranges, or how many there are.
  static func brief(_ seeds: SeedRanges) -> String {
    seeds.ranges.count <= 3 ? "\(seeds)" : "in \(seeds.ranges.count) ranges"
  }

  private func lines(of finding: HuntResults.Finding) -> [String] {
    let count = finding.seeds.count
    let times = count == 1 ? "seed \(finding.first)" : "\(count) times, first seed \(finding.first)"
    return ["FAIL  \(finding.signature)   \(times)"]
      + Self.wrapped(finding.sentence).map { "      " + $0 }
      + (command(finding).map { ["      " + $0] } ?? [])
  }

  /// Lines of at most 94 columns, parted at spaces.
  private static func wrapped(_ text: String) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if let last = lines.last, last.count + 1 + word.count <= 94 {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}

/// `1 scenario`, `2 scenarios`.
private func counted(_ count: Int, _ noun: String) -> String {
  count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
}
