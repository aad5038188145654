import Commands
import Runs
import System
import Workspace

/// How results are written.
enum OutputFormat: String, CaseIterable {
  case text, json
}

/// How results are written that can stand in a document.
enum DocumentFormat: String, CaseIterable {
  case text, markdown, json
}

extension Option where Settings: OptionSettings {
  static func format(_ field: WritableKeyPath<Settings, OutputFormat>) -> Option {
    .value("format", "FORMAT", field, .choice, "Report as text (the default) or json.")
  }

  static func format(_ field: WritableKeyPath<Settings, DocumentFormat>) -> Option {
    .value("format", "FORMAT", field, .choice, "Report as text (the default), markdown or json.")
  }
}

extension CommandDefaults {
  /// What the environment says, or else the project file, in the named settings that are chosen before its
  /// top level.
  ///
  /// - Throws: `Failure` for mistakes in either, and for settings that there are not.
  fileprivate init(choosing name: String?) throws(Failure) {
    self.init()
    let given = try RunSettings.inProjects.takeFromEnvironment()
    let chosen = name.map { SettingValue([$0], .commandLine) } ?? given["settings"]
    if let project = try ProjectFile.find(RunSettings.inProjects) {
      if project.hasSchemas, project.objection == nil {
        EditorSchema.copy(to: project.directory)
      }
      (objection, clients) = (project.objection, project.clients)
      values = try project.values(of: chosen)
    } else if let name = chosen?.texts.last {
      throw .unusable("there is no \(ProjectFile.name) with settings \"\(name)\" here or above")
    }
    values.merge(given) { $1 }
  }
}

extension Program {
  /// All commands, in the order in which messages name them.
  static var kennel: Program {
    Program(
      programGrammar, version: kitVersion,
      commands: [
        RunCommand.self, ExploreCommand.self, ListCommand.self, CheckCommand.self,
        ExplainCommand.self, InterfaceCommand.self,
        BenchCommand.self, ImportCommand.self, CoverageCommand.self, DocsCommand.self,
        ReplayCommand.self, HuntCommand.self, ShrinkCommand.self, WhyCommand.self,
        ScenarioFromCommand.self, MergeCommand.self, MutantsCommand.self, MonitorCommand.self,
        ReferenceAdapterCommand.self, DoctorCommand.self, AttachCommand.self, NewCommand.self,
        WorkerCommand.self, ShowCommand.self, ViewCommand.self, ReportPageCommand.self,
        SmokeCommand.self, KnownCommand.self, DiffCommand.self, BadgeCommand.self,
        CompletionsCommand.self, ManCommand.self, FormatCommand.self, RunWorkerCommand.self,
        ServeCommand.self, ChatCommand.self, MatrixCommand.self, InitCommand.self,
        ConfigCommand.self, CompareCommand.self,
        CompleteCommand.self,
      ],
      defaults: { (name) throws(Failure) in try CommandDefaults(choosing: name) })
  }

  private static let programGrammar = Grammar(
    command: "kennel", operands: "COMMAND [ARGUMENT...]",
    summary: """
      Checks whether a realtime-sync client behaves as specified, under every order of \
      messages and every fault of the network.

      Scenarios:
        run           run scenarios and report divergences
        smoke         run a dozen representative scenarios
        matrix        run scenarios with every combination of implementations
        compare       run scenarios with two versions of a client, and report what differs
        list          list scenarios with their titles
        check         check scenario files without running them
        fmt           format scenario files
        explain       explain a rule or a scenario, or find rules with a word
        coverage      report which rules the scenarios test

      Races:
        explore       run scenarios in every order that they leave open
        hunt          run scenarios that are drawn at random
        shrink        minimise a failing scenario
        why           explain why a scenario fails
        replay        run traces again, or compare recordings of other clients

      Your client, in any language:
        init          write a project file, an adapter and a CI file
        config        show the settings of a project, and what gives them
        new           write an adapter to begin with
        doctor        examine an adapter
        attach        run scenarios with an adapter that is started under a debugger
        known         check the list of known failures, or bring it up to date
        monitor       report protocol violations in recordings and traces

      Clients that own their clock and sockets:
        serve         let clients connect to the reference server over real sockets
        chat          talk with others through a server, with the documented SDK
        scenario-from make a scenario from a recorded session

      Pictures and pages:
        ui            serve a page to run, look at and edit scenarios
        show          show a trace as a picture, in the terminal or as SVG
        view          write a page to step through a trace in a browser
        report        put several reports side by side on a page
        report merge  combine the results of hunts, or the parts of a run
        report diff   compare the reports on two runs
        report badge  create a badge from a report
        docs          write the pages about event order

      The kit itself:
        mutants       report which check catches each deliberate defect
        bench         measure how fast scenarios run
        adapter       answer the adapter protocol with the reference client
        import        make scenarios of cases that the Firebase clients share
        help          print this, or the help of a command
        help man      print the manual page
        help completions  print completions for a shell
      """,
    options: [.init(name: "version", letter: "V", summary: "Print the version and exit.")],
    notes: """
      'kennel help COMMAND' describes a command.

      Examples:
        kennel run Scenarios/writes
        kennel explain EVT-7

      Specs and Scenarios are found in the directory that KENNEL_HOME names, or else in the nearest \
      one from the current directory upwards. The nearest kennel.yaml from there upwards is the project \
      file: its command is started if the file and its folder belong to you or to root, and no other \
      user may write them. KENNEL_TRUST lists other folders, separated by colons, whose project files are \
      trusted too, or * for all. KENNEL_PROJECT names another project file, or none. KENNEL_SETTINGS names \
      settings in it, and other variables give single settings: 'kennel config' shows them all.
      """,
    stopsAtOperand: true)
}
