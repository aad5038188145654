internal import CSQLite
internal import Glibc
internal import Tree

/// Texts by key in a file of SQLite: what one database keeps over the end of the program.
///
/// One program has it at a time. Changes are put together until ``commit()``, and are safe when that has
/// returned, even from SIGKILL: they are in the write-ahead log of the file. Whether they are on the disk
/// by then, where a power cut leaves them, is a matter of ``Safety``.
///
/// A text is stored in parts of equal length, and a new one under the same key writes only the parts
/// that differ: that data were used changes a few bytes behind megabytes of them.
///
/// Only the user may read the file. SQLite leaves erased texts where they were until it needs the
/// space; of secrets nothing is left, in no file, when ``commit()`` has returned.
///
/// Used by one thread at a time.
package final class DatabaseFile {
  /// The version of the schema.
  package static let version = 2
  /// What a file states in which nothing is left of secrets that were erased.
  private static let isCleanMark = 1
  /// How many bytes a part has, unless it is the last one of its text.
  package static let partLength = 32_768

  package let path: String
  private var connection: OpaquePointer?
  private var storing: OpaquePointer?
  private var erasing: OpaquePointer?
  private let safety: Safety
  /// Under what keys there are secrets.
  private let secrets: Set<String>
  /// Whether a secret has been erased since the last commit.
  private var hasErasedSecret = false
  private var isChanging = false
  /// What has changed since the last commit; no text for what was erased.
  private var changes: [(key: String, text: String?)] = []
  /// What the file certainly has: new texts are compared with these. The client has the same
  /// strings, so that they take no memory of their own.
  private var known: [Text: String] = [:]

  /// Opens a file, and makes it if there is none.
  ///
  /// - Parameters:
  ///   - path: Where it is.
  ///   - pages: How many pages it may have; as many as fit on the disk if `nil`.
  ///   - secrets: Under what keys there are texts of which nothing may be left once they are gone.
  ///   - safety: What of it is on the disk, and when.
  /// - Throws: why it cannot be used; `corrupt` for one that is no such file or is damaged.
  package init(
    _ path: String, pages: Int? = nil, secrets: Set<String> = [], safety: Safety = .fromKills
  ) throws(Problem) {
    self.path = path
    self.secrets = secrets
    self.safety = safety
    try Self.makePrivate(path)
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    do throws(Problem) {
      try check(sqlite3_open_v2(path, &connection, flags, nil))
      try begin()
      if let pages { try run("PRAGMA max_page_count = \(pages)") }
    } catch {
      close()
      throw error
    }
  }

  deinit { close() }

  private func close() {
    sqlite3_finalize(storing)
    sqlite3_finalize(erasing)
    sqlite3_close_v2(connection)
    (storing, erasing, connection) = (nil, nil, nil)
  }

  private func begin() throws(Problem) {
    try run("PRAGMA locking_mode = EXCLUSIVE")
    try run("PRAGMA journal_mode = WAL")
    try run("PRAGMA synchronous = \(safety.rawValue)")
    let found = try number("PRAGMA user_version")
    if found > Self.version { throw .unknownVersion(path: path, version: found) }
    var verdict: String?
    try forEachRow("PRAGMA quick_check(1)") { verdict = Self.text($0, 0) }
    if verdict != "ok" { throw .corrupt(path: path, reason: verdict ?? "no verdict") }
    let isNew = found == 0
    let mark = try number("PRAGMA application_id")
    // A file that is as it should be is not written to: that would wait for the disk.
    if found < Self.version {
      try run(
        "BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS parts"
          + " (key TEXT NOT NULL, number INTEGER NOT NULL, bytes BLOB NOT NULL,"
          + " PRIMARY KEY (key, number)) WITHOUT ROWID; PRAGMA user_version = \(Self.version)")
      if isNew { try run("PRAGMA application_id = \(Self.isCleanMark)") }
      isChanging = true
    }
    try prepare("INSERT OR REPLACE INTO parts VALUES (?, ?, ?)", &storing)
    try prepare("DELETE FROM parts WHERE key = ? AND number >= ?", &erasing)
    if found == 1 { try takeOver() }
    try commit()
    // An earlier version, or a process that was killed, has left secrets. Without the space to rewrite
    // it the file is still good, and the next program tries again.
    if !isNew, mark != Self.isCleanMark { try? rewrite() }
  }

  /// Version 1 had a row for each text, however long it was.
  private func takeOver() throws(Problem) {
    var items: [(key: String, text: String)] = []
    try forEachRow("SELECT key, text FROM items") {
      items.append((Self.text($0, 0), Self.text($0, 1)))
    }
    for item in items { try store(item.text, as: item.key) }
    try run("DROP TABLE items")
  }
}

// What is kept.

