import System

/// The manual page, as roff with the macros of man(7), from the same grammars as the help.
package struct ManualPage {
  package let general: Grammar
  /// Of the program.
  package let version: String
  package let commands: [(name: String, grammar: Grammar)]

  package init(
    general: Grammar, version: String, commands: [(name: String, grammar: Grammar)]
  ) {
    self.general = general
    self.version = version
    self.commands = commands
  }

  package var text: String {
    var lines = [
      ".TH KENNEL 1 \"\" \"kennel \(version)\" \"User Commands\"", ".SH NAME",
      "kennel \\- test whether a realtime\\-sync client does what it should", ".SH SYNOPSIS",
      ".B kennel", "COMMAND [OPTION...] [ARGUMENT...]", ".SH DESCRIPTION",
    ]
    lines += Self.prose(general.summary)
    lines += [".SH OPTIONS"] + general.allOptions.flatMap(Self.option)
    lines += Self.prose(general.notes) + [".SH COMMANDS"]
    for command in commands { lines += Self.section(command.grammar) }
    lines += [".SH FILES", ".TP", ".I Specs", "The rules, and descriptions of all formats.", ".TP"]
    lines += [".I Scenarios", "The scenarios."]
    return lines.map { $0 + "\n" }.joined()
  }

  private static func section(_ grammar: Grammar) -> [String] {
    [".SS \(escaped(grammar.command)) [OPTION...] \(escaped(grammar.operands))"]
      + prose(grammar.summary) + options(of: grammar) + prose(grammar.examples)
  }

  /// The options, below the headings that the help has too.
  private static func options(of grammar: Grammar) -> [String] {
    let grouped = Set(grammar.groups.flatMap(\.options))
    let others = grammar.allOptions.filter { !grouped.contains($0.name) }
    return grammar.groups.flatMap { group in
      [".PP", "\\fB\(escaped(group.heading))\\fR"]
        + grammar.allOptions.filter { group.options.contains($0.name) }.flatMap(option)
    } + (grammar.groups.isEmpty ? [] : [".PP"]) + others.flatMap(option)
  }

  private static func option(_ option: OptionDescription) -> [String] {
    let letter = option.letter.map { "\\-\($0), " } ?? ""
    let value = option.value.map { "=\(escaped($0))" } ?? ""
    return [".TP", "\\fB\(letter)\\-\\-\(escaped(option.name))\\fR\(value)"]
      + [guarded(escaped(option.summary.split(separator: "\n").joined(separator: " ")))]
  }

  /// Paragraphs are filled; lines that begin with blanks stay as they are.
  private static func prose(_ text: String) -> [String] {
    var lines = [".PP"]
    var isExample = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let indented = line.hasPrefix("  ")
      if indented != isExample, !(line.isEmpty && isExample) {
        lines += indented ? [".RS", ".nf"] : [".fi", ".RE", ".PP"]
        isExample = indented
      }
      if line.isEmpty {
        if lines.last != ".PP", !isExample { lines.append(".PP") }
      } else {
        lines.append(guarded(escaped(indented ? String(line.dropFirst(2)) : String(line))))
      }
    }
    if isExample { lines += [".fi", ".RE"] }
    if lines.last == ".PP" { lines.removeLast() }
    return lines
  }

  /// Text in which nothing means anything to roff.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case "\"": result += "\\(dq"
      case _ where scalar.value > 0x7E:
        result += "\\[u" + String(scalar.value, radix: 16, uppercase: true) + "]"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// A line that is no request, whatever it begins with.
  private static func guarded(_ line: String) -> String {
    line.hasPrefix(".") ? "\\&" + line : line
  }
}
