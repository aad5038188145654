internal import ClientInterface
internal import Document
internal import ReferenceServer
internal import Tree
internal import Wire

// Requests of HTTP: where they lead, and writing.

extension LiveServer {
  /// Answers a request that is no WebSocket, now or later.
  public mutating func handle(_ request: HTTPRequest, from socket: Socket) {
    if request.path == "/.ws/" || request.path == "/.ws" {
      if request.argument("transport") == "polling", request.argument("EIO") != nil {
        return poll(request, from: socket)
      }
      return effects.append(
        .respond(socket, .error(400, "\(request.path) is for WebSockets and engine.io").open))
    }
    if request.path == "/.lp" { return longPoll(request, from: socket) }
    if settings.isRelay { return relay(request, from: socket) }
    if wantsStream(request) { return beginStream(request, on: socket) }
    if deferReading(request, socket) { return }
    respond(to: request, with: nil, on: socket)
  }

  /// Answers a request whose body may have been read already.
  mutating func respond(
    to request: HTTPRequest, with body: Result<RESTBody, Refused>?, on socket: Socket
  ) {
    let answer = answer(request, body)
    if deferWriting(answer, socket) { return }
    effects.append(.respond(socket, answer.response().open))
  }

  private mutating func answer(
    _ request: HTTPRequest, _ body: Result<RESTBody, Refused>?
  ) -> RESTAnswer {
    if request.method == "OPTIONS" { return RESTAnswer(.response(Self.permissions), to: request) }
    do throws(Refused) {
      if request.path == Self.rulesPath {
        let response = try settings(for: request)
        return RESTAnswer(.response(response), to: request)
      }
      let path = try self.path(of: request)
      let content: RESTAnswer.Content =
        switch request.effectiveMethod {
        case "GET", "HEAD": try read(request, path)
        case "PUT": try put(request, body, path)
        case "POST": try push(request, body, path)
        case "PATCH": try merge(request, body, path)
        case "DELETE": try write(.empty, request, path)
        default: throw Refused(405, "the method \(request.effectiveMethod) means nothing here")
        }
      return RESTAnswer(content, to: request)
    } catch {
      return RESTAnswer(.response(error.response), to: request)
    }
  }

  private static var permissions: HTTPResponse {
    HTTPResponse(
      204,
      [
        .init("Access-Control-Allow-Methods", "GET, PUT, POST, DELETE, PATCH, OPTIONS"),
        .init(
          "Access-Control-Allow-Headers",
          "authorization, content-type, if-match, if-none-match, x-firebase-etag,"
            + " x-http-method-override"),
      ])
  }

  /// The location that a request is about.
  static func path(of text: String) throws(Refused) -> Path {
    guard text.hasSuffix(".json") else {
      throw Refused(404, "there is nothing here; data are at paths that end in .json")
    }
    let path = Path(String(text.dropLast(".json".count)))
    if let problem = path.storageProblem { throw Refused(400, "Invalid path: \(problem)") }
    return path
  }

  mutating func path(of request: HTTPRequest) throws(Refused) -> Path {
    let path = try Self.path(of: request.path)
    guard hasNamespace(request.namespace) else {
      throw Refused(Self.noNamespace(request.namespace))
    }
    return path
  }
}

extension LiveServer {
  private mutating func put(
    _ request: HTTPRequest, _ body: Result<RESTBody, Refused>?, _ path: Path
  ) throws(Refused) -> RESTAnswer.Content {
    let body = body ?? read(request)
    let node =
      try settings.defect == .acceptsBodiesThatAreNone
      ? (try? body.get().node) ?? .empty : body.get().node
    return try write(node, request, path)
  }

  private func read(_ request: HTTPRequest) -> Result<RESTBody, Refused> {
    RESTBody.read(request, upTo: settings.bounds.message, longestText: settings.bounds.text)
  }

  private mutating func write(
    _ node: Node, _ request: HTTPRequest, _ path: Path
  ) throws(Refused) -> RESTAnswer.Content {
    if let problem = problem(of: .put(path, node)) {
      throw Refused(400, "Invalid data: \(problem)")
    }
    try request.parameters.checkWriteSize()
    let condition = settings.defect == .ignoresConditionsOfREST ? nil : request.headers["if-match"]
    let hash = condition.map { $0 == RESTAnswer.tagOfNothing ? "" : $0 }
    let response = try perform(.put(path, node, hash: hash), request)
    let stored = namespaces[request.namespace]?.tree[path] ?? .empty
    return response.status == "datastale" ? .stale(stored) : .written(stored)
  }

