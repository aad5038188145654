import Foundation
import Testing

/// Changes a file of SQLite by other means than the SDK.
enum Database {
  static func change(_ path: String, _ statements: String...) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      """
      import sqlite3, sys
      file = sqlite3.connect(sys.argv[1])
      for line in sys.stdin: file.execute(line)
      file.commit()
      """, path,
    ]
    let input = Pipe()
    process.standardInput = input
    try process.run()
    try input.fileHandleForWriting.write(
      contentsOf: Data(statements.joined(separator: "\n").utf8))
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }
}
