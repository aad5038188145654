/// Who may ask for the page and for control.
///
/// Data are open to every origin, as emulators have it. What concerns all clients, and what
/// disturbs them, is for the page of this server and for programs: no page of another origin, and
/// no other name that leads to this machine.
package enum OriginPolicy {
  /// The header in which the page shows the token that it was given.
  package static let header = HTTPRequest.tokenHeader

  /// Why a request is not answered; `nil` when it may be.
  package static func refusal(of request: HTTPRequest) -> HTTPResponse? {
    if let host = request.headers["host"], !isHere(host) {
      return .error(
        403, "\"\(host)\" is not a name of this machine; use localhost or 127.0.0.1")
    }
    if let origin = request.headers["origin"], !isOwn(origin, request) {
      return .error(403, "pages of another origin (\(origin)) may not do this")
    }
    if request.headers["origin"] == nil, let site = request.headers[Self.site],
      !["same-origin", "none"].contains(site)
    {
      return .error(403, "pages of another site may not do this (\(Self.site): \(site))")
    }
    return nil
  }

  /// The header by which browsers say whose page a request is from, also where they send no origin.
  private static let site = "sec-fetch-site"

  private static func isOwn(_ origin: String, _ request: HTTPRequest) -> Bool {
    origin.lowercased() == "http://\((request.headers["host"] ?? "").lowercased())"
  }

  /// Whether a host is named, with or without a port, that cannot be led elsewhere.
  package static func isHere(_ host: String) -> Bool {
    var name = Substring(host.lowercased())
    if name.last != "]", let colon = name.lastIndex(of: ":") {
      let port = name[colon...].dropFirst()
      guard port.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return false }
      name = name[..<colon]
    }
    return ["[::1]", "localhost", "127.0.0.1"].contains(name) || name.hasSuffix(".localhost")
  }
}
