internal import Tree
internal import Wire

/// The text of the message that was sent last: often the next client is sent the same, and making
/// the text of much data takes its time.
struct EncodedMessageCache: Sendable {
  private var message: ServerMessage?
  private var dialect: Dialect?
  private(set) var json = JSON.null
  private(set) var text = ""
  /// The text in segments.
  private(set) var frames: [String] = []

  /// Makes the text of a message, unless it is there.
  mutating func render(_ message: ServerMessage, in dialect: Dialect) {
    if dialect == self.dialect, message == self.message { return }
    (self.message, self.dialect) = (message, dialect)
    json = message.json(in: dialect)
    text = json.text
    frames = Segments.frames(of: text)
  }
}

/// The same for streams of events, which have other words.
struct EncodedEventCache: Sendable {
  private var message: ServerMessage?
  private var path: Path?
  private var isExport = false
  private var text: String?

  /// The text of an event; `nil` for what a stream does not show.
  mutating func text(
    of message: ServerMessage, for stream: EventStream, _ make: () -> String?
  ) -> String? {
    if stream.path == path, stream.isExport == isExport, message == self.message { return text }
    (self.message, path, isExport) = (message, stream.path, stream.isExport)
    text = make()
    return text
  }
}
