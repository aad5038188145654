package import AdapterSessions
import Document
package import System
import Workspace

/// The files of a project that begins to test its client.
package struct ProjectStart {
  /// What an adapter is made of; nil when there is one already.
  private let template: AdapterTemplate?
  private let command: [String]

  private static let folder = "kennel-adapter"
  private static let known = "known-failures.yaml"
  private static let workflowFile = ".github/workflows/kennel.yml"

  /// A project with an adapter that is there already.
  package init(command: [String]) {
    template = nil
    self.command = command
  }

  /// A project with a new adapter.
  package init(template: AdapterTemplate) {
    self.template = template
    command = template.command(in: Self.folder)
  }

  /// Writes what is not there.
  ///
  /// - Parameter home: The kit's folder, which is needed for a new adapter.
  /// - Returns: What was done, in lines.
  /// - Throws: `Failure` for what cannot be read or written.
  package func write(home: () throws(Failure) -> String) throws(Failure) -> String {
    var report = ""
    let fillsIn = !Files.exists(Self.workflowFile)
    if let template {
      if Files.exists(Self.folder) {
        report += "kept   \(Self.folder)\n"
      } else {
        let count = try template.write(to: Self.folder, from: try home())
        report += "wrote  \(Self.folder)   \(counted(count, "file"))\n"
      }
    }
    let quoted = command.map(shellWord).joined(separator: " ")
    for (file, text) in files {
      if Files.exists(file) {
        report += "kept   \(file)\n"
        continue
      }
      try Files.makeDirectory(of: file)
      try Files.write(text, to: file)
      report += "wrote  \(file)\n"
    }
    EditorSchema.copy(to: ".")
    report += try ignoreResults()
    return report + missingAdapter + (fillsIn ? Self.openPlaces : "") + """

      Try it:

        \(programWord) smoke
        \(programWord) run

      Both run: \(quoted)

      """
  }

  /// Where to read how the program is written that the command names, if there is none.
  private var missingAdapter: String {
    guard command.count > 1, !command[1].hasPrefix("-"), !Files.exists(command[1]) else {
      return ""
    }
    return """

      There is no \(command[1]) yet. How to write it:
        \(Home.document("guides/writing-an-adapter.md"))

      """
  }

  /// What the author of the project adds to the workflow.
  private static let openPlaces = """

    Before it runs on a server, fill in OWNER, COMMIT and SHA256 in \(workflowFile),
    where comments say what they are. An adapter that is compiled needs a step there that builds it.

    """

  private var files: [(String, String)] {
    [
      (ProjectFile.name, project), (Self.known, knownFailures), (Self.workflowFile, workflow),
    ]
  }

  private var project: String {
    let list = command.map { word in
      "\"" + word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
    return """
      # \(EditorSchema.project.comment(inProjectFile: ProjectFile.name))
      # What every command of kennel is about in this directory; options override it.
      kennel: 1
      command: [\(list.joined(separator: ", "))]
      # profiles: [firebase]       # all, if not given: wilddog-1, wilddog-2, firebase
      known: \(Self.known)
      # timeout: 5                 # seconds for an answer of the command
      # scenarios: ["**", tests]   # what 'kennel run' runs: all of the kit's, and those in tests
      # settings:                  # what 'kennel run --settings ci' puts before; 'kennel config' shows it
      #   ci: {jobs: 2, junit: kennel.xml}

      """
  }

  private var knownFailures: String {
    """
    # \(EditorSchema.knownFailures.comment(inProjectFile: Self.known))
    # 'kennel known --update \(Self.known) --issue LINK' lists what fails.
    kennel: 1
    known: []

    """
  }

  private var workflow: String {
    """
    name: kennel
    on: [push, pull_request]
    jobs:
      conformance:
        runs-on: ubuntu-latest
        steps:
          - uses: actions/checkout@v4
          # Install here what the adapter needs, if the machine does not have it, and build it if it is
          # compiled, with a step such as
          # - run: make adapter
          # OWNER has the repository of the kit. COMMIT is that of the release, and SHA256 stands in its
          # SHA256SUMS beside the archive for Linux: nothing else is started.
          - id: kennel
            uses: OWNER/kennel/tools/ci@COMMIT
            with:
              version: \(kitVersion)
              sha256: SHA256
              command: \(command.map(shellWord).joined(separator: " "))
              known: \(Self.known)
              arguments: --jobs 2
          - uses: actions/upload-artifact@v4
            if: always()
            with: {name: kennel, path: "${{ steps.kennel.outputs.report }}"}

    """
  }

  /// Adds the folder of results to what git ignores.
  private func ignoreResults() throws(Failure) -> String {
    let line = ".kennel/"
    let text = Files.exists(".gitignore") ? try Files.text(of: ".gitignore") : ""
    if text.split(separator: "\n").contains(Substring(line)) { return "kept   .gitignore\n" }
    let start = text.isEmpty || text.hasSuffix("\n") ? text : text + "\n"
    try Files.write(start + line + "\n", to: ".gitignore")
    return "wrote  .gitignore\n"
  }
}
