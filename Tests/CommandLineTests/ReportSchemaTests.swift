import Foundation
import TestKit
import Testing

/// Whether reports as lines of JSON are what their schema says.
@Suite struct ReportSchemaTests {
  private let folder: Folder
  private let validator = """
    import json, sys, warnings
    import jsonschema
    schema = json.load(open(sys.argv[1]))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for number, line in enumerate(open(sys.argv[2], encoding="utf-8"), 1):
        for error in validator.iter_errors(json.loads(line)):
            print("line", number, "is none of a report")
    """

  init() throws { folder = try Folder() }

  private func objections(to text: String) throws -> String {
    try folder.write(text, to: "report.jsonl")
    let schema = Program.project.directory.appending(path: "Specs/report.schema.json").path
    let outcome = try Program(path: "/usr/bin/python3").run([
      "-I", "-W", "ignore", "-c", validator, schema,
      folder.url.appending(path: "report.jsonl").path,
    ])
    #expect(outcome.status == 0, "\(outcome.messages)")
    return outcome.output
  }

  private func report(_ words: [String]) throws -> String {
    let file = folder.url.appending(path: "out.jsonl").path
    _ = try Program.project.run(["run", "--jsonl", file] + words)
    return try folder.text("out.jsonl")
  }

  @Test func `reports of passes, failures, known failures and what is unsupported are valid`()
    throws
  {
    try folder.write(
      """
      kennel: 1
      known:
        - {scenario: writes/local-echo, signature: gap, kind: bug, issue: "https://e.org/1", until: 2026-12-01}

      """, to: "known.yaml")
    let text = try report([
      "limits", "guides", "writes/local-echo", "--client", "no-refill", "--seed",
      "18446744073709551615", "--known", folder.url.appending(path: "known.yaml").path,
    ])

    #expect(try objections(to: text) == "")
    #expect(text.contains("\"verdict\":\"unsupported\"") || text.contains("\"verdict\":\"fail\""))
    #expect(text.contains("\"standing\":\"stale\""))
  }

  @Test(arguments: [
    ("\"verdict\":\"pass\"", "\"verdict\":\"good\""), ("\"seed\":0", "\"seed\":-1"),
    ("\"title\":", "\"titel\":"), ("\"steps\":", "\"steps\":\"x\",\"step\":"),
    ("\"signature\":null", "\"signature\":\"Not One\""), ("\"notRun\":0", "\"notRun\":null"),
  ])
  func `the schema notices what is wrong`(good: String, bad: String) throws {
    let text = try report(["writes/local-echo", "--profile", "firebase"])
    let corrupted = text.replacingOccurrences(of: good, with: bad)

    #expect(corrupted != text)
    #expect(try objections(to: corrupted).hasPrefix("line "))
  }
}
