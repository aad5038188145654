import Conformance
import Document
import Reports
import TestKit
import Testing
import Trace
import TraceFiles

@Suite struct ReplayTests {
  @Test func `a run is replayed exactly from its seed and its choices`() throws {
    for seed in [1, 7, 1 << 60] as [UInt64] {
      let file = try TraceFile(Kit.trace(Kit.race, seed: seed).text, file: "x")

      let replay = try TraceReplay(of: file, named: "x", by: Kit.runner())

      #expect(!file.header.choices.isEmpty)
      #expect(replay.difference == nil)
      #expect(
        ReplayReport(replay, name: "x", kit: "0.1.0").text
          == "replayed exactly, \(file.trace.count) events, hash \(file.trace.hash)"
          + "   test/example  firebase\n")
    }
  }

  @Test func `a verdict that is another one now is told`() throws {
    var file = try Kit.trace(Kit.race)
    file.end.verdict = .fail

    let replay = try TraceReplay(of: file, named: "x", by: Kit.runner())

    let text = ReplayReport(replay, name: "x", kit: "0.1.0").text
    #expect(text.hasSuffix("\n  judged pass now; the trace says fail\n"))
  }

  @Test(arguments: [
    ([], "x:1:1: the trace has no text of the scenario"),
    (
      [TraceFile.Source(file: Kit.file, text: "kennel: 2")],
      "x:1:1: the scenario in the trace cannot be read: Scenarios/test/example.yaml:1:9: the file is "
        + "written in version 2 of the format; expected version 1; a newer kennel can read it"
    ),
    (
      [TraceFile.Source(file: "Scenarios/other.yaml", text: Kit.text(Kit.race))],
      "x:1:1: the texts in the trace have no scenario \"test/example\""
    ),
  ])
  func `a trace without its scenario cannot be replayed`(
    sources: [TraceFile.Source], message: String
  ) throws {
    var file = try Kit.trace(Kit.race)
    file.header.sources = sources

    #expect(throws: SourceError.self) {
      do {
        _ = try TraceReplay(of: file, named: "x", by: Kit.runner())
      } catch {
        #expect("\(error)" == message)
        throw error
      }
    }
  }
}
