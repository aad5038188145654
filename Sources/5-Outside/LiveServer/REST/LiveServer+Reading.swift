internal import ClientInterface
import HTTP
internal import Tree
internal import Wire

// Reading by REST.

extension LiveServer {
  mutating func read(
    _ request: HTTPRequest, _ path: Path
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
    let response = try perform(.get(path, query ?? .all), request)
    return .found(response.payload)
  }
}
