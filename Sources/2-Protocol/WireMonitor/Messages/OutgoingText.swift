internal import Tree
package import Wire

/// The text of a message of the server. The last one is kept: often the next client is sent the
/// same, and making the text of much data takes its time.
package struct OutgoingText: Sendable {
  private let message: ServerMessage
  private let dialect: Dialect
  package let text: String
  /// The text in segments.
  package let frames: [String]
  /// What is wrong with its form.
  package let findings: [WireFinding]

  /// Puts a message into words.
  package init(of message: ServerMessage, in dialect: Dialect) {
    (self.message, self.dialect) = (message, dialect)
    let json = message.json(in: dialect)
    text = json.text
    frames = Segments.frames(of: text)
    findings = WireMonitor.judgeShape(of: json, by: .server, in: dialect)
  }

  /// Whether it is the text of `message`.
  package func isText(of message: ServerMessage, in dialect: Dialect) -> Bool {
    dialect == self.dialect && message.isSame(as: self.message)
  }
}
