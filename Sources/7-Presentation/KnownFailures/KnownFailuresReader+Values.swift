internal import ClientInterface
internal import Document
internal import Scenario
internal import Tree

extension KnownFailuresReader {
  mutating func text(_ node: DocumentNode, _ what: String) -> String? {
    if case let .string(text) = node.content, !text.isEmpty { return text }
    report(node.position, "\(what) is \(node.json.text); expected a text")
    return nil
  }

  /// The scenarios, all of which must exist.
  mutating func pattern(_ node: DocumentNode, most: DocumentNode?) -> Glob? {
    guard let text = text(node, "scenario") else { return nil }
    let glob = Glob(text)
    let count = context.scenarios.count { glob.matches($0.id) }
    if count == 0 {
      report(
        node.position,
        glob.isPattern
          ? "no scenario matches \"\(text)\""
          : "there is no scenario \"\(text)\"" + Self.hint(text, context.scenarios.map(\.id)))
    }
    if let most = most?.json.integer {
      if most > 0, count > most {
        report(node.position, "\"\(text)\" matches \(count) scenarios; max allows \(most)")
      }
    } else if most == nil, glob.isPattern, count > KnownFailures.matchesWithoutMax {
      report(
        node.position,
        "\"\(text)\" matches \(count) scenarios; a pattern that matches more than "
          + "\(KnownFailures.matchesWithoutMax) says how many it may match: max: \(count)")
    }
    return glob
  }

  mutating func count(_ node: DocumentNode) -> Int? {
    if let count = node.json.integer, count > 0 { return count }
    report(node.position, "max is \(node.json.text); expected a whole number from 1 up")
    return nil
  }

  mutating func profiles(_ node: DocumentNode) -> [String] {
    guard case let .list(nodes) = node.content, !nodes.isEmpty else {
      report(node.position, "profiles is \(node.json.text); expected a list such as [firebase]")
      return []
    }
    let names = Profile.all.map(\.name)
    var profiles: [String] = []
    for node in nodes {
      guard let name = text(node, "a profile") else { continue }
      if !names.contains(name) {
        report(
          node.position,
          "unknown profile \"\(name)\"\(Self.hint(name, names)); expected one of "
            + names.joined(separator: ", "))
      } else if profiles.contains(name) {
        report(node.position, "\(name) occurs twice; expected it once")
      } else {
        profiles.append(name)
      }
    }
    return profiles
  }

  mutating func rule(_ node: DocumentNode) -> String? {
    guard let id = text(node, "rule") else { return nil }
    if context.rules.isEmpty || context.rules.contains(id) { return id }
    report(node.position, "there is no rule \"\(id)\"" + Self.hint(id, context.rules))
    return nil
  }

  /// Words of small letters, digits, `-` and `_`, with one blank between them.
  mutating func signature(_ node: DocumentNode) -> String? {
    guard let text = text(node, "signature") else { return nil }
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    let isRight = words.allSatisfy { word in
      !word.isEmpty
        && word.utf8.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
          default: false
          }
        }
    }
    if isRight { return text }
    report(
      node.position,
      "signature is \(JSON.string(text).text); expected it as reports have it, such as "
        + "\"missing-event child_added listener\"")
    return nil
  }

  mutating func kind(_ node: DocumentNode) -> KnownFailure.Kind? {
    guard let text = text(node, "kind") else { return nil }
    let kind = KnownFailure.Kind(rawValue: text)
    if let kind, kind != .flaky || context.allowsFlaky { return kind }
    if kind == .flaky {
      report(
        node.position,
        "flaky is for runs by a real clock; here the same seed gives the same run every time; "
          + "expected bug or wontfix")
    } else {
      let kinds = KnownFailure.Kind.allCases.filter { $0 != .flaky || context.allowsFlaky }
        .map(\.rawValue)
      report(
        node.position,
        "unknown kind \"\(text)\"\(Self.hint(text, kinds)); expected "
          + kinds.joined(separator: " or "))
    }
    return nil
  }

  mutating func link(_ node: DocumentNode) -> String? {
    guard let text = text(node, "issue") else { return nil }
    let schemes = ["https://", "http://"]
    let isPlain = text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
    if isPlain, schemes.contains(where: { text.hasPrefix($0) && text.count > $0.count }) {
      return text
    }
    report(
      node.position,
      "issue is \(JSON.string(text).text); expected a link such as https://example.org/issues/7")
    return nil
  }

  mutating func date(_ node: DocumentNode) -> CalendarDate? {
    if case let .string(text) = node.content, let date = CalendarDate(text) { return date }
    report(node.position, "until is \(node.json.text); expected a day such as 2026-12-31")
    return nil
  }
}
