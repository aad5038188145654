import FoundationEssentials
import TestKit
import Testing

/// `kennel serve --store` when it is killed.
@Suite(.timeLimit(.minutes(10))) struct StoreTests {
  @Test func `no acknowledged write is lost by kills`() throws {
    let folder = try Folder()
    let kennel = Program.project
    var python = Program(path: "/usr/bin/env")
    python.environment = kennel.environment
    let outcome = try python.run([
      "python3", SourceTree.root.appending(path: "tools/live/store.py").path, kennel.path,
      folder.path("data.store"), "3", "100",
    ])

    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.hasSuffix(", 0 refused, 0 lost\n"), "\(outcome)")
  }
}
