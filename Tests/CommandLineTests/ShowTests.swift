import Foundation
import Testing

/// `kennel show`: traces as pictures.
@Suite struct ShowTests {
  @Test func `a trace is shown in the terminal and as SVG`() throws {
    let folder = try Self.folder()

    let text = try folder.kennel(["show", "write.firebase.trace.jsonl"])
    let svg = try folder.kennel(["show", "write.firebase.trace.jsonl", "--svg", "picture.svg"])

    #expect(text.status == 0)
    #expect(text.output.hasPrefix("A write is acknowledged\n\n"))
    #expect(text.output.contains("|> set /n 1  as w"))
    #expect(svg == Outcome(status: 0, output: "", messages: ""))
    #expect(try folder.text("picture.svg").hasPrefix("<svg xmlns="))
  }

  @Test func `what is no trace is refused`() throws {
    let folder = try Self.folder()
    try folder.write("{}\n", to: "other.jsonl")

    let none = try folder.kennel(["show"])
    let other = try folder.kennel(["show", "other.jsonl"])

    #expect(none.status == 2)
    #expect(none.messages.contains("show needs the path of one trace"))
    #expect(other.status == 2)
    #expect(other.messages.hasPrefix("kennel: other.jsonl:1:1: "))
  }

  private static func folder() throws -> Folder {
    let folder = try Folder()
    try folder.write(
      """
      kennel: 1
      title: A write is acknowledged
      rules: [WRT-1]
      profiles: [firebase]
      clients: [alice]
      steps:
        - alice.set: {path: n, value: 1, as: w}
        - expect: {alice.w: {ok: true}}

      """, to: "write.yaml")
    _ = try folder.kennel(["run", "write.yaml", "--trace", "."])
    return folder
  }
}
