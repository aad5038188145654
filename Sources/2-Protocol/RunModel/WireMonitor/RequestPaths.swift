internal import Tree
internal import Wire

// Whether the database can have what a request names and stores.

extension WireMonitor {
  /// What is wrong with what a request names and stores.
  ///
  /// - Complexity: O(*n*) in what is written.
  static func judgePaths(of request: Request, _ number: Int) -> [WireFinding] {
    var findings: [WireFinding] = []
    switch request {
    case let .put(path, node, _), let .onDisconnectPut(path, node):
      findings.judge(node, at: path, number)
    case let .merge(path, assignments, _), let .onDisconnectMerge(path, assignments):
      for assignment in assignments {
        findings.judge(assignment.node, at: path.appending(assignment.path), number)
      }
    case .listen, .unlisten, .onDisconnectCancel, .get, .stats, .authenticate, .unauthenticate:
      if let path = request.path { findings.judge(path, number) }
    }
    return findings
  }

  /// What is only advisable about the hash that a request has.
  static func judgeHash(of request: Request, _ number: Int) -> [WireFinding] {
    let hash: String
    switch request {
    case let .listen(listen): hash = listen.hash
    case let .put(_, _, condition?), let .merge(_, _, condition?): hash = condition
    default: return []
    }
    let digits = hash.utf8.dropLast()
    let isHash =
      hash.isEmpty
      || digits.count == 27 && hash.utf8.last == UInt8(ascii: "=")
        && digits.allSatisfy(base64.contains)
    if isHash { return [] }
    return .one(
      .hash,
      "request \(number) has the hash \"\(MessageShape.quoted(hash))\"; expected the SHA-1 of the "
        + "data as 28 characters of base64, or \"\" for nothing")
  }
}

private let base64 = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

extension [WireFinding] {
  /// Judges a location; the last key may be that of a priority.
  fileprivate mutating func judge(_ path: Path, _ number: Int) {
    if path.keys.first == .info {
      add(
        .path, rule: "CON-2",
        "request \(number) is about \(path); what is below .info is the client's own and never sent"
      )
    } else if let problem = path.key?.isPriority == true ? path.parent?.problem : path.problem {
      add(.path, rule: problem.rule, "request \(number) is about \(path): \(problem)")
    }
  }

  fileprivate mutating func judge(_ node: Node, at path: Path, _ number: Int) {
    let before = count
    judge(path, number)
    if count > before { return }
    if path.key?.isPriority == true {
      if node.isEmpty || node.scalar?.isPriority == true { return }
      add(
        .value, rule: "PRI-4",
        "request \(number) writes \(MessageShape.quoted(node.description)) at \(path); a priority "
          + "is a number, a string, a server value, or null")
    } else if let problem = NodeProblem.first(in: node, at: path) {
      add(.value, rule: problem.rule, "request \(number) writes \(path): \(problem)")
    }
  }
}

extension PathProblem {
  /// The rule that states it.
  fileprivate var rule: String { if case .key = self { "KEY-1" } else { "KEY-6" } }
}

extension NodeProblem {
  /// The rule that states it.
  fileprivate var rule: String {
    switch self {
    case .key: "KEY-1"
    case let .path(problem): problem.rule
    case .priority: "PRI-4"
    case .number: "ERR-3"
    }
  }
}
