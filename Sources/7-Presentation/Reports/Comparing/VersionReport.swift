internal import ClientInterface
internal import Conformance
public import Document
internal import Scenario
public import Search
internal import Trace
internal import Tree

/// What two versions of a client do differently, by cause, for people and for programs.
public struct VersionReport {
  private let runs: [VersionComparison]
  private let groups: [VersionGroup]
  private let withOrders: Bool
  /// The command that compares both in one run again.
  private let command: (VersionComparison) -> String

  /// - Parameters:
  ///   - runs: In the order in which they were made.
  ///   - withOrders: Whether orders are reported that the rules leave open.
  ///   - command: What makes one of the runs again.
  public init(
    of runs: [VersionComparison], withOrders: Bool = false,
    command: @escaping (VersionComparison) -> String
  ) {
    (self.runs, self.withOrders, self.command) = (runs, withOrders, command)
    groups = VersionGroup.groups(of: runs, withOrders: withOrders)
  }

  /// Whether a run speaks against the newer version, and no list of known failures says so.
  public var isRed: Bool { runs.contains(where: \.isRed) }

  /// Whether there is a run that both can be judged by.
  public var isEmpty: Bool { runs.allSatisfy { $0.ruling == .unjudged } }
}

// For people.

extension VersionReport {
  /// Each cause with the shortest scenario that shows it, what only comes behind other differences, and the
  /// counts.
  public func text(_ palette: Palette = .plain) -> String {
    let (shown, behind) = (groups.filter { !$0.firsts.isEmpty }, groups.filter(\.firsts.isEmpty))
    var text = shown.flatMap { lines(of: $0, palette) + [""] }
    if !behind.isEmpty {
      text.append("Behind other differences, from which it may follow:")
      let rows = behind.map {
        [ascii($0.cause), extent($0), "such as " + ascii($0.shortest.run.scenario.id)]
      }
      text += TextTable(rows).lines.map { "  " + $0 } + [""]
    }
    return (text + counts).map { trimmedEnd($0) + "\n" }.joined()
  }

  private func lines(of group: VersionGroup, _ palette: Palette) -> [String] {
    let (example, run) = (group.shortest, group.shortest.run)
    let title = palette.paint(ascii(group.cause), group.isRed ? .bad : .strong)
    let heads = [title, extent(group), delay(group), rulings(group)].filter { !$0.isEmpty }
    var lines = [heads.joined(separator: "   ")]
    var place = "\(ascii(run.scenario.id))  \(run.profile.name)  seed \(run.seed)"
    if let difference = example.difference {
      place += "   \(difference.aspect.rawValue)"
      if difference.step > 0 {
        place += ", in step \(difference.step) of \(run.scenario.steps.count)"
      }
    }
    lines.append("  " + place)
    if let difference = example.difference {
      lines += DifferenceTable(difference, clients: run.scenario.clients, run.profile.dialect)
        .lines("(- OLD, + NEW)", nothing: "nothing of the kind")
    }
    if let sentence = run.sentence, run.ruling != .open {
      let subject = run.ruling == .inFavour ? "OLD: " : run.isUpgrade ? "upgraded: " : "NEW: "
      let rule = run.rule.map { " (\($0))" } ?? ""
      lines += TextReport.paragraph(subject + sentence + rule)
    }
    return lines + ["  " + command(run)]
  }

  /// `227 runs of 76 scenarios`.
  private func extent(_ group: VersionGroup) -> String {
    let count = group.members.count
    return count == 1
      ? "1 run" : "\(count) runs of \(counted(group.scenarios.count, "scenario"))"
  }

  private func delay(_ group: VersionGroup) -> String {
    guard let delays = group.delays else { return "" }
    let (low, high) = (delays.lowerBound, delays.upperBound)
    if low < .zero, high > .zero { return "from \(low.text) to +\(high.text)" }
    let sizes: [Interval] = low < .zero ? [.zero - high, .zero - low] : [low, high]
    let word = low < .zero ? "earlier" : "later"
    return "\(word) by " + sizes.unique().map(\.text).joined(separator: " to ")
  }

  /// `2 against NEW (LIM-7), 1 left open`.
  private func rulings(_ group: VersionGroup) -> String {
    let rules = group.rules.isEmpty ? "" : " (\(group.rules.joined(separator: ", ")))"
    let words = VersionComparison.Ruling.allCases.compactMap { ruling -> String? in
      let count = group.count(ruling)
      return count == 0 ? nil : "\(count) \(ruling.words)"
    }
    return words.joined(separator: ", ") + rules
  }

