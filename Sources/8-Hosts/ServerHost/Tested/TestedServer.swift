import ClientEngine
import ClientInterface
import Document
import Glibc
package import Scenario
package import System
import Tree
package import Wire

/// The server that runs are made against, and its process where the kit starts it.
package final class TestedServer {
  /// What a server may be unable to do.
  package static let capabilities = Capability.inOrder + [rules]
  /// The one that is about servers alone: being given rules of a database.
  package static let rules = "rules"

  /// How long it may take until it accepts connections, in nanoseconds.
  private static let startTimeout: Int64 = 30_000_000_000
  /// How long it may take to end when it is asked to, in nanoseconds.
  private static let endTimeout: Int64 = 2_000_000_000

  package let options: TestedServerOptions
  private var process: ChildProcess?
  private var address: DatabaseAddress
  private let path: Path
  /// How often it was started.
  private var starts = 0
  /// In which dialects it was asked for a connection.
  private var tried: Set<Dialect> = []
  private var log: String { "/tmp/kennel-server-\(getpid())-\(port ?? 0)-\(starts).log" }

  /// What the shell does before the command. The server ends with its input, which ends with this process,
  /// however that ends: one of several processes is killed when its work is done.
  ///
  /// One line, so that what the shell says of line 1 is about the command.
  private static let frame =
    #"exec >"$1" 2>&1 3<&0 </dev/null; { cat <&3; rm -f "$1"; kill -KILL 0; } & exec 3<&-; shift; "#

  /// Starts the server, if there is a command for that, and waits until it accepts connections.
  ///
  /// - Throws: `Failure.unusable` for an address that is none, and `Failure.notStarted` where no server
  ///   answers.
  package init(_ options: TestedServerOptions) throws(Failure) {
    self.options = options
    try options.requirePort()
    guard let port = LoopbackSocket.freePort() else { throw .notStarted("no port is free") }
    let pattern = options.url ?? TestedServerOptions.usualURL
    let url = pattern.replacing("{port}", with: "\(port)")
    guard let (address, path) = DatabaseAddress.parse(url) else {
      throw .unusable("--server \(ServerOptions.objection(toURL: pattern))")
    }
    (self.address, self.path) = (address, path)
    if options.command != nil {
      self.port = port
    }
    try start()
  }

  private var port: Int?

  deinit { stop() }

  private func start() throws(Failure) {
    if let port, let command = options.command {
      Descendants.watch()
      let text = command.replacing("{port}", with: "\(port)")
      starts += 1
      process = try ChildProcess("/bin/sh", ["-c", Self.frame + text, "--server-command", log])
    }
    let limit = Measurement.now + (process == nil ? 0 : Self.startTimeout)
    guard let endpoint = address.endpoint else { return }
    while !Self.accepts(endpoint.name, endpoint.port) {
      if let process, process.hasEnded { throw .notStarted(endedText(process.wait())) }
      guard Measurement.now < limit else {
        throw .notStarted(
          "no server accepts connections at \(address.host)"
            + (process == nil
              ? "; expected the one that --server names: start it first, or have the kit start one "
                + "with --server-command"
              : logText))
      }
      usleep(20_000)
    }
  }

  /// What is wrong with a command that has not begun to serve.
  private func endedText(_ ending: ChildProcess.Ending) -> String {
    let expected =
      ending == .exited(127)
      ? "a program that the shell finds: correct its name, or write its path"
      : "one that serves on {port} until the kit stops it"
    return "--server-command: \(shellWord(options.command ?? "")) has ended: \(ending); "
      + "expected \(expected)" + logText
  }

  private static func accepts(_ host: String, _ port: UInt16) -> Bool {
    guard let descriptor = LoopbackSocket.connected(to: port, of: host) else { return false }
    close(descriptor)
    return true
  }

  /// How its process has ended; nil while it runs, and for a server that was there.
  package var endingText: String? {
    guard let process, process.hasEnded else { return nil }
    return "\(process.wait())" + logText
  }

  /// The last lines that it has written.
  private var logText: String {
    let lines = (try? Files.text(of: log))?.split(separator: "\n").suffix(5) ?? []
    if lines.isEmpty { return "" }
    return "; its last lines:\n" + lines.map { "  " + $0 }.joined(separator: "\n")
  }

  /// Starts it again where it has ended, so that one run does not spoil those behind it.
  ///
  /// - Throws: `Failure.notStarted` where it does not start.
  package func restartIfEnded() throws(Failure) {
    if endingText != nil { try start() }
  }

  /// Sees, once for each dialect, whether the server takes connections in it at all.
  ///
  /// - Throws: `Failure.unusable` for a server that is there and is no database.
  package func require(_ dialect: Dialect) throws(Failure) {
    guard tried.insert(dialect).inserted else { return }
    var address = address
    address.dialect = dialect
    do throws(Relay.Problem) {
      try Relay(address, at: path).greet()
    } catch {
      guard case let .foreign(reason) = error, !endsSoon else { return }
      throw .unusable(foreignText(dialect, address.query, reason))
    }
    if options.usesREST { try requireREST() }
  }

  /// Sees whether the server answers requests of REST.
  private func requireREST() throws(Failure) {
    let path = path.appending(Relay.newKey())
    do throws(Relay.Problem) {
      try Relay(address, at: path).greetByREST()
    } catch {
      guard !endsSoon else { return }
      let reason =
        switch error {
        case let .foreign(reason), let .unreachable(reason), let .refused(reason): reason
        }
      throw .unusable(
        "--rest: GET \(path).json is asked for at \(address.host): \(reason); expected 200 null, as there is "
          + "nothing: leave --rest out for a server without REST")
    }
  }

  private func foreignText(_ dialect: Dialect, _ query: String, _ reason: String) -> String {
    let (option, part) =
      options.command == nil ? ("--server", "address") : ("--server-command", "command")
    let (asked, advice) =
      switch dialect {
      case .firebase: ("/.ws?v=5&", "")
      case .wilddog:
        ("/.ws/?EIO=3&", ", or state --profile firebase for one with the framing of Firebase alone")
      }
    return "\(option): a connection is asked for at \(address.host)\(asked)\(query): \(reason); "
      + "expected a database server of the Firebase or Wilddog family: correct the \(part)\(advice)"
  }

  /// Whether its process ends, or is about to: then that is what is to be said.
  private var endsSoon: Bool {
    let limit = Measurement.now + (process == nil ? 0 : Self.endTimeout)
    while endingText == nil, Measurement.now < limit { usleep(5000) }
    return endingText != nil
  }

  /// The connections of a run. One with rules has a database of its own, as rules hold for all of one.
  package func relay(_ dialect: Dialect, for scenario: Scenario) -> Relay {
    let (key, setup) = (Relay.newKey(), ServerSetup(scenario))
    var address = setup.rules == nil ? address : address.database(key.string)
    address.dialect = dialect
    return Relay(
      address, at: setup.rules == nil ? path.appending(key) : .root, setup,
      usesREST: options.usesREST)
  }

  private func stop() {
    guard let process else { return }
    process.kill(SIGTERM)
    let limit = Measurement.now + Self.endTimeout
    while !process.hasEnded, Measurement.now < limit { usleep(5000) }
    process.kill()
    _ = process.wait()
    unlink(log)
  }
}
