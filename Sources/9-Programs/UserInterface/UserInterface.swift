import AdapterSessions
import ClientInterface
import Conformance
import Document
import Faults
package import LiveServer
import Reports
package import Runs
import Scenario
import ScenarioFiles
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
      let text = (error.details + [error.description]).joined(separator: "\n")
      return HTTPResponse(422, json: ["error": .string(text)])
    }
  }

  private func answerToPage(_ request: HTTPRequest) throws(Failure) -> HTTPResponse {
    let body = try json(of: request)
    switch (request.method, request.path) {
    case ("GET", "/view"):
      return HTTPResponse(
        200, text: try workbench.page(of: try key(request.argument)), type: Self.html)
    case ("GET", "/api/scenarios"): return HTTPResponse(200, json: scenarios)
    case ("GET", "/api/words"): return HTTPResponse(200, json: try words())
    case ("GET", "/api/scenario"):
      return HTTPResponse(200, json: try scenario(request.argument("id") ?? ""))
    case ("GET", "/api/changes"):
      try workbench.refresh()
      return HTTPResponse(200, json: ["version": .number(Double(workbench.version))])
    case ("POST", "/api/run"): return HTTPResponse(200, json: try run(body))
    case ("POST", "/api/check"): return HTTPResponse(200, json: check(body))
    case ("POST", "/api/record"): return HTTPResponse(200, json: try record(body))
    case ("POST", "/api/save"): return HTTPResponse(200, json: try save(body))
    case ("POST", "/api/tool"): return HTTPResponse(200, json: try tool(body))
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
    let seed = value("seed") ?? "0"
    guard let number = UInt64(seed) else {
      throw .unusable("the seed must be a whole number, not \"\(seed)\"")
    }
    return Workbench.Key(
      scenario: id, profile: profile, seed: number, order: value("order") ?? "")
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
    loopback.serve(interface.respond)
  }
}

extension UserInterface {
  /// Runs scenarios as they are in their files, or one as a text has it.
  ///
  /// - Throws: `Failure` for what does not exist, and when the client does not start.
  func run(_ body: JSON) throws(Failure) -> JSON {
    var results: [JSON] = []
    let runs = body["runs"]?.elements ?? []
    for run in runs {
      let key = try key { name in run[name]?.string }
      results.append(try result(of: key, body, hasText: runs.count == 1))
    }
    return ["results": .array(results)]
  }

  private func result(
    of key: Workbench.Key, _ body: JSON, hasText: Bool
  ) throws(Failure) -> JSON {
    guard let profile = Profile(named: key.profile) else {
      throw .unusable("there is no profile \(key.profile)")
    }
    let (scenario, text) = try scenario(key.scenario, body)
    let record = workbench.record(
      of: try workbench.run(
        scenario, in: profile, seed: key.seed, order: key.order, text: text))
    var json: JSON = [
      "id": .string(record.scenario), "profile": .string(record.profile),
      "seed": .string(String(record.seed)), "verdict": .string(record.verdict.rawValue),
      "outcome": .string(record.outcome.rawValue), "sentence": .string(record.sentence),
      "reason": .string(record.reason ?? ""), "cause": .string(record.signature ?? ""),
    ]
    if hasText { json = .object((json.members ?? []) + [.init("text", .string(record.text))]) }
    return json
  }

  /// The scenario with this id, from the text of the request if it has one.
  private func scenario(
    _ id: String, _ body: JSON
  ) throws(Failure) -> (scenario: Scenario, text: String) {
    guard let text = body["text"]?.string else {
      guard let scenario = workbench.scenario(id) else {
        throw .unusable("there is no scenario \(id)")
      }
      return (scenario, workbench.text(of: scenario))
    }
    let read = workbench.read(text, file: body["file"]?.string ?? "new.yaml")
    guard let first = read.scenarios.first else {
      throw .mistakes(read.problems.map(\.description), "nothing was run")
    }
    return (read.scenarios.first { $0.id == id } ?? first, text)
  }

  /// What another command finds: `why`, `shrink` or `explore`.
  ///
  /// - Throws: `Failure` when it does not start.
  func tool(_ body: JSON) throws(Failure) -> JSON {
    let key = try key { name in body[name]?.string }
    guard let name = body["tool"]?.string, ["why", "shrink", "explore"].contains(name) else {
      throw .unusable("tool must be why, shrink or explore")
    }
    let selector = try selector(key, body)
    let small = Files.join(Self.folder, "small.yaml")
    var run = RunSettings()
    run.profiles = [key.profile]
    run.seed = key.seed
    run.fleet = workbench.settings.fleet
    run.adapter = workbench.settings.adapter
    var words = [name, selector]
    if name == "shrink" {
      try Files.makeDirectory(Self.folder)
      words += ["-o", small]
    }
    if name == "explore" { words += ["--format", "json", "--max", "2000"] }
    words += run.wordsOfRuns
    let process = try FinishedProcess(words)
    var members: [JSON.Member] = [
      .init("command", .string((["kennel"] + words).joined(separator: " "))),
      .init("output", .string(process.output)), .init("complaint", .string(process.errorOutput)),
    ]
    if name == "explore" {
      let lines = process.output.split(separator: "\n").compactMap { line in
        try? JSON(parsing: Array(line.utf8))
      }
      members.append(.init("surveys", .array(lines.filter { $0["outcomes"] != nil })))
    }
    if name == "shrink", Files.exists(small), !process.output.isEmpty {
      members.append(.init("text", .string(try Files.text(of: small))))
    }
    return .object(members)
  }

