import AdapterProtocol
import AdapterSessions
import ClientInterface
import Commands
import Conformance
import Document
import Glibc
import Reports
import RunModel
import Runs
import Scenario
import ServerHost
import System
import Trace
import Tree
import Workspace

/// The command `kennel new`.
struct NewCommand: Command {
  var template = AdapterTemplate.python
  /// The folder to write into; it is made where there is none.
  var directory = ""

  mutating func take(_ arguments: Arguments) throws(Failure) {
    let operands = arguments.operands
    guard let kind = operands.first else {
      throw arguments.failure("what is to be made? expected: adapter LANGUAGE")
    }
    guard kind == "adapter" else {
      let isLanguage = AdapterTemplate(rawValue: kind) != nil
      throw arguments.failure(
        "new makes no \"\(kind)\"; expected '\(programWord) new adapter \(isLanguage ? kind : "LANGUAGE")'"
      )
    }
    guard operands.count > 1 else {
      throw arguments.failure("in which language? one of \(Self.names.joined(separator: ", "))")
    }
    template = try Self.template(operands[1], arguments)
    guard operands.count < 4 else {
      throw arguments.failure("unexpected argument \"\(operands[3])\"")
    }
    directory = operands.count > 2 ? operands[2] : "kennel-\(template.rawValue)"
  }

  /// The template for a language.
  ///
  /// - Throws: `Failure.usage` for one that has none, with how to go on.
  static func template(
    _ language: String, _ arguments: Arguments
  ) throws(Failure) -> AdapterTemplate {
    if let template = AdapterTemplate(rawValue: language) { return template }
    throw arguments.failure(
      unknown("language", language, among: names)
        + "\nThere are templates for \(names.joined(separator: ", "))."
        + "\nAny other language will do too: an adapter is a program that reads lines of JSON and writes"
        + "\nlines of JSON. Translate a template that is one file, as '\(programWord) new adapter ruby'"
        + "\nwrites it, or begin with the conversation in this document:"
        + "\n  \(Home.document("adapter-protocol.md"))"
        + "\nThen '\(programWord) init -- COMMAND' makes a project of it, and"
        + "\n'\(programWord) doctor -- COMMAND' says what is missing.")
  }

  private static let names = AdapterTemplate.allCases.map(\.rawValue)

  static let grammar = Grammar(
    command: "kennel new", operands: "adapter LANGUAGE [DIR]",
    summary: """
      Writes an adapter to begin with into a folder: DIR, or kennel-LANGUAGE. The adapter runs \
      unchanged, with a small client of its own; replace that client with yours. Existing files \
      are never overwritten.

      Languages:
        python          an adapter and a complete client, for Python 3.9 or newer
        javascript      the same, for Node 20 or newer
        javascript-sdk  a host in which a shipped JavaScript SDK runs unchanged
        c               a header for everything that links C, and a thin client
        go, java, ruby, rust, csharp, dart
                        a thin client in one file, without libraries
      """,
    notes: """
      Examples:
        kennel new adapter python
        kennel new adapter c my-adapter
      """, exitCodes: .withoutVerdicts)

  /// Writes an adapter to begin with.
  func perform() throws(Failure) -> ExitCode {
    let count = try template.write(to: directory, from: try Home.find().path)
    try Console.output(
      """
      \(count == 1 ? "1 file is" : "\(count) files are") in \(directory). Try it:

      \(template.nextSteps(in: directory))

      """)
    return .success
  }
}

/// The command `kennel init`.
struct InitCommand: Command {
  var start: ProjectStart?

  static let usesProject = false

