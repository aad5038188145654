internal import ReferenceServer
internal import Wire

extension LiveServer {
  /// Reports a token that was refused, once for each client: its SDK closes the connection, connects
  /// again with the same token, and shows its application nothing.
  mutating func reportRefusedToken(
    of message: ClientMessage, in out: [ReferenceServer.Outgoing], _ number: Int
  ) {
    guard case let .request(id, .authenticate(credential)) = message, let link = links[number]
    else { return }
    for outgoing in out where outgoing.connection == link.id {
      guard case let .response(response) = outgoing.message, response.request == id,
        response.status != "ok",
        refusedTokens.insert("\(link.client ?? "") \(credential.token)").inserted
      else { continue }
      if refusedTokens.count > 1000 { refusedTokens = [] }
      let reason =
        response.status == "expired_token"
        ? "the token has expired" : TokenClaims.reasonForRefusal(of: credential.token)
      let client = link.client.map { " of \($0)" } ?? ""
      effects.append(
        .reportProblem(
          "signing in\(client) is refused (\(response.status)): \(reason)", connection: number))
    }
  }
}