  /// Where texts go that are not saved, for other processes.
  private static let folder = ".kennel/ui"

  /// The scenario for another process: its id, or a file with the text of the request.
  private func selector(_ key: Workbench.Key, _ body: JSON) throws(Failure) -> String {
    guard let text = body["text"]?.string else { return key.scenario }
    try Files.makeDirectory(Self.folder)
    let file = Files.join(Self.folder, "edited.yaml")
    try Files.write(text, to: file)
    return file
  }
}

extension UserInterface {
  /// All scenarios with what they can be filtered by, and what is wrong with their files.
  var scenarios: JSON {
    let library = workbench.library
    return [
      "client": .string(workbench.settings.subject),
      "kit": .string(kitVersion),
      "version": .number(Double(workbench.version)),
      "problems": .array(library.problems.map { .string($0.description) }),
      "scenarios": .array(
        library.scenarios.map { scenario in
          [
            "id": .string(scenario.id), "title": .string(scenario.title),
            "profiles": .strings(
              scenario.profiles(among: workbench.settings.profiles).map(\.name)),
            "rules": .strings(scenario.rules.map(\.id)), "tags": .strings(scenario.tags),
            "needs": .strings(scenario.needs),
          ]
        }),
    ]
  }

  /// One scenario: its file, its text and the rules that it cites.
  ///
  /// - Throws: `Failure.unusable` when there is none with this id.
  func scenario(_ id: String) throws(Failure) -> JSON {
    guard let scenario = workbench.scenario(id) else {
      throw .unusable("there is no scenario \(id)")
    }
    let rules = scenario.rules.compactMap { citation in
      RuleID(citation.id).flatMap { workbench.library.rules[$0] }
    }
    return [
      "id": .string(scenario.id), "file": .string(scenario.file),
      "text": .string(workbench.text(of: scenario)), "why": .string(scenario.why),
      "clients": .strings(scenario.clients),
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

  /// What is wrong with a text, line by line.
  func check(_ body: JSON) -> JSON {
    let read = workbench.read(
      body["text"]?.string ?? "", file: body["file"]?.string ?? "new.yaml")
    return [
      "problems": .array(read.problems.map(json)),
      "scenarios": .strings(read.scenarios.map(\.id)),
    ]
  }

  /// The text with what the reference client does as what it expects.
  ///
  /// - Throws: `Failure` with the reason where nothing is recorded.
  func record(_ body: JSON) throws(Failure) -> JSON {
    guard let file = body["file"]?.string, let text = body["text"]?.string else {
      throw .unusable("the request needs file and text")
    }
    let recorded = try RecordedExpectations(file, text, workbench.library.rules)
    return [
      "text": .string(recorded.text), "difference": .string(recorded.difference(.plain)),
    ]
  }

  private func json(_ problem: SourceError) -> JSON {
    [
      "line": .number(Double(problem.location.line ?? 1)),
      "column": .number(Double(problem.location.column ?? 1)),
      "file": .string(problem.file), "message": .string(problem.message),
    ]
  }

  /// Writes a scenario file: one that was read, or a new one below the current directory.
  ///
  /// - Throws: `Failure` for any other file, and when it cannot be written.
  func save(_ body: JSON) throws(Failure) -> JSON {
    guard let file = body["file"]?.string, let text = body["text"]?.string else {
      throw .unusable("the request needs file and text")
    }
    let isKnown = workbench.library.sources[file] != nil
    if !isKnown {
      let isBelow = !file.hasPrefix("/") && !file.split(separator: "/").contains("..")
      guard isBelow, ScenarioLibrary.suffixes.contains(where: file.hasSuffix) else {
        throw .unusable("a new file must be below this directory and end with .yaml, not \(file)")
      }
      if Files.exists(file) { throw .unusable("\(file) exists; choose another name") }
      try Files.makeDirectory(of: file)
    }
    try Files.write(text, to: file)
    try workbench.reload()
    return ["file": .string(file), "version": .number(Double(workbench.version))]
  }
}

extension JSON {
  static func strings(_ texts: [String]) -> JSON { .array(texts.map { .string($0) }) }
}
