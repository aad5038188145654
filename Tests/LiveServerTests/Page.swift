import Document
import LiveServer
import Testing
import Tree

/// A page that fetches scripts, as the browser SDK does where it has no WebSocket.
struct Page {
  var id = ""
  var password = ""
  private var serial = 0
  private var segment = 0

  /// Begins a session.
  init(_ table: inout Table, _ rest: String = "") throws {
    let script = table.ask("GET", "/.lp?start=t&ser=7&cb=3&v=5" + rest)?.text ?? ""
    self = try #require(Page(script))
  }

  /// The session that a script begins; nil for another script.
  init?(_ script: String) {
    guard let start = Self.calls(of: "pLPCommand", in: script).first?.elements,
      start.first == "start"
    else { return nil }
    (id, password) = (start[1].string ?? "", start[2].string ?? "")
    messages = Self.messages(in: script)
  }

  /// What came with the answers so far.
  private(set) var messages: [JSON] = []

  /// The address of the next request, with messages for the server.
  mutating func url(_ messages: String..., size: Int = 1840) -> String {
    url(messages, size: size)
  }

  mutating func url(_ messages: [String], size: Int = 1840) -> String {
    serial += 1
    var url = "/.lp?id=\(id)&pw=\(password)&ser=\(serial)"
    var index = 0
    for message in messages {
      let text = Array(Self.base64(message))
      let parts = stride(from: 0, to: text.count, by: size).map {
        String(text[$0..<min(text.count, $0 + size)])
      }
      for part in parts {
        url += "&seg\(index)=\(segment)&ts\(index)=\(parts.count)&d\(index)=\(part)"
        (segment, index) = (segment + 1, index + 1)
      }
    }
    return url
  }

  mutating func take(_ response: HTTPResponse?) {
    messages += Self.messages(in: response?.text ?? "")
  }

  /// The arguments of the calls of a function in a script, in order.
  static func calls(of function: String, in script: String) -> [JSON] {
    script.split(separator: "\n").compactMap { line in
      guard line.hasPrefix(function + "("), line.hasSuffix(");") else { return nil }
      return try? JSON(parsing: "[\(line.dropFirst(function.count + 1).dropLast(2))]")
    }
  }

  static func messages(in script: String) -> [JSON] {
    calls(of: "pRTLPCB", in: script).flatMap { $0.elements?[1].elements ?? [] }
  }

  /// Base64 for addresses, with dots at the end.
  static func base64(_ text: String) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    var result = ""
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start..<min(bytes.count, start + 3)]
      let bits = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
      for place in 0..<4 {
        result.append(place > part.count ? "." : letters[bits >> (18 - 6 * place) & 63])
      }
    }
    return result
  }
}
