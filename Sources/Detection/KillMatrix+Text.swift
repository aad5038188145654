internal import Conformance
internal import Mutants
internal import Rules

extension KillMatrix {
  /// A line for each mutant, as soon as it is examined.
  public static func line(_ evidence: Evidence) -> String {
    let verdict =
      evidence.mutant.place == .benign
      ? (evidence.isKilled ? "FLAGGED" : "passes") : (evidence.isKilled ? "killed" : "SURVIVES")
    var parts = ["\(evidence.suite.failing.count) scenarios" + time(evidence.times.suite)]
    parts.append("\(evidence.invariants.ids.count) invariants" + time(evidence.times.invariants))
    if let hunt = evidence.hunt {
      parts.append("\(hunt.signature.text) after \(hunt.seed)" + time(evidence.times.hunt))
    } else {
      parts.append("hunt: nothing in \(evidence.hunted)")
    }
    if let shrunk = evidence.shrunk {
      parts.append("\(shrunk.steps) steps" + time(evidence.times.shrinking))
    }
    return "\(verdict)  \(evidence.mutant.name)  \(parts.joined(separator: ", "))\n"
  }

  private static func time(_ milliseconds: Double?) -> String {
    milliseconds.map { " (\(Int($0.rounded())) ms)" } ?? ""
  }

  /// The sum of it all.
  public var text: String {
    var lines: [String] = []
    lines += survivors.map { "survives: \($0.mutant.name): \($0.mutant.sentence)" }
    lines += flagged.map { "flagged: \($0.mutant.name): \($0.finding)" }
    if !idleRules.isEmpty {
      lines.append(
        "rules that fail no mutant: " + idleRules.map(\.description).joined(separator: " "))
    }
    if !idleScenarios.isEmpty {
      lines.append("scenarios that fail no mutant: \(idleScenarios.count)")
    }
    lines.append(speed("scenarios", rows.compactMap(\.times.suite)))
    lines.append(speed("invariants", rows.compactMap(\.times.invariants)))
    lines.append(speed("hunt", rows.compactMap(\.times.hunt)))
    lines.append(
      "\(rows.count - survivors.count) of \(rows.count) mutants noticed, "
        + "\(flagged.count) of \(variants.count) lawful variants flagged")
    return lines.joined(separator: "\n") + "\n"
  }

  private func speed(_ way: String, _ milliseconds: [Double]) -> String {
    guard let median = milliseconds.percentile(50), let p95 = milliseconds.percentile(95) else {
      return "\(way): nothing noticed"
    }
    return "\(way): \(milliseconds.count) noticed, median \(Int(median.rounded())) ms, "
      + "95 % within \(Int(p95.rounded())) ms"
  }
}
