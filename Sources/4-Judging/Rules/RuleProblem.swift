import Text
import Tree

/// What is wrong with a file of rules, and where.
public struct RuleProblem: Error, Sendable, Equatable, CustomStringConvertible {
  /// The ways in which a rule can be malformed, each with what was found.
  public enum Kind: Sendable, Equatable {
    /// A heading that is no `ID title`.
    case heading(String)
    /// A heading without words after the id.
    case missingTitle(RuleID)
    /// A rule in a file that does not hold its family.
    case foreignFamily(RuleID, allowed: [String])
    /// A second rule of the same id.
    case duplicate(RuleID, firstFile: String, firstLine: Int)
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
    /// A level other than MUST, SHOULD and MAY.
    case unknownLevel(String)
    /// A profile that does not exist.
    case unknownProfile(String)
    /// A kind of test that does not exist.
    case unknownProof(String)
    /// A rule that says nothing.
    case missingText(RuleID)
  }

  public let file: String

  /// The line of the offence, from 1.
  public let line: Int

  public let kind: Kind

  /// `FILE:LINE: what is wrong; what would be right`.
  public var description: String { "\(file):\(line): \(kind)" }
}

extension RuleProblem.Kind: CustomStringConvertible {
  public var description: String {
    switch self {
    case let .heading(text):
      "\"\(text)\" is no rule heading; write \"## EVT-7 Title\""
    case let .missingTitle(id):
      "\(id) has no title; write a few words after the id"
    case let .foreignFamily(id, allowed):
      allowed.isEmpty
        ? "\(id) stands in a file that holds no rules; each family has a file of its own"
        : "\(id) does not belong in this file, which holds \(allowed.joined(separator: " and "))"
    case let .duplicate(id, file, line):
      "\(id) is already defined at \(file):\(line); ids are never used twice"
    case let .gap(id, expected):
      "\(id) stands where \(id.family)-\(expected) is expected; "
        + "numbers ascend by one, and a deleted rule stays as \"## ID deleted\""
    case let .attribute(text):
      "\"\(text)\" is no attribute; write \"- name: value\""
    case let .unknownAttribute(name):
      "unknown attribute \"\(name)\""
        + hint(name, ["level", "profiles", "source", "differs", "tested"])
    case let .repeatedAttribute(name):
      "\"\(name)\" is given twice"
    case let .missingAttribute(id, name):
      "\(id) has no \(name); write \"- \(name): ...\" below the heading"
    case let .unknownLevel(text):
      "unknown level \"\(text)\"" + hint(text, Rule.Level.allCases.map(\.rawValue))
    case let .unknownProfile(text):
      "unknown profile \"\(text)\"" + hint(text, ["all"] + Rule.profileNames)
    case let .unknownProof(text):
      "unknown kind of test \"\(text)\"" + hint(text, Rule.Proof.allCases.map(\.rawValue))
    case let .missingText(id):
      "\(id) has no text; say the rule in a sentence or two below its attributes"
    }
  }
}

private func hint(_ text: String, _ known: [String]) -> String {
  let closest = closestMatches(to: text, in: known)
  if let best = closest.first { return "; did you mean \"\(best)\"?" }
  return "; expected one of \(known.joined(separator: ", "))"
}
