import Commands
import Scenario
import ServerHost
import System
import Workspace

/// The command `kennel serve`.
struct ServeCommand: Command {
  /// The port; 0 for a free one, and nil for the usual one.
  var port: Int?
  /// The address to listen on.
  var address: String?
  /// A firebase.json, which may name a port and rules.
  var firebase: String?
  /// A file with the data to begin with.
  var data: String?
  /// A file with security rules.
  var rules: String?
  /// A scenario whose data, rules and tokens hold, and whose faults happen.
  var scenario: String?
  /// What else the server is told.
  var server = ServerOptions()

  static var options: [Option<Self>] {
    [
      .value(
        "port", "P", \.port, .number(0...65535), letter: "p",
        "The port, 9000 unless stated; 0 for one that is free."),
      .value(
        "address", "ADDRESS", \.address, .text,
        "The address to listen on; only loopback addresses are allowed."),
      .value(
        "data", "FILE", \.data, .text,
        "A JSON file with the data that every namespace begins with."),
      .value(
        "scenario", "FILE", \.scenario, .text,
        """
        Use the data, security rules, tokens and latency of this scenario. Carry out the steps \
        that concern the network and the server, in real time.
        """),
      .value(
        "export-on-exit", "FILE", \.server.exportFile, .text,
        """
        Write the data to FILE at the end, as --data reads them; those of a namespace NAME to \
        FILE with .NAME before its suffix.
        """),
      .value(
        "firebase", "FILE", \.firebase, .text,
        """
        A firebase.json: the port of its database emulator and its rules hold, unless --port and \
        --rules say otherwise.
        """),
      .value(
        "rules", "FILE", \.rules, .text,
        "Security rules of the database, as Firebase has them: JSON with comments."),
      .value(
        "faults", "FILE", \.server.faultFile, .text,
        "What goes wrong between clients and server: YAML or JSON, in the words of scenarios."),
      .value(
        "seed", "N", \.server.seed, .seed,
        "The seed for latencies that are drawn from a range (default: 0)."),
      .value(
        "control", "P", \.server.controlPort, .number(0...65535),
        "A second port for switching faults, which the page can then do too."),
      .value(
        "record", "DIR", \.server.recordingFolder, .text,
        """
        Write a recording of each client and a trace of all to DIR, complete even if this is \
        killed; 'kennel show', 'view', 'replay', 'why' and 'scenario-from' read them.
        """),
      .flag(
        "lan", \.server.isOnLAN,
        """
        Listen on every address, for phones in the same network. Requests from other machines \
        must name a token, which is printed and is another one for each start.
        """),
      .flag(
        "no-page", \.server.hasPage, is: false,
        "Do not serve the page that shows clients, data and traffic."),
      .value(
        "connections", "N", \.server.maxConnections, .number(1...100_000),
        "How many TCP connections there may be at once, 4096 unless stated."),
    ]
  }

  static let grammar = Grammar(
    command: "kennel serve", operands: "",
    summary: """
      Serves the reference server on a real port of this machine, for clients that cannot run \
      behind an adapter, and for observing a client: the Firebase framing at /.ws, the \
      framing of Wilddog Sync (engine.io 3) at /.ws/, and REST with event streams at PATH.json. It \
      prints the address when clients can connect, and serves until Ctrl-C or SIGTERM.
      """,
    notes: """
      Clients of the admin SDKs find it by FIREBASE_DATABASE_EMULATOR_HOST=localhost:9000; their \
      token, "owner", has full access. Specs/guides/live-server.md lists the protocols, what is missing, and the \
      limits.

      Faults are those of scenarios, each with the message or the time for which it waits; "any" \
      means every client. A client identifies itself in its address, with client=NAME; others take \
      the names of the scenario, or of the file of faults, in the order in which they come.

      Examples:
        kennel serve --port 9000 --record recordings
        kennel serve --scenario Scenarios/faults/acknowledgement-lost.yaml
        kennel serve --faults faults.yaml --control 9001
          where faults.yaml is, for instance:
            - network.latency: 20ms..80ms
            - network.lose-acknowledgement: {client: any, when: {frame: put}}
            - server.restart: {down: 2s, when: {after: 30s}}
      """, exitCodes: .ofServers)

  mutating func finish(_ arguments: Arguments) throws(Failure) {
    if let word = arguments.operands.first {
      throw arguments.failure("serve takes no operands, and \"\(word)\" is one")
    }
    if let address, !["127.0.0.1", "::1", "localhost"].contains(address) {
      throw arguments.failure(
        "--address \(address) is not on this machine: anybody who reaches the server may do"
          + " everything, so it listens on 127.0.0.1 and ::1 only")
    }
    if data != nil, scenario != nil {
      throw arguments.failure("--data and --scenario both give the data; use one of them")
    }
  }

  /// Serves until it is asked to end.
  func perform() throws(Failure) -> ExitCode {
    let session = try ServeSession(try serverOptions())
    Interrupt.begin()
    try session.run(until: Interrupt.hasCome) { start throws(Failure) in
      if let port = start.controlPort {
        try Console.output("control at http://127.0.0.1:\(port)\n")
      }
      try Console.output("serving at http://127.0.0.1:\(start.port)\n")
      for address in start.otherAddresses {
        try Console.output("for other machines: \(address)\n")
      }
      if let notes = start.scenarioNotes { try Console.output(notes) }
    }
    return .success
  }

  /// What was asked for as options of the server; files are read.
  fileprivate func serverOptions() throws(Failure) -> ServerOptions {
    var options = server
    let project = try firebase.map { file throws(Failure) in try FirebaseProject(file: file) }
    options.port = port ?? project?.port ?? 9000
    if let scenario {
      let library = try ScenarioLibrary(setting: scenario)
      options.scenario = try library.onlyScenario(named: scenario)
      options.sources = options.scenario.flatMap { library.sources[$0.file] } ?? []
    }
    if let data { options.data = try ServerOptions.readData(data) }
    if let rules = rules ?? project?.rulesFile {
      options.databaseRules = try ServerOptions.readRules(rules)
    }
    if options.isOnLAN {
      Console.warn(
        "--lan: a client in this network that has the token may read and write all data; nothing is"
          + " encrypted")
    }
    options.warn = Console.warn
    return options
  }
}

extension ScenarioLibrary {
  /// The scenario, where there is just one.
  fileprivate func onlyScenario(named name: String) throws(Failure) -> Scenario {
    guard let scenario = scenarios.first, scenarios.count == 1 else {
      let problems = problems.map { "\($0)" }.joined(separator: "\n")
      throw .unusable(problems.isEmpty ? "\(name) is not one scenario" : problems)
    }
    return scenario
  }
}
