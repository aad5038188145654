internal import Faults
internal import Tree
internal import Wire

/// Who was allowed what in a session, and what rules that speaks for.
struct Permissions {
  private struct Permission: Hashable {
    let access: SecurityRule.Access
    let path: Path
    let user: String?
    let index: Int
  }

  private var granted: [Permission] = []
  /// Who was signed in when a message was sent, by the event of the session.
  private var users: [Int: String] = [:]

  init(_ timeline: Timeline) {
    var signedIn: [Int: String] = [:]
    for (index, sent) in timeline.sent.enumerated() {
      guard let request = sent.request, let answer = sent.answer,
        case let .response(response) = timeline.received[answer].message
      else { continue }
      users[sent.event] = signedIn[sent.connection]
      switch request {
      case .authenticate:
        signedIn[sent.connection] =
          response.status == "ok" ? response.payload["auth"]?["uid"]?.string ?? "user" : nil
      case .unauthenticate: signedIn[sent.connection] = nil
      default:
        guard response.status == "ok", let path = request.path, let access = request.access else {
          continue
        }
        granted.append(
          Permission(access: access, path: path, user: signedIn[sent.connection], index: index))
      }
    }
  }

  /// Whom a rule spares by which a request was refused; `nil` when the rule cannot have held from
  /// the beginning, because the same user was allowed the same at another time.
  func exemption(
    from path: Path, _ access: SecurityRule.Access, _ sent: Timeline.Sent
  ) -> SecurityRule.Exemption? {
    let user = users[sent.event]
    let others = granted.filter { $0.access == access && $0.path.starts(with: path) }
    if others.isEmpty { return .noUser }
    let names = Set(others.map(\.user))
    if names.contains(nil) || names.contains(user) { return nil }
    if names.count == 1, case let name?? = names.first { return .user(name) }
    return user == nil ? .authenticated : nil
  }
}
