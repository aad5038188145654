package import ClientInterface
package import Tree
package import Wire

/// Where a database is, as its URL has it: host, database, dialect, and whether the connection is
/// encrypted.
///
/// `https://app.wilddogio.com/a/b` is the location `/a/b` of the database `app`. A server with several
/// databases at one host is asked for one with `?ns=NAME`, as in `http://127.0.0.1:9000/a?ns=run`.
/// Hosts of the Firebase service, and addresses with `v=5`, speak that dialect, all others Wilddog's.
package struct DatabaseAddress: Hashable, Sendable {
  /// With the port, if one was given.
  package var host: String
  package var isEncrypted: Bool
  /// What the URL has behind the question mark; empty if nothing.
  private var parameters: String
  package let namespace: String
  /// What a connection is asked for with: the database, and what else the URL has.
  package let query: String
  package var dialect: Dialect

  /// Reads an address with the location that it names; `nil` for what is none.
  package static func parse(_ text: String) -> (DatabaseAddress, Path)? {
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var base = String(parts[0])
    for (socket, web) in [("ws://", "http://"), ("wss://", "https://")]
    where base.hasPrefix(socket) {
      base = web + base.dropFirst(socket.count)
    }
    guard let address = Address(base) else { return nil }
    let parameters = parts.count > 1 ? String(parts[1]) : ""
    let database = DatabaseAddress(
      address.host, isEncrypted: base.hasPrefix("https"), parameters)
    return database.endpoint.map { _ in (database, address.path) }
  }

  private init(_ host: String, isEncrypted: Bool, _ parameters: String) {
    self.host = host
    self.isEncrypted = isEncrypted
    self.parameters = parameters
    let pairs = parameters.split(separator: "&")
    let named = pairs.first { $0.hasPrefix("ns=") }?.dropFirst(3)
    namespace = String(named ?? host.prefix { $0 != "." && $0 != ":" })
    query =
      "ns=" + namespace
      + pairs.filter { !$0.hasPrefix("ns=") && $0 != "v=5" }.map { "&" + $0 }.joined()
    let isFirebase =
      pairs.contains("v=5") || host.hasSuffix(".firebaseio.com")
      || host.hasSuffix(".firebasedatabase.app")
    dialect = isFirebase ? .firebase : .wilddog
  }

  /// Another database of the same server.
  package func database(_ name: String) -> DatabaseAddress {
    let rest = parameters.split(separator: "&").filter { !$0.hasPrefix("ns=") }
    return DatabaseAddress(
      host, isEncrypted: isEncrypted, (["ns=" + name] + rest).joined(separator: "&"))
  }

  /// Whose behaviour an application has that was written by these documents.
  package func profile(in edition: Application.Edition) -> Profile {
    switch (dialect, edition) {
    case (.firebase, _): .firebase
    case (.wilddog, .first): .wilddog1
    case (.wilddog, .second): .wilddog2
    }
  }

  /// The name and the port to connect to; `nil` where what follows the name is no port.
  package var endpoint: (name: String, port: UInt16)? {
    let isBracketed = host.hasPrefix("[")
    let end = host.firstIndex(of: isBracketed ? "]" : ":")
    if isBracketed, end == nil { return nil }
    let name = String(host[..<(end ?? host.endIndex)].dropFirst(isBracketed ? 1 : 0))
    let rest = host[(end ?? host.endIndex)...].dropFirst(isBracketed ? 1 : 0)
    if rest.isEmpty { return (name, isEncrypted ? 443 : 80) }
    guard rest.first == ":", let port = UInt16(rest.dropFirst()), port > 0 else { return nil }
    return (name, port)
  }

  /// The absolute address of a location (REF-9).
  package func text(of path: Path) -> String {
    let text = Address(host: host, path: path).text
    return (isEncrypted ? text : "http" + text.dropFirst("https".count))
      + (parameters.isEmpty ? "" : "?" + parameters)
  }
}
