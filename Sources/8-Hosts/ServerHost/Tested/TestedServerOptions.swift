import Document
package import System
package import Tree

/// Which server is tested, with clients of the kit or of an adapter; none unless stated.
package struct TestedServerOptions: OptionSettings {
  /// Where the server is; with a command `{port}` stands for its port.
  package var url: String?
  /// What starts it, for a shell; `{port}` stands for a port that is free.
  package var command: String?
  /// Whether it is tested by requests of REST too.
  package var usesREST = false
  /// The capabilities that it does not have.
  package var lacks: [String] = []

  package init() {}

  /// Whether a server is tested.
  package var isStated: Bool { url != nil || command != nil }

  /// What is tested, for reports.
  package var subject: String? { command ?? url }

  /// Makes sure that it is known where the server serves.
  ///
  /// - Throws: `Failure.unusable` for a command without a port and without an address, such as the first word
  ///   of one that should be in quotes.
  package func requirePort() throws(Failure) {
    guard url == nil, let command, !command.contains("{port}") else { return }
    throw .unusable(
      "--server-command \(shellWord(command)) has no {port}; expected it in the command, all of which is in "
        + "quotes, where the server takes its port, such as 'kennel serve --port {port}', or --server with the address at "
        + "which it serves"
    )
  }

  /// Whether data that can be written at a location are too deep or too long below the path of a run.
  package func hasNoRoom(for node: Node, at path: Path) -> Bool {
    func fits(_ path: Path) -> Bool {
      path.problem == nil && NodeProblem.first(in: node, at: path) == nil
    }
    return fits(path) && !fits(Path([Relay.newKey()]).appending(path))
  }

  /// The address unless it is stated.
  static let usualURL = "http://127.0.0.1:{port}/?ns=kennel"

  /// The options.
  package static var options: [Option<TestedServerOptions>] {
    let rows: [Option<TestedServerOptions>] = [
      .value(
        "server", "URL", \.url, .text,
        """
        Test the server at URL, such as http://127.0.0.1:5000/?ns=test, on a real clock: clients of the kit, or \
        those of the COMMAND, run the scenarios against it, below a path of each run's own.
        """
      ).setting("server"),
      .value(
        "server-command", "COMMAND", \.command, .text,
        """
        Test the server that this command of a shell starts, on the port that {port} in it stands for. It is \
        stopped at the end.
        """
      ).setting("server-command").with { $0.file = .started },
    ]
    return Option.table(rows) {
      $0.excludes += ["client", "seeds", "shadow", "metamorphic", "audit", "record-expectations"]
    }
      + Option.table([
        .flag(
          "rest", \.usesREST,
          """
          Test requests of REST too: steps of the server are written by REST, and what it reads is compared with what \
          listens show.
          """),
        .list(
          "without", "CAPABILITY", \.lacks, .name(among: TestedServer.capabilities),
          "Skip scenarios for which the server under test would have to be able to do this."),
      ]) { $0.needsServer = true }
  }
}
