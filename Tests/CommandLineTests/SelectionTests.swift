import Document
import Foundation
import TestKit
import Testing
import Tree

/// What `kennel run` and `list` select, and whether the counts add up.
@Suite struct RunSelectionTests {
  private func ids(_ words: [String]) throws -> [String] {
    let outcome = try Program.project.run(["list"] + words)
    return outcome.output.split(separator: "\n").map { line in
      String(line.prefix { $0 != " " })
    }
  }

  @Test func `a pattern selects by id, within parts and across them`() throws {
    let within = try ids(["limits/refill-*"])
    let across = try ids(["**-removal"])

    #expect(within.contains("limits/refill-after-foreign-removal"))
    #expect(within.allSatisfy { $0.hasPrefix("limits/refill-") })
    #expect(Set(across.map { $0.prefix { $0 != "/" } }).count > 1)
    #expect(try ids(["Scenarios/limits/refill-*"]) == within)
  }

  @Test func `conditions narrow down what is named, and each other`() throws {
    let smoke = try ids(["limits", "--tag", "smoke"])
    let both = try ids(["limits", "--tag", "smoke", "--rule", "lim-7"])
    let either = try ids(["limits", "--tag", "smoke", "--tag", "limits"])
    let family = try ids(["limits", "--rule", "QRY"])

    #expect(!both.isEmpty && both.count < smoke.count && smoke.count < either.count)
    #expect(!family.isEmpty)
    #expect(try ids(["--needs", "auth", "--needs", "keep-synced"]).count > 10)
    #expect(try ids(["limits", "--needs", "auth"]) == [])
  }

  @Test func `what is named twice is run once`() throws {
    let outcome = try Program.project.run([
      "run", "writes/local-echo", "Scenarios/writes/local-echo.yaml", "writes/local-*",
      "--profile", "firebase",
    ])

    #expect(outcome.output.contains("selected 1 = ran 1\n"))
  }

  @Test func `the counts add up`() throws {
    let outcome = try Program.project.run([
      "run", "guides", "writes/local-echo", "--profile", "firebase", "--format", "json",
    ])
    let last = try #require(outcome.output.split(separator: "\n").last)
    let summary = try #require(try JSON(parsing: String(last))["summary"])
    func count(_ name: String) -> Int { summary[name]?.integer ?? -1 }

    #expect(count("unsupported") > 0)
    #expect(count("selected") == count("runs") + count("notRun"))
    #expect(count("runs") == count("passed") + count("failed") + count("skipped"))
    let text = try Program.project.run(["run", "guides", "--profile", "firebase"]).output
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("selected ") })
    let numbers = line.split(separator: " ").compactMap { Int($0) }
    #expect(numbers.count == 3)
    #expect(numbers[0] == numbers[1] + numbers[2])
  }

  @Test(arguments: [
    (["limits/nothing*"], "no scenario matches \"limits/nothing*\"; 'kennel list' shows all"),
    (
      ["limits", "--tag", "smok"],
      "no scenario among these has the tag \"smok\"; did you mean \"smoke\"?"
    ),
    (["limits", "--rule", "lim-777"], "there is no rule \"LIM-777\""),
    (["limits", "--rule", "LIN"], "there is no rule \"LIN\"; did you mean \"LIM\"?"),
    (
      ["limits", "--needs", "prority"],
      "unknown value \"prority\" for --needs; did you mean \"priority\"?\nTry 'kennel run --help'."
    ),
  ])
  func `what does not exist is told with what was meant`(words: [String], message: String) throws {
    let outcome = try Program.project.run(["run"] + words)

    #expect(outcome.status == 2)
    #expect(outcome.messages.hasPrefix("kennel: \(message)"), "\(outcome.messages)")
  }

  @Test func `a list of nothing says so`() throws {
    let outcome = try Program.project.run(["list", "limits", "--needs", "auth"])

    #expect(outcome.status == 2 && outcome.output.isEmpty)
    #expect(outcome.messages.hasPrefix("kennel: the options select none of "))
  }

  @Test func `a selection of nothing judges nothing`() throws {
    let outcome = try Program.project.run(["run", "limits", "--needs", "auth"])

    #expect(outcome.status == 2)
    #expect(outcome.output.hasSuffix("selected 0 = ran 0\n\n0 passed, 0 failed, 0 skipped\n"))
  }
}