extension DatabaseFile {
  /// Everything that is kept, in the order of keys.
  package func items() throws(Problem) -> [(key: String, text: String)] {
    var items: [(key: String, text: String)] = []
    var bytes: [UInt8] = []
    var (number, isWhole) = (0, true)
    func finish() {
      guard let last = items.indices.last else { return }
      items[last].text = String(decoding: bytes, as: UTF8.self)
      bytes.removeAll(keepingCapacity: true)
    }
    try forEachRow("SELECT key, number, bytes FROM parts ORDER BY key, number") { row in
      let found = Int(sqlite3_column_int64(row, 1))
      if found == 0 {
        finish()
        items.append((Self.text(row, 0), ""))
        number = 0
      }
      if found != number { isWhole = false }
      number += 1
      bytes.append(
        contentsOf: UnsafeRawBufferPointer(
          start: sqlite3_column_blob(row, 2), count: Int(sqlite3_column_bytes(row, 2))))
    }
    finish()
    if !isWhole { throw .corrupt(path: path, reason: "parts of a text are missing") }
    for item in items { known[Text(item.key)] = item.text }
    return items
  }

  /// Keeps a text in place of what was kept under its key: all of it, or the old one.
  package func store(_ text: String, as key: String) throws(Problem) {
    var new = text
    try change(key, text) { () throws(Problem) in
      if secrets.contains(key) { try eraseParts(of: key) }
      let old = secrets.contains(key) ? nil : known[Text(key)]
      for number in Self.changedParts(of: &new, since: old) {
        let status = new.withUTF8 { text in
          let part = UnsafeBufferPointer(rebasing: text[Self.part(number, of: text.count)])
          // An empty part may have no address, and would be stored as NULL.
          return part.isEmpty
            ? sqlite3_bind_zeroblob(storing, 3, 0)
            : sqlite3_bind_blob(
              storing, 3, part.baseAddress, Int32(part.count), Self.transient)
        }
        try check(status)
        try step(storing, key, number)
      }
      let count = Self.partCount(text.utf8.count)
      if old.map({ Self.partCount($0.utf8.count) > count }) ?? true {
        try step(erasing, key, count)
      }
    }
  }

  package func erase(_ key: String) throws(Problem) {
    try change(key, nil) { () throws(Problem) in try eraseParts(of: key) }
  }

  private func eraseParts(of key: String) throws(Problem) {
    try step(erasing, key, 0)
    guard secrets.contains(key), sqlite3_changes(connection) > 0 else { return }
    hasErasedSecret = true
    try run("PRAGMA application_id = 0")
  }

  /// Writes the whole file without what was erased, and empties its log.
  private func rewrite() throws(Problem) {
    try run("VACUUM")
    try run("PRAGMA wal_checkpoint(TRUNCATE)")
    try run("PRAGMA application_id = \(Self.isCleanMark)")
  }

  /// Makes what has changed safe, all of it or nothing.
  package func commit() throws(Problem) {
    guard isChanging else { return }
    isChanging = false
    changes = []
    let needsRewriting = hasErasedSecret
    hasErasedSecret = false
    do throws(Problem) {
      try run("COMMIT")
    } catch {
      known = [:]
      sqlite3_exec(connection, "ROLLBACK", nil, nil, nil)
      throw error
    }
    if needsRewriting { try rewrite() }
  }

  /// Forgets what has changed since the last commit.
  package func rollBack() {
    if isChanging { sqlite3_exec(connection, "ROLLBACK", nil, nil, nil) }
    (isChanging, hasErasedSecret, changes, known) = (false, false, [], [:])
  }

  /// Makes a change, all of it or nothing.
  private func change(
    _ key: String, _ text: String?, _ work: () throws(Problem) -> Void
  ) throws(Problem) {
    if !isChanging { try run("BEGIN IMMEDIATE") }
    isChanging = true
    do throws(Problem) {
      try run("SAVEPOINT one")
      try work()
      try run("RELEASE one")
      changes.append((key, text))
      known[Text(key)] = text
    } catch {
      // What is unknown is written as a whole.
      known = [:]
      sqlite3_exec(connection, "ROLLBACK TO one; RELEASE one", nil, nil, nil)
      if sqlite3_get_autocommit(connection) != 0 { repeatChanges() }
      throw error
    }
  }

  /// On a full disk SQLite gives up what came before in the same transaction as well.
  private func repeatChanges() {
    isChanging = false
    let lost = changes
    changes = []
    for (key, text) in lost {
      if let text { try? store(text, as: key) } else { try? erase(key) }
    }
  }

  /// Makes a statement whose first arguments are the key and the number of a part.
  private func step(_ statement: OpaquePointer?, _ key: String, _ number: Int) throws(Problem) {
    try check(sqlite3_bind_text(statement, 1, key, -1, Self.transient))
    try check(sqlite3_bind_int64(statement, 2, Int64(number)))
    defer { sqlite3_reset(statement) }
    let status = sqlite3_step(statement)
    if status != SQLITE_DONE { try check(status) }
  }
}

// Statements.