  private mutating func push(
    _ request: HTTPRequest, _ body: Result<RESTBody, Refused>?, _ path: Path
  ) throws(Refused) -> RESTAnswer.Content {
    if request.headers["if-match"] != nil {
      throw Refused(400, "If-Match is not supported for POST")
    }
    try request.parameters.checkWriteSize()
    let node = try (body ?? read(request)).get().node
    let name = pushes.next(at: time, &random)
    let child = path.appending(Key(name))
    if let problem = problem(of: .put(child, node)) {
      throw Refused(400, "Invalid data: \(problem)")
    }
    _ = try perform(.put(child, node, hash: nil), request)
    return .json(["name": .string(name)])
  }

  private mutating func merge(
    _ request: HTTPRequest, _ body: Result<RESTBody, Refused>?, _ path: Path
  ) throws(Refused) -> RESTAnswer.Content {
    if request.headers["if-match"] != nil {
      throw Refused(400, "If-Match is not supported for PATCH")
    }
    try request.parameters.checkWriteSize()
    let written = try (body ?? read(request)).get()
    guard let assignments = written.assignments else {
      throw Refused(400, "Invalid data; a PATCH takes a JSON object")
    }
    if let problem = problem(of: .merge(path, assignments)) {
      throw Refused(400, "Invalid data: \(problem)")
    }
    _ = try perform(.merge(path, assignments, hash: nil), request)
    return .json(written.json)
  }

  /// Lets the server answer one request of the protocol, on a connection that lasts no longer.
  mutating func perform(
    _ content: Request, _ request: HTTPRequest
  ) throws(Refused) -> ServerMessage.Response {
    if let reason = storageRefusal(of: content, in: request.namespace) {
      throw Refused(413, reason)
    }
    lastNumber += 1
    let id = ReferenceServer.ConnectionID(lastNumber)
    let identity = try RequestIdentity(
      of: request, administrator: LiveServerSettings.administrator)
    var out: [ReferenceServer.Outgoing] = []
    func answer(to number: Int) -> ServerMessage.Response? { Self.answer(to: number, in: out, id) }
    let time = time
    setValid(identity, true, in: request.namespace)
    withServer(of: request.namespace, isAdministrator: identity.isAdministrator) { server in
      server.open(id, at: time, into: &out)
      if let token = identity.token {
        let credential = Request.Credential(token)
        server.receive(.request(0, .authenticate(credential)), from: id, at: time, into: &out)
      }
      // A request with an invalid token is refused, also for what needs no token.
      if answer(to: 0)?.status ?? "ok" == "ok" {
        server.receive(.request(1, content), from: id, at: time, into: &out)
      }
      server.close(id, at: time, into: &out)
    }
    setValid(identity, false, in: request.namespace)
    sendAnswers(to: .request(1, content), in: out, of: id)
    if let answer = answer(to: 0), answer.status != "ok" {
      throw Refused(401, answer.payload.string ?? answer.status)
    }
    let response = answer(to: 1)
    if response?.status == "ok" { recordWrite(content, in: request.namespace, id) }
    transmit(out.filter { $0.connection != id })
    guard let response else { throw Refused(500, "the server did not answer") }
    guard response.status == "ok" || response.status == "datastale" else {
      throw Refused(Self.code(of: response), response.payload.string ?? response.status)
    }
    return response
  }

  /// The status of HTTP for what the server refuses.
  private static func code(of response: ServerMessage.Response) -> Int {
    response.status == ReferenceServer.unavailable ? 503 : 401
  }

  /// Makes the token of a request valid while the request is answered, or invalid again.
  mutating func setValid(_ identity: RequestIdentity, _ isValid: Bool, in namespace: String) {
    guard let user = identity.user, let token = identity.token else { return }
    namespaces[namespace]?.tokens[token] = isValid ? TokenClaims(user: user) : nil
  }

  private static func answer(
    to number: Int, in out: [ReferenceServer.Outgoing], _ id: ReferenceServer.ConnectionID
  ) -> ServerMessage.Response? {
    for case let .response(answer) in out.filter({ $0.connection == id }).map(\.message)
    where answer.request == number {
      return answer
    }
    return nil
  }
}

extension HTTPResponse {
  /// The answer as pages of every origin may read it.
  public var open: HTTPResponse {
    var response = self
    if header("Access-Control-Allow-Origin") == nil {
      response.headers += [
        .init("Access-Control-Allow-Origin", "*"),
        .init("Access-Control-Expose-Headers", "ETag"), .init("Cache-Control", "no-cache"),
      ]
    }
    return response
  }
}

// Reading by REST.

extension LiveServer {
  mutating func read(_ request: HTTPRequest, _ path: Path) throws(Refused) -> RESTAnswer.Content {
    let parameters = request.parameters
    let query = settings.defect == .ignoresQueriesOfREST ? nil : try parameters.query()
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
  static let openRules: JSON = ["rules": [".read": true, ".write": true]]

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
