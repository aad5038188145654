import RealClock
import ServerHost
import System
import TestKit
import Testing

/// Servers under test: what cannot be asked of them, and options that name none.
@Suite struct TestedServerTests {
  /// What follows the head of a scenario, and why it is skipped.
  private static let scenarios: [(body: String, reason: String?)] = [
    ("steps: [{alice.set: {path: a, value: 1}}]", nil),
    ("steps: [{network.drop: alice}]", nil),
    ("steps: [{server.set: {path: a, value: 1}}]", nil),
    (
      "security: [{path: a, deny: [write]}]\nsteps: [settle]",
      "it has security rules, which the server under test does not have"
    ),
    (
      "tokens: {t: {uid: ann}}\nsteps: [settle]",
      "it signs in, and tokens are the server's own"
    ),
    ("steps: [{alice.auth: {token: t}}]", "it signs in, and tokens are the server's own"),
    (
      "steps: [{server.restart: {}}]",
      "server.restart happens in the server, and only the kit's own does it when asked"
    ),
    (
      "steps: [{alice.transaction: {path: a, update: {set: 1}}}]",
      "the server under test has no transaction (--without)"
    ),
    (
      "steps: [{alice.set: {path: \(String(repeating: "/a", count: 32)), value: 1}}]",
      "a path in it is as long as is allowed, and would be longer below the path of the run"
    ),
  ]

  @Test(arguments: scenarios.indices)
  func `some scenarios cannot be asked of it, and say why`(index: Int) throws {
    let (body, reason) = Self.scenarios[index]
    var options = TestedServerOptions()
    options.lacks = ["transaction"]

    let scenario = try Kit.scenario("clients: [alice]\n" + body + "\n", rules: "WRT-1")
    #expect(scenario.unsupportedReason(against: options) == reason)
  }

  private static let servers: [(url: String?, command: String?, reason: String)] = [
    (
      "nowhere", nil,
      "--server nowhere is no address; expected one such as http://127.0.0.1:5000/?ns=test"
    ),
    (
      nil, "kennel serve",
      "--server-command has no {port}; expected that, or --server with the address at which it serves"
    ),
    (
      "http://127.0.0.1:1/", nil,
      "no server accepts connections at 127.0.0.1:1; expected the one that --server names"
    ),
    (
      nil, "echo no {port} here | tr 0-9 x; exit 3",
      "the server under test ended: exit code 3; its last lines:\n  no xxxxx here"
    ),
  ]

  @Test(arguments: servers.indices)
  func `what is no server is refused`(index: Int) {
    let server = Self.servers[index]
    var options = TestedServerOptions()
    (options.url, options.command) = (server.url, server.command)
    do throws(Failure) {
      _ = try TestedServer(options)
      Issue.record("it is a server")
    } catch {
      #expect(error.description == server.reason)
    }
  }
}
