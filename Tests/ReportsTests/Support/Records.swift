import Conformance
import Document
import Foundation
import Reports
import Scenario
import TestKit
import Testing
import Tree

/// Runs as reports get them.
enum Records {
  static let header = RunHeader(
    kit: "0.1.0", client: "node adapter.js <x>", seeds: 7...7, start: "2026-11-21T16:40:00",
    milliseconds: 3140, left: 2)

  /// Text with everything that a format could take for something else.
  static let nasty =
    "a & b < c > d \"e\" 'f' \\ # | `g` *h* _i_ [j](k) \u{1B}[31m \u{0} \r\n\ttab \u{e9}\u{65e5}\u{1F600}"
    + " ]]> ::error:: % , : @all # TODO \u{FFFE} \"\u{308}"

  static func record(
    _ scenario: String, _ verdict: Verdict, in profile: String = "firebase", sentence: String = "",
    text: String = "", commands: [String] = [], signature: String? = nil, cause: String? = nil,
    line: Int = 20
  ) throws -> RunRecord {
    let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    let finding: JSON = [
      "title": .string(String(lines.first ?? "")),
      "columns": .number(Double(lines.first?.count ?? 0)),
      "step": "", "body": .string(String(lines.last ?? "")), "rules": [],
    ]
    let json: JSON = [
      "scenario": .string(scenario), "profile": .string(profile), "seed": .number(7),
      "verdict": .string(verdict.rawValue), "signature": signature.map { .string($0) } ?? .null,
    ]
    let transfer: JSON = [
      "scenario": .string(scenario), "title": "T", "file": .string("Scenarios/\(scenario).yaml"),
      "profile": .string(profile), "seed": "7", "verdict": .string(verdict.rawValue),
      "reason": verdict.count == .skipped ? .string(sentence) : .null,
      "signature": signature.map { .string($0) } ?? .null,
      "cause": .string(cause ?? signature ?? verdict.rawValue),
      "rule": [.fail, .advice].contains(verdict) ? "LIM-7" : .null,
      "brokenRule": [.fail, .advice].contains(verdict) ? "LIM-7" : .null,
      "sentence": .string(sentence),
      "at": .string("Scenarios/\(scenario).yaml"), "line": .number(Double(line)), "column": 7,
      "findings": .array(text.isEmpty ? [] : [finding]),
      "commands": .array(commands.map { .string($0) }), "notes": [], "json": json,
      "milliseconds": 1.5,
    ]
    return try #require(RunRecord(transfer: transfer))
  }

  static func entry(_ scenario: String, line: Int = 4) throws -> KnownFailure {
    KnownFailure(
      scenario: Glob(scenario), signature: "missing-event value", kind: .bug,
      issue: "https://example.org/7", until: CalendarDate("2026-12-31"),
      file: "known.yaml", position: Position(line: line, column: 5))
  }

  /// One of everything: passed, failed, ended, skipped, known, stale, different, expired, renamed.
  static func all() throws -> [RunRecord] {
    var known = try record(
      "limits/known", .fail, sentence: "it is wrong", signature: "missing-event value")
    known.knownStatus = .known(try entry("limits/known"))
    var stale = try record("limits/stale", .pass)
    stale.knownStatus = .stale(try entry("limits/stale", line: 9))
    var different = try record("limits/other", .fail, sentence: "x", signature: "inv-7")
    different.knownStatus = .different(try entry("limits/other"), signature: "inv-7", rule: nil)
    var expired = try record("limits/old", .fail, sentence: "y", signature: "missing-event value")
    expired.knownStatus = .expired(try entry("limits/old"))
    return [
      try record("writes/good", .pass),
      try record(
        "limits/refill[n=<1>]", .fail, sentence: nasty, text: "FAIL  \(nasty)\n  more\n",
        signature: "missing-event child_added listener"),
      try record(
        "limits/refill[n=<1>]", .crash, in: "wilddog-2", sentence: "it ended",
        text: "CRASH  it\n", signature: "crash"),
      try record("auth/none", .unsupported, sentence: "alice has no auth # at all"),
      known, stale, different, expired,
    ]
  }

  /// What the schema says about a report.
  static func validity(of xml: String) throws -> TestKit.Outcome {
    let schema = SourceTree.root.appending(path: "Tests/ReportsTests/Schemas/junit.xsd").path
    return try run("xmllint", ["--noout", "--nonet", "--schema", schema], on: xml)
  }

  /// What a program says about a text, and how it ends.
  static func run(
    _ program: String, _ arguments: [String], on text: String
  ) throws -> TestKit.Outcome {
    let folder = try Folder()
    try folder.write(text, to: "report")
    return try Program(path: "/usr/bin/env").run([program] + arguments + [folder.path("report")])
  }
}
