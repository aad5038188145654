package import ClientInterface
import Document
import Faults
import LiveServer
import ReferenceServer
package import Scenario
package import Tree

/// What a run has a server under test know besides data: the rules of its database, and who signs in.
package struct ServerSetup {
  /// Rules of the database as `{"rules": …}`; nil for a run without rules.
  package let rules: JSON?
  /// What they deny.
  let denied: [SecurityRule]
  private let tokens: [String: Scenario.Token]
  /// Whether clients sign in.
  let signsIn: Bool

  package init(_ scenario: Scenario) {
    denied = scenario.security
    rules =
      scenario.hasRules ? scenario.databaseRules?.json ?? Self.rules(denying: denied) : nil
    tokens = scenario.tokens
    signsIn = scenario.capabilities.contains("auth")
  }

  /// The tokens of a run that begins now, by their names in the scenario: JSON Web Tokens without a signature,
  /// which servers for tests accept.
  package func tokens(at now: Instant) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: tokens.map {
        ($0, Self.token($0, $1.user, at: now, until: now + ($1.lifetime ?? .seconds(86_400))))
      })
  }

  static func token(_ name: String, _ user: String, at now: Instant, until end: Instant) -> String {
    let issued = (now.milliseconds / 1000).rounded(.down)
    let claims: JSON = [
      "iss": "https://securetoken.google.com/kennel", "aud": "kennel", "sub": .string(user),
      "user_id": .string(user), "auth_time": .number(issued), "iat": .number(issued),
      "exp": .number(end.milliseconds / 1000), "jti": .string(name),
      "firebase": ["sign_in_provider": "custom", "identities": .object([])],
    ]
    let header: JSON = ["alg": "none", "typ": "JWT"]
    return [header, claims].map { text in
      base64(Array(text.text.utf8)).replacing("+", with: "-").replacing("/", with: "_")
        .replacing("=", with: "") + "."
    }.joined()
  }
}

extension Scenario {
  /// Whether the server has rules, from the beginning or from a step on.
  package var hasRules: Bool {
    !security.isEmpty || databaseRules != nil || !revocations.isEmpty
  }

  /// What steps take away.
  private var revocations: [SecurityRule] {
    steps.flatMap(\.parts).compactMap { part in
      if case let .revoke(path)? = part.action.fault { .revocation(of: path) } else { nil }
    }
  }

  /// Why its rules cannot be those of a database, as a sentence without its full stop; nil when they can.
  ///
  /// Whoever may read or write a location of a database may do so below: a rule that denies something below a location
  /// refuses the location too. That differs from the scenario where a client reads or writes there.
  package var reasonAgainstRules: String? {
    if databaseRules != nil, !revocations.isEmpty {
      return "it takes away what rules of a database allow, which are stated as a whole"
    }
    for rule in security + revocations {
      if let status = rule.status {
        return
          "a rule of it answers with \(status.name), and those of a database do with permission_denied"
      }
      let operations = calls.map(\.operation)
      let all = operations + operations.flatMap(\.nestedCalls).map(\.operation)
      for (path, access) in all.flatMap(\.accesses)
      where rule.deny.contains(access) && path != rule.path && rule.path.starts(with: path) {
        return
          "it may \(access.rawValue) \(path) but not \(rule.path), which rules of a database cannot say"
      }
    }
    return nil
  }
}

extension ClientInterface.Operation {
  /// What is read or written, as rules see it.
  fileprivate var accesses: [(path: Path, access: SecurityRule.Access)] {
    guard kind.family != .listening else { return path.map { [($0, .read)] } ?? [] }
    let reads = arguments.function == nil ? [] : data.map { ($0.path, SecurityRule.Access.read) }
    // A push writes below its location.
    return reads + (kind.capability == "push" ? [] : data.map { ($0.path, .write) })
  }
}

// Rules that deny, as rules that allow.

extension ServerSetup {
  /// Rules that allow everything but what is denied.
  static func rules(denying denied: [SecurityRule]) -> JSON {
    ["rules": rules(at: .root, denying: denied)]
  }

  /// The rules of a location. Who may do something there may do so below, so that it must be denied nowhere below.
  private static func rules(at path: Path, denying denied: [SecurityRule]) -> JSON {
    let below = denied.filter { $0.path != path && $0.path.starts(with: path) }
    let above = denied.filter { path.starts(with: $0.path) }
    var members = grants(denying: above + below)
    let keys = Set(below.compactMap { $0.path.keys.dropFirst(path.count).first }).sorted()
    members += keys.map { JSON.Member($0.string, rules(at: path.appending($0), denying: denied)) }
    if !below.isEmpty {
      members.append(JSON.Member("$other\(path.count)", .object(grants(denying: above))))
    }
    return .object(members)
  }

  private static func grants(denying denied: [SecurityRule]) -> [JSON.Member] {
    SecurityRule.Access.allCases.map { access in
      let conditions = denied.filter { $0.deny.contains(access) }.map { rule in
        switch rule.unless {
        case .noUser: "false"
        case .authenticated: "auth != null"
        case let .user(name): "auth != null && auth.uid == \(JSON.string(name).text)"
        }
      }
      return JSON.Member(
        "." + access.rawValue,
        .string(conditions.isEmpty ? "true" : conditions.joined(separator: " && ")))
    }
  }
}
