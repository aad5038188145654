import Document
import Foundation
import TestKit
import Testing
import Tree

/// What the commands do with an adapter that is right: the reference client behind one.
@Suite struct AdapterRunTests {
  @Test func `the same scenario and seed give the same hash in fifty processes, and in none`()
    throws
  {
    let folder = try Folder()
    for number in 1...50 { try folder.write(countingRace, to: "race-\(number).yaml") }
    let words = [
      "run", "--seed", "7", "--profile", "firebase", "--format", "json", folder.url.path,
    ]

    let inside = try hashes(words)
    let fresh = try hashes(words + ["--", kennel.path, "adapter", "--no-reset"])
    let reset = try hashes(words + ["-V", "--", kennel.path, "adapter"])

    #expect(inside.count == 50)
    #expect(Set(inside).count == 1)
    #expect(fresh == inside)
    #expect(reset == inside)
  }

  @Test func `all scenarios pass through an adapter, with every line as the schema has it`() throws
  {
    let outcome = try kennel.run(
      ["run", "--profile", "wilddog-2", "-V", "--", kennel.path, "adapter"])

    #expect(outcome.status == 0, "\(outcome.output.suffix(2000))\(outcome.messages)")
    #expect(outcome.output.contains(" passed, 0 failed, "))
  }

  @Test func `a transcript keeps every line, and is what the published schema says`() throws {
    let folder = try Folder()
    let file = folder.url.appending(path: "lines").path

    _ = try kennel.run([
      "run", "transactions", "persistence", "references", "--profile", "firebase", "--transcript",
      file, "--", kennel.path, "adapter",
    ])
    let lines = try folder.text("lines").split(separator: "\n")
    var python = Program(path: "/usr/bin/env")
    python.directory = kennel.directory
    let outcome = try python.run(["python3", "-c", Self.validator, file])

    #expect(lines.first?.hasPrefix("> {\"id\":1,\"hello\":") == true)
    #expect(lines.last == "> {\"bye\":{}}")
    #expect(outcome.output == "\(lines.count)\n", "\(outcome.messages)")
  }

  /// Checks each line of a transcript against its direction in the schema.
  private static let validator = """
    import json, sys, jsonschema
    schema = json.load(open("Specs/adapter-protocol.schema.json"))
    jsonschema.Draft202012Validator.check_schema(schema)
    checks = {}
    for mark, name in (("> ", "request"), ("< ", "answer")):
        part = dict(schema, anyOf=[{"$ref": "#/$defs/" + name}])
        checks[mark] = jsonschema.Draft202012Validator(part)
    seen = {}
    count = 0
    for line in open(sys.argv[1]):
        value = json.loads(line[2:])
        shape = (line[:2], str(sorted(value)), str(value.get("call", {}).get("op")))
        # Many lines are alike, and this validator takes its time.
        seen[shape] = seen.get(shape, 0) + 1
        if seen[shape] <= 3:
            checks[line[:2]].validate(value)
        count += 1
    print(count)
    """

  @Test func `a defect behind an adapter is told as one in the kit, with its own replay line`()
    throws
  {
    let words = ["limits/refill-after-foreign-removal", "--profile", "firebase", "--seed", "0"]

    let inside = try kennel.run(["run"] + words + ["--client", "no-refill"])
    let behind = try kennel.run(
      ["run"] + words + ["--", kennel.path, "adapter", "--client", "no-refill"])

    let end = "--seed 0 -- \(kennel.path) adapter --client no-refill\n"
    #expect(behind.output.contains(end))
    let plain = inside.output.replacing("--seed 0 --client no-refill\n", with: end)
    #expect(withoutTimes(behind.output) == withoutTimes(plain))
  }

  @Test func `orders, faults, shrinking, reasons and traces go through an adapter`() throws {
    let folder = try Folder()
    let reference = ["--", kennel.path, "adapter"]
    let defect = reference + ["--client", "no-refill"]
    let scenario = "limits/refill-after-foreign-removal"
    let small = folder.url.appending(path: "small.yaml").path

    let orders = try kennel.run(
      ["explore", "races/two-writers-at-once", "--profile", "firebase"] + reference)
    let faults = try kennel.run(
      ["explore", "writes/local-echo", "--faults", "--profile", "firebase"] + reference)
    let shrunk = try kennel.run(
      ["shrink", scenario, "--profile", "firebase", "-o", small] + defect)
    let why = try kennel.run(["why", scenario, "--profile", "firebase"] + defect)
    let traced = try kennel.run(
      ["run", scenario, "--profile", "firebase", "--trace", folder.url.path] + defect)
    let replayed = try kennel.run(["replay", folder.url.path] + defect)
    let unnamed = try kennel.run(["replay", folder.url.path])

    #expect(orders.output.contains("2 orders, complete: 2 outcomes"))
    #expect(faults.output.hasSuffix("\n1 passed, 0 failed, 0 skipped\n"))
    #expect(shrunk.messages == "a second process confirms it\n")
    #expect(why.output.hasPrefix("WHY  "))
    #expect(traced.status == 1)
    #expect(replayed.output.hasPrefix("replayed exactly, "), "\(replayed)")
    #expect(unnamed.status == 2)
    #expect(
      unnamed.messages.contains("was one of another program; name it again: "), "\(unnamed)")
  }

  @Test func `a hunt with an adapter finds, shrinks and confirms what a client does wrong`() throws
  {
    let folder = try Folder()
    let output = folder.url.appending(path: "hunt").path

    let outcome = try kennel.run([
      "hunt", "--seeds", "57..57", "--jobs", "1", "--output", output, "--", kennel.path, "adapter",
      "--client", "no-refill",
    ])

    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.output.contains("      a second process confirms it\n"))
    #expect(outcome.output.contains(" -- \(kennel.path) adapter --client no-refill\n"))
  }

  @Test func `an audit notices an adapter whose runs differ`() throws {
    let words = ["run", "writes/local-echo", "--profile", "firebase", "--audit", "--"]

    let good = try kennel.run(words + [kennel.path, "adapter"])
    let bad = try kennel.run(words + [kennel.path, "adapter", "--client", "clock-reader"])

    #expect(good.output.hasSuffix("\n1 passed, 0 failed, 0 skipped\n"), "\(good)")
    #expect(bad.output.contains("NONDETERMINISTIC  "), "\(bad)")
  }

  private var kennel: Program {
    .project
  }

  private func hashes(_ words: [String]) throws -> [String] {
    let outcome = try kennel.run(words)
    return try outcome.output.split(separator: "\n").compactMap {
      try JSON(parsing: String($0))["hash"]?.string
    }
  }

  /// The text without how long it took.
  private func withoutTimes(_ text: String) -> String {
    text.replacing(#/\d+\.\d s\n/#, with: "T s\n")
  }
}
