import AdapterSessions
import Commands
import Document
import Documentation
import Glibc
import Recordings
import Runs
import Scenario
import System
import TraceFiles
import UserInterface
import WebPages
import Workspace

/// The command `kennel show`.
struct ShowCommand: Command {
  var output: String?
  /// The trace.
  var path = ""

  static var options: [Option<Self>] {
    [
      .value(
        "output", "FILE", \.output, .file(endingIn: ".svg"), letter: "o",
        "Write the picture to FILE as SVG instead, for a browser or a document.")
    ]
  }

  static let grammar = Grammar(
    command: "kennel show", operands: "TRACE|RECORDING",
    summary: """
      Shows a run as a picture: a lane for each client and one for the server, time from top to \
      bottom, an event a row. --> and <-- is where a message leaves and where it arrives, --x one \
      that is lost, > a call, * what a listener receives, # a fault, ? what is missing, and ! where \
      the run failed. The \
      edge of a lane is | while its client is connected and : while it is not. If a failed run \
      has more than 400 events, only the events that led to the failure are shown.
      """,
    notes: """
      'kennel run --trace DIR' writes traces, and 'kennel serve --record DIR' traces and recordings; \
      of a recording the picture has its client and the server. Specs/guides/pictures.md describes the pictures.

      Examples:
        kennel show traces/races_three-writers.firebase.trace.jsonl
        kennel show trace.jsonl -o picture.svg
      """, exitCodes: .withoutVerdicts, renamed: ["svg": "output"])

  mutating func take(_ arguments: Arguments) throws(Failure) {
    path = try arguments.onlyOperand(
      else: "show needs the path of one trace; 'run ID --trace DIR' writes one")
  }

  /// Shows a trace.
  func perform() throws(Failure) -> ExitCode {
    let picture = SpaceTime(of: PicturedRun(try readPicture(path)))
    if let file = output {
      try FileKind.write(picture.svg() + "\n", to: file, as: .picture)
    } else {
      try Console.output(picture.text)
    }
    return .success
  }
}

/// The command `kennel view`.
struct ViewCommand: Command {
  var output: String?
  /// The trace.
  var path = ""

  static var options: [Option<Self>] {
    [
      .value(
        "output", "FILE", \.output, .text, letter: "o",
        "Write the page to FILE; if not given, beside the trace with .html at the end.")
    ]
  }

  static let grammar = Grammar(
    command: "kennel view", operands: "TRACE|RECORDING",
    summary: """
      Writes a page to go through a run in a browser, event by event: at each of them what every \
      listener shows, which calls wait and what the server has, with what changed marked; the events \
      can be filtered, and a link leads to one of them (#step=N). The page is one file that needs no \
      network.
      """,
    notes: """
      'kennel run --trace DIR' writes traces, and 'kennel serve --record DIR' traces and recordings. \
      Specs/guides/pictures.md describes the viewer and its keys.

      Examples:
        kennel view trace.jsonl
        kennel view trace.jsonl -o /tmp/run.html
      """, exitCodes: .withoutVerdicts)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    path = try arguments.onlyOperand(
      else: "view needs the path of one trace; 'run ID --trace DIR' writes one")
  }

  /// The page that is written.
  var target: String {
    if let output { return output }
    return (path.hasSuffix(".jsonl") ? String(path.dropLast(6)) : path) + ".html"
  }

  /// Writes the viewer of a trace and prints where it is.
  func perform() throws(Failure) -> ExitCode {
    let file = try readPicture(path)
    try FileKind.write(ViewerPage(of: file, name: path).html, to: target, as: .page)
    try Console.output("\(target)\n")
    return .success
  }
}

/// Reads a trace, or a recording, as pictures want it: with both ends of each message. What could
/// not be read is a message.
func readPicture(_ path: String) throws(Failure) -> TraceFile {
  let session = try recordedSession(from: [path])
  session.warnings.forEach(Console.warn)
  return session.shown
}

/// The command `kennel ui`.
struct InterfaceCommand: Command {
  var settings = RunSettings()
  var port = 0

  static var options: [Option<Self>] {
    RunSettings.options.only("profile", "seed", "shadow", "client", "role").within(\.settings)
      + [
        .value(
          "port", "P", \.port, .number(0...65535), letter: "p",
          "The port; a free one unless stated.")
      ] + GateSettings.options.only("known", "today").within(\.settings.gate)
      + ScenarioSelection.options.within(\.settings.selection)
      + AdapterOptions.options.within(\.settings.adapter)
  }

