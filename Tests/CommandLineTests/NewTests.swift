import Foundation
import TestKit
import Testing

@Suite struct NewTests {
  @Test(arguments: folders.keys.sorted())
  func `an adapter is written as it is in the kit`(language: String) throws {
    let folder = try Folder()
    let outcome = try new(["adapter", language, "mine"], in: folder)
    let path = folder.url.appending(path: "mine").path
    let written = try FileManager.default.subpathsOfDirectory(atPath: path)

    #expect(outcome.status == 0)
    #expect(outcome.output.contains(#/ (file is|files are) in mine\. Try it:\n/#))
    #expect(!written.isEmpty)
    for name in written where !name.hasSuffix("/") {
      let original = root.appending(path: "tools/adapters/\(Self.folders[language] ?? "")/\(name)")
      #expect(
        FileManager.default.contentsEqual(
          atPath: path + "/" + name, andPath: original.resolvingSymlinksInPath().path)
          || isDirectory(original))
    }
  }

  @Test func `without a folder it goes into one with the name of the language`() throws {
    let folder = try Folder()

    #expect(try new(["adapter", "c"], in: folder).status == 0)
    #expect(try folder.text("kennel-c/example.c").contains("kennel_run"))
  }

  @Test func `nothing is written where one of the files is in the way`() throws {
    let folder = try Folder()
    try folder.write("mine", to: "mine/example.c")
    let outcome = try new(["adapter", "c", "mine"], in: folder)

    #expect(outcome.status == 2)
    #expect(
      outcome.messages
        == "kennel: mine/example.c exists already, and nothing was written; name another folder\n")
    #expect(try folder.text("mine/example.c") == "mine")
    #expect(
      try FileManager.default.contentsOfDirectory(
        atPath: folder.url.appending(path: "mine").path) == ["example.c"])
  }

  @Test func `the script that follows is one that a shell takes`() throws {
    let outcome = try new(["adapter", "python", "my adapter"], in: try Folder())

    #expect(outcome.output.contains(" run writes -- python3 'my adapter/adapter.py'\n"))
  }

  @Test(arguments: [
    ([], "what is to be made? expected: adapter LANGUAGE"),
    (["client"], "unknown thing \"client\"; expected adapter"),
    (
      ["adapter"],
      "in which language? one of python, javascript, javascript-sdk, c, go, java, ruby, rust, csharp, "
        + "dart"
    ),
    (
      ["adapter", "pyton"],
      "unknown language \"pyton\"; did you mean \"python\"?"
    ),
    (["adapter", "c", "a", "b"], "unexpected argument \"b\""),
  ])
  func `what cannot be made is refused`(words: [String], message: String) throws {
    let outcome = try new(words, in: try Folder())

    #expect(outcome.status == 2)
    #expect(outcome.messages.hasPrefix("kennel: \(message)"), "\(outcome.messages)")
  }

  @Test func `a kit without adapters says so`() throws {
    let home = try Folder()
    try home.write("", to: "Specs/a.md")
    try home.write("", to: "Scenarios/a.yaml")
    let outcome = try new(["adapter", "c"], in: try Folder(), home: home.url.path)

    #expect(outcome.status == 2)
    #expect(outcome.messages.hasSuffix("tools/adapters/c does not exist; it belongs to the kit\n"))
  }

  private static let folders = [
    "python": "python", "javascript": "javascript", "javascript-sdk": "javascript/host", "c": "c",
    "go": "go", "java": "java", "ruby": "ruby", "rust": "rust", "csharp": "csharp", "dart": "dart",
  ]

  private func new(_ words: [String], in folder: Folder, home: String? = nil) throws -> Outcome {
    var program = Program.kennel
    program.directory = folder.url
    program.environment["KENNEL_HOME"] = home ?? root.path
    return try program.run(["new"] + words)
  }

  private func isDirectory(_ url: URL) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory)
      && isDirectory.boolValue
  }

  private let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
}
