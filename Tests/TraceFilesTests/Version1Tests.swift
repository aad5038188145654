import ClientInterface
import Conformance
import Document
import Faults
import TestKit
import Testing
import Trace
import Tree

@testable import TraceFiles

/// Traces that state faults in words, as version 1 of the format had them.
@Suite struct Version1Tests {
  static let path = "Tests/TraceFilesTests/Traces/version-1.jsonl"

  private func file() throws -> TraceFile {
    try TraceFile(try SourceTree.text(of: Self.path), file: "x")
  }

  private func incidents(_ file: TraceFile) -> [Incident] {
    file.trace.events.compactMap {
      if case let .fault(incident) = $0.kind { incident } else { nil }
    }
  }

  @Test func `every fault becomes a value, and keeps its words and its hash`() throws {
    let words = try SourceTree.text(of: Self.path).split(separator: "\n").compactMap {
      try JSON(parsing: String($0))["fault"]?.string
    }
    let incidents = incidents(try file())

    #expect(incidents.map(\.recordedText) == words)
    #expect(words.count > 30)
    // What was to be written was not stated.
    let stated = incidents.filter { if case .stated = $0 { true } else { false } }
    #expect(stated == [.stated("armed: write", nil)])
  }

  @Test func `a run is the same as when its trace was written`() throws {
    let file = try file()
    let replay = try TraceReplay(of: file, named: "x", by: Kit.runner())

    #expect(replay.difference == nil)
    #expect(replay.result.hash == file.trace.hash)
  }

  @Test func `what is written again has the new version and the same events`() throws {
    let file = try file()
    let again = try TraceFile(file.text, file: "x")

    #expect(file.text.hasPrefix("{\"trace\":2,"))
    #expect(again.trace.events == file.trace.events)
    #expect(again.trace.hash == file.trace.hash)
  }

  @Test(
    arguments: [
      ("revoke the credential", ClientIndex(0), .fault(.revokeAuth(ClientIndex(0)))),
      ("armed: revoke-credential", ClientIndex(0), .armed(.revokeAuth(ClientIndex(0)))),
      ("revoke /a/on-disconnects lost", nil, .fault(.revoke("a/on-disconnects lost"))),
      ("revoke the credential of bob", nil, .credentialRevoked(ClientIndex(1), name: "bob")),
      (
        "half-open, noticed by nobody", ClientIndex(1),
        .fault(.halfOpen(ClientIndex(1), notices: .neither))
      ),
      ("no callback was to call w", ClientIndex(1), .futile(.unknownCall("w"), ClientIndex(1))),
    ] as [(String, ClientIndex?, Incident)])
  func `words that version 1 wrote are read`(
    text: String, client: ClientIndex?, incident: Incident
  ) {
    #expect(Incident(version1: text, client, ["alice", "bob"]) == incident)
  }

  @Test(arguments: [
    "", "armed: ", "cut and more", "another client writes /a", "revoke the credential of zoe",
    "latency 9 ms..3 ms", "latency -1 ms", "latency 1e99 s", "clock gains 5 in 0",
    "clock gains 5 in 5000000000", "clock ahead by 05 ms", "clock ahead by nan ms",
    "restart, down for 1 h, on-disconnects lost", "close after many messages both ways",
    "stall sideways", "deny reading at /a", "asked for a third connection",
  ])
  func `other words stay as they are`(text: String) {
    for client in [ClientIndex(0), nil] {
      #expect(Incident(version1: text, client, ["alice"]) == .stated(text, client))
    }
  }
}
