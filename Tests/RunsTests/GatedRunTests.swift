import Document
import Reports
import Runs
import Scenario
import System
import TestKit
import Testing

@Suite struct GatedRunTests {
  private func settings(_ client: String?) throws -> RunSettings {
    var settings = RunSettings()
    settings.fleet.rest = client
    settings.profiles = ["firebase"]
    settings.selectors = ["limits/refill-after-foreign-removal", "writes/local-echo"]
    return settings
  }

  @Test func `a client that is right passes the gate`() throws {
    var run = try GatedRun(try settings(nil), palette: .plain)
    var order: [String] = []
    let outcome = try run.run(onNext: { order.append($1) }, onRecords: { _ in })

    #expect(outcome.exitCode == .success)
    #expect(order == ["limits/refill-after-foreign-removal", "writes/local-echo"])
    #expect(run.records.map(\.scenario) == order)
  }

  @Test func `a client that is wrong is told, and ends the run when that is wanted`() throws {
    var settings = try settings("no-refill")
    settings.gate.maxFailures = 1
    var run = try GatedRun(settings, palette: .plain)
    let outcome = try run.run(onNext: { _, _ in }, onRecords: { _ in })

    #expect(outcome.exitCode == .divergence)
    #expect(outcome.left == 1)
    #expect(!outcome.hasGivenUp)
  }

  @Test func `a list of known failures makes a wrong client green, and is kept up to date`() throws
  {
    let folder = try Folder()
    let file = folder.path("known.yaml")
    var settings = try settings("no-refill")
    let until = try settings.gate.today().adding(days: 10)
    var revision = try KnownFailuresRevision(
      of: file, settings, .init(kind: .bug, issue: "https://example.org/7", until: until))
    try revision.run { _ in }
    try revision.write()
    settings.gate.list = file
    var run = try GatedRun(settings, palette: .plain)
    let outcome = try run.run(onNext: { _, _ in }, onRecords: { _ in })
    let inventory = try KnownFailuresInventory(file, on: try settings.gate.today())

    #expect(revision.update.changes.count == 1)
    #expect(outcome.exitCode == .success)
    #expect(inventory.expired == 0)
    #expect(inventory.text.hasSuffix("1 known failure, 0 expired\n"))
  }

  /// A project may state the profile, as many do.
  @Test(arguments: [([], nil), (["firebase"], nil), (["firebase"], UInt64(3))])
  func `a file of a hunt among a project's scenarios fails as it was found`(
    profiles: [String], seed: UInt64?
  ) throws {
    let folder = try Folder()
    try folder.write(FoundScenario.text, to: "Scenarios/found.yaml")
    var settings = RunSettings()
    settings.selectors = [folder.path("Scenarios")]
    (settings.profiles, settings.seed) = (profiles, seed)
    var right = try GatedRun(settings, palette: .plain)
    settings.fleet.rest = FoundScenario.client
    var wrong = try GatedRun(settings, palette: .plain)
    let outcomes = try [
      right.run(onNext: { _, _ in }, onRecords: { _ in }),
      wrong.run(onNext: { _, _ in }, onRecords: { _ in }),
    ]

    #expect(outcomes.map(\.exitCode) == [.success, .divergence])
    #expect(wrong.records.map { "\($0.seed)" } == [seed.map { "\($0)" } ?? FoundScenario.seed])
  }

  @Test func `a client that nobody knows is a failure`() throws {
    var run = try GatedRun(try settings("no-such"), palette: .plain)

    #expect(throws: Failure.self) {
      _ = try run.run(onNext: { _, _ in }, onRecords: { _ in })
    }
  }
}
