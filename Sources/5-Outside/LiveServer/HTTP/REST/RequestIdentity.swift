internal import Document
internal import Tree

/// Who a request of REST is from.
package struct RequestIdentity: Sendable {
  /// What to sign in with; `nil` for no user.
  package let token: String?
  /// Whether no rule applies.
  package let isAdministrator: Bool
  /// Whom the administrator wants to be taken for.
  package let user: String?

  /// Who a request says it is from.
  ///
  /// The administrator may want to act for a user, or with `null` for no user, by the argument
  /// `auth_variable_override`.
  ///
  /// - Parameters:
  ///   - request: What came.
  ///   - administrator: The administrator's token.
  /// - Throws: `Refused` when another one wants to, or for whom is not clear.
  package init(of request: HTTPRequest, administrator: String) throws(Refused) {
    let token = Self.token(of: request)
    let isAdministrator = token == administrator
    guard let text = request.parameters.userOverride else {
      (self.token, self.isAdministrator, user) = (token, isAdministrator, nil)
      return
    }
    guard isAdministrator else {
      throw Refused(401, "auth_variable_override is for the administrator")
    }
    guard let json = try? JSON(parsing: text), json == .null || json.members != nil else {
      throw Refused(400, "auth_variable_override must be null or a JSON object")
    }
    self.isAdministrator = false
    user = json["uid"]?.string
    self.token = user.map { "\(administrator) as \($0)" }
  }

  private static func token(of request: HTTPRequest) -> String? {
    if let token = request.parameters.token { return token }
    guard let header = request.headers["authorization"], header.lowercased().hasPrefix("bearer ")
    else { return nil }
    return String(header.dropFirst("bearer ".count))
  }
}
