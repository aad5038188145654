import Foundation
import TestKit
import Testing

@Suite struct FormatTests {
  private let messy = "kennel: 1\ntitle:   t\nclients: [ a ]   # one\nsteps:\n- settle\n"
  private let neat = "kennel: 1\ntitle: t\nclients: [a]  # one\nsteps:\n  - settle\n"

  @Test func `all scenarios of the project have the layout`() throws {
    let outcome = try Program.project.run(["fmt", "--check", "Scenarios"])

    #expect(outcome.status == 0, "\(outcome.output)\(outcome.messages)")
    #expect(outcome.output.hasSuffix(" files: 0 to be changed\n"))
  }

  @Test func `checking names files, and laying out changes them once`() throws {
    let folder = try Folder()
    try folder.write(messy, to: "a.yaml")
    try folder.write(messy, to: "below/_b.yaml")
    try folder.write("{\"kennel\":1}", to: "c.json")
    try folder.write(neat, to: "d.yml")
    let path = folder.url.path

    let check = try Program.project.run(["fmt", "--check", path])
    #expect(
      check
        == Outcome(
          status: 1,
          output:
            "\(path)/a.yaml\n\(path)/below/_b.yaml\n\(path)/c.json\n4 files: 3 to be changed\n",
          messages: ""))
    #expect(try folder.text("a.yaml") == messy)

    let change = try Program.project.run(["fmt", path])
    #expect(change.status == 0)
    #expect(change.output.hasSuffix("4 files: 3 changed\n"))
    #expect(try folder.text("a.yaml") == neat)
    #expect(try folder.text("below/_b.yaml") == neat)
    #expect(try folder.text("c.json") == "{\n  \"kennel\": 1\n}\n")
    #expect(try Program.project.run(["fmt", "--check", path]).status == 0)
  }

  @Test func `a file that cannot be read is told and stays`() throws {
    let folder = try Folder()
    try folder.write("a: [\n", to: "bad.yaml")
    try folder.write("a: \"x\u{2028}y\"\n", to: "odd.yaml")
    let outcome = try Program.project.run(["fmt", folder.url.path])

    #expect(outcome.status == 2)
    #expect(outcome.messages.contains("/bad.yaml:2:1: "), "\(outcome.messages)")
    #expect(
      outcome.messages.contains("/odd.yaml: no layout of it means the same; it stays as it is\n"))
    #expect(try folder.text("bad.yaml") == "a: [\n")
  }

  @Test func `scenarios on one line get a layout that means the same`() throws {
    // The layout refuses what would change the meaning, so it is enough that nothing is refused.
    let folder = try Folder()
    let root = Program.project.directory
    for name in ["limits/refill-after-foreign-removal", "guides/leaderboard", "values/key-order"] {
      let text = try String(
        contentsOf: root.appending(path: "Scenarios/\(name).yaml"), encoding: .utf8)
      try folder.write(
        text.replacingOccurrences(of: "  ", with: "     ").replacingOccurrences(
          of: ", ", with: " ,\n          "), to: name + ".yaml")
    }
    let first = try Program.project.run(["fmt", folder.url.path])
    #expect(first.messages == "")
    #expect(try Program.project.run(["fmt", "--check", folder.url.path]).status == 0)
  }

  @Test func `fmt needs a path`() throws {
    let outcome = try Program.project.run(["fmt"])

    #expect(
      outcome.messages == "kennel: fmt needs the path of a scenario file or directory\n"
        + "Try 'kennel fmt --help'.\n")
  }
}
