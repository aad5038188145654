internal import ClientInterface
import HTTP
internal import Tree
internal import Wire

// Reading by REST.

extension LiveServer {
  mutating func read(
    _ request: HTTPRequest, _ path: Path, at now: Instant
  ) throws(Refused) -> RESTAnswer.Content {
    let parameters = request.parameters
    let query = try parameters.query()
    try parameters.checkTimeout()
    try checkIndex(of: path, query, in: request.namespace)
    let isShallow = parameters.isShallow
    let wantsTag = request.headers["x-firebase-etag"]?.lowercased() == "true"
    if isShallow, query != nil {
      throw Refused(400, "Mixing 'shallow' and querying parameters is not supported")
    }
    if wantsTag, isShallow || query != nil {
      throw Refused(400, "ETags are not supported for shallow reads and for queries")
    }
    // Reading notifies no client.
    var none: [Effect] = []
    let response = try perform(.get(path, query ?? .all), request, at: now, into: &none)
    return .found(response.payload)
  }
}
