import AdapterSessions
import Conformance
import Document
import Scenario
import ScenarioFiles
package import Search
package import System
import Workspace

/// A failing scenario that was made small, and the file that it is written to.
package struct ShrunkScenario {
  /// What was left out.
  package let failure: ShrunkFailure
  package let file: String
  /// The content of the file.
  package let text: String
  /// The rest of a command line that shows the failure.
  private let words: [String]

  /// Looks for a smaller scenario that fails alike.
  ///
  /// - Parameters:
  ///   - options: The scenario, and the client that fails.
  ///   - output: The file to write; nil for one that is named after the failure.
  /// - Throws: `Failure.unusable` when the scenario does not fail.
  package init(_ options: FailingSetupOptions, output: String?) throws(Failure) {
    let library = try ScenarioLibrary([options.selector])
    var options = options
    options.takeFind(of: library)
    let (scenario, failingSetup) = try options.failingSetup(in: library)
    let folder = try Self.folder()
    guard
      let failure = failingSetup.shrink(scenario, file: output ?? Files.join(folder, "x.yaml"))
    else { throw .fault("the failure of \(scenario.id) disappeared") }
    var small = failure.scenario
    let result = failingSetup.runner.run(small, in: failingSetup.profile)
    if result.signature != nil {
      var run = options.run
      run.fleet = run.fleet.playing(small.clients)
      let isOne = run.adapter != nil && run.fleet.members.isEmpty
      small.why = "\(isOne ? "the client" : run.subject): \(result.sentence).\n"
    }
    words = options.words(
      of: small.clients, in: failingSetup.profile, needsShadow: failure.needsShadow,
      isAdvice: result.verdict == .advice)
    let quoted = words.map(shellWord).joined(separator: " ")
    if let output { file = output } else { file = try Self.freeFile(for: failure.signature) }
    text = small.yaml(
      comment: [
        "Made small by kennel shrink \(scenario.id) \(quoted)", "Fails with \(failure.signature).",
        EditorSchema.scenario.comment(in: file),
      ].compactMap { $0 }.joined(separator: "\n"))
    self.failure = failure
  }

  /// Writes the file.
  ///
  /// - Throws: `Failure.output` when it cannot be written.
  package func write() throws(Failure) {
    try Files.makeDirectory(of: file)
    try FileKind.write(text, to: file, as: .scenario)
    if text.contains(EditorSchema.folder), let folder = try ProjectFile.folder() {
      EditorSchema.copy(to: folder)
    }
  }

  /// What was made smaller, where it is, and how it is run.
  package var summary: String {
    let runs = counted(failure.executions, "run")
    let proof = failure.isMinimal ? "nothing can be left out by itself" : "not proven to be minimal"
    let command =
      ([programWord, "run", shellWord(PathDisplay.here.name(of: file))] + words.map(shellWord))
      .joined(separator: " ")
    return """
      \(failure.signature)
      \(failure.stepsBefore) -> \(counted(failure.stepsAfter, "step")) after \(runs); \(proof)
      \(file)
      \(command)

      """
  }

  /// Runs the file in another process, which must fail too.
  ///
  /// - Throws: `Failure.fault` when it does not.
  package func confirm() throws(Failure) {
    let ending = try FinishedProcess(["run", file] + words).ending
    guard ending == .exited(ExitCode.divergence.rawValue) else {
      throw .fault("a second process does not confirm \(file): it ended with \(ending)")
    }
  }

  /// Where scenarios that were made small go: into this project only when it is the current one.
  private static func folder() throws(Failure) -> String {
    let home = try Home.find()
    return home.isHere ? Files.join(home.scenarios, "found") : "found"
  }

  /// The first free name after a failure.
  private static func freeFile(for signature: Signature) throws(Failure) -> String {
    let folder = try folder()
    try Files.makeDirectory(folder)
    let stem = Files.join(folder, FoundScenarioText.fileName(signature))
    var number = 1
    while true {
      let file = number == 1 ? stem + ".yaml" : "\(stem)-\(number).yaml"
      if !Files.exists(file) { return file }
      number += 1
    }
  }
}
