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

  @Test func `it is given up after three bad ends in a row`() throws {
    let session = try AdapterSession(adapter())
    session.countError()
    session.countError()
    #expect(!session.hasGivenUp)
    session.countError()
    #expect(session.hasGivenUp)
    session.givesUp = false
    #expect(!session.hasGivenUp)
  }

  @Test func `ends of one occasion count once`() throws {
    let session = try AdapterSession(adapter())
    session.situation = "a scenario"
    for _ in 0..<5 { session.countError() }

    #expect(!session.hasGivenUp)
  }
}
