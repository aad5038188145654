internal import Document

/// What is below the heading of a rule: its attributes, then its text.
struct RuleBody {
  /// The attributes given once each, by name.
  private(set) var values: [String: (text: String, line: Int)] = [:]

  /// The values of the `differs` attributes, in order.
  private(set) var differs: [String] = []

  /// What is wrong, in the order of the lines.
  var mistakes: [(line: Int, mistake: RuleMistake)] {
    found.sorted { ($0.line, $0.order) < ($1.line, $1.order) }.map { ($0.line, $0.mistake) }
  }

  /// The sentences, with the line breaks of the file taken out and those of paragraphs kept.
  let text: String

  private var found: [(line: Int, order: Int, mistake: RuleMistake)] = []

  /// Takes the list that follows the heading for the attributes, up to the next blank line.
  init(_ lines: [String], firstLine: Int) {
    var attributes: [(text: String, line: Int)] = []
    var index = 0
    while index < lines.count {
      let line = lines[index]
      if line.hasPrefix("- ") {
        attributes.append((line.dropFirst(2).trimmed, firstLine + index))
      } else if line.hasPrefix("  "), let last = attributes.indices.last, !isBlank(line) {
        attributes[last].text += " " + line.trimmed
      } else if !isBlank(line) || !attributes.isEmpty {
        break
      }
      index += 1
    }
    text = Self.unwrapped(lines[index...])
    for attribute in attributes { add(attribute.text, attribute.line) }
  }

  mutating func report(_ mistake: RuleMistake, _ line: Int) {
    found.append((line, found.count, mistake))
  }

  /// The level, or nil after reporting one that is unknown.
  mutating func level() -> Rule.Level? {
    guard let value = values["level"] else { return nil }
    if let level = Rule.Level(rawValue: value.text) { return level }
    report(
      .unknownValue("level", value.text, known: Rule.Level.allCases.map(\.rawValue)), value.line)
    return nil
  }

  /// The known profiles of the list, after reporting unknown ones; empty for `all`.
  mutating func profiles(_ attribute: String = "profiles") -> [String] {
    guard let value = values[attribute], value.text != "all" else { return [] }
    let names = value.text.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
    for name in names where !Rule.profileNames.contains(name) {
      report(.unknownProfile(name), value.line)
    }
    return names.filter(Rule.profileNames.contains)
  }

  /// The value of an attribute that is one of a few words, after reporting an unknown one.
  mutating func choice<Value: RawRepresentable<String> & CaseIterable>(
    _ name: String, else standard: Value
  ) -> Value {
    guard let value = values[name] else { return standard }
    if let choice = Value(rawValue: value.text) { return choice }
    report(.unknownValue(name, value.text, known: Value.allCases.map(\.rawValue)), value.line)
    return standard
  }

  /// The profiles that a rule does not hold for and for which no `differs` gives the reason.
  func unexplained(besides profiles: [String]) -> [String] {
    let isMistaken = found.contains {
      if case .unknownProfile = $0.mistake { true } else { false }
    }
    if profiles.isEmpty || isMistaken { return [] }
    return Rule.profileNames.filter { name in
      !profiles.contains(name) && !differs.contains { $0.hasPrefix(name + ": ") }
    }
  }

  private mutating func add(_ attribute: String, _ line: Int) {
    guard let colon = attribute.firstIndex(of: ":") else {
      return report(.attribute(attribute), line)
    }
    let name = String(attribute[..<colon])
    let value = attribute[attribute.index(after: colon)...].trimmed
    guard !value.isEmpty else { return report(.attribute(attribute), line) }
    switch name {
    case "differs":
      differs.append(value)
      let isNamed = Rule.profileNames.contains { value.hasPrefix($0 + ": ") }
      if !isNamed { report(.difference(value), line) }
    case "level", "binds", "profiles", "should", "source", "tested":
      if values[name] != nil { return report(.repeatedAttribute(name), line) }
      values[name] = (value, line)
    default:
      report(.unknownAttribute(name), line)
    }
  }

  private static func unwrapped(_ lines: ArraySlice<String>) -> String {
    var text = ""
    var startsParagraph = false
    for line in lines {
      let words = line.trimmed
      if words.isEmpty {
        startsParagraph = !text.isEmpty
      } else if startsParagraph {
        text += "\n\n" + words
        startsParagraph = false
      } else if text.isEmpty {
        text = words
      } else {
        text += (startsItem(words) ? "\n" : " ") + words
      }
    }
    return text
  }

  private static func startsItem(_ line: String) -> Bool {
    line.hasPrefix("- ") || line.hasPrefix("* ") || line.hasPrefix("|")
  }
}

private func isBlank(_ line: String) -> Bool {
  line.allSatisfy(\.isWhitespace)
}
