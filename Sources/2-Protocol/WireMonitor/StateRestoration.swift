internal import RunModel
internal import Wire

/// What a client sends in one go after the hello: what the last connection left (CON-7).
struct StateRestoration: Hashable, Sendable {
  enum Stage: Int, Comparable, Sendable {
    case first
    case listens
    case writes
    case onDisconnects

    static func < (a: Stage, b: Stage) -> Bool { a.rawValue < b.rawValue }

    var name: String {
      switch self {
      case .first: "statistics and credentials"
      case .listens: "listens"
      case .writes: "writes"
      case .onDisconnects: "on-disconnect requests"
      }
    }
  }

  var stage = Stage.first
}

extension WireMonitor {
  /// Judges where a request stands among the first ones of a connection.
  mutating func judgeOrder(_ number: Int, _ request: Request) -> [WireFinding] {
    var findings: [WireFinding] = []
    if case .stats = request, wire.requests.hasAny {
      findings.append(
        WireFinding(
          .statsFirst,
          "request \(number) has statistics, but is not the first of the connection; they are sent "
            + "first, or not at all"))
    }
    guard let stage = request.stage, let now = restoring?.stage else { return findings }
    if stage >= now {
      restoring?.stage = stage
      return findings
    }
    switch request {
    case .stats: break
    case .authenticate:
      findings.append(
        WireFinding(
          .credentialFirst,
          "request \(number) restores the credential after \(now.name); what is judged by it comes "
            + "after it"))
    default:
      findings.append(
        WireFinding(
          .restoringOrder,
          "request \(number), \(Requests.Subject.request(request)), restores \(stage.name) after "
            + "\(now.name); listens come first, then writes, then on-disconnect requests"))
    }
    return findings
  }
}

extension Request {
  /// Where it stands when everything is restored; `nil` for what has no place there.
  fileprivate var stage: StateRestoration.Stage? {
    switch self {
    case .stats, .authenticate: .first
    case .listen: .listens
    case .put, .merge: .writes
    case .onDisconnectPut, .onDisconnectMerge, .onDisconnectCancel: .onDisconnects
    case .unlisten, .get, .unauthenticate: nil
    }
  }
}
