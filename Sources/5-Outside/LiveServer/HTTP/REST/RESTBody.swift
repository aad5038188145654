internal import Document
package import Tree
package import Wire

/// What a request of REST writes, as far as it is read without the server.
package struct RESTBody: Sendable {
  /// What is there; null but for a PATCH, whose answer it is.
  package let json: JSON
  /// What a PUT or a POST writes; empty for a PATCH.
  package let node: Node
  /// What a PATCH writes; nil where it is none, or where the body is no JSON object.
  package let assignments: [Assignment]?

  /// Reads the body of a request.
  ///
  /// - Parameters:
  ///   - request: What came.
  ///   - limit: How many bytes it may have.
  ///   - longestText: How many bytes of UTF-8 a string in it may have.
  /// - Returns: A refusal for what is no JSON, and for data that would be lost.
  /// - Complexity: O(*n*) in the length of the body.
  package static func read(
    _ request: HTTPRequest, upTo limit: Int, longestText: Int
  ) -> Result<RESTBody, Refused> {
    let json: JSON
    do {
      json = try JSON(parsing: request.body, upTo: limit)
    } catch {
      return .failure(Refused(400, "Invalid data; couldn't parse JSON object: \(error)"))
    }
    if let problem = json.problem(longestText: longestText) {
      return .failure(Refused(400, "Invalid data; \(problem)"))
    }
    let isMerge = request.effectiveMethod == "PATCH"
    return .success(
      RESTBody(
        json: isMerge ? json : .null, node: isMerge ? .empty : Node(json: json),
        assignments: isMerge ? [Assignment](json: json) : nil))
  }
}
