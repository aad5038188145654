import AdapterProtocol
package import AdapterSessions
package import ClientInterface
package import Conformance
package import Scenario
package import ServerHost
package import System

/// Runs scenarios with an adapter whose clients have a clock of their own.
package struct RealClockRunner {
  package let session: AdapterSession
  package let settings: RealClockSettings
  package let seed: UInt64
  /// What the clients run against; nil for the kit's own server.
  package let server: TestedServer?

  package init(
    session: AdapterSession, settings: RealClockSettings, seed: UInt64,
    against server: TestedServer? = nil
  ) {
    self.session = session
    self.settings = settings
    self.seed = seed
    self.server = server
  }

  /// Runs one scenario in one profile, again and again where a divergence must show that it is one.
  ///
  /// - Throws: `Failure` when no server can be started.
  package func run(_ scenario: Scenario, in profile: Profile) throws(Failure) -> ScenarioResult {
    if let reason = unsupportedReason(to: scenario, in: profile) {
      return ScenarioResult(scenario, profile, seed: seed, .unsupported, reason: reason)
    }
    var verdict = RealClockVerdict(settings)
    while verdict.take(try attempt(scenario, in: profile)), !Interrupt.hasCome() {}
    return verdict.result
      ?? ScenarioResult(scenario, profile, seed: seed, .kitError, reason: "it was not run")
  }

  /// Why the clients cannot be judged by the scenario.
  private func unsupportedReason(to scenario: Scenario, in profile: Profile) -> String? {
    guard scenario.profiles.contains(profile) else {
      return "it is for \(scenario.profiles.map(\.name).joined(separator: ", "))"
    }
    let hello = session.hello
    for need in scenario.capabilities where !hello.abilities.contains(need) {
      return "\(scenario.clients.first ?? "the client") has no \(need)"
    }
    return scenario.realClockUnsupportedReason(
      settings, canEndProcesses: hello.canKill, testsServer: server != nil)
      ?? server.flatMap { scenario.unsupportedReason(against: $0.options) }
  }

  private func attempt(
    _ scenario: Scenario, in profile: Profile
  ) throws(Failure) -> RealClockAttempt {
    let run = AdapterRun(profile, seed: scenario.statedSeed ?? seed)
    let process: AdapterProcess
    do throws(AdapterError) {
      process = try session.process(for: run)
    } catch {
      return failed(scenario, profile, error, Timekeeping())
    }
    let relay = server?.relay(profile.dialect, for: scenario)
    if let problem = try problem(beginning: relay, with: scenario, in: profile) {
      session.takeBack(process)
      return RealClockAttempt(problem, Timekeeping())
    }
    let stage = try RealClockRun(
      scenario, profile, seed: run.seed, settings, process, against: relay,
      warn: session.options.warn)
    stage.timeout = session.options.timeout
    do throws(AdapterFault) {
      defer { stage.end() }
      let result = try stage.run()
      try forget(run, in: process)
      session.takeBack(process)
      return RealClockAttempt(crash(of: scenario, in: profile) ?? result, stage.timekeeping)
    } catch {
      let adapterError = AdapterError(error, in: process, asked: stage.asked)
      return failed(scenario, profile, adapterError, stage.timekeeping)
    }
  }

  /// Puts the data of a scenario onto the server under test.
  ///
  /// - Returns: What becomes of the run where that cannot be done.
  private func problem(
    beginning relay: Relay?, with scenario: Scenario, in profile: Profile
  ) throws(Failure) -> ScenarioResult? {
    guard let relay else { return nil }
    try server?.restartIfEnded()
    try server?.require(profile.dialect)
    do throws(Relay.Problem) {
      try relay.begin(scenario.data)
      return nil
    } catch {
      relay.end()
      if let crash = crash(of: scenario, in: profile) { return crash }
      switch error {
      case let .refused(reason):
        return ScenarioResult(scenario, profile, seed: seed, .unsupported, reason: reason)
      case let .unreachable(reason), let .foreign(reason):
        return ScenarioResult(
          scenario, profile, seed: seed, .crash,
          reason: "the server under test is not reached by its WebSockets: \(reason)")
      }
    }
  }

  /// What becomes of the run in which the process of the server under test has ended.
  private func crash(of scenario: Scenario, in profile: Profile) -> ScenarioResult? {
    guard let ending = server?.endingText else { return nil }
    return ScenarioResult(
      scenario, profile, seed: seed, .crash, reason: "the server under test ended: \(ending)")
  }

  /// Has the process forget the run, while its clients can still reach the server.
  private func forget(_ run: AdapterRun, in process: AdapterProcess) throws(AdapterFault) {
    guard session.hello.canReset else { return }
    _ = try process.ask(.reset(run), within: session.options.timeout)
    _ = try process.exchange()
  }

  private func failed(
    _ scenario: Scenario, _ profile: Profile, _ adapterError: AdapterError,
    _ timekeeping: Timekeeping
  ) -> RealClockAttempt {
    session.count(adapterError)
    var result = ScenarioResult(
      scenario, profile, seed: seed, adapterError.verdict, reason: adapterError.reason)
    result.context = adapterError.context
    return RealClockAttempt(result, timekeeping)
  }
}
