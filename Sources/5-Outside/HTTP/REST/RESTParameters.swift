package import Tree

/// The parameters of a request of REST, by what they mean; what is not here means nothing. Those of
/// queries are in RESTParameters+Query.
package struct RESTParameters {
  let request: HTTPRequest

  /// The names whose values are secret.
  package static let secrets = ["auth", "access_token"]

  /// What to sign in with.
  package var token: String? { request.argument("auth") ?? request.argument("access_token") }

  /// Whom the administrator wants to be taken for, in JSON.
  package var userOverride: String? { request.argument("auth_variable_override") }

  /// Whether only the names of children are wanted.
  package var isShallow: Bool { request.argument("shallow") == "true" }

  /// Whether data are written with their priorities.
  package var isExport: Bool { request.argument("format") == "export" }

  /// How data are written: for people, or with priorities.
  package func form(_ node: Node) -> JSON { node.json(isExport: isExport) }

  /// An answer that says `json`, as `print` wants it.
  package func response(_ json: JSON) -> HTTPResponse {
    switch request.argument("print") {
    case "silent" where request.argument("callback") == nil: HTTPResponse(204)
    case "pretty": HTTPResponse(200, text: json.prettyText + "\n", type: HTTPResponse.json)
    default: HTTPResponse(200, json: json)
    }
  }

  /// The answer as a script, or as a file to be kept, where that is asked for.
  package func wrapped(_ response: HTTPResponse) throws(Refused) -> HTTPResponse {
    var response = response
    if let name = request.argument("callback") {
      let allowed = name.utf8.allSatisfy {
        ($0 | 32) >= 97 && ($0 | 32) <= 122 || $0 >= 48 && $0 <= 57 || $0 == 36 || $0 == 46
          || $0 == 95
      }
      guard !name.isEmpty, allowed else { throw Refused(400, "callback is no name") }
      let body = Array("/**/\(name)(".utf8) + response.body.dropLast() + Array(");\n".utf8)
      let headers = response.headers.filter { $0.name != "Content-Type" }
      response = HTTPResponse(
        200, headers + [.init("Content-Type", "application/javascript; charset=utf-8")], body: body)
    }
    if let name = request.argument("download") {
      let safe = name.filter { $0 != "\"" && $0 != "\\" && $0 != "/" }
      response.headers.append(
        .init("Content-Disposition", "attachment; filename=\"\(safe.isEmpty ? "data" : safe)\""))
    }
    return response
  }
}

extension HTTPRequest {
  package var parameters: RESTParameters { RESTParameters(request: self) }
}
