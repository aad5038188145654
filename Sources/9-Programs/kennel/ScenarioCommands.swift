import AdapterSessions
import Commands
import Conformance
import Document
import Invariants
import MutationAnalysis
import Reports
import Runs
import Scenario
import System
import Trace
import Tree
import Workspace
import YAML

/// The command `kennel list`.
struct ListCommand: Command {
  static let usesProject = true

  var format = OutputFormat.text
  /// Paths, ids and patterns of scenarios; empty means all of them.
  var selectors: [String] = []
  var selection = ScenarioSelection()

  static var options: [Option<Self>] {
    [.format(\.format).saying("List as text (the default) or json.")]
      + ScenarioSelection.options.within(\.selection)
  }

  static let grammar = Grammar(
    command: "kennel list", operands: "[PATH|ID|PATTERN...]",
    summary: """
      Lists scenarios with their titles. Without a PATH or ID, all scenarios are listed.
      """,
    notes: """
      Examples:
        kennel list
        kennel list Scenarios/queries --format json
        kennel list 'limits/*' --tag smoke
      """, exitCodes: .withoutVerdicts)

  mutating func take(_ arguments: Arguments) throws(Failure) { selectors = arguments.operands }

  /// Lists the selected scenarios.
  func perform() throws(Failure) -> ExitCode {
    var library = try ScenarioLibrary(selectors)
    try library.requireNoProblems()
    try library.select(selection)
    switch format {
    case .text:
      let width = library.scenarios.map(\.id.count).max() ?? 0
      for scenario in library.scenarios {
        let padding = String(repeating: " ", count: width - scenario.id.count)
        try Console.output("\(scenario.id)\(padding)  \(scenario.title)\n")
      }
    case .json:
      for scenario in library.scenarios { try Console.output(scenario.summary.text + "\n") }
    }
    if library.scenarios.isEmpty {
      throw .unusable("the options select none of \(counted(library.all.count, "scenario"))")
    }
    return .success
  }
}

/// The command `kennel smoke`.
struct SmokeCommand: Command {
  var run = RunSettings()

  static var options: [Option<Self>] {
    Option.table(
      RunSettings.options.only("profile", "client").within(\.run).saying([
        "profile": "Run for this profile (firebase if not given).",
        "client": "Test the client NAME.",
      ])
    ) { $0.isRepeatable = false } + AdapterOptions.options.within(\.run.adapter)
  }

  static let grammar = Grammar(
    command: "kennel smoke", operands: "[-- COMMAND [ARGUMENT...]]",
    summary: """
      Runs a dozen representative scenarios, shows the first failure, and suggests next steps. \
      Begin with this command. For a client that cannot do everything yet, they are those that fit \
      what it declares, the easiest first.
      """,
    notes: """
      Examples:
        kennel smoke
        kennel smoke --profile wilddog-2 -- node adapter.js
      """,
    takesAdapter: true)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    try arguments.requireNoOperands()
    try run.take(arguments)
    run.selectors = []
  }

  mutating func finish(_ arguments: Arguments) throws(Failure) {
    if run.profiles.isEmpty { run.profiles = ["firebase"] }
    if run.profiles.count > 1 { throw arguments.failure("smoke takes one --profile") }
  }

  /// Runs the handful, a line for each.
  func perform() throws(Failure) -> ExitCode {
    var run = run
    run.selectors = SmokeScenarios.all
    var session = try RunSession(run, try ScenarioLibrary(run), palette: Console.palette)
    let scenarios = try session.smokeScenarios()
    let isPartial = scenarios.map(\.id) != SmokeScenarios.all
    var records: [RunRecord] = []
    for scenario in scenarios where !session.hasGivenUp {
      for record in try session.records(of: scenario) {
        records.append(record)
        try Console.output(record.smokeLine)
      }
    }
    let summary = Summary(
      of: records, left: scenarios.count - records.count, seeds: 0...0)
    let first = records.first { !$0.text.isEmpty }.map { "\n" + $0.text } ?? ""
    try Console.output(
      first + "\n" + records.advice(run, isPartial: isPartial) + "\n" + summary.tally.line + "\n")
    return ExitCode(of: records.map(\.verdict))
  }
}

/// The command `kennel check`.
struct CheckCommand: Command {
  /// Scenario files and directories of them; at least one.
  var paths: [String] = []
  var format = ProblemFormat.text
  var printsAll = false

  static var options: [Option<Self>] {
    [
      .value(
        "format", "FORMAT", \.format, .choice,
        """
        Print problems as text (the default), json (one object per line) or github (annotations \
        of a workflow).
        """),
      .flag(
        "all", \.printsAll,
        "Print all problems, not only the first \(Failure.shownProblems); json has all of them."),
    ]
  }

