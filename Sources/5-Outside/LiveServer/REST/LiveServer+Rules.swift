internal import ClientInterface
internal import Document
import HTTP
internal import ReferenceServer
internal import SecurityRules
internal import Tree

// The rules of a namespace, by REST.

extension LiveServer {
  /// Where the rules are.
  static let rulesPath = "/.settings/rules.json"

  /// Reads or replaces the rules of a namespace. Listens that new rules do not allow end (SEC-8).
  ///
  /// - Throws: `Refused` for everyone but the administrator, and with everything that is wrong in
  ///   new rules.
  mutating func settings(for request: HTTPRequest) throws(Refused) -> HTTPResponse {
    guard hasNamespace(request.namespace) else {
      throw Refused(Self.noNamespace(request.namespace))
    }
    guard
      try RequestIdentity(
        of: request, administrator: LiveServerSettings.administrator
      ).isAdministrator
    else {
      throw Refused(401, "Permission denied: the rules are for the administrator")
    }
    switch request.effectiveMethod {
    case "GET", "HEAD":
      let json = namespaces[request.namespace]?.rules?.json ?? Self.openRules
      return HTTPResponse(200, text: json.prettyText + "\n", type: HTTPResponse.json)
    case "PUT":
      let (rules, problems) = SecurityRules.read(request.body)
      guard let rules else {
        throw Refused(400, problems.map { "rules.json:\($0)" }.joined(separator: "\n"))
      }
      replaceRules(of: request.namespace, with: rules)
      return HTTPResponse(200, json: ["status": "ok"])
    default: throw Refused(405, "rules are read with GET and replaced with PUT")
    }
  }

  private mutating func replaceRules(of namespace: String, with rules: SecurityRules) {
    let administrators = links.values.filter(\.isAdministrator).map(\.id)
    let time = time
    var out: [ReferenceServer.Outgoing] = []
    namespaces[namespace]?.replaceRules(
      with: rules, administrators: Set(administrators), at: time, into: &out)
    transmit(out)
  }

  /// What a namespace without rules behaves like.
  private static let openRules: JSON = ["rules": [".read": true, ".write": true]]

  /// Refuses a query that needs an index that the rules do not state (SEC-6).
  func checkIndex(of path: Path, _ query: Query?, in namespace: String) throws(Refused) {
    guard let query, namespaces[namespace]?.lacksIndex(path, query) == true else { return }
    let name =
      if case let .child(child) = query.ordering { child.relativeText } else { ".value" }
    throw Refused(
      400,
      "Index not defined, add \".indexOn\": \"\(name)\", for path \"\(path)\", to the rules")
  }
}
