internal import Tree
internal import Wire

extension WireMonitor {
  /// Whether what is only advisable is reported.
  enum Advice {
    case wanted, unwanted
  }

  /// What is wrong with what a request names and stores, with advice where it is wanted.
  ///
  /// - Complexity: O(*n*) in what is written.
  static func judgePaths(
    of request: Request, _ number: Int, _ advice: Advice
  ) -> [WireFinding] {
    var paths = RequestPaths(number: number)
    switch request {
    case let .put(path, node, _), let .onDisconnectPut(path, node): paths.judge(node, at: path)
    case let .merge(path, assignments, _), let .onDisconnectMerge(path, assignments):
      for assignment in assignments {
        paths.judge(assignment.node, at: path.appending(assignment.path))
      }
    case .listen, .unlisten, .onDisconnectCancel, .get, .stats, .authenticate, .unauthenticate:
      if let path = request.path { paths.judge(path) }
    }
    guard advice == .wanted else { return paths.findings }
    switch request {
    case let .listen(listen): paths.judge(hash: listen.hash)
    case let .put(_, _, hash?), let .merge(_, _, hash?): paths.judge(hash: hash)
    default: break
    }
    return paths.findings
  }
}

/// Judges whether the database can have what one request names and stores.
private struct RequestPaths {
  let number: Int
  var findings: [WireFinding] = []

  /// Judges a location; the last key may be that of a priority.
  mutating func judge(_ path: Path) {
    let owner = path.key == .priority ? path.parent ?? path : path
    if owner.keys.first == .info {
      findings.add(
        .path, rule: "CON-2",
        "request \(number) is about \(path); what is below .info is the client's own and never "
          + "sent")
    } else if let problem = owner.problem {
      findings.add(.path, rule: problem.rule, "request \(number) is about \(path): \(problem)")
    }
  }

  mutating func judge(_ node: Node, at path: Path) {
    let count = findings.count
    judge(path)
    if findings.count > count { return }
    if path.key == .priority {
      if node.isEmpty || node.scalar?.isPriority == true { return }
      findings.add(
        .value, rule: "PRI-4",
        "request \(number) writes \(MessageShape.quoted(node.description)) at \(path); a priority "
          + "is a number, a string, a server timestamp, or null")
    } else if let problem = NodeProblem.first(in: node, at: path) {
      findings.add(.value, rule: problem.rule, "request \(number) writes \(path): \(problem)")
    }
  }

  mutating func judge(hash: String) {
    if hash.isEmpty { return }
    let bytes = hash.utf8
    if bytes.count == 28, bytes.last == UInt8(ascii: "="),
      bytes.dropLast().allSatisfy(Self.base64.contains)
    {
      return
    }
    findings.add(
      .hash,
      "request \(number) has the hash \"\(MessageShape.quoted(hash))\"; expected the SHA-1 of the "
        + "data as 28 characters of base64, or \"\" for nothing")
  }

  private static let base64 = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}

extension PathProblem {
  /// The rule that states it.
  fileprivate var rule: String {
    switch self {
    case .key: "KEY-1"
    case .tooDeep, .tooLong: "KEY-6"
    }
  }
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
