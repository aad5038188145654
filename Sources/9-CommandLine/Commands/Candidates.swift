import System

/// Names that change with the folder, so that completions ask the kit for them.
package enum Candidates: String, CaseIterable {
  case scenarios, rules, tags, clients, languages
}

extension OptionDescription {
  /// What can be given for it, where that differs from folder to folder.
  var candidates: Candidates? {
    switch value {
    case "RULE": .rules
    case "TAG": .tags
    case "ID|PATTERN": .scenarios
    case "NAME" where name == "client": .clients
    default: nil
    }
  }
}

extension Grammar {
  /// What the operands can name, beside files.
  var candidates: [Candidates] {
    let words = operands.split { !$0.isLetter }
    let kinds: [(word: Substring, kind: Candidates)] = [
      ("ID", .scenarios), ("RULE", .rules), ("LANGUAGE", .languages),
    ]
    return kinds.filter { words.contains($0.word) }.map(\.kind)
  }
}
