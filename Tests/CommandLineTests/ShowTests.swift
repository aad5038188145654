import Foundation
import TestKit
import Testing

/// `kennel show`, `kennel view`, `kennel report`: runs to be looked at.
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
    #expect(
      none.messages.contains("show needs the path of one trace; 'run ID --trace DIR' writes one"))
    #expect(other.status == 2)
    #expect(other.messages.hasPrefix("kennel: other.jsonl:1:1: "))
  }

  @Test func `the viewer of a trace is written beside it, or where it is wanted`() throws {
    let folder = try Self.folder()

    let beside = try folder.kennel(["view", "write.firebase.trace.jsonl"])
    let there = try folder.kennel(["view", "write.firebase.trace.jsonl", "-o", "page.html"])
    let none = try folder.kennel(["view"])

    #expect(beside.output == "write.firebase.trace.html\n")
    #expect(there.output == "page.html\n")
    #expect(try folder.text("page.html") == folder.text("write.firebase.trace.html"))
    #expect(try folder.text("page.html").hasPrefix("<!doctype html>\n<html lang=\"en\">"))
    #expect(none.status == 2)
    #expect(
      none.messages.contains("view needs the path of one trace; 'run ID --trace DIR' writes one"))
  }

  @Test func `a run is reported on a page, and several reports side by side`() throws {
    let folder = try Self.folder()
    let run = ["run", "write.yaml", "--html", "run.html", "--jsonl", "ours.jsonl"]

    let first = try folder.kennel(run)
    let second = try folder.kennel(["report", "ours.jsonl", "b=ours.jsonl", "--html", "both.html"])
    let page = try folder.text("both.html")

    #expect(first.status == 0)
    #expect(try folder.text("run.html").contains(#""picture":"\u003csvg"#))
    #expect(second == Outcome(status: 0, output: "", messages: ""))
    #expect(page.contains(#""columns":["ours","b"]"#))
  }

  @Test func `a report needs reports and a location to go`() throws {
    let folder = try Self.folder()

    let nothing = try folder.kennel(["report", "--html", "page.html"])
    let nowhere = try folder.kennel(["report", "ours.jsonl"])
    let wrong = try folder.kennel(["report", "write.yaml", "--html", "page.html"])

    #expect(nothing.messages.contains("report needs reports in lines of JSON"))
    #expect(nowhere.messages.contains("where to? report needs --html FILE"))
    #expect(wrong.messages.hasPrefix("kennel: write.yaml:1:"))
    #expect([nothing.status, nowhere.status, wrong.status] == [2, 2, 2])
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
