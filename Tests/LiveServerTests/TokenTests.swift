import Faults
import LiveServer
import RunModel
import Testing
import Tree

/// Signing in as users of emulators do.
@Suite struct TokenTests {
  private var table: Table {
    let rule = SecurityRule(Path("a"), deny: [.write], unless: .user("alice"))
    var settings = LiveServerSettings(security: [rule])
    settings.acceptsUnsignedTokens = true
    return Table(settings)
  }

  private static func token(_ header: String, _ claims: String, _ signature: String = "") -> String
  {
    let parts = [header, claims].map { text in
      String(Page.base64(text).prefix { $0 != "." })
    }
    return parts.joined(separator: ".") + "." + signature
  }

  private static func signIn(_ token: String, _ number: Int = 1) -> String {
    #"{"t":"d","d":{"r":\#(number),"a":"auth","b":{"cred":"\#(token)"}}}"#
  }

  @Test(arguments: [
    (#"{"sub":"alice","exp":3600}"#, "expired_token"),
    (#"{"sub":"alice","exp":1480000000}"#, "expired_token"),
    (#"{"sub":"alice","nbf":1480000001}"#, "invalid_token"),
    (#"{"sub":"alice","nbf":1e300}"#, "invalid_token"),
    (#"{"sub":"alice","exp":-1e300}"#, "expired_token"),
  ])
  func `an unsigned token counts in its time only`(claims: String, status: String) {
    var table = table
    let socket = table.connect()
    let token = Self.token(#"{"alg":"none","type":"JWT"}"#, claims)
    table.say(Self.signIn(token), over: socket)

    #expect(table.received(socket)[1].contains(#""s":"\#(status)""#))
    #expect(table.ask("PUT", "/a.json?auth=\(token)", "2")?.status == 401)
  }

  @Test(arguments: [
    #"{"sub":"alice","iat":0,"exp":3600}"#, #"{"user_id":"alice"}"#,
    #"{"sub":"alice","iat":1479999000,"nbf":1479999000,"exp":1480000001}"#,
    #"{"sub":"alice","exp":1e300}"#,
  ])
  func `an unsigned token is worth what it says`(claims: String) {
    var table = table
    let socket = table.connect()
    let token = Self.token(#"{"alg":"none","type":"JWT"}"#, claims)
    table.say(
      Self.signIn(token), #"{"t":"d","d":{"r":2,"a":"p","b":{"p":"/a","d":1}}}"#, over: socket)
    let received = table.received(socket)

    #expect(received[1].contains(#""auth":{"uid":"alice"}"#))
    #expect(received[2].contains(#""s":"ok""#))
    #expect(table.ask("PUT", "/a.json?auth=\(token)", "2")?.status == 200)
    #expect(table.ask("PUT", "/a.json", "2")?.status == 401)
  }

  @Test(arguments: [
    (
      token(#"{"alg":"RS256"}"#, #"{"sub":"alice"}"#, "c2ln"),
      "the token has a signature (RS256), which this server cannot verify; use mockUserToken or an"
        + " emulator of sign-in, whose tokens are unsigned"
    ),
    (
      token(#"{"alg":"none"}"#, #"{"name":"alice"}"#),
      "the unsigned token names no user; expected \"sub\" or \"user_id\" among its claims"
    ),
    (
      "t-alice",
      "the token is no JSON Web Token, and none that the scenario names; expected one that a"
        + " scenario names, \"owner\", or an unsigned one"
    ),
  ])
  func `a refused token is reported once`(token: String, reason: String) {
    var table = table
    let socket = table.connect()
    table.say(Self.signIn(token), Self.signIn(token, 2), over: socket)

    let problems = table.effects.compactMap { effect -> String? in
      if case let .reportProblem(text, _) = effect { text } else { nil }
    }
    #expect(problems == ["signing in is refused (invalid_token): " + reason])
    let notes = table.effects.compactMap { effect -> String? in
      if case let .found(finding, _) = effect { finding.sentence } else { nil }
    }
    #expect(
      notes.first == "note: the server refuses the credential of request 1 with \"invalid_token\";"
        + " a client must not connect again with the same one (ACC-16)")
  }

  @Test func `without an emulator an unsigned token is worth nothing`() {
    var table = Table()
    let socket = table.connect()
    table.say(
      Self.signIn(Self.token(#"{"alg":"none"}"#, #"{"sub":"alice"}"#)), over: socket)

    #expect(table.received(socket).last?.contains("invalid_token") == true)
  }
}
