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

  /// Reads a text that may have `limit` bytes.
  package init(_ text: String, upTo limit: Int, in dialect: Dialect) {
    let json: JSON
    do throws(DocumentError) {
      json = try JSON(parsing: text, upTo: limit)
    } catch {
      (content, line, findings, paths) = (.unreadable(error), text, [], [])
      return
    }
    line = text.utf8.contains(UInt8(ascii: "\n")) ? json.text : text
    findings = WireMonitor.judgeShape(of: json, by: .client, in: dialect)
    if let request = Self.aboutTheApplication(json) {
      (content, paths) = (.application(request), [])
      return
    }
    do throws(WireError) {
      let message = try ClientMessage(json: json)
      (content, paths) = (.message(message), WireMonitor.judgePaths(of: message, .wanted))
    } catch {
      (content, paths) = (.mistake(error), [])
    }
  }

  private static func aboutTheApplication(_ json: JSON) -> Int? {
    guard let action = json["d"]?["a"]?.string, json["t"] == "d",
      ["appcheck", "unappcheck", "unappeck"].contains(action)
    else { return nil }
    return json["d"]?["r"]?.integer
  }
}