  static let grammar = Grammar(
    command: "kennel init", operands: "LANGUAGE | -- COMMAND [ARGUMENT...]",
    summary: """
      Makes the current directory a project that tests its client: writes kennel.yaml, which every \
      command reads from there on, a list of known failures, a workflow for GitHub, and what git \
      ignores. With a LANGUAGE it also writes an adapter to begin with; see 'kennel new --help'. Files that \
      are there are kept.
      """,
    notes: """
      Examples:
        kennel init python
        kennel init -- node test/adapter.js
      """, exitCodes: .withoutVerdicts,
    takesAdapter: true)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    if let command = arguments.adapter, arguments.operands.isEmpty {
      start = ProjectStart(command: command)
      return
    }
    if arguments.operands.count > 1 {
      let command = arguments.operands.map(shellWord).joined(separator: " ")
      throw arguments.failure("the COMMAND comes after --: 'kennel init -- \(command)'")
    }
    let language = try arguments.onlyOperand(
      else: "init needs a LANGUAGE or a COMMAND: 'kennel init python'")
    start = ProjectStart(template: try NewCommand.template(language, arguments))
  }

  /// Writes the files.
  func perform() throws(Failure) -> ExitCode {
    guard let start else { return .success }
    try Console.output(try start.write(home: { () throws(Failure) in try Home.find().path }))
    return .success
  }
}

/// The command `kennel doctor`.
struct DoctorCommand: Command {
  var adapter: AdapterOptions?
  var profile = Profile.firebase.name
  var seed: UInt64 = 0
  var measuresSpeed = false

  static var options: [Option<Self>] {
    [
      .flag("speed", \.measuresSpeed, "Only measure round trips per second."),
      .value(
        "profile", "PROFILE", \.profile, .profile,
        "Examine it in this profile: wilddog-1, wilddog-2 or firebase (if not given)."
      ).setting("profiles"),
      .value(
        "seed", "N", \.seed, .seed, "Draw the unpredictable names from seed N instead of 0."),
    ] + AdapterOptions.options.except("validate").within(\.adapter)
  }

  static let grammar = Grammar(
    command: "kennel doctor", operands: "-- COMMAND [ARGUMENT...]",
    summary: """
      Tests each part of the adapter protocol with the adapter that COMMAND starts, and reports \
      what is missing: one line for each check, and for each capability the simplest scenario \
      that needs it.
      """,
    notes: """
      Every line is checked against Specs/adapter-protocol.schema.json.

      Examples:
        kennel doctor -- python3 adapter.py
        kennel doctor --speed -- node adapter.js
      """,
    takesAdapter: true)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    try arguments.requireNoOperands(takesOnlyCommand: true)
    adapter = try arguments.adapterOptions()
  }

  mutating func finish(_ arguments: Arguments) throws(Failure) {
    if adapter == nil {
      throw arguments.failure(
        "doctor needs the COMMAND of an adapter: 'kennel doctor -- python3 adapter.py'")
    }
    adapter?.isChecked = !measuresSpeed
  }

  /// Examines an adapter.
  func perform() throws(Failure) -> ExitCode {
    guard let adapter, let profile = Profile(named: profile) else { return .usage }
    let settings = CheckSettings(adapter, profile: profile, seed: seed)
    if measuresSpeed {
      try Console.output(try AdapterLatency(settings).text())
      return .success
    }
    var doctor = Doctor(settings)
    try doctor.examine(with: { () throws(Failure) in try ScenarioLibrary([]).scenarios }) {
      finding throws(Failure) in try Console.output(finding.text)
    }
    try Console.output("\n" + doctor.summary)
    return doctor.hasFailed ? .divergence : .success
  }
}

/// The command `kennel attach`: a run with an adapter that is started by hand.
struct AttachCommand: Command {
  var run = RunCommand()
  var folder = ".kennel/attached"

  static var options: [Option<Self>] {
    [
      .value(
        "folder", "DIR", \.folder, .text,
        "Make the pipes in DIR instead of \(Self().folder).")
    ]
      + RunSettings.options.only("profile", "seed").within(\.run.settings)
      .saying(["seed": "Run with seed N instead of 0."])
      + Option.table(AdapterOptions.options.except("timeout").within(\.run.settings.adapter)) {
        $0.needsAdapter = false
      }
  }

