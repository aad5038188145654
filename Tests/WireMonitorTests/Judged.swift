import Document
import RunModel
import Testing
import Tree
import Wire

/// What the monitor says of one message, by how it is written.
struct Judged {
  /// What is found in a message, without the piece that is quoted.
  static func findings(
    _ text: String, by sender: WireError.Sender = .client, _ dialect: Dialect = .firebase
  ) throws -> [String] {
    try findings(JSON(parsing: text), by: sender, dialect)
  }

  static func findings(
    _ json: JSON, by sender: WireError.Sender = .client, _ dialect: Dialect = .firebase
  ) throws -> [String] {
    var watched = try Watched.helloReceived(dialect)
    let found =
      sender == .client
      ? watched.monitor.sent(json, at: watched.now)
      : WireMonitor.judgeShape(of: json, by: .server, in: dialect)
    return found.map { finding in
      finding.sentence.split(separator: "; found in ").first.map(String.init) ?? ""
    }
  }

  static func request(
    _ action: String, _ body: String, _ dialect: Dialect = .firebase
  ) throws
    -> [String]
  {
    try findings(#"{"t":"d","d":{"r":1,"a":"\#(action)","b":\#(body)}}"#, by: .client, dialect)
  }
}
