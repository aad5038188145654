import ClientEngine
import ClientInterface
import ClientMachine
import Foundation
import Glibc
import Testing

/// What is left of a token on the disk, and who may read it. Some tests set the mask of the process, and
/// so they run one after the other.
@Suite(.serialized) final class TokenStorageTests {
  private static let token = "header.claims-of-ann.signature"
  private let folder = FileManager.default.temporaryDirectory.appending(
    path: "token-\(UUID().uuidString)")

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  @Test func `with persistence the token is kept, until the user signs out`() throws {
    do {
      let storage = try open(.on)
      store(in: storage)
      #expect(try hasToken())
    }
    let storage = try open(.on)
    #expect(storage.items().map(\.key) == ["credential", "data/a"])
    storage.erase("credential")
    storage.commit()

    #expect(try !hasToken())
    #expect(storage.takeProblems() == [])
    storage.close()
    #expect(try !hasToken())
    #expect(try open(.on).items().map(\.key) == ["data/a"])
  }

  @Test func `a token among many texts is gone from all of their pages`() throws {
    let storage = try open(.on)
    var random = RandomNumbers(seed: 1)
    for round in 0..<40 {
      for _ in 0..<20 {
        let key = "\(["a", "d", "x"][Int.random(in: 0..<3, using: &random)])\(random.next() % 200)"
        let length = Int.random(in: 0..<2000, using: &random)
        storage.store(String(repeating: "x", count: length), as: key)
      }
      storage.store(Self.token, as: "credential")
      storage.commit()
      #expect(try hasToken())
      storage.erase("credential")
      storage.commit()
      #expect(try !hasToken(), "round \(round)")
    }
  }

  @Test func `a token that another one replaces is gone`() throws {
    let storage = try open(.on)
    store(in: storage)
    storage.store("another", as: "credential")
    storage.commit()

    #expect(try !hasToken())
    #expect(storage.items().first { $0.key == "credential" }?.text == "another")
  }

  @Test func `without persistence no file is made`() throws {
    let storage = try open(.off)
    store(in: storage)
    storage.erase("credential")
    storage.commit()

    #expect(storage.items().isEmpty)
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test func `without persistence the token that was kept is removed, and nothing else`() throws {
    store(in: try open(.on))
    let storage = try open(.off)

    #expect(storage.items().isEmpty)
    #expect(storage.takeProblems() == [])
    #expect(try !hasToken())
    #expect(try open(.on).items().map(\.key) == ["data/a"])
  }

  @Test func `what a killed process has left in the log is removed`() throws {
    let storage = try open(.on)
    store(in: storage)
    // The log of a process that has not ended in order.
    let copy = folder.appending(path: "copy")
    try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
    for file in try files() {
      try FileManager.default.copyItem(at: file, to: copy.appending(path: file.lastPathComponent))
    }
    storage.close()
    #expect(try hasToken(in: "copy", suffix: "-wal"))

    #expect(try open(.off, in: "copy").takeProblems() == [])

    #expect(try !hasToken(in: "copy"))
  }

  @Test func `a token that an earlier version has left behind is removed`() throws {
    store(in: try open(.on))
    let path = try #require(try files().first).path
    try Database.change(
      path, "PRAGMA secure_delete = OFF", "PRAGMA application_id = 0",
      "DELETE FROM parts WHERE key = 'credential'")
    #expect(try hasToken())

    #expect(try open(.on).items().map(\.key) == ["data/a"])

    #expect(try !hasToken())
  }

  @Test func `a corrupt file is put aside until the user signs out`() throws {
    let mask = umask(0)
    defer { umask(mask) }
    store(in: try open(.on))
    try tear()
    let storage = try open(.on)
    #expect(storage.takeProblems().last?.hasSuffix("and the database begins empty") == true)
    #expect(try hasToken())
    #expect(try modes().values.allSatisfy { $0 == 0o600 })

    storage.erase("credential")
    storage.commit()

    #expect(try !hasToken())
  }

  @Test func `without persistence a corrupt file is removed`() throws {
    store(in: try open(.on))
    try tear()

    #expect(
      try open(.off).takeProblems().last
        == "it is removed, because it may have a token, and persistence is off")
    #expect(try files() == [])
  }

  @Test func `only the user may use what is made`() throws {
    let mask = umask(0)
    defer { umask(mask) }
    let storage = try open(.on)
    store(in: storage)

    #expect(try modes().keys.contains { $0.hasSuffix("-wal") })
    #expect(try modes().values.allSatisfy { $0 == 0o600 })
    #expect(try mode(of: folder.path) == 0o700)
    #expect(try mode(of: folder.appending(path: "inner").path) == 0o700)
  }

  @Test func `files that others may use are taken from them`() throws {
    let mask = umask(0)
    defer { umask(mask) }
    store(in: try open(.on))
    let path = try #require(try files().first).path
    for suffix in ["", "-wal", "-shm"] {
      if !FileManager.default.fileExists(atPath: path + suffix) {
        #expect(FileManager.default.createFile(atPath: path + suffix, contents: nil))
      }
      #expect(chmod(path + suffix, 0o666) == 0)
    }
    let storage = try open(.on)
    store(in: storage)

    #expect(storage.takeProblems() == [])
    #expect(try modes().values.allSatisfy { $0 == 0o600 })
  }

  @Test func `a file that stays open to others is not used`() {
    let path = "/proc/self/status"

    #expect(throws: DatabaseFile.Problem.exposed(path: path, mode: "444")) {
      try DatabaseFile(path)
    }
    #expect(
      DatabaseFile.Problem.exposed(path: path, mode: "444").description
        == "others may use /proc/self/status: its mode is 444 instead of 600, and this user may not "
        + "change it; let its owner run chmod 600, or choose another folder")
  }

  private enum Persistence { case on, off }

  private func open(
    _ persistence: Persistence, in name: String = "inner"
  ) throws -> MachineStorage {
    let address = try #require(DatabaseAddress.parse("https://app.wilddogio.com/")).0
    return MachineStorage(
      of: address, in: folder.appending(path: name).path, keepsData: persistence == .on)
  }

  private func store(in storage: MachineStorage) {
    storage.store(Self.token, as: "credential")
    storage.store("1", as: "data/a")
    storage.commit()
  }

  private func tear() throws {
    let path = try #require(try files().first)
    var bytes = try Data(contentsOf: path)
    bytes.replaceSubrange(0..<16, with: Data(repeating: 7, count: 16))
    try bytes.write(to: path)
  }

  /// The files of one folder, in the order of their names.
  private func files(in name: String = "inner") throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: folder.appending(path: name), includingPropertiesForKeys: nil
    ).filter { !$0.hasDirectoryPath }.sorted { $0.path < $1.path }
  }

  /// Whether the bytes of any file have the token.
  private func hasToken(in name: String = "inner", suffix: String = "") throws -> Bool {
    try files(in: name).filter { $0.path.hasSuffix(suffix) }.contains {
      try Data(contentsOf: $0).range(of: Data(Self.token.utf8)) != nil
    }
  }

  private func modes() throws -> [String: mode_t] {
    try Dictionary(uniqueKeysWithValues: files().map { ($0.path, try mode(of: $0.path)) })
  }

  private func mode(of path: String) throws -> mode_t {
    var status = stat()
    try #require(stat(path, &status) == 0)
    return status.st_mode & 0o777
  }
}
