import Foundation
import TestKit
import Testing

/// What `kennel run --watch` does while files change.
@Suite struct WatchTests {
  private let folder: Folder
  private let kennel: Program

  init() throws {
    folder = try Folder()
    var program = Program.kennel
    program.environment["KENNEL_HOME"] = SourceTree.root.path
    program.directory = folder.url
    kennel = program
  }

  @Test func `a run is made again when a scenario changes`() throws {
    func write(_ value: Int) throws {
      try folder.write(
        """
        kennel: 1
        title: A value is read
        rules: [EVT-4]
        clients: [alice]
        data: {doc: 1}
        steps:
          - alice.listen: {path: doc, event: value, as: feed}
          - expect: {alice.feed: [{value: \(value)}]}

        """, to: "all/one.yaml")
    }
    func wait(for text: String, in file: String = "output") throws {
      #expect(try holdsEventually { try folder.text(file).contains(text) })
    }
    try write(2)
    let process = Process()
    process.executableURL = URL(filePath: kennel.path)
    process.arguments = ["run", "all", "--watch", "--profile", "firebase"]
    process.environment = kennel.environment
    process.currentDirectoryURL = folder.url
    process.standardOutput = try folder.newFile("output")
    process.standardError = try folder.newFile("messages")
    try process.run()

    try wait(for: "0 passed, 1 failed, 0 skipped\n")
    try wait(for: "watching 1 folder; Ctrl-C ends", in: "messages")
    try write(1)
    try wait(for: "1 passed, 0 failed, 0 skipped\n")
    process.interrupt()
    process.waitUntilExit()

    #expect(process.terminationStatus == 130)
  }
}
