internal import Text

extension GuidedComparison {
  /// Compares everything, and hands out what it comes to, as lines for people.
  ///
  /// - Complexity: Runs `scenarios` twice, and up to `limit` scenarios twice for each mutant.
  public func run<Problem: Error>(
    _ output: (String) throws(Problem) -> Void
  ) throws(Problem) {
    let blind = states(.blind)
    let guided = states(.guided)
    try output(
      Self.line(
        "states", blind.states, guided.states, target: ("at least 1.5 times", { $0 >= 1.5 })))
    try output(Self.line("  events", blind.events, guided.events))
    var found: [Detection] = []
    for mutant in mutants {
      let detection = detection(of: mutant)
      guard detection.isNoticed else { continue }
      found.append(detection)
      try output(Self.line(of: detection))
    }
    let missed = Way.allCases.map { way in
      found.count { ($0.scenarios[way] ?? 0) > $0.limit }
    }
    try output(
      "\(counted(found.count, "mutant")) of \(mutants.count) that a hunt can notice; "
        + "blind ones missed \(missed[0]) of them, guided ones \(missed[1])\n")
    for text in Self.lines(of: found) { try output(text) }
  }

  private static func lines(of found: [Detection]) -> [String] {
    func lines(_ name: String, _ share: Double, _ words: String, _ most: Double) -> [String] {
      func value(_ key: KeyPath<Detection, [Way: Int]>, _ way: Way) -> Int {
        percentile(share, of: found.compactMap { $0[keyPath: key][way] })
      }
      return [
        line(
          name, value(\.scenarios, .blind), value(\.scenarios, .guided),
          target: (words, { $0 <= most })),
        line("  events", value(\.events, .blind), value(\.events, .guided)),
      ]
    }
    return lines("median", 0.5, "at most half", 0.5)
      + lines("95th percentile", 0.95, "at most a third", 1 / 3.0)
  }

  private static func line(of detection: Detection) -> String {
    let blind = detection.scenarios[.blind] ?? 0
    let guided = detection.scenarios[.guided] ?? 0
    return "  \(padded(detection.name, to: 40)) blind \(blind), guided \(guided)\n"
  }

  private static func percentile(_ share: Double, of values: [Int]) -> Int {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    return sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
  }

  private static func line(
    _ name: String, _ blind: Int, _ guided: Int,
    target: (words: String, isReached: (Double) -> Bool)? = nil
  ) -> String {
    let ratio = Double(guided) / Double(max(1, blind))
    let verdict = target.map { ($0.isReached(ratio) ? "reached: " : "missed: ") + $0.words } ?? ""
    return "\(padded(name, to: 17)) blind \(padded("\(blind)", to: 12)) "
      + "guided \(padded("\(guided)", to: 12)) \(Int((ratio * 100).rounded())) %   \(verdict)\n"
  }
}
