internal import Document
package import Tree

/// An answer of HTTP.
public struct HTTPResponse: Hashable, Sendable {
  /// One header line of an answer.
  public struct Header: Hashable, Sendable {
    /// The name of the header, written as it is given.
    public var name: String
    /// The value of the header; `head` leaves out the control characters in it.
    public var value: String

    /// Takes both as they are; the name must not contain a line break.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The status code, such as 200.
  public var status: Int
  /// The headers in the order of writing, without `Content-Length` and `Connection`, which `head`
  /// adds.
  public var headers: [Header]
  /// The bytes of the body; empty for none.
  public var body: [UInt8]

  /// An answer with the given status code, without headers and body unless they are given.
  public init(_ status: Int, _ headers: [Header] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// An answer whose body is some text.
  public init(_ status: Int, text: String, type: String = "text/plain; charset=utf-8") {
    self.init(status, [Header("Content-Type", type)], body: Array(text.utf8))
  }

  package static let json = "application/json; charset=utf-8"

  /// An answer whose body is JSON.
  package init(_ status: Int, json: JSON) {
    self.init(status, text: json.text + "\n", type: Self.json)
  }

  /// The way in which the database reports that something is wrong.
  public static func error(_ status: Int, _ message: String) -> HTTPResponse {
    HTTPResponse(status, json: ["error": .string(message)])
  }

  /// What its body says; nil where that is no JSON.
  package var json: JSON? { try? JSON(parsing: body, upTo: body.count) }

  /// The value of a header, for those who look at answers.
  public func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The bytes before the body.
  ///
  /// - Parameters:
  ///   - isStream: The body has no length, and ends with the connection.
  ///   - isLast: The connection ends after this answer.
  /// - Returns: The head in bytes, with the empty line behind it.
  public func head(isStream: Bool = false, isLast: Bool = false) -> [UInt8] {
    var text = "HTTP/1.1 \(status) \(Self.phrase(of: status))\r\n"
    for header in headers {
      // A line break would let a value end the head.
      let value = header.value.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 }
      text += "\(header.name): \(String(String.UnicodeScalarView(value)))\r\n"
    }
    if isStream || isLast { text += "Connection: close\r\n" }
    if !isStream, status != 204, status != 304 {
      text += "Content-Length: \(body.count)\r\n"
    }
    return Array((text + "\r\n").utf8)
  }

  private static func phrase(of status: Int) -> String {
    switch status {
    case 200: "OK"
    case 204: "No Content"
    case 304: "Not Modified"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 411: "Length Required"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 417: "Expectation Failed"
    case 426: "Upgrade Required"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 505: "HTTP Version Not Supported"
    default: "Status \(status)"
    }
  }
}

/// An answer that ends the work on a request.
package struct Refused: Error {
  package let response: HTTPResponse

  package init(_ response: HTTPResponse) { self.response = response }
  package init(_ status: Int, _ message: String) { response = .error(status, message) }
}
