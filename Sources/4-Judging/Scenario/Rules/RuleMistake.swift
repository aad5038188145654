internal import Document

/// The ways in which a rule can be malformed, each with what was found.
enum RuleMistake {
  /// A heading that is no `ID title`.
  case heading(String)
  /// A heading without words after the id.
  case missingTitle(RuleID)
  /// A rule in a file that does not hold its family.
  case foreignFamily(RuleID, allowed: [String])
  /// A second rule of the same id.
  case duplicate(RuleID, first: FileLocation)
  /// A number that does not follow the one before it in its family.
  case gap(RuleID, expected: Int)
  /// A list item above the text that is no `name: value`.
  case attribute(String)
  /// A `name:` that rules do not have.
  case unknownAttribute(String)
  /// An attribute given twice.
  case repeatedAttribute(String)
  /// An attribute that every rule needs.
  case missingAttribute(RuleID, String)
  /// An attribute with a value that is none of the words it can have.
  case unknownValue(String, String, known: [String])
  /// A profile that does not exist.
  case unknownProfile(String)
  /// A `differs` that does not begin with a profile.
  case difference(String)
  /// A rule that does not hold for a profile, without a word on what holds there.
  case missingDifference(RuleID, String)
  /// A rule without text.
  case missingText(RuleID)

  var message: String {
    switch self {
    case let .heading(text):
      "\"\(text)\" is no rule heading; write \"## EVT-7 Title\""
    case let .missingTitle(id):
      "\(id) has no title; write a few words after the id"
    case let .foreignFamily(id, allowed):
      allowed.isEmpty
        ? "\(id) is in a file that holds no rules; each family has a file of its own"
        : "\(id) does not belong in this file, which holds \(allowed.joined(separator: " and "))"
    case let .duplicate(id, first):
      "\(id) is already defined at \(first); ids are never used twice"
    case let .gap(id, expected):
      "\(id) stands where \(id.family)-\(expected) is expected; "
        + "numbers ascend by one, and a deleted rule stays as \"## ID deleted\""
    case let .attribute(text):
      "\"\(text)\" is no attribute; write \"- name: value\""
    case let .unknownAttribute(name):
      "unknown attribute \"\(name)\""
        + closestOrAll(
          to: name, in: ["level", "binds", "profiles", "should", "source", "differs", "tested"])
    case let .repeatedAttribute(name):
      "\"\(name)\" is given twice"
    case let .missingAttribute(id, name):
      "\(id) has no \(name); write \"- \(name): ...\" below the heading"
    case let .unknownValue(name, text, known):
      "unknown \(name == "tested" ? "kind of test" : name) \"\(text)\""
        + closestOrAll(to: text, in: known)
    case let .unknownProfile(text):
      "unknown profile \"\(text)\"" + closestOrAll(to: text, in: ["all"] + Rule.profileNames)
    case let .difference(text):
      "\"\(text)\" names no profile; write \"- differs: PROFILE: what\", with one of "
        + Rule.profileNames.joined(separator: ", ")
    case let .missingDifference(id, profile):
      "\(id) does not hold for \(profile) and does not state why; write \"- differs: \(profile): "
        + "unspecified\", \"not recorded\", or what is different there"
    case let .missingText(id):
      "\(id) has no text; write it in a sentence or two below its attributes"
    }
  }
}
