import Document
import LiveServer
import Runs
import Scenario
import TestKit
import Tree
import UserInterface
import Workspace

/// A page of `kennel ui`, without a browser and without sockets.
struct Page {
  let workbench: Workbench
  let interface: UserInterface

  init(
    client: String? = nil, roles: [Fleet.Member] = [], selectors: [String] = ["limits"],
    list: String? = nil, of project: ProjectFile? = nil, agreed: AgreedCommands = .init(file: nil)
  ) throws {
    var settings = RunSettings()
    settings.selectors = selectors
    settings.fleet.rest = client
    settings.fleet.roles = roles
    settings.gate.list = list
    workbench = try Workbench(settings, of: project, agreed: agreed)
    interface = UserInterface(workbench, token: "t")
  }

  func ask(
    _ method: String, _ path: String, _ body: JSON? = nil,
    arguments: [HTTPRequest.Argument] = [], token: String = "t", host: String = "127.0.0.1:4"
  ) throws -> (status: Int, json: JSON, text: String) {
    let response = interface.respond(
      to: HTTPRequest(
        method, path, arguments, headers: ["host": host, HTTPRequest.tokenHeader: token],
        body: body.map { Array($0.text.utf8) } ?? []))
    let text = String(decoding: response.body, as: UTF8.self)
    return (response.status, (try? JSON(parsing: response.body)) ?? .null, text)
  }

  func run(
    _ scenario: String, in profile: String = "firebase", _ members: [JSON.Member] = []
  ) throws -> JSON {
    let key: [JSON.Member] = [
      .init("id", .string(scenario)), .init("profile", .string(profile)),
    ]
    return try ask("POST", "/api/run", .object(key + members)).json
  }

  func scenario(_ id: String) throws -> JSON {
    try ask("GET", "/api/scenario", arguments: [.init("id", id)]).json
  }

  func progress(after number: Int = 0) throws -> JSON {
    try ask("GET", "/api/progress", arguments: [.init("after", "\(number)")]).json
  }

  func save(
    _ file: String, _ text: String, base: String?
  ) throws -> (
    status: Int, json: JSON, text: String
  ) {
    let members: [JSON.Member] =
      [.init("file", .string(file)), .init("text", .string(text))]
      + (base.map { [JSON.Member("base", .string($0))] } ?? [])
    return try ask("POST", "/api/save", .object(members))
  }

  /// Makes all runs that wait.
  func runAll() { while workbench.advance() {} }

  /// The entry of the list that has this id.
  func entry(_ id: String) throws -> JSON? {
    try ask("GET", "/api/scenarios").json["scenarios"]?.elements?.first { $0["id"]?.string == id }
  }

  /// A scenario that passes in one profile.
  static let text = """
    kennel: 1
    title: A write
    rules: [WRT-1]
    profiles: [firebase]
    clients: [alice]
    steps:
      - alice.set: {path: a, value: 1, as: w}
      - expect: {alice.w: {ok: true}}

    """
}
