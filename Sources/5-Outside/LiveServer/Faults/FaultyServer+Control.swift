internal import ClientInterface
public import HTTP
internal import Tree

// What the operator of the server can look at and change while it runs.

extension FaultyServer {
  /// Answers a request that came by the port for control.
  public mutating func control(_ request: HTTPRequest) -> HTTPResponse {
    switch (request.method, request.path) {
    case ("GET", "/faults"): return HTTPResponse(200, json: fates)
    case ("POST", "/faults"): return addFaults(request)
    case ("DELETE", "/faults"):
      rules = []
      disarm()
      return HTTPResponse(200, json: fates)
    case ("DELETE", let path) where path.hasPrefix("/faults/"):
      return withdraw(String(path.dropFirst("/faults/".count)))
    case ("POST", "/heal"):
      healAll()
      return HTTPResponse(200, json: fates)
    case ("POST", "/cut"):
      return HTTPResponse(200, json: ["cut": .number(Double(cutAll()))])
    default:
      return .error(
        404,
        "expected GET /connections or /traffic; GET, POST or DELETE /faults; DELETE /faults/NUMBER;"
          + " POST /heal or POST /cut, not \(request.method) \(request.path)")
    }
  }
}
