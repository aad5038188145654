internal import Tree
internal import Wire

// What the server does not do although the protocol has words for it.

extension LiveServer {
  /// Whether it is still to be found out that the paths and data of a request can be stored.
  enum DataCheck {
    case due, passed
  }

  /// Why a request is not done; `nil` when it is.
  func refusal(of request: Request, _ check: DataCheck, by number: Int) -> String? {
    guard let link = links[number] else { return nil }
    switch request {
    case .listen where link.listens >= settings.bounds.listens:
      return "a connection has at most \(settings.bounds.listens) listens"
    case .onDisconnectPut, .onDisconnectMerge:
      if link.onDisconnects >= settings.bounds.onDisconnects {
        return "a connection leaves at most \(settings.bounds.onDisconnects) writes for its end"
      }
    default: break
    }
    switch request {
    case let .merge(path, assignments, _), let .onDisconnectMerge(path, assignments):
      return Self.problem(of: assignments, check, at: path)
    case _ where check == .passed: return nil
    case let .put(path, node, _), let .onDisconnectPut(path, node):
      return Self.problem(of: node, at: path)
    case let .listen(listen): return Self.problem(of: listen.path)
    case let .get(path, _): return Self.problem(of: path)
    default: return nil
    }
  }

  /// Remembers what a request uses.
  mutating func note(_ request: Request, _ number: Int) {
    switch request {
    case .listen: links[number]?.listens += 1
    case .unlisten:
      if let count = links[number]?.listens { links[number]?.listens = max(0, count - 1) }
    case .onDisconnectPut, .onDisconnectMerge: links[number]?.onDisconnects += 1
    case .onDisconnectCancel(.root): links[number]?.onDisconnects = 0
    case let .authenticate(credential):
      links[number]?.isAdministrator = credential.token == LiveServerSettings.administrator
    case .unauthenticate: links[number]?.isAdministrator = false
    default: break
    }
  }

  /// What is wrong with a location; the last key may be that of a priority.
  static func problem(of path: Path) -> String? {
    let location = path.key == .priority ? path.parent ?? path : path
    if location.keys.first == .info { return "\(path) is of the client and never sent" }
    return location.problem?.description
  }

  static func problem(of node: Node, at path: Path) -> String? {
    if let problem = problem(of: path) { return problem }
    if path.key == .priority {
      guard node.isEmpty || node.scalar?.isPriority == true else {
        return "the priority at \(path) is no number and no string"
      }
    }
    return NodeProblem.first(in: node, at: path)?.description
  }

  static func problem(
    of assignments: [Assignment], _ check: DataCheck = .due, at path: Path
  ) -> String? {
    for assignment in assignments where check == .due {
      let location = path.appending(assignment.path)
      if let problem = problem(of: assignment.node, at: location) { return problem }
    }
    let paths = assignments.map(\.path).sorted()
    for (first, second) in zip(paths, paths.dropFirst()) where second.starts(with: first) {
      return "\(first) and \(second) are written in one update, and one is inside the other"
    }
    return nil
  }
}
