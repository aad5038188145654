internal import ClientInterface
internal import Document
internal import Tree

extension TokenClaims {
  /// What a JSON Web Token without a signature says: its algorithm is `none` and its signature
  /// empty. `nil` for any other text.
  ///
  /// Emulators of sign-in issue such tokens, and tests make them. Nothing in them is verified. Their
  /// times count (`exp`, `nbf`), unless the token says that it was issued in 1970: `mockUserToken` of
  /// the SDKs makes tokens that expired an hour later.
  public init?(unsigned token: String) {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[2].isEmpty, let header = Self.json(parts[0]),
      header["alg"] == "none", let claims = Self.json(parts[1]),
      let user = ["sub", "user_id", "uid"].compactMap({ claims[$0]?.string }).first, !user.isEmpty
    else { return nil }
    self.init(user: user, claims: claims)
    if claims["iat"] == 0 { return }
    expiry = Self.moment(claims["exp"])
    start = Self.moment(claims["nbf"])
  }

  /// A moment in seconds since 1970; what cannot be counted is as late, or as early, as can be.
  private static func moment(_ seconds: JSON?) -> Instant? {
    guard let seconds = seconds?.number, !seconds.isNaN else { return nil }
    return Instant(milliseconds: max(-9e12, min(9e12, seconds * 1000)))
  }

  private static func json(_ part: Substring) -> JSON? {
    guard let bytes = [UInt8](base64: part) else { return nil }
    return try? JSON(parsing: bytes)
  }

  /// Why a token is refused, for the person who runs the server: what kind of text it is, and none of
  /// it.
  public static func reasonForRefusal(of token: String) -> String {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = json(parts[0]) else {
      return
        "the token is no JSON Web Token, and none that the scenario names; expected one that a "
        + "scenario names, \"owner\", or an unsigned one"
    }
    let algorithm = header["alg"]?.string ?? "nothing"
    guard parts[2].isEmpty, algorithm == "none" else {
      return "the token has a signature (\(algorithm)), which this server cannot verify; use "
        + "mockUserToken or an emulator of sign-in, whose tokens are unsigned"
    }
    return "the unsigned token names no user; expected \"sub\" or \"user_id\" among its claims"
  }
}
