internal import Tree
internal import Wire

// Whether the database can have what a request names and stores.

extension WireMonitor {
  /// Whether what is only advisable is reported.
  enum Advice {
    case wanted, unwanted
  }

  /// What is wrong with what a message names and stores; advice where it is wanted.
  ///
  /// - Complexity: O(*n*) in what is written.
  static func judgePaths(of message: ClientMessage, _ advice: Advice) -> [WireFinding] {
    guard case let .request(number, request) = message else { return [] }
    var findings: [WireFinding] = []
    switch request {
    case let .put(path, node, _), let .onDisconnectPut(path, node):
      findings.add(problems(of: node, at: path, number))
    case let .merge(path, assignments, _), let .onDisconnectMerge(path, assignments):
      for assignment in assignments {
        findings.add(problems(of: assignment.node, at: path.appending(assignment.path), number))
      }
    case let .listen(listen): findings.add(problems(of: listen.path, number))
    case let .unlisten(path, _, _), let .onDisconnectCancel(path), let .get(path, _):
      findings.add(problems(of: path, number))
    case .stats, .authenticate, .unauthenticate: break
    }
    guard advice == .wanted else { return findings }
    switch request {
    case let .listen(listen): findings.add(problems(ofHash: listen.hash, number))
    case let .put(_, _, hash?), let .merge(_, _, hash?):
      findings.add(problems(ofHash: hash, number))
    default: break
    }
    return findings
  }

  /// What is wrong with a location; the last key may be that of a priority.
  private static func problems(of path: Path, _ number: Int) -> [WireFinding] {
    let owner = path.key == .priority ? path.parent ?? path : path
    if owner.keys.first == .info {
      return [
        WireFinding(
          .path, rule: "CON-2",
          "request \(number) is about \(path); what is below .info is the client's own and never "
            + "sent")
      ]
    }
    guard let problem = owner.problem else { return [] }
    return [
      WireFinding(.path, rule: problem.rule, "request \(number) is about \(path): \(problem)")
    ]
  }

  private static func problems(of node: Node, at path: Path, _ number: Int) -> [WireFinding] {
    let findings = problems(of: path, number)
    if !findings.isEmpty { return findings }
    if path.key == .priority {
      if node.isEmpty || node.scalar?.isPriority == true { return [] }
      return [
        WireFinding(
          .value, rule: "PRI-4",
          "request \(number) writes \(MessageShape.quoted(node.description)) at \(path); a priority "
            + "is a number, a string, a server timestamp, or null")
      ]
    }
    guard let problem = NodeProblem.first(in: node, at: path) else { return [] }
    return [WireFinding(.value, rule: problem.rule, "request \(number) writes \(path): \(problem)")]
  }

  private static func problems(ofHash hash: String, _ number: Int) -> [WireFinding] {
    if hash.isEmpty { return [] }
    let bytes = Array(hash.utf8)
    if bytes.count == 28, bytes[27] == UInt8(ascii: "="), bytes[..<27].allSatisfy(\.isBase64) {
      return []
    }
    return [
      WireFinding(
        .hash,
        "request \(number) has the hash \"\(MessageShape.quoted(hash))\"; expected the SHA-1 of the "
          + "data as 28 characters of base64, or \"\" for nothing")
    ]
  }
}

extension UInt8 {
  fileprivate var isBase64: Bool {
    switch self {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
      true
    default: false
    }
  }
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