  static let grammar = Grammar(
    command: "kennel ui", operands: "[PATH|ID|PATTERN...] [-- COMMAND [ARGUMENT...]]",
    summary: """
      Serves a page to work with scenarios: it runs them against the client, opens at the first \
      failure, shows each run event by event, edits scenarios, and explains, explores and shrinks by \
      a button. Whenever a file changes, everything runs again, and no change of another program is \
      overwritten. The page is for this machine only.
      """,
    notes: """
      It prints the address of the page, and serves until Ctrl-C or SIGTERM.

      Examples:
        kennel ui
        kennel ui limits --client no-refill
        kennel ui -- python3 adapter.py
      """, exitCodes: .ofServers,
    takesAdapter: true)

  mutating func take(_ arguments: Arguments) throws(Failure) { try settings.take(arguments) }

  /// Serves until it is asked to end.
  func perform() throws(Failure) -> ExitCode {
    try askForCommands()
    try UserInterface.serve(settings, port: port) { address throws(Failure) in
      try Console.output(address + "\n")
    }
    return .success
  }
}

extension InterfaceCommand {
  /// Asks a person at a terminal before a command of a project file is started from a page for the first
  /// time: the page starts it again and again, whenever a file changes.
  private func askForCommands() throws(Failure) {
    guard isatty(STDIN_FILENO) == 1, let project = try ProjectFile.find(RunSettings.inProjects)
    else { return }
    var commands = settings.adapter.map { [$0.command] } ?? []
    for member in settings.fleet.playing().members {
      if let client = try project.clients.named(member.subject) { commands.append(client.command) }
    }
    for command in commands where project.commands.contains(command) {
      try ask(for: command, of: project)
    }
  }

  private func ask(for command: [String], of project: ProjectFile) throws(Failure) {
    var agreed = AgreedCommands()
    if agreed.has(command, of: project.directory) { return }
    let words = command.map(shellWord).joined(separator: " ")
    Console.message(
      "\(Files.join(project.directory, ProjectFile.name)) names a command that was not started from a "
        + "page before:\n  \(words)\nStart it now, and whenever a file changes? [y/N] ")
    guard ["y", "yes"].contains(readLine()?.lowercased()) else {
      throw .unusable("the command is not started; name another client with --client or --")
    }
    try agreed.add(command, of: project.directory)
  }
}

/// The command `kennel docs`.
struct DocsCommand: Command {
  /// The scenarios that get a page; all with the tag if there are none.
  var paths: [String] = []
  var checks = false
  var site: String?
  var rulesOnly = false
  var client: String?

  static var options: [Option<Self>] {
    [
      .flag(
        "check", \.checks,
        "Write nothing; name the pages and pictures that are not what runs show."),
      .flag(
        "rules", \.rulesOnly,
        "Only what is made without running a client: from the rules, and from what reads scenarios."
      ),
      .value(
        "output", "DIR", \.site, .text, letter: "o",
        """
        Write the site into the folder DIR; it needs no network, and a script for the search only.
        """),
      .value(
        "client", "NAME", \.client, .text,
        "Run the client NAME instead of the reference client."),
    ]
  }

  static let grammar = Grammar(
    command: "kennel docs", operands: "[PATH|ID...]",
    summary: """
      Writes the pages about event order, one for each scenario with the tag '\(DocumentationBook.tag)', and indexes of \
      them: as Markdown to \(DocumentationBook.folder), or with all other documents of Specs as a site of HTML files. \
      Everything on them comes from running the scenarios, in every order of deliveries. Also writes the pages that are made from \
      the rules, Specs/profiles.md and Specs/requirements.md, the JSON Schema of scenarios and the tables of \
      Specs/scenario-format.md, which are made from what reads scenarios, those about the adapter protocol, and the pictures in Specs/pictures.

      Of scenarios that are named, with or without the tag, it prints the page as Markdown, or \
      writes a site with their pages alone beside the documents.
      """,
    notes: """
      Examples:
        kennel docs
        kennel docs --check
        kennel docs --rules
        kennel docs -o site
        kennel docs limits/refill-after-foreign-removal
        kennel docs --check --client no-refill
      """)

  mutating func finish(_ arguments: Arguments) throws(Failure) {
    paths = arguments.operands
    if rulesOnly, site != nil || client != nil {
      throw arguments.failure("--rules runs no client; it does not go with --output and --client")
    }
    if checks, site != nil {
      throw arguments.failure("--check looks at the Markdown; it does not go with --output")
    }
    if !paths.isEmpty, checks || rulesOnly {
      throw arguments.failure("--check and --rules are about all pages; name no scenario with them")
    }
  }

  /// Makes the pages, and writes or compares them.
  func perform() throws(Failure) -> ExitCode {
    let task = DocumentationTask(
      of: paths, client: client, checks: checks, site: site,
      makesRulePages: site == nil && client == nil && paths.isEmpty, rulesOnly: rulesOnly,
      commands: CommandsPage(Program.kennel.grammar, Program.kennel.listed.map { $0.usage }).text)
    return try task.run(
      { (client) throws(Failure) in try ClientUnderTest(named: client).runner(seed: 0) },
      report: Console.output, warn: Console.message)
  }
}
