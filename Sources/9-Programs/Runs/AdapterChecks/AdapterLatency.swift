import AdapterProtocol
import AdapterSessions
import ClientInterface
package import System
import Wire

/// Measures how fast an adapter answers.
package struct AdapterLatency {
  private let options: CheckSettings

  package init(_ options: CheckSettings) {
    self.options = options
  }

  /// How many times it is asked before the clock is looked at.
  private static let batch = 100
  private static let nanoseconds: Int64 = 1_000_000_000

  /// What was measured.
  ///
  /// A round trip is a message of the server that the client ignores: it is read, handed to the
  /// client and answered with idle.
  ///
  /// - Throws: `Failure.notStarted` when the adapter cannot be talked to.
  package func text() throws(Failure) -> String {
    if options.adapter.staysOnOneProcessor { Processors.stayOnOne() }
    let start = Measurement.now
    let process = try options.adapter.makeProcess(nil)
    do throws(AdapterFault) {
      let run = AdapterRun(options.profile, seed: options.seed)
      _ = try process.ask(.hello(run), within: options.adapter.initialTimeout)
      if process.hello.clock == .real {
        process.end()
        return
          "the clients have a clock of their own: the kit does not wait for them, so no speed counts\n"
      }
      let startup = Double(Measurement.now - start) / 1_000_000
      let rate = try rate(process)
      process.end()
      return """
        start-up     \(rounded(startup)) ms         until it has introduced itself
        round trips  \(Int(rate)) a second   messages that the client ignores

        """
    } catch {
      process.stop()
      throw .notStarted(error.description)
    }
  }

  private func rate(_ process: AdapterProcess) throws(AdapterFault) -> Double {
    let now = Instant(milliseconds: 1_480_000_000_000)
    func ask(_ input: ClientInput) throws(AdapterFault) {
      _ = try process.ask(
        .input(client: "alice", input, at: now), within: options.adapter.timeout)
    }
    try ask(.open(.init()))
    try ask(.opened)
    // What runs for the first time is compiled, or paged in, by some runtimes.
    for _ in 0..<2000 { try ask(.frame(.notice("nothing"))) }
    let start = Measurement.now
    var count = 0
    while Measurement.now - start < Self.nanoseconds {
      for _ in 0..<Self.batch { try ask(.frame(.notice("nothing"))) }
      count += Self.batch
    }
    return Double(count) * 1e9 / Double(Measurement.now - start)
  }

  private func rounded(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
