import ClientInterface
import RealClock
import Scenario
import ServerHost
import System
import TestKit
import Testing
import Wire

/// Servers under test: what cannot be asked of them, and options that name none.
@Suite struct TestedServerTests {
  /// What follows the head of a scenario, and why it is skipped.
  private static let scenarios: [(body: String, reason: String?)] = [
    ("steps: [{alice.set: {path: a, value: 1}}]", nil),
    ("steps: [{network.drop: alice}]", nil),
    ("steps: [{alice.listen: {path: .info/connected, event: value, as: up}}]", nil),
    ("steps: [{server.set: {path: a, value: 1}}]", nil),
    ("security: [{path: a/b, deny: [write]}]\nsteps: [{alice.set: {path: a/b/c, value: 1}}]", nil),
    ("security: [{path: a/b, deny: [read]}]\nsteps: [{alice.set: {path: a, value: 1}}]", nil),
    ("security: [{path: a/b, deny: [write]}]\nsteps: [{alice.push: {path: a, value: 1}}]", nil),
    (
      "security: [{path: a/b, deny: [write]}]\nsteps: [{alice.update: {path: a, value: {c: 1}}}]",
      nil
    ),
    (
      "security: [{path: a/b, deny: [write]}]\nsteps: [{alice.set: {path: a, value: 1}}]",
      "it may write /a but not /a/b, which rules of a database cannot say"
    ),
    (
      "steps: [{alice.listen: {path: /}}, {server.revoke: a}]",
      "it may read / but not /a, which rules of a database cannot say"
    ),
    ("steps: [{alice.listen: {path: a/b}}, {server.revoke: a}]", nil),
    (
      "security: {rules: {.read: true}}\nsteps: [{server.revoke: a}]",
      "it takes away what rules of a database allow, which are stated as a whole"
    ),
    (
      "security: [{path: a, deny: [write], status: unavailable}]\nsteps: [settle]",
      "a rule of it answers with unavailable, and those of a database do with permission_denied"
    ),
    ("tokens: {t: {uid: ann}}\nsteps: [{alice.auth: {token: t}}]", nil),
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

  @Test(arguments: [
    "security: [{path: a, deny: [write]}]\nsteps: [settle]", "steps: [{server.revoke: a}]",
  ])
  func `a server without rules is asked for none`(body: String) throws {
    var options = TestedServerOptions()
    options.lacks = ["rules"]
    let scenario = try Kit.scenario("clients: [alice]\n" + body + "\n", rules: "WRT-1")
    #expect(
      scenario.unsupportedReason(against: options)
        == "the server under test has no rules (--without)")
    options.lacks = ["auth"]
    let other = try Kit.scenario(
      "clients: [alice]\nsteps: [{alice.auth: {token: t}}]\n", rules: "WRT-1")
    #expect(
      other.unsupportedReason(against: options) == "the server under test has no auth (--without)")
  }

  @Test(arguments: scenarios.indices)
  func `some scenarios cannot be asked of it, and say why`(index: Int) throws {
    let (body, reason) = Self.scenarios[index]
    var options = TestedServerOptions()
    options.lacks = ["transaction"]

    let scenario = try Kit.scenario("clients: [alice]\n" + body + "\n", rules: "WRT-1")
    #expect(scenario.unsupportedReason(against: options) == reason)
  }

  /// A step of a drawn scenario, and whether it remains.
  private static let drawn: [(step: String, isKept: Bool)] = [
    ("network.drop: alice", true), ("network.lose-acknowledgement: alice", true),
    ("network.half-open: {client: alice, notices: client}", true),
    ("network.half-open: alice", false), ("server.set: {path: a, value: 1}", true),
    ("server.restart: {}", false), ("server.revoke: a", false), ("alice.kill", false),
    ("alice.auth: {token: t}", false), ("wait: 9s", true), ("wait: 11s", false),
  ]

  @Test(arguments: drawn.indices)
  func `of what was drawn remains what can be provoked from outside`(index: Int) throws {
    let (step, isKept) = Self.drawn[index]
    let body = """
      clients: [alice]
      judge: invariants
      tokens: {t: {uid: ann}}
      security: [{path: a, deny: [write]}]
      steps: [{alice.set: {path: b, value: 1}}, \(step.contains(":") ? "{\(step)}" : step), settle]

      """
    let scenario = try Kit.scenario(body, rules: "WRT-1")
    let provoked = scenario.provoked(within: .seconds(10))

    #expect(provoked.steps.count == (isKept ? 3 : 2))
    #expect(provoked.unsupportedReason(against: TestedServerOptions()) == nil)
    #expect(
      provoked.realClockUnsupportedReason(
        RealClockSettings(), canEndProcesses: false, testsServer: true) == nil)
    #expect(
      provoked.realClockUnsupportedReason(RealClockSettings(), canEndProcesses: false)
        == "it is judged by invariants alone")
  }

  private static let servers: [(url: String?, command: String?, reason: String)] = [
    (
      "nowhere", nil,
      "--server nowhere is no address of a database; expected one such as http://127.0.0.1:5000/?ns=test"
    ),
    (
      "localhost:5000", nil,
      "--server localhost:5000 has no http:// or https:// in front; expected http://localhost:5000"
    ),
    (
      nil, "kennel serve",
      "--server-command 'kennel serve' has no {port}; expected it in the command, all of which is in quotes, where "
        + "the server takes its port, such as 'kennel serve --port {port}', or --server with the address at which it "
        + "serves"
    ),
    (
      "http://127.0.0.1:1/", nil,
      "no server accepts connections at 127.0.0.1:1; expected the one that --server names: "
        + "start it first, or have the kit start one with --server-command"
    ),
    (
      nil, "echo no {port} here | tr 0-9 x; exit 3",
      "--server-command: 'echo no {port} here | tr 0-9 x; exit 3' has ended: exit code 3; expected one that "
        + "serves on {port} until the kit stops it; its last lines:\n  no xxxxx here"
    ),
    (
      nil, "kenel serve {port}",
      "--server-command: 'kenel serve {port}' has ended: exit code 127; expected a program that the shell "
        + "finds: correct its name, or write its path; its last lines:\n"
        + "  --server-command: 1: kenel: not found"
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

  /// A server of files, as far as a request goes.
  private static let files = """
    import http.server as h, sys; \
    h.HTTPServer(("127.0.0.1", int(sys.argv[1])), h.SimpleHTTPRequestHandler).serve_forever()
    """

  @Test(
    arguments: [
      (
        Dialect.firebase, "/.ws?v=5&ns=kennel", ""
      ),
      (
        .wilddog, "/.ws/?EIO=3&ns=kennel",
        ", or state --profile firebase for one with the framing of Firebase alone"
      ),
    ])
  func `a server of another kind is refused once`(
    dialect: Dialect, asked: String, advice: String
  ) throws {
    var options = TestedServerOptions()
    options.command = "exec python3 -c '\(Self.files)' {port}"
    let server = try TestedServer(options)

    do throws(Failure) {
      try server.require(dialect)
      Issue.record("it is one of the family")
    } catch {
      let text = "\(error)".replacing(/127.0.0.1:\d+/, with: "HOST")
      #expect(
        text
          == "--server-command: a connection is asked for at HOST\(asked): the server answers 404; "
          + "expected a database server of the Firebase or Wilddog family: correct the command\(advice)"
      )
      #expect(error.exitCode == .usage)
    }
    try server.require(dialect)
  }

  @Test(arguments: Dialect.allCases)
  func `a server of the family is not refused`(dialect: Dialect) throws {
    var options = TestedServerOptions()
    options.command = "'\(Program.project.path)' serve --port {port}"
    try TestedServer(options).require(dialect)
  }
}
