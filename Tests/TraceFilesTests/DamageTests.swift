import Document
import TestKit
import Testing
import TraceFiles

/// What is said about files that are no whole traces.
@Suite struct DamageTests {
  @Test(arguments: try Mistake.files(of: "traces"))
  func `what is wrong is told with its place`(mistake: Mistake) throws {
    let error = Self.error(of: try mistake.text)
    try mistake.check(error.map { ["\($0.position): \($0.message)"] } ?? [])
  }

  @Test func `a trace that was changed, cut or continued is refused`() throws {
    let text = try Kit.trace(Kit.race).text
    let lines = text.split(separator: "\n").map(String.init)
    let end = lines.count
    func message(_ lines: [String]) -> String {
      Self.error(of: lines.map { $0 + "\n" }.joined())?.description ?? "no error"
    }
    var changed = lines
    changed[5] = changed[5].replacing("\"t\":5", with: "\"t\":6").replacing("session1", with: "s")

    #expect(message(changed).hasPrefix("x:\(end):28: the events have the hash "))
    #expect(message(changed).hasSuffix("; the file was changed"))
    #expect(
      message(lines + ["{}"])
        == "x:\(end + 1):1: there is a line after {\"end\": ...}; expected it to be the last")
    #expect(
      message(Array(lines[..<8]) + Array(lines[9...]))
        == "x:9:6: this is event 8, expected event 7; lines are missing")
    #expect(
      message(Array(lines[..<8]) + [lines[end - 1]])
        == "x:9:18: the trace has 7 events, but should have \(end - 2); lines are missing")
    let checked = lines[end - 1].replacing("\"checkpoints\":[", with: "\"checkpoints\":[\"0\"")
    #expect(
      message(lines[..<(end - 1)] + [checked]).hasSuffix(
        ": the events have other checkpoints than this line; the file was changed"))
    let misjudged = lines[end - 1].replacing("\"pass\"", with: "\"passed\"")
    #expect(
      message(lines[..<(end - 1)] + [misjudged])
        == "x:\(end):74: there is no verdict \"passed\"; there are pass, advice, fail, "
        + "unsupported, inconclusive, crash, hang, broken-protocol, nondeterministic, vacuous, kit-error"
    )
  }

  private static func error(of text: String) -> SourceError? {
    do throws(SourceError) {
      _ = try TraceFile(text, file: "x")
      return nil
    } catch {
      return error
    }
  }
}
