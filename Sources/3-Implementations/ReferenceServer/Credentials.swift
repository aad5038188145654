public import ClientInterface
internal import Faults
public import Tree
internal import Wire

/// What a token stands for.
public struct TokenClaims: Hashable, Sendable {
  /// The id of the user.
  public var user: String
  /// From when on it is not valid; `nil` for never.
  public var expiry: Instant?
  /// From when on it is valid; `nil` for always.
  var start: Instant?
  /// Everything that the token says; an empty object where it says nothing more.
  public var claims: JSON

  /// What a token of `user` stands for; at `expiry` it is no longer valid, `nil` for never.
  public init(user: String, expiry: Instant? = nil, claims: JSON = .object([])) {
    self.user = user
    self.expiry = expiry
    self.claims = claims
  }

  func isValid(at now: Instant) -> Bool {
    (expiry.map { now < $0 } ?? true) && (start.map { now >= $0 } ?? true)
  }
}

extension ServerSession {
  /// Who is signed in; a token that has expired is as good as none.
  func user(at now: Instant) -> String? {
    credential.flatMap { $0.pass.isValid(at: now) ? $0.pass.user : nil }
  }
}

extension ReferenceServer {
  /// What a token stands for; `nil` for one that is not valid.
  private func claims(of token: String) -> TokenClaims? {
    if let claims = tokens[token] { return claims }
    guard acceptsUnsignedTokens, !revokedTokens.contains(token) else { return nil }
    return TokenClaims(unsigned: token)
  }

  /// Signs a user in (ACC-13). With a token that is refused no user is signed in (ACC-16).
  mutating func signIn(
    with token: String, on index: Int, at now: Instant, into out: inout [Outgoing]
  ) -> Answer {
    connections[index].credential = nil
    var answer = Answer.invalidToken
    if let pass = claims(of: token) {
      let isEarly = pass.start.map { now < $0 } ?? false
      answer =
        isEarly
        ? .invalidToken
        : pass.isValid(at: now) ? .signedIn(user: pass.user) : .expiredToken
      if pass.isValid(at: now) { connections[index].credential = (token, pass) }
    }
    endForbiddenListens(of: index, for: connections[index].user(at: now), into: &out)
    return answer
  }

  mutating func signOut(
    on index: Int, at now: Instant, into out: inout [Outgoing]
  ) -> Answer {
    connections[index].credential = nil
    endForbiddenListens(of: index, for: connections[index].user(at: now), into: &out)
    return .done
  }

  /// ACC-17, SEC-8: what the user who is signed in now may not read is listened to no more.
  mutating func endForbiddenListens(
    of index: Int, for user: String?, into out: inout [Outgoing]
  ) {
    let forbidden = Set(
      connections[index].listens.elements.map(\.request).filter {
        !allows(.read, at: $0.path, for: user)
          || refusal(of: $0.path, $0.query, for: index, at: time) != nil
      })
    let ended = connections[index].removeListens(at: .root) { forbidden.contains($0.request) }
    announce(ended, of: index, into: &out)
  }

  /// Takes back the token with which a connection has signed in: it is not valid from now on
  /// (ACC-14). Nothing happens where no user is signed in.
  public mutating func revokeCredential(
    of connection: ConnectionID, into out: inout [Outgoing]
  ) {
    guard let index = index(of: connection), let token = connections[index].credential?.token
    else { return }
    tokens[token] = nil
    if acceptsUnsignedTokens { revokedTokens.insert(token) }
    for other in connections.indices where connections[other].credential?.token == token {
      connections[other].credential = nil
      let message = ServerMessage.credentialRevoked(
        status: "invalid_token", reason: "the token was revoked")
      out.append(Outgoing(connections[other].id, message))
      // Clients of the Firebase family come again (ACC-14).
      if connections[other].dialect == .wilddog {
        endForbiddenListens(of: other, for: nil, into: &out)
      }
    }
  }
}
