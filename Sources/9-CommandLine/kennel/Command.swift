import System

/// What the command line asks for.
enum Command {
  case help(String)
  case version
  case run(RunOptions)
  case explore(ExploreOptions)
  case list(ListOptions)
  case check(CheckOptions)
  case explain(ExplainOptions)
  case bench(BenchOptions)
  case syncPoint(SyncPointOptions)
  case coverage(CoverageOptions)
  case docs(DocsOptions)
  case replay(ReplayOptions)
  case hunt(HuntOptions)
  case shrink(ShrinkOptions)
  case why(WhyOptions)
  case huntWorker(WorkerOptions)
  case merge(MergeOptions)
  case mutants(MutantsOptions)
  case monitor(MonitorOptions)
  case adapter(ReferenceAdapterOptions)
  case doctor(DoctorOptions)
  case attach(AttachOptions)
  case new(NewOptions)
  case scenarioFrom(ScenarioFromOptions)
  case picture(PictureCommand)
  case continuous(ContinuousCommand)
  case service(ServiceCommand)
}

/// How results are written.
enum OutputFormat: String, CaseIterable {
  case text, json
}

extension Command {
  /// Reads a command line.
  ///
  /// - Parameter words: What follows the name of the program.
  /// - Throws: `Failure.usage` for a command line that means nothing.
  init(_ words: [String]) throws(Failure) {
    let arguments = try Self.grammar.parse(words)
    if arguments.contains("help") {
      self = .help(try Self.grammar.help())
    } else if arguments.contains("version") {
      self = .version
    } else if let name = arguments.operands.first {
      try self.init(name: name, words: Array(arguments.operands.dropFirst()))
    } else {
      throw arguments.failure("which command? one of \(Self.names.joined(separator: ", "))")
    }
  }

  private init(name: String, words: [String]) throws(Failure) {
    guard let subcommand = Self.subcommands.first(where: { $0.name == name }) else {
      throw .usage(unknown("command", name, among: Self.names), command: "kennel")
    }
    let arguments = try subcommand.grammar.parse(words)
    if arguments.contains("help") {
      self = .help(try subcommand.grammar.help())
    } else {
      self = try subcommand.command(arguments)
    }
  }

  /// Carries out the command.
  func run() throws(Failure) -> ExitCode {
    switch self {
    case let .help(text):
      try Console.output(text)
      return .success
    case .version:
      try Console.output("kennel \(kitVersion)\n")
      return .success
    case let .run(options): return try kennel.run(options)
    case let .explore(options): return try kennel.run(options)
    case let .list(options): return try kennel.run(options)
    case let .check(options): return try kennel.run(options)
    case let .explain(options): return try kennel.run(options)
    case let .bench(options): return try kennel.run(options)
    case let .syncPoint(options): return try kennel.run(options)
    case let .coverage(options): return try kennel.run(options)
    case let .docs(options): return try kennel.run(options)
    case let .replay(options): return try kennel.run(options)
    case let .hunt(options): return try kennel.run(options)
    case let .shrink(options): return try kennel.run(options)
    case let .why(options): return try kennel.run(options)
    case let .huntWorker(options): return try kennel.run(options)
    case let .merge(options): return try kennel.run(options)
    case let .mutants(options): return try kennel.run(options)
    case let .monitor(options): return try kennel.run(options)
    case let .adapter(options): return try kennel.run(options)
    case let .doctor(options): return try kennel.run(options)
    case let .attach(options): return try kennel.run(options)
    case let .new(options): return try kennel.run(options)
    case let .scenarioFrom(options): return try kennel.run(options)
    case let .picture(command): return try command.run()
    case let .continuous(command): return try command.run()
    case let .service(command): return try command.run()
    }
  }
}

extension Command {
  struct Subcommand {
    let name: String
    let grammar: Grammar
    /// Whether it is told of.
    var isForPeople = true
    let command: (Arguments) throws(Failure) -> Command
  }

  static var subcommands: [Subcommand] {
    forScenarios + forFailures + forPictures + forContinuousUse + forServing
  }

  private static var forScenarios: [Subcommand] {
    [
      Subcommand(name: "run", grammar: RunOptions.grammar) { a throws(Failure) in
        .run(try RunOptions(a))
      },
      Subcommand(name: "explore", grammar: ExploreOptions.grammar) { a throws(Failure) in
        .explore(try ExploreOptions(a))
      },
      Subcommand(name: "list", grammar: ListOptions.grammar) { a throws(Failure) in
        .list(try ListOptions(a))
      },
      Subcommand(name: "check", grammar: CheckOptions.grammar) { a throws(Failure) in
        .check(try CheckOptions(a))
      },
      Subcommand(name: "explain", grammar: ExplainOptions.grammar) { a throws(Failure) in
        .explain(try ExplainOptions(a))
      },
      Subcommand(name: "bench", grammar: BenchOptions.grammar) { a throws(Failure) in
        .bench(try BenchOptions(a))
      },
      Subcommand(name: "sync-point", grammar: SyncPointOptions.grammar) { a throws(Failure) in
        .syncPoint(try SyncPointOptions(a))
      },
      Subcommand(name: "coverage", grammar: CoverageOptions.grammar) { a throws(Failure) in
        .coverage(try CoverageOptions(a))
      },
      Subcommand(name: "docs", grammar: DocsOptions.grammar) { a throws(Failure) in
        .docs(try DocsOptions(a))
      },
      Subcommand(name: "replay", grammar: ReplayOptions.grammar) { a throws(Failure) in
        .replay(try ReplayOptions(a))
      },
    ]
  }

