import Foundation
import TestKit
import Testing

/// Whether what the help texts tell people to try is there.
@Suite struct HelpTests {
  @Test(arguments: [
    [], ["run"], ["explore"], ["list"], ["check"], ["explain"], ["bench"], ["sync-point"],
    ["coverage"], ["replay"],
  ])
  func `every scenario and path named in a help exists`(command: [String]) throws {
    let help = try Program.kennel.run(command + ["--help"]).output

    #expect(missing(in: help).isEmpty)
  }

  @Test func `no help has a stray line, and every command has its own exit codes`() throws {
    let kennel = Program.kennel
    let list = try kennel.run(["--help"]).output.split(separator: "\n")
    let commands = list.compactMap { $0.wholeMatch(of: #/  +([a-z-]+) +[a-z].*/#)?.1 }

    #expect(commands.count > 30)
    for command in commands.map(String.init) where command != "help" {
      let help = try kennel.run([command, "--help"]).output
      #expect(!help.split(separator: "\n").contains { $0.allSatisfy(\.isWhitespace) }, "\(command)")
      #expect(!help.contains("Mandatory"), "\(command)")
      let judges = !["serve", "chat", "ui", "show", "view", "report", "man", "new"].contains(
        command)
      #expect(judges || !help.contains("a divergence was found"), "\(command)")
    }
    #expect(
      try kennel.run(["serve", "--help"]).output.contains("client: any, when: {frame: put}}\n"))
  }

  @Test func `every scenario file named in the description of the format exists`() throws {
    let page = try String(
      contentsOf: root.appending(path: "Specs/scenario-format.md"), encoding: .utf8)
    let words = page.split { $0.isWhitespace || $0 == "`" }.map(String.init)
    let files = words.filter { $0.hasPrefix("Scenarios/") && $0.hasSuffix(".yaml") }

    #expect(!files.isEmpty)
    #expect(missing(in: files.joined(separator: " ")).isEmpty)
  }

  /// The words with a slash that are neither a path nor the id of a scenario. The location in the
  /// data at which sync-point cases run is meant to be neither.
  private func missing(in text: String) -> [String] {
    let punctuation = CharacterSet(charactersIn: ".,;:()'\"")
    let words = text.split(whereSeparator: \.isWhitespace)
      .map { $0.trimmingCharacters(in: punctuation) }
    return words.filter { word in
      word.contains("/") && !word.contains("*") && !word.contains("K/N")
        && !["foo/bar/baz", "1/4"].contains(word)
        && ![word, "Scenarios/\(word)", "Scenarios/\(word).yaml"].contains { path in
          FileManager.default.fileExists(atPath: root.appending(path: path).path)
        }
    }
  }

  private let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
}
