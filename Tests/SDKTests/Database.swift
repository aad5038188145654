import TestKit
import Testing

/// Changes a file of SQLite by other means than the SDK.
enum Database {
  static func change(_ path: String, _ statements: String...) throws {
    let script = """
      import sqlite3, sys
      file = sqlite3.connect(sys.argv[1])
      for line in sys.stdin: file.execute(line)
      file.commit()
      """
    let outcome = try Program(path: "/usr/bin/env").run(
      ["python3", "-c", script, path], input: statements.joined(separator: "\n"))
    #expect(outcome.status == 0, "\(outcome.messages)")
  }
}
