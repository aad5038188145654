import AdapterSessions
import ClientInterface
import Conformance
import Document
import Faults
package import LiveServer
import Reports
package import Runs
import Scenario
package import System
import Tree
import WebPages
import Workspace

/// What `kennel ui` answers to requests: a page, its files, and an interface in JSON for it.
///
/// Requests come from a page of this machine only: the host must be this one, and everything but
/// the files of the page needs the token.
package final class UserInterface {
  let workbench: Workbench
  private let token: String

  /// - Parameters:
  ///   - workbench: The scenarios and the client.
  ///   - token: What requests must show.
  package init(_ workbench: Workbench, token: String) {
    self.workbench = workbench
    self.token = token
  }

  /// The answer to a request.
  package func respond(to request: HTTPRequest) -> HTTPResponse {
    var response = answer(request)
    response.headers += [
      .init("Cache-Control", "no-store"), .init("X-Content-Type-Options", "nosniff"),
      .init("Referrer-Policy", "no-referrer"), .init("X-Frame-Options", "SAMEORIGIN"),
      .init("Cross-Origin-Resource-Policy", "same-origin"),
    ]
    // The viewer brings a policy of its own, with its script in it.
    if request.path != "/view" {
      response.headers.append(
        .init(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
            + " frame-src 'self'; img-src data:; base-uri 'none'; form-action 'none'"))
    }
    return response
  }

  private func answer(_ request: HTTPRequest) -> HTTPResponse {
    guard OriginPolicy.isHere(request.host) else {
      return .error(403, "this page is for 127.0.0.1, not for \(request.host)")
    }
    if request.method == "GET",
      let file = WorkbenchPage.files.first(where: { $0.path == request.path })
    {
      return HTTPResponse(200, [.init("Content-Type", file.type)], body: file.bytes)
    }
    let shown = request.headers[HTTPRequest.tokenHeader] ?? request.argument("token")
    guard shown == token else {
      return .error(403, "the token is missing or wrong; open the address that kennel ui printed")
    }
    do throws(Failure) {
      return try answerToPage(request)
    } catch {
      return HTTPResponse(422, json: ["error": .string(error.lines)])
    }
  }

  private func answerToPage(_ request: HTTPRequest) throws(Failure) -> HTTPResponse {
    let body = try json(of: request)
    if let question = try question(request, body) { return question }
    switch (request.method, request.path) {
    case ("GET", "/view"):
      let page = try workbench.page(
        of: try key(request.argument), isDraft: request.argument("draft") != nil)
      return HTTPResponse(200, text: page, type: Self.html)
    case ("GET", "/api/scenarios"): return HTTPResponse(200, json: scenarios)
    case ("GET", "/api/words"): return HTTPResponse(200, json: try words())
    case ("GET", "/api/scenario"):
      return HTTPResponse(200, json: try scenario(request.argument("id") ?? ""))
    case ("GET", "/api/progress"):
      workbench.refresh()
      return HTTPResponse(200, json: progress(after: Int(request.argument("after") ?? "") ?? 0))
    case ("POST", "/api/start"): return HTTPResponse(200, json: start(body))
    case ("POST", "/api/run"): return HTTPResponse(200, json: try run(body))
    case ("POST", "/api/check"): return HTTPResponse(200, json: check(body))
    case ("POST", "/api/record"): return HTTPResponse(200, json: try record(body))
    case ("POST", "/api/save"): return try save(body)
    case ("POST", "/api/agree"):
      try workbench.players.agree(to: body["subject"]?.string ?? "")
      return HTTPResponse(200, json: [:])
    case ("POST", "/api/tool"): return HTTPResponse(200, json: try startTool(body))
    case ("GET", "/api/tool"): return HTTPResponse(200, json: try tool())
    default: return .error(404, "there is no \(request.method) \(request.path)")
    }
  }

  private static let html = "text/html; charset=utf-8"

  private func json(of request: HTTPRequest) throws(Failure) -> JSON {
    if request.body.isEmpty { return [:] }
    do throws(DocumentError) {
      return try JSON(parsing: request.body)
    } catch {
      throw .unusable("the request is not JSON: \(error)")
    }
  }

  /// The run that arguments, or members of a body, name.
  func key(_ value: (String) -> String?) throws(Failure) -> Workbench.Key {
    guard let id = value("id"), let profile = value("profile") else {
      throw .unusable("the request needs id and profile")
    }
    let seed = value("seed") ?? String(workbench.usualSeed(of: workbench.list[id]))
    guard let number = UInt64(seed) else {
      throw .unusable("the seed must be a whole number up to \(UInt64.max), not \"\(seed)\"")
    }
    return Workbench.Key(
      scenario: id, profile: profile, seed: number, order: value("order") ?? "",
      players: value("players") ?? "")
  }

  /// What the user is asked before a command of the project file is started from the page for the first time:
  /// an answer with `asks` in place of the one that was asked for.
  private func question(
    _ request: HTTPRequest, _ body: JSON
  ) throws(Failure) -> HTTPResponse? {
    let choice = body["players"]?.string ?? request.argument("players") ?? ""
    let others = (body["with"]?.elements ?? []).compactMap(\.string)
    guard let player = try workbench.players.unasked(choice, and: others) else { return nil }
    let words = player.command.map(shellWord).joined(separator: " ")
    let message =
      "\(ProjectFile.name) names a command that was not started from a page before: \(words)"
    return HTTPResponse(200, json: ["error": .string(message), "asks": .string(player.subject)])
  }
}