  static let grammar = Grammar(
    command: "kennel attach", operands: "PATH|ID...",
    summary: """
      Runs scenarios with an adapter that you start by hand, under a debugger for example. It \
      creates two named pipes in a folder and waits. The adapter reads from the pipe 'in' and \
      writes to the pipe 'out'. There are no timeouts.
      """,
    notes: """
      Unless the adapter can be reset, each run needs a process of its own: kennel prints when to start \
      it again.

      Examples:
        kennel attach writes/local-echo --profile firebase
        node --inspect-brk adapter.js < .kennel/attached/in > .kennel/attached/out
      """)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    run.settings.selectors = try arguments.someOperands(
      else: "attach needs a scenario: 'kennel attach writes/local-echo'")
    var adapter = AdapterOptions(command: [], warn: Console.warn)
    // A person who looks at a program line by line takes all the time there is.
    adapter.timeout = AdapterProcess.forever
    adapter.initialTimeout = AdapterProcess.forever
    adapter.staysOnOneProcessor = false
    run.settings.adapter = adapter
  }

  mutating func finish(_ arguments: Arguments) throws(Failure) {
    run.settings.adapter?.command = ["(attached at \(folder))"]
    run.settings.adapter?.folder = folder
    try run.finish(arguments)
  }

  /// Runs the scenarios with the adapter that attaches itself.
  func perform() throws(Failure) -> ExitCode {
    try run.perform()
  }
}

/// The command `kennel adapter`.
struct ReferenceAdapterCommand: Command {
  var client: String?
  var canReset = true
  var takesFrames = true
  var printsSchema = false
  var hasSockets = false
  var folder: String?

  static var options: [Option<Self>] {
    [
      .value(
        "client", "NAME", \.client, .text,
        "Answer with the client NAME instead of the reference client."),
      .flag(
        "schema", \.printsSchema,
        "Print the JSON Schema of lines, Specs/adapter-protocol.schema.json, and exit."),
      .flag("no-reset", \.canReset, is: false, "Do not offer to be reset between runs."),
      .flag("no-frames", \.takesFrames, is: false, "Take one message in each request."),
      .flag(
        "sockets", \.hasSockets,
        "With --client sdk: with the clock, the sockets and the files of this machine."),
      .value(
        "keep", "DIR", \.folder, .text,
        "With --sockets: keep the files of clients in DIR over the end of the program."),
    ]
  }

  static let grammar = Grammar(
    command: "kennel adapter", operands: "",
    summary: """
      Implements the adapter protocol on standard input and output for the reference client. Use \
      it to see what an adapter answers, and to compare your adapter with it.
      """,
    notes: """
      Specs/adapter-protocol.md describes the protocol.

      Examples:
        kennel adapter
        kennel run writes/local-echo -- kennel adapter --client no-refill
        kennel run --jobs 8 -- kennel adapter --client sdk --sockets
      """, exitCodes: .withoutVerdicts)

  mutating func finish(_ arguments: Arguments) throws(Failure) {
    if hasSockets, client != "sdk" {
      throw arguments.failure("--sockets needs --client sdk, the client that has sockets")
    }
    if hasSockets, !canReset {
      throw arguments.failure("--no-reset is for clients without --sockets")
    }
    if folder != nil, !hasSockets {
      throw arguments.failure("--keep needs --sockets; other clients have their files from the kit")
    }
  }

  /// Answers each line of standard input, until its end or `bye`.
  func perform() throws(Failure) -> ExitCode {
    if printsSchema {
      try Console.output(AdapterSchema.json.indentedText)
      return .success
    }
    if hasSockets {
      SocketAdapter(folder).serve(version: kitVersion)
      return .success
    }
    let subject = try ClientUnderTest(named: client)
    var hello = AdapterHello(
      name: client ?? "reference", version: kitVersion, capabilities: Capability.all,
      canReset: canReset)
    hello.revision = ProtocolChange.revision
    hello.takesFrames = takesFrames
    var host = AdapterHost(hello, client: { subject.makeClientFactory($1, 0).makeClient($0) })
    while !host.isFinished, let line = readLine() {
      try Console.output(String(decoding: host.answer(Array(line.utf8)), as: UTF8.self))
    }
    return .success
  }
}

/// The command `kennel known`.
struct KnownCommand: Command {
  /// The list that is shown.
  var file = ""
  var updated: String?
  var kind = KnownFailure.Kind.bug
  var issue: String?
  var until: CalendarDate?
  var run = RunSettings()

