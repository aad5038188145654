package import Document
internal import Tree
package import Wire

/// What a client has sent, as far as it can be understood without the server.
package struct IncomingMessage: Sendable {
  package enum Content: Sendable {
    case message(ClientMessage)
    /// The number of a request that states which application the client belongs to. Everyone is
    /// believed.
    case application(Int)
    case mistake(WireError)
    case unreadable(DocumentError)
  }

  package let content: Content
  /// The text, without line feeds: recordings have a line for each message.
  package let line: String
  /// What is wrong with its form.
  package let findings: [WireFinding]

  /// What is wrong with the paths and the data of a request, advice included.
  package let paths: [WireFinding]

  /// Why what it writes can be no data, as far as ``content`` does not show it any more; `nil` for
  /// nothing.
  package let problem: String?

  /// Reads a text that may have `limit` bytes; a string of the data may have `longestText` of UTF-8.
  package init(_ text: String, upTo limit: Int, longestText: Int, in dialect: Dialect) {
    var paths: [WireFinding] = []
    var problem: String?
    do throws(DocumentError) {
      let json = try JSON(parsing: text, upTo: limit)
      line = text.utf8.contains(UInt8(ascii: "\n")) ? json.text : text
      findings = WireMonitor.judgeShape(of: json, by: .client, in: dialect)
      content = Content(of: json)
      if case let .message(.request(number, request)) = content {
        paths = WireMonitor.judgePaths(of: request, number)
        paths += WireMonitor.judgeHash(of: request, number)
        // Only what is written is called that.
        problem = json["d"]?["b"]?["d"]?.problem(longestText: longestText)
      }
    } catch {
      (content, line, findings) = (.unreadable(error), text, [])
    }
    (self.paths, self.problem) = (paths, problem)
  }
}

extension IncomingMessage.Content {
  fileprivate init(of json: JSON) {
    if json["t"] == "d", let action = json["d"]?["a"]?.string,
      ["appcheck", "unappcheck", "unappeck"].contains(action),
      let number = json["d"]?["r"]?.integer
    {
      self = .application(number)
      return
    }
    do throws(WireError) {
      self = .message(try ClientMessage(json: json))
    } catch {
      self = .mistake(error)
    }
  }
}

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
