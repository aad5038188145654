internal import ClientInterface
public import Scenario
internal import SecurityRules
internal import Tree
internal import Wire

extension Scenario {
  /// The scenario as a file, as a person would write it; ends with a line feed.
  ///
  /// Read again, it is the same scenario, but for its id, its file, and the positions and texts of
  /// its parts. A scenario of a matrix is one without parameters, and steps of fragments are among
  /// its own.
  ///
  /// - Parameter comment: What is above everything else, as lines that begin with `#`.
  /// - Returns: The text of the file.
  public func yaml(comment: String = "") -> String {
    let lines = comment.split(separator: "\n", omittingEmptySubsequences: false)
    let above = comment.isEmpty ? [] : lines.map { $0.isEmpty ? "#" : "# \($0)" }
    let header = YAML.mapping(
      of: [
        ("kennel", .word("\(Reading.version)")), ("title", .line(title)),
        ("rules", rules.isEmpty ? nil : .words(rules.map(\.id))),
        ("fixed-order", fixedOrder.map { .line($0) }),
        ("judge", judging == .expectations ? nil : .text(judging.rawValue)),
        ("profiles", profiles == Profile.all ? nil : .words(profiles.map(\.name))),
        ("needs", needs.isEmpty ? nil : .words(needs)), ("tags", tags.isEmpty ? nil : .words(tags)),
      ], .block)
    let body = YAML.mapping(of: setup + [("steps", .steps(statedSteps))], .block)
    return (above + header.lines + whyLines + body.lines).map { $0 + "\n" }.joined()
  }

  /// What is between the header and the steps.
  private var setup: [(String, YAML?)] {
    [
      ("clients", .words(clients)),
      ("start", start == .connected ? nil : .text(start.rawValue)),
      ("network", latency == Latency() ? nil : network),
      ("quiet", quiet == .seconds(2) ? nil : .duration(quiet)),
      ("data", data.isEmpty ? nil : .value(data)),
      ("security", securityYAML),
      ("tokens", tokens.isEmpty ? nil : tokenMapping),
      ("persistence", persistence.isEmpty ? nil : kept),
      (
        "choices",
        choices.map { .list($0.map { .value($0.json) }, $0.isEmpty ? .flow : .block) }
      ),
      ("form", form.map { .text($0.rawValue) }),
      ("without", without.isEmpty ? nil : .list(without.map { Self.exception($0) })),
    ]
  }

  private var securityYAML: YAML? {
    if let databaseRules { return .value(databaseRules.json) }
    return security.isEmpty ? nil : .list(security.map { .mapping(of: $0.fields) })
  }

  /// The steps without the expectation that the reader adds at the end.
  private var statedSteps: [Step] {
    guard let last = steps.last, case .expect = last.action, judging == .expectations,
      let expectation = last.expectation, expectation.isEmpty, expectation.rules.isEmpty,
      let other = steps.dropLast().last, other.expectation?.timing != .settled
    else { return steps }
    return steps.dropLast()
  }

  private var whyLines: [String] {
    if why.isEmpty { return [] }
    let lines = why.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let isPlain = lines.allSatisfy { line in
      line.first != " " && line.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 }
    }
    guard why.hasSuffix("\n"), !why.hasSuffix("\n\n"), isPlain, lines.first?.isEmpty == false else {
      return YAML.mapping([.init("why", .line(why))], .block).lines
    }
    let isWide = lines.contains { $0.count + 2 > YAML.width }
    return isWide ? folded(lines) : ["why: |"] + lines.map { $0.isEmpty ? "" : "  " + $0 }
  }
}

/// A text with long lines: each of them on several that are joined by spaces when they are read,
/// with an empty one behind it for its line feed.
private func folded(_ lines: some Collection<Substring>) -> [String] {
  var result = ["why: >"]
  for line in lines {
    if result.count > 1 { result.append("") }
    var text = ""
    for word in line.split(separator: " ", omittingEmptySubsequences: false) {
      if !text.isEmpty, !word.isEmpty, text.count + word.count + 3 > YAML.width {
        result.append("  " + text)
        text = String(word)
      } else {
        text += (text.isEmpty ? "" : " ") + word
      }
    }
    if !text.isEmpty { result.append("  " + text) }
  }
  return result
}

extension Scenario {
  private var network: YAML {
    var entries: [(String, YAML?)] = []
    if latency.standard != Latency().standard {
      entries.append(("latency", .range(latency.standard)))
    }
    return .mapping(
      of: entries
        + latency.overrides.map { override in
          (override.client, .mapping([.init("latency", .range(override.range))]))
        })
  }

  private var tokenMapping: YAML {
    let sorted = tokens.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return .mapping(
      sorted.map { name, token in
        .init(
          YAML.key(name),
          .mapping(of: [
            ("uid", .text(token.user)), ("expires", token.lifetime.map { .duration($0) }),
          ]))
      })
  }

  /// What all keep is defined once.
  private var kept: YAML {
    let all = clients.map { persistence[$0] }
    if let first = all.first, let first, all.allSatisfy({ $0 == first }) {
      return Self.storage(first)
    }
    return .mapping(of: clients.map { name in (name, persistence[name].map(Self.storage)) })
  }

  private static func storage(_ persistence: ClientInput.Persistence) -> YAML {
    if persistence == ClientInput.Persistence() { return .word("true") }
    return .mapping([.init("cache", .size(persistence.cacheBytes))])
  }

  private static func exception(_ exception: Exception) -> YAML {
    .mapping([
      .init("invariant", .text(exception.invariant.id)),
      .init("because", .text(exception.reason)),
    ])
  }
}
