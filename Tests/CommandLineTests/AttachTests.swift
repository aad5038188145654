import Foundation
import TestKit
import Testing

/// An adapter that is started by hand.
@Suite struct AttachTests {
  @Test func `scenarios run with an adapter that opens the pipes`() throws {
    let outcome = try attach(
      "adapter < pipes/in > pipes/out", "writes/local-echo races/two-writers-at-once")

    #expect(outcome.output.contains("\n2 passed, 0 failed, 0 skipped\n"), "\(outcome)")
    #expect(outcome.output.hasSuffix("\nended 0\n"))
    #expect(
      outcome.messages == """
        kennel: waiting for an adapter; start it with its input from pipes/in and its output to pipes/out:
          COMMAND < pipes/in > pipes/out

        """)
  }

  @Test func `it does not matter which pipe the adapter opens first`() throws {
    let outcome = try attach("adapter > pipes/out < pipes/in", "writes/local-echo")

    #expect(outcome.output.contains("\n1 passed, 0 failed, 0 skipped\n"), "\(outcome)")
  }

  @Test func `a scenario must be named`() throws {
    let outcome = try Program.kennel.run(["attach"])

    #expect(outcome.status == 2)
    #expect(outcome.messages.hasPrefix("kennel: attach needs a scenario\n"))
  }

  /// Runs scenarios with an adapter that is started as soon as there are pipes.
  private func attach(_ adapter: String, _ scenarios: String) throws -> Outcome {
    let folder = try Folder()
    let kennel = Program.kennel.path
    var shell = Program(path: "/bin/bash")
    shell.directory = folder.url
    shell.environment["KENNEL_HOME"] =
      URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().path
    return try shell.run([
      "-c",
      """
      '\(kennel)' attach \(scenarios) --profile firebase --folder pipes & kennel=$!
      until [ -p pipes/out ]; do sleep 0.02; done
      '\(kennel)' \(adapter)
      wait $kennel; echo ended $?
      """,
    ])
  }
}
