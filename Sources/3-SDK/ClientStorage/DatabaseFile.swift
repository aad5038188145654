internal import CSQLite

/// Texts by key in a file of SQLite: what one database keeps over the end of the program.
///
/// One program has it at a time. Changes are put together until ``commit()``, and are safe when that has
/// returned, even from SIGKILL: they are in the write-ahead log of the file.
///
/// Used by one thread at a time.
package final class DatabaseFile {
  /// Why a file cannot be used.
  package enum Problem: Error, Hashable, CustomStringConvertible {
    /// Another program has it.
    case inUse(path: String)
    /// It is no such file, or parts of it are destroyed.
    case corrupt(path: String, reason: String)
    /// A later version of the SDK has written it.
    case unknownVersion(path: String, version: Int)
    /// The system refuses.
    case unusable(path: String, reason: String)

    package var description: String {
      switch self {
      case let .inUse(path):
        "\(path) is in use by another program; give each one a folder of its own"
      case let .corrupt(path, reason): "\(path) is corrupt (\(reason))"
      case let .unknownVersion(path, version):
        "\(path) has version \(version) of the schema, and this SDK knows \(DatabaseFile.version)"
      case let .unusable(path, reason): "\(path) cannot be used: \(reason)"
      }
    }
  }

  /// The version of the schema.
  package static let version = 1

  package let path: String
  private var connection: OpaquePointer?
  private var storing: OpaquePointer?
  private var erasing: OpaquePointer?
  private var isChanging = false

  /// Opens a file, and makes it if there is none.
  package init(_ path: String) throws(Problem) {
    self.path = path
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    do throws(Problem) {
      try check(sqlite3_open_v2(path, &connection, flags, nil))
      try begin()
    } catch {
      sqlite3_close_v2(connection)
      throw error
    }
  }

  deinit {
    sqlite3_finalize(storing)
    sqlite3_finalize(erasing)
    sqlite3_close_v2(connection)
  }

  private func begin() throws(Problem) {
    try run("PRAGMA locking_mode = EXCLUSIVE")
    try run("PRAGMA journal_mode = WAL")
    try run("PRAGMA synchronous = NORMAL")
    let found = try number("PRAGMA user_version")
    if found > Self.version { throw .unknownVersion(path: path, version: found) }
    let verdict = try texts("PRAGMA quick_check(1)").first?.first
    if verdict != "ok" { throw .corrupt(path: path, reason: verdict ?? "no verdict") }
    try run(
      "BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS items (key TEXT PRIMARY KEY, text TEXT NOT NULL)"
        + " WITHOUT ROWID; PRAGMA user_version = \(Self.version); COMMIT")
    try check(
      sqlite3_prepare_v2(
        connection, "INSERT OR REPLACE INTO items VALUES (?, ?)", -1, &storing, nil))
    try check(sqlite3_prepare_v2(connection, "DELETE FROM items WHERE key = ?", -1, &erasing, nil))
  }

  /// Everything that is kept, in the order of keys.
  package func items() throws(Problem) -> [(key: String, text: String)] {
    try texts("SELECT key, text FROM items ORDER BY key").map { ($0[0], $0[1]) }
  }

  /// Keeps a text in place of what was kept under its key.
  package func store(_ text: String, as key: String) throws(Problem) {
    try change(storing, [key, text])
  }

  package func erase(_ key: String) throws(Problem) { try change(erasing, [key]) }

  /// Makes what has changed safe, all of it or nothing.
  package func commit() throws(Problem) {
    guard isChanging else { return }
    isChanging = false
    try run("COMMIT")
  }

  private func change(_ statement: OpaquePointer?, _ values: [String]) throws(Problem) {
    if !isChanging { try run("BEGIN IMMEDIATE") }
    isChanging = true
    for (index, value) in values.enumerated() {
      try check(sqlite3_bind_text(statement, Int32(index + 1), value, -1, Self.transient))
    }
    defer { sqlite3_reset(statement) }
    let status = sqlite3_step(statement)
    if status != SQLITE_DONE { try check(status) }
  }

  /// SQLITE_TRANSIENT, a macro that is not imported: the text is copied.
  private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  private func run(_ statements: String) throws(Problem) {
    try check(sqlite3_exec(connection, statements, nil, nil, nil))
  }

  private func number(_ query: String) throws(Problem) -> Int {
    (try texts(query).first?.first).flatMap { Int($0) } ?? 0
  }

  private func texts(_ query: String) throws(Problem) -> [[String]] {
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v2(connection, query, -1, &statement, nil))
    defer { sqlite3_finalize(statement) }
    var rows: [[String]] = []
    while true {
      let status = sqlite3_step(statement)
      if status == SQLITE_DONE { return rows }
      if status != SQLITE_ROW { try check(status) }
      rows.append(
        (0..<sqlite3_column_count(statement)).map { column in
          sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
        })
    }
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