  /// How long a failure is known where it is not stated how long.
  private static let daysOfGrace = 90

  static var options: [Option<Self>] {
    [
      .value(
        "update", "FILE", \.updated, .text,
        "Run, and bring the list in FILE up to date; it is made where there is none."),
      .value(
        "issue", "LINK", \.issue, .link, "Add new failures with LINK as their issue."),
      .value(
        "kind", "KIND", \.kind, .choice,
        "The kind of new entries: bug (default), wontfix, or flaky on a real clock."),
      .value(
        "until", "DATE", \.until, .day,
        "The expiry date of new entries (default: 90 days from today)."),
    ]
      + RunSettings.options.only(
        "today", "profile", "seed", "client", "role", "tag", "rule", "needs", "exclude"
      ).within(\.run).saying([
        "profile": "Run for this profile. May be repeated.",
        "seed": "Draw what scenarios leave open from seed N.",
        "client": "Test the client NAME.",
      ]) + AdapterOptions.options.within(\.run.adapter)
      + TestedServerOptions.options.within(\.run.server)
  }

  static let grammar = Grammar(
    command: "kennel known", operands: "[LIST|PATH|ID|PATTERN...] [-- COMMAND [ARGUMENT...]]",
    summary: """
      Checks the list of known failures in the file LIST and shows it, or runs scenarios and brings a list \
      up to date.
      """,
    notes: """
      An update removes entries that pass, changes signatures, and restricts entries to what \
      still fails. It never changes dates, or entries that were not run completely. It keeps \
      comments and the order. Specs/guides/continuous-integration.md describes the format of a list.

      Examples:
        kennel known known-failures.yaml
        kennel known --update known-failures.yaml -- python3 adapter.py
        kennel known --update known-failures.yaml --issue https://example.org/7 limits
      """,
    takesAdapter: true)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    try run.take(arguments)
    if !arguments.contains("update") {
      file = try arguments.onlyOperand(
        else: "known needs one list: 'kennel known known-failures.yaml'")
      let options = [
        "issue", "kind", "until", "profile", "client", "role", "seed", "tag", "rule", "needs",
        "server",
        "server-command", "rest", "without",
      ]
      let given = options.filter { arguments.contains($0) && arguments.inherited[$0] == nil }
      if let option = given.first {
        throw arguments.failure("--\(option) needs --update")
      }
    }
  }

  /// Shows a list, or brings it up to date.
  func perform() throws(Failure) -> ExitCode {
    let today = try run.gate.today()
    guard let updated else { return try show(on: today) }
    let terms = KnownFailuresUpdate.Terms(
      kind: kind, issue: issue, until: until ?? today.adding(days: Self.daysOfGrace))
    return try update(updated, terms)
  }

  private func show(on today: CalendarDate) throws(Failure) -> ExitCode {
    let inventory = try KnownFailuresInventory(file, on: today)
    try Console.output(inventory.text)
    return inventory.expired > 0 ? .divergence : .success
  }

  private func update(
    _ file: String, _ terms: KnownFailuresUpdate.Terms
  ) throws(Failure) -> ExitCode {
    var revision = try KnownFailuresRevision(of: file, run, terms)
    let total = revision.total
    var progress = ProgressLine(every: 100, elsewhere: nil)
    try revision.run { progress.show("0 of \(total)   \($0)") }
    progress.end()
    if revision.hasGivenUp {
      AdapterSession.describeEnd(left: 0, after: "scenarios")
      throw .unusable("not everything was run; \(file) stays as it is")
    }
    let update = revision.update
    for change in revision.unsteady + update.changes { try Console.output(change + "\n") }
    if update.unlisted > 0 {
      let noun = update.unlisted == 1 ? "1 failure is" : "\(update.unlisted) failures are"
      Console.message(
        "kennel: \(noun) not listed; name where they are written down: --issue LINK\n")
    }
    try revision.write()
    let count = update.changes.count
    try Console.output("\(file): \(count == 1 ? "1 change" : "\(count) changes")\n")
    return update.unlisted > 0 || !revision.unsteady.isEmpty ? .divergence : .success
  }
}
