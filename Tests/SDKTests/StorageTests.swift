import ClientStorage
import Foundation
import Testing

@Suite struct StorageTests {
  private let path = FileManager.default.temporaryDirectory.appending(
    path: "storage-\(UUID().uuidString).sqlite"
  ).path

  @Test func `what was committed is there again, in the order of keys`() throws {
    defer { remove() }
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
    defer { remove() }
    let file = try DatabaseFile(path)
    try file.store("1", as: "a")
    try file.commit()

    #expect(throws: DatabaseFile.Problem.inUse(path: path)) { try DatabaseFile(path) }
  }

  @Test func `a file that is none is corrupt`() throws {
    defer { remove() }
    try Data(repeating: 7, count: 8192).write(to: URL(filePath: path))

    #expect(throws: DatabaseFile.Problem.corrupt(path: path, reason: "file is not a database")) {
      try DatabaseFile(path)
    }
  }

  @Test func `a torn file is corrupt, and not half of the data`() throws {
    defer { remove() }
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

  @Test func `problems say what to do`() {
    #expect(
      DatabaseFile.Problem.inUse(path: "/a").description
        == "/a is in use by another program; give each one a folder of its own")
    #expect(
      DatabaseFile.Problem.unknownVersion(path: "/a", version: 2).description
        == "/a has version 2 of the schema, and this SDK knows 1")
    #expect(
      DatabaseFile.Problem.corrupt(path: "/a", reason: "torn").description
        == "/a is corrupt (torn)")
    #expect(
      DatabaseFile.Problem.unusable(path: "/a", reason: "no").description
        == "/a cannot be used: no")
  }

  private func remove() {
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
  }
}