  static let grammar = Grammar(
    command: "kennel check", operands: "PATH...",
    summary: """
      Checks scenario files without running them: their form, the rules that they cite, whether \
      their profiles support what they use, and whether their expectations can fail. It also \
      checks project files, lists of known failures and of known causes, and rule files. Problems \
      are printed as FILE:LINE:COLUMN: TEXT.
      """,
    notes: """
      Examples:
        kennel check Scenarios
        kennel check Scenarios/writes/local-echo.yaml
        kennel check --format github Scenarios
      """, exitCodes: .withoutVerdicts)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    paths = try arguments.someOperands(
      else: "check needs files or folders: 'kennel check Scenarios'")
  }

  /// Checks the files given.
  func perform() throws(Failure) -> ExitCode {
    let files = try CheckedFiles(paths)
    let found = files.problems.count
    if files.count == 0, found == 0 {
      throw .unusable(ScenarioLibrary.emptiness(of: paths, leftOut: files.leftOut))
    }
    let shown = printsAll || format == .json ? found : min(found, Failure.shownProblems)
    for problem in files.problems.prefix(shown) { try Console.output(format.line(of: problem)) }
    if shown < found {
      try Console.output("\(counted(found - shown, "more problem")); print them with --all\n")
    }
    if format == .json { return found == 0 ? .success : .usage }
    let others = counted(files.leftOut.count, "file")
    try Console.output(
      "checked \(counted(files.count, "file")): \(counted(found, "problem"))"
        + (files.leftOut.isEmpty
          ? "" : "; \(others) of other kinds left out: " + files.leftOut.joined(separator: ", "))
        + "\n")
    return found == 0 ? .success : .usage
  }
}

/// The command `kennel fmt`.
struct FormatCommand: Command {
  var checks = false
  /// Files and directories of them; at least one.
  var paths: [String] = []

  static var options: [Option<Self>] {
    [
      .flag(
        "check", \.checks,
        "Change nothing; name the files that would be changed, and end with 1.")
    ]
  }

  static let grammar = Grammar(
    command: "kennel fmt", operands: "PATH...",
    summary: """
      Formats scenario files in one layout without changing their meaning. It keeps comments and \
      the order of keys.
      """,
    notes: """
      Examples:
        kennel fmt Scenarios
        kennel fmt --check Scenarios/writes/local-echo.yaml
      """)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    paths = try arguments.someOperands(else: "fmt needs files or folders: 'kennel fmt Scenarios'")
  }

  /// Lays out the files given, fragments too.
  func perform() throws(Failure) -> ExitCode {
    var changed = 0
    var unreadable = 0
    var refused: [String] = []
    let files = try files()
    for file in files {
      let text = try Files.regularText(of: file)
      if let objection = objection(to: text, in: file) {
        unreadable += 1
        Console.message("\(objection)\n")
        continue
      }
      let bytes = Array(text.utf8)
      let outcome =
        file.hasSuffix(".json") ? DocumentLayout.json(bytes) : DocumentLayout.yaml(bytes)
      switch outcome {
      case let .text(new) where new == text: break
      case let .text(new):
        changed += 1
        try Console.output(file + "\n")
        if !checks { try Files.replace(new, at: file) }
      case let .problems(problems):
        unreadable += 1
        for problem in problems { Console.message("\(file):\(problem)\n") }
      case .refused:
        refused.append(file)
      }
    }
    for file in refused {
      Console.message("kennel: \(file): no layout of it means the same; it stays as it is\n")
    }
    let count = files.count == 1 ? "1 file" : "\(files.count) files"
    try Console.output("\(count): \(changed) \(checks ? "to be changed" : "changed")\n")
    if files.isEmpty { Console.warn(ScenarioLibrary.emptiness(of: paths, leftOut: [])) }
    if unreadable > 0 || !refused.isEmpty || files.isEmpty { return .usage }
    return checks && changed > 0 ? .divergence : .success
  }
}

extension FormatCommand {
  /// The files to be laid out; what is left out is said.
  private func files() throws(Failure) -> [String] {
    var files: [String] = []
    for path in paths {
      let listing = try ScenarioLibrary.listing(
        at: path, suffixes: ScenarioLibrary.checkedSuffixes, withFragments: true)
      files += listing.files
      for other in listing.leftOut {
        Console.message("kennel: \(other.path): this is \(other.reason); it stays as it is\n")
      }
    }
    return files
  }

  /// What is to be said of a file that has no layout: one of another kind. What a fragment has in it is
  /// known by its name only.
  private func objection(to text: String, in file: String) -> SourceError? {
    let isNamed = ScenarioLibrary.checkedSuffixes.contains(where: file.hasSuffix)
    let objection = FileKind.objection(
      to: text, in: file, expecting: .scenario, .knownFailures, .knownCauses, .project)
    return isNamed && FileKind(of: text, in: file) == nil ? nil : objection
  }
}

/// The command `kennel explain`.
struct ExplainCommand: Command {
  /// The ids of rules or of scenarios, or words of the rules looked for.
  var subjects: [String] = []

