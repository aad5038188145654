import AdapterProtocol
import AdapterSessions
import ClientInterface
import Conformance
import Scenario
import System
import TestKit
import Testing

@Suite struct AdapterSessionTests {
  /// An adapter with the reference client: the program that was built together with these tests.
  private func adapter(_ words: String...) -> AdapterOptions {
    AdapterOptions(command: [Program.kennel.path, "adapter"] + words, warn: { _ in })
  }

  @Test func `a program gates a client behind an adapter in ten lines`() throws {
    let session = try AdapterSession(adapter())
    let runner = ClientUnderTest(session).runner(seed: 0)
    var failed: [String] = []
    let scenario = try Kit.projectScenario("writes/local-echo")
    for profile in scenario.profiles {
      let result = runner.run(scenario, in: profile)
      if result.verdict != .pass { failed.append("\(profile) \(result.reason ?? "")") }
    }

    #expect(failed == [])
    #expect(session.hello.name == "reference")
    #expect(!session.hasGivenUp)
  }

  @Test func `messages come together where nothing is decided, and no trace differs`() throws {
    let sessions = [try AdapterSession(adapter()), try AdapterSession(adapter("--no-frames"))]
    for name in [
      "writes/local-echo", "limits/refill-after-foreign-removal", "races/three-writers",
    ] {
      let scenario = try Kit.projectScenario(name)
      for (profile, seed) in zip(scenario.profiles, UInt64(0)...) {
        let hashes = sessions.map {
          ClientUnderTest($0).runner(seed: seed).run(scenario, in: profile).hash
        }
        #expect(hashes[0] == hashes[1], "\(name) \(profile)")
      }
    }

    #expect(sessions[0].roundTrips < sessions[1].roundTrips)
  }

  @Test func `a client with a defect is noticed behind an adapter`() throws {
    let session = try AdapterSession(adapter("--client", "lost-echo"))
    let runner = ClientUnderTest(session).runner(seed: 0)

    let scenario = try Kit.projectScenario("writes/local-echo")

    #expect(runner.run(scenario, in: .firebase).verdict == .fail)
  }

  @Test func `a program that is no adapter is refused with what it wrote`() throws {
    #expect {
      _ = try AdapterSession(
        AdapterOptions(command: ["/bin/sh", "-c", "echo hi; exit 3"]) { _ in })
    } throws: { ($0 as? Failure)?.description.contains("hi") == true }
  }

  private let crash = AdapterError(verdict: .crash, reason: "it ended")

  @Test func `it is given up after three bad ends in a row`() throws {
    let session = try AdapterSession(adapter())
    session.count(crash)
    session.count(crash)
    #expect(!session.hasGivenUp)
    session.count(crash)
    #expect(session.hasGivenUp)
    session.givesUp = false
    #expect(!session.hasGivenUp)
  }

  @Test func `one that cannot do what it was asked lives, and is not given up`() throws {
    let session = try AdapterSession(adapter())
    let process = try session.process(for: AdapterRun(.firebase, seed: 0))
    let lack = AdapterError(
      .refused(code: "not-supported", message: "no remove"), in: process, asked: nil)
    for _ in 0..<5 { session.count(lack) }
    #expect(!session.hasGivenUp)

    // They are not in a row with a third beyond it.
    session.count(crash)
    session.count(crash)
    session.count(lack)
    session.count(crash)
    #expect(!session.hasGivenUp)
  }

  @Test(arguments: [
    // In a second: what it slept, and what it computed, is its own.
    (passed: [10, 500, 999], waited: [0, 0, 0], lasts: true),
    (passed: [10, 500, 1000], waited: [0, 0, 0], lasts: false),
    (passed: [10, 500, 1000], waited: [7, 7, 7], lasts: false),
    // It waited for a processor all but 300 ms of it.
    (passed: [60, 1000], waited: [0, 700], lasts: true),
    (passed: [60, 1700], waited: [0, 700], lasts: false),
    (passed: [60, 3000], waited: [5, 2500], lasts: true),
    // The machine is never free.
    (passed: [60, 9999], waited: [0, 9900], lasts: true),
    (passed: [60, 10_000], waited: [0, 9999], lasts: false),
  ])
  func `an answer has its time without what passed while others had the processors`(
    passed: [Int], waited: [Int], lasts: Bool
  ) {
    var patience = Patience(milliseconds: 1000)
    var answers: [Bool] = []
    for (passed, waited) in zip(passed, waited) {
      answers.append(patience.lasts(passed) { waited })
    }

    #expect(answers.dropLast().allSatisfy { $0 })
    #expect(answers.last == lasts)
  }

  @Test(
    arguments: [
      // Megabytes at each look; it grows, goes up and down, stays, and is looked at too seldom.
      ((1...16).map { 50 + 5 * $0 }, "grew from 90 to 115 MB in 240 runs"),
      ((1...16).map { $0.isMultiple(of: 2) ? 150 : 50 }, nil), ((1...40).map { _ in 500 }, nil),
      ((1...15).map { 100 * $0 }, nil),
    ] as [([Int], String?)])
  func `memory that only grows is told`(megabytes: [Int], words: String?) {
    var log = MemoryLog()
    for look in megabytes {
      for _ in 0..<MemoryLog.interval { log.endRun { look << 20 } }
    }

    #expect((log.growth == nil) == (words == nil))
    if let words { #expect(log.growth?.sentence.contains(words) == true) }
    #expect(log.growth.flatMap { MemoryGrowth($0.json) } == log.growth)
  }

  @Test func `ends of one occasion count once`() throws {
    let session = try AdapterSession(adapter())
    session.situation = "a scenario"
    for _ in 0..<5 { session.count(crash) }

    #expect(!session.hasGivenUp)
  }
}
