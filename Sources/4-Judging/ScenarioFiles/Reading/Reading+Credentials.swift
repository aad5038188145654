import Document
import Faults
import Scenario

extension Reading {
  /// `{TOKEN: {uid: NAME, expires: 30s}}`.
  mutating func readTokens(_ node: DocumentNode) -> [String: Scenario.Token] {
    guard case let .mapping(entries) = node.content, !entries.isEmpty else {
      report(
        node.position,
        "tokens is \(node.isCollection ? "empty" : node.kind); expected {TOKEN: {uid: NAME}}")
      return [:]
    }
    var tokens: [String: Scenario.Token] = [:]
    for entry in entries {
      let what = "the token \(entry.key)"
      let fields = fields(of: entry.value, what, keys: ["uid", "expires"], required: ["uid"])
      guard let uid = fields?["uid"], let user = string(uid, "uid") else { continue }
      let lifetime = fields?["expires"].flatMap { interval($0, "expires") }
      tokens[entry.key] = .init(user: user, lifetime: lifetime)
    }
    return tokens
  }

  /// `authenticated` or `{uid: NAME}`.
  mutating func exemption(_ node: DocumentNode) -> SecurityRule.Exemption? {
    if case let .string(text) = node.content {
      if text == "authenticated" { return .authenticated }
      unknown("exemption", text, at: node.position, among: ["authenticated", "{uid: NAME}"])
      return nil
    }
    let fields = fields(of: node, "unless", keys: ["uid"], required: ["uid"])
    return fields?["uid"].flatMap { string($0, "uid") }.map { .user($0) }
  }
}
