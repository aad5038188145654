internal import Conformance
internal import Mutants

extension KillMatrix {
  /// A line for each mutant, as soon as it is examined.
  public static func line(_ evidence: MutantResult) -> String {
    let verdict =
      evidence.mutant.component == .benign
      ? (evidence.isKilled ? "FLAGGED" : "passes") : (evidence.isKilled ? "killed" : "SURVIVES")
    var parts = ["\(evidence.suite.failing.count) scenarios" + time(evidence.times.suite)]
    parts.append("\(evidence.invariants.ids.count) invariants" + time(evidence.times.invariants))
    if let hunt = evidence.hunt {
      parts.append("\(hunt.signature.text) after \(hunt.seed)" + time(evidence.times.hunt))
    } else {
      parts.append("hunt: nothing in \(evidence.hunted)")
    }
    if let shrunk = evidence.shrunk {
      parts.append(
        "\(shrunk.steps) steps after \(shrunk.executions)" + time(evidence.times.shrinking)
          + (shrunk.isMinimal ? "" : ", not minimal")
          + (shrunk.isConfirmed ? "" : ", not confirmed"))
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
    if !idleScenarios.isEmpty {
      lines.append("scenarios that fail no mutant: \(idleScenarios.count)")
    }
    lines += speeds.map { "\($0.way): \($0.text)" }
    lines += (shrinking?.lines ?? []).map { "\($0.what): \($0.text)" }
    lines.append(
      "\(rows.count - survivors.count) of \(rows.count) mutants noticed, "
        + "\(flagged.count) of \(variants.count) conforming variants flagged")
    return lines.joined(separator: "\n") + "\n"
  }

  /// How soon each way of looking notices a mutant.
  var speeds: [(way: String, text: String)] {
    let ways: [(String, [Double])] = [
      ("scenarios", rows.compactMap(\.times.suite)),
      ("invariants", rows.compactMap(\.times.invariants)),
      ("hunt", rows.compactMap(\.times.hunt)),
    ]
    return ways.map { way, milliseconds in
      let spread = milliseconds.spread.map { "\(milliseconds.count) noticed, \($0) ms" }
      return (way, spread ?? "nothing noticed")
    }
  }
}
