internal import Document
import HTTP
internal import ReferenceServer
internal import Tree

/// Who a request of HTTP is from.
struct RequestIdentity: Sendable {
  /// What to sign in with; `nil` for no user.
  let token: String?
  /// Whether no rule applies.
  let isAdministrator: Bool
  /// Whom the administrator wants to be taken for.
  let user: String?
}

extension LiveServer {
  /// Who a request says it is from.
  ///
  /// The administrator may want to act for a user, or with `null` for no user, by the
  /// argument
  /// `auth_variable_override`.
  ///
  /// - Throws: `Refused` when another one wants to, or for whom is not clear.
  static func identity(of request: HTTPRequest) throws(Refused) -> RequestIdentity {
    let token = Self.token(of: request)
    let isAdministrator = token == LiveServerSettings.administrator
    guard let text = request.parameters.userOverride else {
      return RequestIdentity(token: token, isAdministrator: isAdministrator, user: nil)
    }
    guard isAdministrator else {
      throw Refused(401, "auth_variable_override is for the administrator")
    }
    guard let json = try? JSON(parsing: text), json == .null || json.members != nil else {
      throw Refused(400, "auth_variable_override must be null or a JSON object")
    }
    guard let user = json["uid"]?.string else {
      return RequestIdentity(token: nil, isAdministrator: false, user: nil)
    }
    return RequestIdentity(
      token: "\(LiveServerSettings.administrator) as \(user)", isAdministrator: false, user: user)
  }

  /// Lets a token be worth something while it is signed in with, or no more.
  mutating func grant(_ identity: RequestIdentity, _ isValid: Bool, in namespace: String) {
    guard let user = identity.user, let token = identity.token else { return }
    namespaces[namespace]?.tokens[token] = isValid ? TokenClaims(user: user) : nil
  }

  private static func token(of request: HTTPRequest) -> String? {
    if let token = request.parameters.token { return token }
    guard let header = request.headers["authorization"], header.lowercased().hasPrefix("bearer ")
    else { return nil }
    return String(header.dropFirst("bearer ".count))
  }
}
