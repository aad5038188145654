import Document
import Scenario
import Tree

/// Text of the file as it appears in a message: in quotes and not too long.
func quoted(_ text: String) -> String {
  JSON.string(Truncation.end(of: text, toScalars: 60)).text
}

/// `; did you mean a or b?`, or nothing where nothing is near.
func hint(for word: String, among candidates: [String]) -> String {
  let near = closestMatches(to: word, in: candidates)
  let other = otherWords[word.lowercased()].map { [$0] } ?? []
  return didYouMean(near.isEmpty ? other.filter(candidates.contains) : near)
}

/// What other tools and libraries call steps and operations.
private let otherWords = [
  "sleep": "wait", "pause": "wait", "delay": "wait", "advance": "wait", "assert": "expect",
  "verify": "expect", "parallel": "together", "delete": "remove", "write": "set", "off": "unlisten",
  "observe": "listen", "subscribe": "listen", "unsubscribe": "unlisten", "read": "get",
  "disconnect": "go-offline", "reconnect": "go-online", "login": "auth", "logout": "unauth",
]

/// Where a key belongs that is in the wrong location.
///
/// - Parameters:
///   - key: The key.
///   - keys: Those that belong where it stands.
/// - Returns: the words behind "expected it"; `nil` when it belongs nowhere.
func home(of key: String, among keys: [String]) -> String? {
  if key == Reading.triggerKey, keys.contains("as") {
    return "in a step of a process, the network or the server"
  }
  if FaultVerb.ofProcess.contains(key), keys.contains("steps") {
    return "in a step of a client, CLIENT.\(key): ..."
  }
  return form(of: key, among: keys).map { "under another key; did you mean \($0)?" }
}

/// How it is written where it belongs.
private func form(of key: String, among keys: [String]) -> String? {
  let parameter = Query.table.names.first { letters(of: $0) == letters(of: key) }
  if let parameter, keys.contains("query") { return "query: {\(parameter): ...}" }
  if key == "latency", keys.contains("network") { return "network: {latency: ...}" }
  if key == "cache", keys.contains("persistence") { return "persistence: {cache: ...}" }
  if key == "deny", keys.contains("security") { return "security: [{path: ..., deny: ...}]" }
  return nil
}

/// Whether the text can name a client, a listener, a call or a parameter.
func isLabel(_ text: String) -> Bool {
  if Reading.interval(of: text) != nil { return true }
  guard let first = text.unicodeScalars.first, first.isASCII, first.properties.isAlphabetic else {
    return false
  }
  return text.unicodeScalars.allSatisfy {
    $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "-" || $0 == "_")
  }
}

let labelForm = "a letter, then letters, digits, - and _"

extension DocumentNode {
  /// What kind of value this is, for messages: `a mapping`, `a number`, …
  var kind: String {
    switch content {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .list: "a list"
    case .mapping: "a mapping"
    }
  }

  /// The entries of a step or a call: a plain word such as `settle` is one without arguments.
  var entries: [Entry]? {
    switch content {
    case let .mapping(entries): entries
    case let .string(word):
      [.init(key: word, keyPosition: position, value: DocumentNode(.null, at: position))]
    case .null, .bool, .number, .list: nil
    }
  }

  var isCollection: Bool {
    switch content {
    case .list, .mapping: true
    case .null, .bool, .number, .string: false
    }
  }

  var isNull: Bool {
    if case .null = content { true } else { false }
  }

  /// The value in flow style, as people write it: `{path: room/a, value: 1}`.
  var flowText: String {
    switch content {
    case .null, .bool, .number: json.text
    case let .string(text): isPlain(text) ? text : JSON.string(text).text
    case let .list(elements): "[" + elements.map(\.flowText).joined(separator: ", ") + "]"
    case let .mapping(entries):
      "{" + entries.map { "\($0.key): \($0.value.flowText)" }.joined(separator: ", ") + "}"
    }
  }
}

/// Whether YAML reads the text without quotes as this very string, also between braces.
private func isPlain(_ text: String) -> Bool {
  if Reading.interval(of: text) != nil { return true }
  guard let first = text.unicodeScalars.first, !["null", "true", "false", "~"].contains(text) else {
    return false
  }
  let isLetter = first.properties.isAlphabetic || first == "/" || first == "$" || first == "."
  let isDotted =
    first == "."
    && text.unicodeScalars.dropFirst().first?.properties.isAlphabetic
      != true
  return isLetter && !isDotted
    && text.unicodeScalars.allSatisfy {
      !",[]{}:#\"'\\".unicodeScalars.contains($0) && $0.value >= 32
    }
}