extension UserInterface {
  /// Serves the page on 127.0.0.1 until a signal asks for the end. The token is another one for each
  /// start.
  ///
  /// - Parameters:
  ///   - settings: The scenarios and the client.
  ///   - port: The port; 0 for a free one.
  ///   - started: Takes the address of the page.
  /// - Throws: `Failure` when scenarios cannot be read, or the client or the port is not to be had.
  package static func serve(
    _ settings: RunSettings, port: Int, started: (String) throws(Failure) -> Void
  ) throws(Failure) {
    var generator = SystemRandomNumberGenerator()
    let token = (0..<2).map { _ in String(generator.next(), radix: 36) }.joined()
    let interface = UserInterface(try Workbench(settings), token: token)
    let loopback = try Loopback(port: port)
    Interrupt.begin()
    try started("http://127.0.0.1:\(loopback.port)/?token=\(token)")
    loopback.serve(interface.respond, meanwhile: interface.workbench.advance)
  }
}

extension UserInterface {
  /// All scenarios with what they can be filtered by, and what is wrong with their files.
  var scenarios: JSON {
    [
      "client": .string(workbench.settings.subject),
      "players": .array(
        workbench.players.all.map { player in
          [
            "subject": .string(player.subject), "name": .string(player.name),
            "label": .string(player.label),
          ]
        }),
      "kit": .string(kitVersion),
      "version": .number(Double(workbench.version)),
      "problems": .array(workbench.library.problems.map { .string($0.description) }),
      "scenarios": .array(workbench.list.entries.map(json)),
    ]
  }

  private func json(_ entry: ScenarioList.Entry) -> JSON {
    let scenario = entry.scenario
    return [
      "id": .string(entry.id), "file": .string(entry.file), "isBroken": .bool(entry.isBroken),
      "title": .string(scenario?.title ?? "This file has no scenario yet"),
      "profiles": .strings(workbench.profiles(of: entry).map(\.name)),
      "seed": .string(String(workbench.usualSeed(of: entry))),
      "found": .optional(scenario.flatMap(workbench.settings.wordsOfFind)),
      "rules": .strings(scenario?.rules.map(\.id) ?? []),
      "tags": .strings(scenario?.tags ?? []), "needs": .strings(scenario?.needs ?? []),
    ]
  }

  /// One scenario: its file, the text of that as it is now, the rules that it cites, and its results.
  ///
  /// - Throws: `Failure` when there is none with this id, or its file cannot be read.
  func scenario(_ id: String) throws(Failure) -> JSON {
    guard let entry = workbench.list[id] else { throw .unusable("there is no scenario \(id)") }
    let scenario = entry.scenario
    let rules = (scenario?.rules ?? []).compactMap { citation in
      RuleID(citation.id).flatMap { workbench.library.rules[$0] }
    }
    return [
      "id": .string(id), "file": .string(entry.file),
      "text": .string(try Files.regularText(of: entry.file)),
      "why": .string(scenario?.why ?? ""), "clients": .strings(scenario?.clients ?? []),
      "problems": .strings(entry.problems.map(\.description)),
      "players": .strings((scenario?.clients ?? []).map(workbench.players.usual)),
      "results": .array(results(of: entry)),
      "rules": .array(
        rules.map { rule in
          [
            "id": .string("\(rule.id)"), "title": .string(rule.title),
            "force": .string(rule.level.rawValue), "text": .string(rule.text),
            "source": .string(rule.source),
          ]
        }),
    ]
  }

  /// What an editor completes: the schema for scenarios, and every rule and tag.
  ///
  /// - Throws: `Failure` when the schema cannot be read.
  func words() throws(Failure) -> JSON {
    let schema = try Files.text(of: Files.join(try Home.find().specs, "scenario.schema.json"))
    let tags = Set(workbench.library.scenarios.flatMap(\.tags))
    return [
      "schema": (try? JSON(parsing: schema)) ?? [:], "tags": .strings(tags.sorted()),
      "rules": .array(
        workbench.library.rules.rules.map { .array([.string("\($0.id)"), .string($0.title)]) }),
      "faults": .array(
        FaultKind.allCases.compactMap { kind in
          kind.button.map { button in
            [
              "step": .string(kind.step), "label": .string(button.label),
              "title": .string(button.title),
            ]
          }
        }),
    ]
  }
}
