internal import Document

/// Groups of failures that have one cause, as far as that shows.
public enum FailureGroups {
  /// The cause that each failure is put down to, so that few causes explain all of them: that which
  /// explains most, then that which explains most of the rest.
  ///
  /// - Parameter failures: The causes that each can have, one at least; of several that explain equally
  ///   many the one that came up first is taken.
  /// - Returns: One of its causes for each failure, in the same order.
  /// - Complexity: O(*n* × *m*) in the failures and the causes that remain.
  public static func causes(of failures: [[String]]) -> [String] {
    var left = Array(failures.indices)
    var causes = Array(repeating: "", count: failures.count)
    while !left.isEmpty {
      var names: [String] = []
      var counts: [String: Int] = [:]
      for name in left.flatMap({ failures[$0].unique() }) {
        counts[name, default: 0] += 1
        if counts[name] == 1 { names.append(name) }
      }
      // Of equals it keeps the first.
      let best = names.reduce(names.first) { best, name in
        counts[name, default: 0] > counts[best ?? name, default: 0] ? name : best
      }
      guard let best else { break }
      for index in left where failures[index].contains(best) { causes[index] = best }
      left.removeAll { failures[$0].contains(best) }
    }
    return causes
  }
}

/// Which rule a group of failures breaks, as far as that shows from which scenarios fail and which
/// pass: a rule whose scenarios all fail is more likely than one of which most pass.
public struct BrokenRule {
  /// How many runs that cite a rule have passed.
  private var passed: [String: Int] = [:]

  /// - Parameter passed: The rules that each run cites that passed.
  public init(passed: [[String]]) {
    for rules in passed {
      for rule in rules { self.passed[rule, default: 0] += 1 }
    }
  }

  /// The rule that most likely is broken.
  ///
  /// - Parameter failures: The rules that the scenario of each failure cites, the one that its
  ///   difference itself is about, and the causes that it can be put down to.
  /// - Returns: Of equally likely rules the first; `nil` where no rule is cited.
  public func rule(
    of failures: [(cited: [String], own: String?, causes: [String])]
  ) -> String? {
    var rules: [String] = []
    var evidence: [String: Evidence] = [:]
    for failure in failures {
      let hinted = RuleHints.rules(for: failure.causes)
      let all = (failure.cited + [failure.own].compactMap { $0 } + hinted).unique()
      for rule in all {
        if evidence[rule] == nil { rules.append(rule) }
        evidence[rule, default: Evidence()].add(
          place: failure.cited.firstIndex(of: rule), isOwn: rule == failure.own,
          hint: hinted.firstIndex(of: rule))
      }
    }
    let likelihoods = rules.map { rule in
      (evidence[rule] ?? Evidence()).likelihood(passed: passed[rule] ?? 0, of: failures.count)
    }
    guard let most = likelihoods.max() else { return nil }
    return likelihoods.firstIndex(of: most).map { rules[$0] }
  }

  /// What failures say for a rule.
  private struct Evidence {
    /// How many of them cite it.
    private var count = 0
    /// How many of them are about it.
    private var own = 0
    /// Of how many of them the cause says that they are about it; the first rule of a cause counts most.
    private var hinted = 0.0
    /// A scenario names first what it is there for.
    private var prominence = 0.0

    mutating func add(place: Int?, isOwn: Bool, hint: Int?) {
      if isOwn { own += 1 }
      if let hint { hinted += 1 / Double(1 + hint) }
      if let place { prominence += 1 / Double(1 + place) }
      if place != nil { count += 1 }
    }

    /// How well the runs that cite it and the failures agree (the cosine of both, which is also called
    /// Ochiai's coefficient) counts most, then of how many failures the difference and the cause are
    /// about it.
    func likelihood(passed: Int, of failures: Int) -> Double {
      let agreement = Double(count) / (Double(max(1, count + passed) * failures)).squareRoot()
      return agreement + (0.5 * (Double(own) + hinted) + 0.1 * prominence) / Double(failures)
    }
  }
}

/// How well groups of failures agree with the causes that these really have.
public struct GroupQuality: Hashable, Sendable {
  /// How many failures were grouped.
  public private(set) var failures = 0
  /// How many groups there are.
  public private(set) var groups = 0
  /// How many causes there are.
  public private(set) var causes = 0
  private var pure = 0
  private var together = 0

  /// Nothing is grouped.
  public init() {}

  /// The share of failures whose group has mostly failures of their cause.
  public var purity: Double { Double(pure) / Double(max(1, failures)) }
  /// The share of failures that are in that group that has most of their cause.
  public var completeness: Double { Double(together) / Double(max(1, failures)) }

  /// How many failures there are, and the shares, in words.
  ///
  /// - Parameter clients: What has failed: `20 mutants`.
  /// - Returns: Each with what it is.
  public func figures(of clients: String) -> [(what: String, text: String)] {
    let extent =
      "\(counted(failures, "failure")) of \(clients), in \(counted(groups, "group")) of "
      + counted(causes, "cause")
    return [
      ("grouped by cause", extent),
      ("purity of groups", share(pure, of: failures)),
      ("completeness of groups", share(together, of: failures)),
    ]
  }

  /// Takes the failures of one client, each with its group and with its cause.
  public mutating func add(_ failures: [(group: String, cause: String)]) {
    self.failures += failures.count
    let byGroup = failures.grouped { $0.group }
    let byCause = failures.grouped { $0.cause }
    (groups, causes) = (groups + byGroup.count, causes + byCause.count)
    pure += byGroup.map { $0.grouped { $0.cause }.map(\.count).max() ?? 0 }.reduce(0, +)
    together += byCause.map { $0.grouped { $0.group }.map(\.count).max() ?? 0 }.reduce(0, +)
  }
}

/// `9 of 10 (90 %)`
package func share(_ part: Int, of whole: Int) -> String {
  "\(part) of \(whole) (\(part * 100 / max(1, whole)) %)"
}
