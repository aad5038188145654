import ClientEngine
import ClientInterface
import Commands
import Recordings
import Runs
import Scenario
import ServerHost
import System
import Tree
import Workspace

/// The command `kennel serve`.
struct ServeCommand: Command {
  var port: Int?
  var address: String?
  var firebase: String?
  var data: String?
  var rules: String?
  var scenario: String?
  var profile: String?
  /// Everything else about the server.
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
        "profile", "PROFILE", \.profile, .profile,
        """
        What its clients follow: wilddog-1, wilddog-2 or firebase. To wilddog-1 a range has values of one \
        kind. Unless stated it is the only profile of --scenario, or else firebase.
        """),
    ] + fileOptions + liveOptions
  }

  /// The options about files that it keeps, and those of a project.
  private static var fileOptions: [Option<Self>] {
    [
      .value(
        "export-on-exit", "FILE", \.server.exportFile, .text,
        """
        Write the data to FILE at the end, as --data reads them; those of a namespace NAME to \
        FILE with .NAME before its suffix.
        """),
      .value(
        "store", "FILE", \.server.storeFile, .text,
        """
        Keep the data in FILE, which is made if it is not there, and go on with them at the next \
        start. A write is on the disk before it is acknowledged; one that cannot be kept is refused.
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
    ]
  }

  /// The options about what happens while it serves.
  private static var liveOptions: [Option<Self>] {
    [
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
        "defect", "NAME", \.server.defect, .choice,
        "Do this wrong, to see what a test of servers reports; Specs/guides/servers.md has examples."
      ),
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
    if let objection = address.flatMap(ServerOptions.objection) {
      throw arguments.failure(objection)
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
    if let file = options.exportFile, file != data {
      try FileKind.requireReplaceable(file, by: nil)
    }
    let project = try firebase.map { file throws(Failure) in
      try FileKind.reading(file, as: "a firebase.json") { file throws(Failure) in
        try FirebaseProject(file: file)
      }
    }
    options.port = port ?? project?.port ?? 9000
    if options.port > 0, options.controlPort == options.port {
      throw .unusable(
        "clients and --control would share port \(options.port); expected another one for --control"
      )
    }
    if let scenario {
      let library = try ScenarioLibrary(setting: scenario)
      options.scenario = try library.onlyScenario(named: scenario)
      options.sources = options.scenario.flatMap { library.sources[$0.file] } ?? []
    }
    let named = profile.flatMap { Profile(named: $0) }.map { [$0] } ?? options.scenario?.profiles
    if let named, named.count == 1 { options.profile = named[0] }
    if let data {
      options.data = try FileKind.reading(data, as: "data in JSON", ServerOptions.readData)
    }
    if let file = rules ?? project?.rulesFile {
      options.databaseRules = try FileKind.reading(file, as: "security rules") {
        file throws(Failure) in
        try rules == nil ? project?.readRules(file) : ServerOptions.readRules(file)
      }
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

/// The command `kennel chat`: the smallest program that shows the documented SDK at work.
struct ChatCommand: Command {
  var name = ""
  var url = "http://127.0.0.1:9000/?ns=chat"
  var folder: String?

  static var options: [Option<Self>] {
    [
      .value(
        "url", "URL", \.url, .text,
        "The database, http://127.0.0.1:9000/?ns=chat unless stated."),
      .value(
        "keep", "DIR", \.folder, .text,
        "Keep messages written offline in DIR, also after the program ends."),
    ]
  }

  static let grammar = Grammar(
    command: "kennel chat", operands: "NAME",
    summary: """
      Chats with all other users of the same database, and shows who is online: a small program with the \
      documented SDK, module WilddogSync, over real sockets.
      """,
    notes: """
      Each line of standard input is a message. /offline and /online take the connection away and bring it \
      back; what is written in between is shown at once and sent later.

      Examples:
        kennel serve
        kennel chat alice
        kennel chat bob --keep /tmp/bob
      """, exitCodes: .withoutVerdicts)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    name = try arguments.onlyOperand(else: "chat takes one NAME: what the others see")
  }

  mutating func finish(_ arguments: Arguments) throws(Failure) {
    if DatabaseAddress.parse(url) == nil {
      throw arguments.failure(ServerOptions.objection(toURL: url))
    }
  }

  func perform() throws(Failure) -> ExitCode {
    let chat = Chat(name: name, url: url, folder: folder) { line in
      // Without a reader of its output the program still ends with its input.
      try? Console.output(line + "\n")
    }
    chat.run()
    return .success
  }
}

/// The command `kennel scenario-from`.
struct ScenarioFromCommand: Command {
  var output: String?
  var title: String?
  var profile: String?
  /// Which part of the session.
  var selection = SessionSelection()
  var shrinks = false
  /// A trace, or recordings of one session; at least one.
  var paths: [String] = []

  static var options: [Option<Self>] {
    [
      .value(
        "output", "FILE", \.output, .text, letter: "o",
        "Write the scenario to FILE instead of standard output."),
      .value(
        "name", "TITLE", \.title, .text,
        "The title of the scenario; if not given, one that names the session."),
      .value(
        "profile", "PROFILE", \.profile, .profile,
        "The profile by which clients are judged: wilddog-1, wilddog-2 or firebase."),
      .value(
        "from", "MS", \.selection.from, .time,
        """
        Begin so many milliseconds after the session did, with the data, connections and listens \
        of that moment.
        """),
      .value(
        "until", "MS", \.selection.until, .time, "End so many milliseconds after it began."),
      .list(
        "client", "NAME", \.selection.clients, .text,
        "Only this client, and others that are named; what the rest wrote, the server writes."),
      .value(
        "path", "LOCATION", \.selection.path, .path,
        "Only what concerns this location: at it, below it or above it."),
      .flag(
        "shrink", \.shrinks,
        """
        Leave out what does not matter for what the faults of the session did to the server's data.
        """),
    ]
  }

  static let grammar = Grammar(
    command: "kennel scenario-from", operands: "TRACE|RECORDING...",
    summary: """
      Makes a scenario of a session that was recorded: of a trace, or of a recording, or of \
      recordings of several clients in the same session. If the session contains no calls, they \
      are inferred from what clients sent; so are the writes of other clients. The expectations \
      are the events of the recorded clients if they are known, otherwise those of the reference \
      client.
      """,
    notes: """
      Comments above the scenario list what is known and what is inferred, and whether its run has \
      the messages of the session. Specs/recordings.md describes how. If a session was cut off, \
      the scenario contains what was recorded.

      Examples:
        kennel scenario-from recordings/default.trace.jsonl -o Scenarios/found/live.yaml
        kennel scenario-from recordings/client-1.jsonl | less
      """, exitCodes: .withoutVerdicts)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    paths = try arguments.someOperands(
      else: "scenario-from needs a trace, or recordings of one session")
  }

  /// Writes a session as a scenario.
  func perform() throws(Failure) -> ExitCode {
    let session = try SessionScenario(
      of: paths, title: title, profile: profile.flatMap { Profile(named: $0) },
      selection: selection, shrinks: shrinks)
    session.warnings.forEach(Console.warn)
    try session.requireNoProblems(in: output ?? "standard output")
    if let output {
      try Files.makeDirectory(of: output)
      try FileKind.write(session.text, to: output, as: .scenario)
      Console.message("wrote \(output)\n")
    } else {
      try Console.output(session.text)
    }
    for line in session.similarity { Console.message(line + "\n") }
    if session.similarity.count > 1 {
      Console.message(
        "A difference is no mistake of the file: the reference client acts otherwise than the recorded one, or "
          + "a call was inferred otherwise; Specs/recordings.md describes both.\n")
    }
    return .success
  }
}

extension OptionKind where Value == Interval {
  /// A moment of a session.
  fileprivate static var time: OptionKind {
    OptionKind(
      "milliseconds since the beginning of the session, such as 1500",
      { text in
        Int(text).flatMap { (0..<3_153_600_000_000).contains($0) ? .milliseconds($0) : nil }
      }, text: { String(Int($0.milliseconds)) })
  }
}

extension OptionKind where Value == Path {
  fileprivate static var path: OptionKind { OptionKind("a path", { Path($0) }) }
}
