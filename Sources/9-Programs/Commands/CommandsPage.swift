import Document
import System

/// All commands with their options as a document, from the same grammars as the help.
///
/// Each option has a heading, so that a search for it leads to what it does.
package struct CommandsPage {
  /// The document, in Markdown.
  package let text: String

  /// - Parameters:
  ///   - general: Of the program.
  ///   - commands: Those that the help lists.
  package init(_ general: Grammar, _ commands: [Grammar]) {
    text =
      "# Commands and options\n\n" + Self.prose(general.summary)
      + Self.list("Options of every command", general.allOptions, of: general.command, level: 2)
      + commands.map(Self.section).joined()
  }

  private static func section(_ grammar: Grammar) -> String {
    let usage = [grammar.command, "[OPTION...]", grammar.operands].filter { !$0.isEmpty }
    let grouped = Set(grammar.groups.flatMap(\.options))
    let lists =
      grammar.groups.map { group in
        list(
          group.heading, grammar.options.filter { group.options.contains($0.name) },
          of: grammar.command)
      } + [
        list(
          "Options", grammar.options.filter { !grouped.contains($0.name) }, of: grammar.command)
      ]
    return "## \(grammar.command)\n\n" + Markdown.fenced(usage.joined(separator: " ")) + "\n"
      + prose(grammar.summary) + lists.joined()
      + (grammar.examples.isEmpty ? "" : Markdown.fenced(grammar.examples) + "\n")
  }

  private static func list(
    _ heading: String, _ options: [OptionDescription], of command: String, level: Int = 3
  ) -> String {
    if options.isEmpty { return "" }
    let marks = String(repeating: "#", count: level)
    let items = options.map { option in
      let value = option.value.map { "=\($0)" } ?? ""
      let letter = option.letter.map { " (\(Markdown.code("-\($0)")))" } ?? ""
      return "\(marks)# \(Markdown.code("\(command) --\(option.name)\(value)"))\(letter)\n\n"
        + "\(line(option.summary))\n\n"
    }
    return "\(marks) \(heading)\n\n\(items.joined())"
  }

  /// Text on one line in which nothing means anything.
  private static func line(_ text: String) -> String {
    singleLine(text).replacingScalars { "\\`[*!<".unicodeScalars.contains($0) ? "\\\($0)" : nil }
  }

  /// Paragraphs; lines that begin with blanks stay as they are.
  private static func prose(_ text: String) -> String {
    text.split(separator: "\n\n").map { paragraph in
      let isExample = paragraph.split(separator: "\n").contains { $0.hasPrefix("  ") }
      return isExample
        ? Markdown.fenced(String(paragraph)) + "\n"
        : line(String(paragraph)) + "\n\n"
    }.joined()
  }
}
