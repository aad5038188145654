import Commands
import System

/// How results are written.
enum OutputFormat: String, CaseIterable {
  case text, json
}

/// The same for what can stand in a document.
enum DocumentFormat: String, CaseIterable {
  case text, markdown, json
}

extension Program {
  /// All commands, in the order in which messages name them.
  static var kennel: Program {
    Program(
      programGrammar, version: kitVersion,
      commands: [
        RunOptions.self, ExploreOptions.self, ListOptions.self, CheckOptions.self,
        ExplainOptions.self,
        BenchOptions.self, SyncPointOptions.self, CoverageOptions.self, DocsOptions.self,
        ReplayOptions.self, HuntOptions.self, ShrinkOptions.self, WhyOptions.self,
        ScenarioFromOptions.self, MergeOptions.self, MutantsOptions.self, MonitorOptions.self,
        ReferenceAdapterOptions.self, DoctorOptions.self, AttachOptions.self, NewOptions.self,
        WorkerOptions.self, ShowOptions.self, ViewOptions.self, ReportPageOptions.self,
        SmokeOptions.self, KnownOptions.self, DiffOptions.self, BadgeOptions.self,
        CompletionsOptions.self, ManOptions.self, FormatOptions.self, RunWorkerOptions.self,
        ServeOptions.self, ChatOptions.self,
      ])
  }

  private static let programGrammar = Grammar(
    command: "kennel", operands: "COMMAND [ARGUMENT...]",
    summary: """
      Checks whether a realtime-sync client behaves as specified, under every order of \
      messages and every fault of the network.

      Commands:
        run           run scenarios and report divergences
        explore       run scenarios in every order that they leave open
        list          list scenarios with their titles
        check         check scenario files without running them
        explain       explain a rule or a scenario
        bench         measure how fast scenarios run
        sync-point    run cases in the form that the Firebase clients share
        coverage      report which rules the scenarios test
        docs          write the pages about event order
        replay        compare with what was recorded of other clients
        hunt          run scenarios that are drawn at random
        shrink        make a failing scenario small
        why           explain why a scenario fails
        merge         put the results of several hunts together
        mutants       report which check catches each deliberate defect
        monitor       report protocol violations in recordings and traces
        show          show a trace as a picture, in the terminal or as SVG
        view          write a page to step through a trace in a browser
        report        put several reports side by side on a page
        adapter       answer the adapter protocol with the reference client
        doctor        examine an adapter
        attach        run scenarios with an adapter that is started under a debugger
        serve         let clients connect to the reference server over real sockets
        chat          talk with others through a server, with the documented SDK
        scenario-from make a scenario of a session that was recorded
        new           write an adapter to begin with
        smoke         run a dozen representative scenarios
        known         check the list of known failures, or bring it up to date
        diff          compare the reports on two runs
        badge         create a badge from a report
        completions   print completions for a shell
        man           print the manual page
        fmt           bring scenario files into one layout
      """,
    options: [.init(name: "version", letter: "V", summary: "Print the version and exit.")],
    notes: """
      'kennel COMMAND --help' describes a command.

      Examples:
        kennel run Scenarios/writes
        kennel explain EVT-7

      Specs and Scenarios are found in the directory that KENNEL_HOME names, or else in the nearest \
      one from the current directory upwards.

      \(ExitCode.help)
      """,
    stopsAtOperand: true)
}