  /// Those that look for failures and at them.
  private static var forFailures: [Subcommand] {
    [
      Subcommand(name: "hunt", grammar: HuntOptions.grammar) { a throws(Failure) in
        .hunt(try HuntOptions(a))
      },
      Subcommand(name: "shrink", grammar: ShrinkOptions.grammar) { a throws(Failure) in
        .shrink(try ShrinkOptions(a))
      },
      Subcommand(name: "why", grammar: WhyOptions.grammar) { a throws(Failure) in
        .why(try WhyOptions(a))
      },
      Subcommand(name: "scenario-from", grammar: ScenarioFromOptions.grammar) {
        a throws(Failure) in .scenarioFrom(try ScenarioFromOptions(a))
      },
      Subcommand(name: "merge", grammar: MergeOptions.grammar) { a throws(Failure) in
        .merge(try MergeOptions(a))
      },
      Subcommand(name: "mutants", grammar: MutantsOptions.grammar) { a throws(Failure) in
        .mutants(try MutantsOptions(a))
      },
      Subcommand(name: "monitor", grammar: MonitorOptions.grammar) { a throws(Failure) in
        .monitor(try MonitorOptions(a))
      },
      Subcommand(name: "adapter", grammar: ReferenceAdapterOptions.grammar) { a throws(Failure) in
        .adapter(try ReferenceAdapterOptions(a))
      },
      Subcommand(name: "doctor", grammar: DoctorOptions.grammar) { a throws(Failure) in
        .doctor(try DoctorOptions(a))
      },
      Subcommand(name: "attach", grammar: AttachOptions.grammar) { a throws(Failure) in
        .attach(try AttachOptions(a))
      },
      Subcommand(name: "new", grammar: NewOptions.grammar) { a throws(Failure) in
        .new(try NewOptions(a))
      },
      Subcommand(name: "hunt-worker", grammar: WorkerOptions.grammar, isForPeople: false) {
        a throws(Failure) in .huntWorker(try WorkerOptions(a))
      },
    ]
  }

  private static var names: [String] { forPeople.map(\.name) }

  static let grammar = Grammar(
    command: "kennel", operands: "COMMAND [ARGUMENT...]",
    summary: """
      Tells whether a realtime-sync client behaves as the specification says, under every order of \
      messages and every fault of the network.

      Commands:
        run           run scenarios and report divergences
        explore       run scenarios in every order that they leave open
        list          list scenarios with their titles
        check         check scenario files without running them
        explain       explain a rule or a scenario
        bench         measure how fast scenarios run
        sync-point    run cases in the form that the Firebase clients share
        coverage      tell which rules the scenarios test
        docs          write the pages about event order
        replay        compare with what was recorded of other clients
        hunt          run scenarios that are drawn at random
        shrink        make a failing scenario small
        why           explain why a scenario fails
        merge         put the results of several hunts together
        mutants       tell which deliberate defects are noticed
        monitor       tell what recordings and traces say against the protocol
        show          show a trace as a picture, in the terminal or as SVG
        view          write a page to step through a trace in a browser
        report        put several reports side by side on a page
        adapter       answer the adapter protocol with the reference client
        doctor        examine an adapter
        attach        run scenarios with an adapter that is started under a debugger
        serve         let clients connect to the reference server over real sockets
        scenario-from make a scenario of a session that was recorded
        new           write an adapter to begin with
        smoke         run the handful of scenarios that tell the most
        known         check the list of known failures, or bring it up to date
        diff          compare the reports on two runs
        badge         draw what a run came to
        completions   print completions for a shell
        man           print the manual page
        fmt           bring scenario files into one layout
      """,
    options: [.init(name: "version", letter: "V", summary: "Print the version and exit.")],
    notes: """
      'kennel COMMAND --help' tells more about a command.

      Examples:
        kennel run Scenarios/writes
        kennel explain EVT-7

      Specs and Scenarios are found in the directory that KENNEL_HOME names, or else in the nearest \
      one from the current directory upwards.

      \(ExitCode.help)
      """,
    stopsAtOperand: true)
}
