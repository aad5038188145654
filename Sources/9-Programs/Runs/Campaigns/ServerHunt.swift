import AdapterProtocol
package import AdapterSessions
import ClientInterface
import Conformance
package import Hunting
import RealClock
import Scenario
import ServerHost
package import System
import Workspace

extension AdapterOptions {
  /// The documented SDK with its sockets.
  static var sdk: AdapterOptions {
    AdapterOptions(
      command: [ChildProcess.thisProgram, "adapter", "--client", "sdk", "--sockets"],
      warn: { _ in })
  }
}

extension HuntOptions {
  /// Whether scenarios are run on a real clock.
  var isLive: Bool { server.isStated }

  /// Why a hunt cannot be made as a whole; nil when it can.
  package var problem: String? {
    guard server.isStated, settings.profile == nil else { return nil }
    return "a server is hunted with clients of one profile; expected --profile PROFILE"
  }

  /// The clients of the hunt.
  ///
  /// - Throws: `Failure` when there is no such client, and when its program does not start.
  package func subject(_ adapter: AdapterOptions?) throws(Failure) -> ClientUnderTest {
    guard server.isStated else { return try settings.subject(adapter) }
    let subject = try ClientUnderTest(Fleet(), or: adapter ?? .sdk, clock: nil)
    subject.neverGivesUp()
    return subject
  }

  /// What runs the scenarios.
  ///
  /// - Throws: `Failure` when the server under test does not start, or its clients have no clock of their
  ///   own.
  package func hunter(
    of subject: ClientUnderTest, corpus: Corpus? = nil, known: KnownCauses
  ) throws(Failure) -> Hunter {
    guard server.isStated else {
      return try settings.hunter(of: subject, corpus: corpus, known: known)
    }
    guard let session = subject.adapter, session.hello.clock == .real else {
      throw .unusable(
        "a server is tested on a real clock, and the clients of this COMMAND have none of their own; "
          + "leave it away for clients of the kit")
    }
    let rules = try (try? Home.find())?.ruleBook()
    return Hunter(settings, known: known, rules: rules, live: try runs(with: session))
  }

  private func runs(with session: AdapterSession) throws(Failure) -> LiveRuns {
    let server = try TestedServer(server)
    if let profile = settings.profile.flatMap({ Profile(named: $0) }) {
      try server.require(profile.dialect)
    }
    func run(
      _ settings: RealClockSettings, _ scenario: Scenario, _ profile: Profile, _ seed: UInt64
    )
      -> ScenarioResult
    {
      let runner = RealClockRunner(
        session: session, settings: settings, seed: seed, against: server)
      do throws(Failure) {
        return try runner.run(scenario, in: profile)
      } catch {
        return ScenarioResult(scenario, profile, seed: seed, .kitError, reason: "\(error)")
      }
    }
    let settings = live
    var once = live
    once.repeats = 0
    return LiveRuns(
      capabilities: session.hello.abilities.subtracting(
        server.options.lacks + ["auth", "persistence"]),
      limited: { $0.provoked(within: settings.longest) },
      run: { run(settings, $0, $1, $2) }, runOnce: { [once] in run(once, $0, $1, $2) })
  }
}
