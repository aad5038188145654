internal import Tree
internal import Wire

extension Fingerprint {
  mutating func combine(_ message: ClientMessage) {
    switch message {
    case .ping: combine(1)
    case let .request(number, request):
      combine(2, number)
      combine(request)
    }
  }

  private mutating func combine(_ request: Request) {
    switch request {
    case let .listen(listen):
      combine(1)
      combine(listen.path)
      combine(listen.query)
      combine(listen.tag)
      combine(listen.hash)
    case let .unlisten(path, query, tag):
      combine(2, path)
      combine(query)
      combine(tag)
    case let .put(path, node, hash):
      combine(3, path, node)
      combine(hash)
    case let .merge(path, assignments, hash):
      combine(4, path, assignments)
      combine(hash)
    case let .onDisconnectPut(path, node):
      combine(5, path, node)
    case let .onDisconnectMerge(path, assignments):
      combine(6, path, assignments)
    case let .onDisconnectCancel(path):
      combine(7, path)
    case let .get(path, query):
      combine(8, path)
      combine(query)
    case let .stats(counters):
      combine(9)
      for counter in counters {
        combine(counter.name)
        combine(counter.value)
      }
    case let .authenticate(credential):
      combine(credential.kind == .token ? 10 : 11)
      combine(credential.token)
    case .unauthenticate: combine(12)
    }
  }

  mutating func combine(_ message: ServerMessage) {
    switch message {
    case let .hello(hello):
      combine(1)
      combine(hello.timestamp)
      combine(hello.version)
      combine(hello.host)
      combine(hello.session)
    case let .response(response):
      combine(2, response.request)
      combine(response.status)
      combine(response.payload)
    case let .put(path, node, tag):
      combine(3, path, node)
      combine(tag)
    case let .merge(path, assignments, tag):
      combine(4, path, assignments)
      combine(tag)
    case let .revoked(path, queries):
      combine(5, path)
      combine(queries?.count)
      for query in queries ?? [] { combine(query) }
    case let .credentialRevoked(status, reason):
      combine(6, status)
      combine(reason)
    case let .shutdown(reason):
      combine(7, reason)
    case let .reset(host):
      combine(8, host)
    case .pong: combine(9)
    case let .notice(text):
      combine(10, text)
    case let .other(json):
      combine(11)
      combine(json)
    }
  }
}