extension DatabaseFile {
  /// SQLITE_TRANSIENT, a macro that is not imported: what is bound is copied.
  private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  private func run(_ statements: String) throws(Problem) {
    try check(sqlite3_exec(connection, statements, nil, nil, nil))
  }

  private func prepare(
    _ text: String, _ statement: inout OpaquePointer?
  ) throws(Problem) {
    try check(sqlite3_prepare_v2(connection, text, -1, &statement, nil))
  }

  private func number(_ query: String) throws(Problem) -> Int {
    var number = 0
    try forEachRow(query) { number = Int(sqlite3_column_int64($0, 0)) }
    return number
  }

  private func forEachRow(
    _ query: String, _ body: (OpaquePointer?) -> Void
  ) throws(Problem) {
    var statement: OpaquePointer?
    try prepare(query, &statement)
    defer { sqlite3_finalize(statement) }
    while true {
      let status = sqlite3_step(statement)
      if status == SQLITE_DONE { return }
      if status != SQLITE_ROW { try check(status) }
      body(statement)
    }
  }

  private static func text(_ row: OpaquePointer?, _ column: Int32) -> String {
    sqlite3_column_text(row, column).map { String(cString: $0) } ?? ""
  }

  private func check(_ status: Int32) throws(Problem) {
    switch status & 0xFF {
    case SQLITE_OK, SQLITE_ROW, SQLITE_DONE: return
    case SQLITE_BUSY, SQLITE_LOCKED: throw .inUse(path: path)
    case SQLITE_CORRUPT, SQLITE_NOTADB: throw .corrupt(path: path, reason: reason)
    default: throw .unusable(path: path, reason: reason)
    }
  }

  private var reason: String {
    sqlite3_errmsg(connection).map { String(cString: $0) } ?? "no reason"
  }
}

// Parts of a long text.

extension DatabaseFile {
  /// An empty text has one, too: it is kept.
  static func partCount(_ length: Int) -> Int {
    max(1, (length + partLength - 1) / partLength)
  }

  static func part(_ number: Int, of length: Int) -> Range<Int> {
    number * partLength..<min((number + 1) * partLength, length)
  }

  /// The numbers of the parts that are not as they were.
  static func changedParts(of text: inout String, since old: String?) -> [Int] {
    guard var old else { return Array(0..<partCount(text.utf8.count)) }
    return old.withUTF8 { old in
      text.withUTF8 { text in
        (0..<partCount(text.count)).filter { number in
          let part = part(number, of: text.count)
          guard number < partCount(old.count), part == Self.part(number, of: old.count),
            let a = text.baseAddress, let b = old.baseAddress
          else { return true }
          return memcmp(a + part.lowerBound, b + part.lowerBound, part.count) != 0
        }
      }
    }
  }
}

// Who may read what is kept: only the user, since there are tokens and data among it.

extension DatabaseFile {
  /// What follows the path in the names of the files that SQLite may have for one database.
  package static let suffixes = ["", "-wal", "-shm", "-journal"]

  /// Makes the file if there is none, and takes it from others if it is there.
  ///
  /// SQLite gives its other files the mode of this one. A file that is there is not opened for that:
  /// to close it would end the locks of this process, as POSIX has it.
  static func makePrivate(_ path: String) throws(Problem) {
    let new = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if new >= 0 { Glibc.close(new) }
    for suffix in suffixes { try takeFromOthers(path + suffix) }
  }

  private static func takeFromOthers(_ path: String) throws(Problem) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { return }
    guard chmod(path, status.st_mode & 0o700) == 0 else {
      throw .exposed(path: path, mode: String(status.st_mode & 0o777, radix: 8))
    }
  }
}

extension DatabaseFile {
  /// What a commit outlasts.
  package enum Safety: String {
    /// The end of the program.
    case fromKills = "NORMAL"
    /// Also the end of power: each commit waits for the disk.
    case fromPowerCuts = "FULL"
  }

  /// Why a file cannot be used.
  package enum Problem: Error, Hashable, CustomStringConvertible {
    /// Another program has it.
    case inUse(path: String)
    /// It is no such file, or parts of it are destroyed.
    case corrupt(path: String, reason: String)
    /// A later version of the SDK has written it.
    case unknownVersion(path: String, version: Int)
    /// Others may read it, and the system refuses to change that.
    case exposed(path: String, mode: String)
    /// The system refuses.
    case unusable(path: String, reason: String)

    package var description: String {
      switch self {
      case let .inUse(path):
        "\(path) is in use by another program; give each one a folder of its own"
      case let .corrupt(path, reason): "\(path) is corrupt (\(reason))"
      case let .unknownVersion(path, version):
        "\(path) has version \(version) of the schema, and this SDK knows \(DatabaseFile.version)"
      case let .exposed(path, mode):
        "others may use \(path): its mode is \(mode) instead of 600, and this user may not change it;"
          + " let its owner run chmod 600, or choose another folder"
      case let .unusable(path, reason): "\(path) cannot be used: \(reason)"
      }
    }
  }
}
