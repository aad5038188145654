import Foundation
import TestKit
import Testing

/// The tutorial, command by command.
@Suite struct TutorialTests {
  /// A line of a code block, with the exit code that the page states.
  private struct Line {
    var command: String
    var status: Int32

    init(_ text: Substring) {
      let parts = text.components(separatedBy: "    # exit ")
      command = parts[0]
      status = parts.count > 1 ? Int32(parts[1]) ?? -1 : 0
    }
  }

  @Test func `every command of the tutorial does what the page says`() throws {
    let page = try String(
      contentsOf: Program.project.directory.appending(path: "Specs/guides/first-client.md"),
      encoding: .utf8)
    let blocks = page.components(separatedBy: "\n```\n").enumerated().filter { $0.offset % 2 == 1 }
    let lines = blocks.flatMap { $0.element.split(separator: "\n").map(Line.init) }
    let folder = try Folder()
    var shell = Program(path: "/bin/sh")
    shell.directory = folder.url
    shell.environment["KENNEL_HOME"] = Program.project.directory.path

    #expect(lines.count > 15)
    for line in lines {
      let outcome = try shell.run([
        "-c", "kennel() { \"$0\" \"$@\"; }; " + line.command, Program.kennel.path,
      ])
      #expect(outcome.status == line.status, "\(line.command)\n\(outcome)")
    }
  }
}
