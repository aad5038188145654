import Document
import Foundation
import TestKit
import Testing
import Tree
import Wire

/// Whether `Specs/wire-messages.md` says what is so: its tables are the data.
@Suite struct DescriptionTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var sender: WireError.Sender
    var name: String
    var dialects: [Dialect]
    var line: String

    var testDescription: String { "\(name) (\(dialects.map(\.rawValue)))" }
  }

  @Test(arguments: try rows())
  func `a line of the description is written as it is read`(row: Row) throws {
    for dialect in row.dialects {
      #expect(try rewritten(row.line, from: row.sender, in: dialect) == row.line)
    }
    // What is said to be of one dialect alone is written in another way in the other one.
    for dialect in Dialect.allCases where !row.dialects.contains(dialect) {
      let isHello = row.line.contains(dialect == .firebase ? "\"1.0\"" : "\"5\"")
      let other = try rewritten(row.line, from: row.sender, in: dialect)
      #expect(other != row.line || isHello)
    }
  }

  @Test func `every kind of message is described`() throws {
    var actions: Set<Request.Action> = []
    var kinds: Set<String> = []
    for row in try Self.rows() {
      let json = try JSON(parsing: row.line)
      if row.sender == .server {
        let message = try ServerMessage(json: json)
        kinds.insert(String("\(message)".prefix { $0 != "(" }))
      } else if case let .request(_, request) = try ClientMessage(json: json) {
        actions.insert(request.action)
      }
    }

    #expect(actions == Set(Request.Action.allCases))
    #expect(
      kinds.sorted() == [
        "credentialRevoked", "hello", "merge", "notice", "other", "pong", "put", "reset",
        "response", "revoked", "shutdown",
      ])
  }

  @Test func `the description and the rules lead to each other`() throws {
    #expect(try Self.page("rules/wire.md").contains("(../wire-messages.md)"))
    #expect(try Self.page("adapter-protocol.md").contains("(wire-messages.md)"))
  }

  /// The rows whose last cell is a message, with the sender that the heading above names.
  private static func rows() throws -> [Row] {
    var rows: [Row] = []
    var sender = WireError.Sender.client
    for line in try page("wire-messages.md").split(separator: "\n") {
      if line.hasPrefix("## ") { sender = line.contains("server") ? .server : .client }
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 3, cells[2].hasPrefix("`{") else { continue }
      let dialects = Dialect(rawValue: cells[1]).map { [$0] } ?? Dialect.allCases
      try #require(dialects.count == 1 || cells[1] == "both")
      rows.append(
        Row(
          sender: sender, name: cells[0], dialects: dialects,
          line: cells[2].trimmingCharacters(in: CharacterSet(charactersIn: "`"))))
    }
    try #require(rows.count > 50)
    return rows
  }

  private static func page(_ name: String) throws -> String {
    try SourceTree.text(of: "Specs/" + name)
  }
}
