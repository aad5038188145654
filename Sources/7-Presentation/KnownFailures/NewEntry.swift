internal import Tree

/// An entry that is to be written.
struct NewEntry {
  var scenario: String
  /// Empty for all that the scenario is for.
  var profiles: [String]
  var rule: String?
  var signature: String
  var kind: KnownFailure.Kind
  var issue: String
  var until: CalendarDate
  var note: String?

  /// Leaves out the profiles where they are all that the scenario is for.
  mutating func shorten(_ context: KnownFailuresReader.Context) {
    let all = context.scenarios.first { $0.id == scenario }?.profiles ?? []
    if Set(all) == Set(profiles) { profiles = [] }
  }

  /// The lines, with a dash before the first.
  func lines(indentation: Int) -> [String] {
    var fields = [("scenario", quotedWhereNeeded(scenario))]
    if !profiles.isEmpty { fields.append(("profiles", "[\(profiles.joined(separator: ", "))]")) }
    if let rule { fields.append(("rule", rule)) }
    fields += [
      ("signature", signature), ("kind", kind.rawValue), ("issue", quotedWhereNeeded(issue)),
      ("until", until.description),
    ]
    if let note { fields.append(("note", JSON.string(note).text)) }
    let margin = String(repeating: " ", count: indentation)
    return fields.enumerated().map { index, field in
      "\(margin)\(index == 0 ? "- " : "  ")\(field.0): \(field.1)"
    }
  }

  /// Ids of a matrix and links can have characters that mean something to YAML.
  private func quotedWhereNeeded(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "-_./:?=&#%+~[]".utf8.contains(byte)
      }
    }
    let first = text.utf8.first
    let begins =
      first.map { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "z") && $0 != 0x5B } ?? false
    let isSafe = isPlain && begins && !text.hasSuffix(":")
    return isSafe ? text : JSON.string(text).text
  }
}