  private var counts: [String] {
    let judged = runs.filter { $0.ruling != .unjudged }
    let differing = judged.filter { !$0.isEqual(withOrders: withOrders) }
    let extent =
      "\(counted(judged.count, "run")) of "
      + counted(judged.map(\.scenario.id).unique().count, "scenario")
    var lines: [String] = []
    let lost = runs.count(where: \.isLost)
    let rest = runs.count - judged.count - lost
    if rest > 0 { lines.append("not judged with OLD: \(counted(rest, "run"))") }
    if lost > 0 { lines.append("not judged with NEW alone: \(counted(lost, "run"))") }
    let known = runs.count(where: \.isKnown)
    if known > 0 { lines.append("against NEW as listed: \(counted(known, "run"))") }
    let reordered = withOrders ? 0 : judged.count(where: \.isReordered)
    if reordered > 0 {
      lines.append(
        "only in an order that the rules leave open: \(counted(reordered, "run")) (--orders shows them)"
      )
    }
    let words = VersionComparison.Ruling.allCases.compactMap { ruling -> String? in
      let count = differing.count { $0.ruling == ruling }
      return count == 0 ? nil : "\(count) \(ruling.words)"
    }
    let list = words.isEmpty ? "" : ": " + words.joined(separator: ", ")
    return lines + [
      "\(extent): \(judged.count - differing.count) equal, \(differing.count) different\(list)"
    ]
  }
}

extension VersionComparison.Ruling {
  /// What a count of runs is of.
  fileprivate var words: String {
    switch self {
    case .against: "against NEW"
    case .otherFailure: "where NEW fails in another way"
    case .inFavour: "for NEW"
    case .open: "left open"
    case .bothFail: "where both fail alike"
    case .unjudged: "not compared"
    }
  }
}

// For programs.

extension VersionReport {
  /// An object on a line for each cause, and one for the whole.
  public var json: String {
    let lines = groups.map { json(of: $0) } + [summary]
    return lines.map { $0.text + "\n" }.joined()
  }

  private func json(of group: VersionGroup) -> JSON {
    let delays = group.delays.map { delays in
      JSON.array([delays.lowerBound, delays.upperBound].map { .number($0.milliseconds) })
    }
    return [
      "cause": .string(group.cause),
      "aspect": .optional(group.shortest.difference?.aspect.rawValue),
      "upgrade": .bool(group.shortest.run.isUpgrade), "red": .bool(group.isRed),
      "runs": .count(group.members.count), "firstIn": .count(group.firsts.count),
      "scenarios": .strings(group.scenarios), "delays": delays ?? .null,
      "rulings": json(of: group.count), "rules": .strings(group.rules),
      "example": json(of: group.shortest),
    ]
  }

  private func json(of rulings: (VersionComparison.Ruling) -> Int) -> JSON {
    .object(VersionComparison.Ruling.allCases.map { .init($0.rawValue, .count(rulings($0))) })
  }

  private func json(of example: VersionGroup.Member) -> JSON {
    let (run, difference) = (example.run, example.difference)
    let names = run.scenario.clients
    let client = difference?.client.flatMap { client in
      names.indices.contains(client.number) ? names[client.number] : nil
    }
    let sides = difference.map { JSONReport.json(of: $0.sides, run.scenario, run.profile) }
    let (step, time) = (difference?.step, difference?.time.milliseconds)
    return .object([
      .init("scenario", .string(run.scenario.id)), .init("profile", .string(run.profile.name)),
      .init("seed", seedJSON(run.seed)), .init("steps", .count(run.scenario.steps.count)),
      .init("ruling", .string(run.ruling.rawValue)), .init("sentence", .optional(run.sentence)),
      .init("step", step.map { .count($0) } ?? .null), .init("client", .optional(client)),
      .init("label", .optional(difference?.label)), .init("path", .optional(difference?.path)),
      .init("at", time.map { .number($0) } ?? .null), .init("difference", sides ?? .null),
      .init("known", .bool(run.isKnown)), .init("command", .string(command(run))),
    ])
  }

  private var summary: JSON {
    let different = runs.filter { !$0.isEqual(withOrders: withOrders) }
    let reordered = runs.count(where: \.isReordered)
    return [
      "summary": [
        "runs": .count(runs.count), "different": .count(different.count),
        "reordered": .count(reordered), "lost": .count(runs.count(where: \.isLost)),
        "known": .count(runs.count(where: \.isKnown)),
        "rulings": json(of: { ruling in runs.count { $0.ruling == ruling } }),
        "differing": json(of: { ruling in different.count { $0.ruling == ruling } }),
      ]
    ]
  }
}
