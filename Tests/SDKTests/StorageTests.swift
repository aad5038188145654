import ClientEngine
import ClientMachine
import Foundation
import TestKit
import Testing

@Suite struct StorageTests {
  private let folder: Folder
  private var path: String { folder.path("storage.sqlite") }

  init() throws { folder = try Folder() }

  @Test func `what was committed is there again, in the order of keys`() throws {
    do {
      let file = try DatabaseFile(path)
      try file.store("2", as: "b")
      try file.store("1", as: "a")
      try file.store("3", as: "c")
      try file.erase("c")
      try file.commit()
      try file.store("lost", as: "d")
    }
    let items = try DatabaseFile(path).items()

    #expect(items.map(\.key) == ["a", "b"])
    #expect(items.map(\.text) == ["1", "2"])
  }

  @Test func `one program at a time has a file`() throws {
    let file = try DatabaseFile(path)
    try file.store("1", as: "a")
    try file.commit()

    #expect(throws: DatabaseFile.Problem.inUse(path: path)) { try DatabaseFile(path) }
  }

  @Test func `a file that is none is corrupt`() throws {
    try Data(repeating: 7, count: 8192).write(to: URL(filePath: path))

    #expect(throws: DatabaseFile.Problem.corrupt(path: path, reason: "file is not a database")) {
      try DatabaseFile(path)
    }
  }

  @Test func `a torn file is corrupt, and not half of the data`() throws {
    do {
      let file = try DatabaseFile(path)
      for number in 0..<200 {
        try file.store(String(repeating: "x", count: 500), as: "key \(number)")
      }
      try file.commit()
    }
    var bytes = try Data(contentsOf: URL(filePath: path))
    bytes.replaceSubrange(8192..<40_000, with: Data(repeating: 0xFF, count: 40_000 - 8192))
    try bytes.write(to: URL(filePath: path))

    let problem = #expect(throws: DatabaseFile.Problem.self) { try DatabaseFile(path) }
    guard case .corrupt? = problem else {
      Issue.record("\(String(describing: problem))")
      return
    }
  }

  @Test func `long texts, empty ones and any characters are kept`() throws {
    let length = DatabaseFile.partLength
    let texts = [
      "", "\u{0}", String(repeating: "x", count: length), String(repeating: "é", count: length),
      String(repeating: "x", count: 2 * length + 1),
    ]
    do {
      let file = try DatabaseFile(path)
      for (index, text) in texts.enumerated() { try file.store(text, as: "\(index)") }
      try file.commit()
    }

    #expect(try DatabaseFile(path).items().map(\.text) == texts)
  }

  @Test func `a text that grows, changes and shrinks is what was stored last`() throws {
    let length = DatabaseFile.partLength
    for text in [
      String(repeating: "a", count: 10), String(repeating: "a", count: 3 * length),
      String(repeating: "a", count: 2 * length) + "b", String(repeating: "a", count: 2 * length),
      "c" + String(repeating: "a", count: length), "",
    ] {
      // With what was stored in memory, and without.
      for items in [[], ["before"]] {
        let file = try DatabaseFile(path)
        if !items.isEmpty { _ = try file.items() }
        try file.store(text, as: "key")
        try file.store(text + "!", as: "key")
        try file.store(text, as: "key")
        try file.commit()
        #expect(try file.items().map(\.text) == [text])
      }
    }
  }

  @Test func `only the parts that differ are written`() throws {
    let file = try DatabaseFile(path)
    let text = String(repeating: "x", count: 2_000_000)
    try file.store(text + "1", as: "key")
    try file.commit()
    let before = try size(of: path + "-wal")

    try file.store(text + "2", as: "key")
    try file.commit()

    #expect(before > 2_000_000)
    #expect(try size(of: path + "-wal") - before < 100_000)
  }

  @Test func `a text for which there is no space leaves the old one whole`() throws {
    let old = String(repeating: "x", count: 100_000)
    do {
      let file = try DatabaseFile(path, pages: 60)
      try file.store(old, as: "long")
      try file.store("1", as: "a")
      try file.commit()
      try file.erase("a")
      #expect(throws: DatabaseFile.Problem.unusable(path: path, reason: "database or disk is full"))
      { try file.store("y" + String(repeating: "y", count: 1_000_000), as: "long") }
      try file.store("2", as: "b")
      try file.commit()
      try file.store(old + "z", as: "long")
      try file.commit()
    }
    let items = try DatabaseFile(path).items()

    #expect(items.map(\.key) == ["b", "long"])
    #expect(items.map(\.text) == ["2", old + "z"])
  }

  @Test func `a file of the first version is taken over`() throws {
    let long = String(repeating: "x", count: 100_000)
    try Database.change(
      path, "CREATE TABLE items (key TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID",
      "INSERT INTO items VALUES ('a', 'é'), ('b', '\(long)')", "PRAGMA user_version = 1")

    for _ in 1...2 {
      let items = try DatabaseFile(path).items()
      #expect(items.map(\.key) == ["a", "b"])
      #expect(items.map(\.text) == ["é", long])
    }
  }

  @Test func `a file of a later version is left alone`() throws {
    try Database.change(path, "PRAGMA user_version = 3")

    #expect(throws: DatabaseFile.Problem.unknownVersion(path: path, version: 3)) {
      try DatabaseFile(path)
    }
  }

  @Test func `a text of which a part is missing is corrupt`() throws {
    do {
      let file = try DatabaseFile(path)
      try file.store(String(repeating: "x", count: 100_000), as: "a")
      try file.commit()
    }
    try Database.change(path, "DELETE FROM parts WHERE number = 1")

    #expect(
      throws: DatabaseFile.Problem.corrupt(path: path, reason: "parts of a text are missing")
    ) { try DatabaseFile(path).items() }
  }

  @Test func `a relative folder begins where the process is`() throws {
    let steps = FileManager.default.currentDirectoryPath.split(separator: "/").count
    let here = String(repeating: "../", count: steps) + folder.path("new/inner").dropFirst()
    let storage = try machineStorage(in: here)
    storage.store("1", as: "a")
    storage.commit()

    #expect(storage.takeProblems() == [])
    #expect(storage.lastProblem == nil)
    #expect(
      FileManager.default.fileExists(
        atPath: folder.path("new/inner/app.wilddogio.com-app.sqlite")))
  }

  @Test func `what is not kept is said, and stays known`() throws {
    let first = try machineStorage(in: folder.path("shared"))
    let second = try machineStorage(in: folder.path("shared"))
    let other = try machineStorage(in: folder.path("shared"), for: "other")
    let file = folder.path("shared/app.wilddogio.com-app.sqlite")
    let problem = "\(file) is in use by another program; give each one a folder of its own"

    #expect(first.takeProblems() == [])
    #expect(second.takeProblems() == [problem])
    #expect(second.takeProblems() == [])
    #expect(second.lastProblem == problem)
    #expect(other.takeProblems() == [])
  }

  private func machineStorage(
    in folder: String, for application: String? = nil
  ) throws -> MachineStorage {
    let address = try #require(DatabaseAddress.parse("https://app.wilddogio.com/")).0
    return MachineStorage(of: address, for: application, in: folder, keepsData: true)
  }

  @Test func `problems say what to do`() {
    #expect(
      DatabaseFile.Problem.inUse(path: "/a").description
        == "/a is in use by another program; give each one a folder of its own")
    #expect(
      DatabaseFile.Problem.unknownVersion(path: "/a", version: 3).description
        == "/a has version 3 of the schema, and this SDK knows 2")
    #expect(
      DatabaseFile.Problem.corrupt(path: "/a", reason: "torn").description
        == "/a is corrupt (torn)")
    #expect(
      DatabaseFile.Problem.unusable(path: "/a", reason: "no").description
        == "/a cannot be used: no")
  }

  private func size(of path: String) throws -> Int {
    try Data(contentsOf: URL(filePath: path)).count
  }

}