  static let grammar = Grammar(
    command: "kennel explain", operands: "RULE|INVARIANT|ID|WORD...",
    summary: """
      Explains a rule of the specification, an invariant, or what a scenario is about. For any \
      other word, it lists the rules that contain the word in their id, title or text, and the \
      terms of the glossary; 'glossary' lists all terms.
      """,
    notes: """
      Examples:
        kennel explain EVT-7
        kennel explain INV-40
        kennel explain priority
        kennel explain offline/writes-go-out-once-in-order
      """, exitCodes: .withoutVerdicts)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    subjects = try arguments.someOperands(
      else: "explain needs a rule or scenario id, such as EVT-7")
  }

  /// Prints what is known of a rule or a scenario, or which rules a word may mean.
  func perform() throws(Failure) -> ExitCode {
    let home = try Home.find()
    let book = try home.ruleBook()
    let (explanation, glossary) =
      (RuleExplanation(from: book, fileName: home.name), try home.glossary())
    for (number, subject) in subjects.enumerated() {
      let text = try text(about: subject, explanation, book, glossary)
      try Console.output((number > 0 ? "\n" : "") + text)
    }
    return .success
  }

  private func text(
    about subject: String, _ explanation: RuleExplanation, _ book: RuleBook, _ glossary: Glossary
  ) throws(Failure) -> String {
    if let rule = RuleID(subject.uppercased()).flatMap({ book[$0] }) {
      // A file with mistakes is left out, because the rule can be explained all the same.
      return explanation.text(of: rule, citedBy: try ScenarioLibrary([]).scenarios)
    }
    if let invariant = Invariant.all.first(where: { $0.id == subject.uppercased() }) {
      return explanation.text(of: invariant, doubts: invariant.doubts.map(\.text))
    }
    if subject.contains("/") {
      let library = try ScenarioLibrary([subject])
      try library.requireNoProblems()
      return library.scenarios.map { explanation.text(of: $0) }.joined()
    }
    let found = (explanation.rules(about: subject) ?? "") + glossary.text(about: subject)
    if found.isEmpty { throw .unusable(explanation.noSuchRule(subject)) }
    return found
  }
}

/// The command `kennel coverage`.
struct CoverageCommand: Command {
  var format = DocumentFormat.text
  var asksForStrength = false
  /// Paths and ids of scenarios; empty means all of them.
  var selectors: [String] = []

  static var options: [Option<Self>] {
    [
      .format(\.format),
      .flag(
        "strength", \.asksForStrength,
        "Also require that a mutant that violates the rule fails one of its scenarios."),
    ]
  }

  static let grammar = Grammar(
    command: "kennel coverage", operands: "[PATH|ID...]",
    summary: """
      Runs scenarios against the reference client and reports which rules they test. A rule is \
      tested if a scenario that cites it has passed. The report also lists rules, scenarios and \
      sources without a counterpart. A MUST rule that is not tested is a divergence.
      """,
    notes: """
      With a PATH or ID, only those scenarios run, and the report covers the rules that they cite.

      A rule has '- tested: unit' (or vectors, recordings, adapter) when scenarios cannot test it. \
      The sources are the rows of Specs/sources.md.

      With --strength a rule counts as tested when a client with a deliberate defect that violates \
      it (kennel mutants) makes a scenario that cites it fail, for that rule. Every MUST rule \
      that binds clients needs such a client. The report names rules whose scenarios never fail, \
      and those that one scenario alone tests.

      Examples:
        kennel coverage
        kennel coverage --strength
        kennel coverage --format markdown
        kennel coverage Scenarios/events
      """)

  mutating func finish(_ arguments: Arguments) throws(Failure) {
    selectors = arguments.operands
    if asksForStrength, format == .markdown {
      throw arguments.failure("--strength reports as text or json")
    }
  }

  /// Runs the selected scenarios in all their profiles and prints which rules that tests.
  func perform() throws(Failure) -> ExitCode {
    let library = try ScenarioLibrary(selectors)
    try library.requireNoProblems()
    if asksForStrength { return try performStrength(library) }
    let coverage = try Coverage(
      running: library, extent: selectors.isEmpty ? .everything : .selection)
    switch format {
    case .text: try Console.output(coverage.text)
    case .markdown: try Console.output(coverage.markdown)
    case .json: try Console.output(coverage.json)
    }
    if library.scenarios.isEmpty { return .usage }
    return coverage.isComplete ? .success : .divergence
  }

  private func performStrength(_ library: ScenarioLibrary) throws(Failure) -> ExitCode {
    let strength = Strength(
      of: library.rules, by: library.scenarios, onlyCited: !selectors.isEmpty)
    try Console.output(format == .json ? strength.json : strength.text)
    if library.scenarios.isEmpty { return .usage }
    return strength.isComplete ? .success : .divergence
  }
}
