internal import Tree

// Requests as a server elsewhere is sent them.

extension HTTPRequest {
  /// What is passed on of the headers, in the order of writing. Bodies are not packed, and answers need not be:
  /// they are packed for the client again.
  private static let passedOn = [
    "accept", "access-control-request-headers", "access-control-request-method", "authorization",
    "content-type", "if-match", "if-none-match", "origin", "x-firebase-etag",
    "x-http-method-override",
  ]

  /// What means nothing in the target of a request, besides letters and digits.
  private static let unreserved = "-._~"

  /// The request for a server elsewhere, below a location there.
  ///
  /// - Parameters:
  ///   - host: What the server is called, with its port.
  ///   - parameters: What names the database, `ns=NAME`; what the request says of that is left out.
  ///   - base: What comes before its path; empty for nothing.
  /// - Returns: The bytes. Of `HEAD`, which is answered here, a `GET`.
  package func bytes(to host: String, _ parameters: String, below base: String) -> [UInt8] {
    let own = arguments.filter { $0.name != "ns" && $0.name != "client" }
    let pairs = own.map { argument in
      [argument.name, argument.value].map { $0.percentEncoded(except: Self.unreserved) }
        .joined(separator: "=")
    }
    // The root of the data there is called as other locations are.
    let place = (base.isEmpty || path != "/.json" ? base + path : base + ".json").percentEncoded(
      except: Self.unreserved + "/")
    let target = place + "?" + ([parameters] + pairs).joined(separator: "&")
    var text = "\(method == "HEAD" ? "GET" : method) \(target) HTTP/1.1\r\nHost: \(host)\r\n"
    for name in Self.passedOn {
      if let value = headers[name] { text += "\(name): \(value)\r\n" }
    }
    if !["GET", "HEAD"].contains(method) { text += "Content-Length: \(body.count)\r\n" }
    return Array((text + "Connection: close\r\n\r\n").utf8) + body
  }
}
