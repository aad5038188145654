/// How small what was found has become, over all mutants.
struct ShrinkingFigures {
  private let rows: [MutantResult.Shrunk]
  private let milliseconds: [Double]

  /// How many steps a person reads at a glance.
  static let few = 10

  /// `nil` when nothing was made small.
  init?(_ evidence: [MutantResult]) {
    rows = evidence.compactMap(\.shrunk)
    milliseconds = evidence.compactMap(\.times.shrinking)
    if rows.isEmpty { return nil }
  }

  var lines: [(what: String, text: String)] {
    let tries = rows.map(\.executions).spread ?? ""
    return [
      ("made small, to at most \(Self.few) steps", share { $0.steps <= Self.few }),
      ("of which nothing can be left out", share(\.isMinimal)),
      ("seen again in another process", share(\.isConfirmed)),
      ("seen only by comparison with a shadow", share(\.needsShadow)),
      ("steps that are left", rows.map(\.steps).spread ?? ""),
      ("scenarios tried for that", tries),
      ("milliseconds for that", milliseconds.spread ?? ""),
    ]
  }

  private func share(_ holds: (MutantResult.Shrunk) -> Bool) -> String {
    let count = rows.count(where: holds)
    return "\(count) of \(rows.count) (\(count * 100 / rows.count) %)"
  }
}

extension KillMatrix {
  var shrinking: ShrinkingFigures? { ShrinkingFigures(rows) }
}
