import ClientInterface
import Document
import LiveServer
import ReferenceServer
import RunModel
import Testing
import Tree
import Wire

@testable import ServerHost

/// What is found by asking a server by REST.
@Suite struct RESTExaminationTests {
  private static let all: Set = ["RST-3", "RST-5", "RST-6", "RST-7", "RST-8"]
  private static let texts = [
    "null", "5", #"{".value":"s",".priority":2}"#, #"["x",["y"]]"#,
    #"{"room":{"a":{"n":3},"b":{"n":1},"c":{"n":2,".priority":7}},"s":"t",".priority":"p"}"#,
  ]
  private static let queries: [(path: Path, query: Query)] = [
    ("room", Query(ordering: .child("n"), start: .init(2))),
    ("room", Query(ordering: .child("n"), start: .init(1), end: .init(1))),
    ("room", Query(ordering: .key, end: .init("b"), limit: .last(1))),
    ("room", Query(ordering: .priority, limit: .first(2))),
    ("room/a", Query(ordering: .value, limit: .last(1))),
    // Of these is nothing asked.
    ("room", Query(ordering: .child("n"), start: .init(1, edge: .exclusive))),
    ("room", Query(ordering: .value, start: .init(nil))), ("s", Query(limit: .first(1))),
  ]

  /// What is found at the live server, whose answers are changed on their way.
  private func found(
    _ text: String, defect: ServerDefect? = nil,
    changing change: @escaping (HTTPRequest, HTTPResponse) -> HTTPResponse = { $1 }
  ) throws -> WireFinding? {
    let tree = Node(json: try JSON(parsing: text))
    var settings = LiveServerSettings(data: tree)
    settings.defect = defect
    var live = LiveServer(settings)
    let examination = RESTExamination(in: .firebase) { request in
      .success(change(request, Self.answer(to: request, of: &live)))
    }
    return examination.reading(tree, Self.queries) ?? examination.doing(Self.all, with: tree)
  }

  private static func answer(to request: HTTPRequest, of live: inout LiveServer) -> HTTPResponse {
    var effects: [Effect] = []
    let now = Instant(milliseconds: 1_480_000_000_000)
    live.perform(at: now, into: &effects) { $0.handle(request, from: Socket(1)) }
    for case let .work(work) in effects {
      live.perform(at: now, into: &effects) { $0.resume(with: work.outcome()) }
    }
    for case let .respond(_, response) in effects { return response }
    return HTTPResponse(500)
  }

  @Test(arguments: texts)
  func `nothing is found at a server that is right`(text: String) throws {
    let finding = try found(text)
    #expect(finding == nil, "\(finding.map(\.sentence) ?? "")")
  }

  @Test(arguments: [
    (ServerDefect.ignoresQueriesOfREST, "RST-2"), (.ignoresConditionsOfREST, "RST-7"),
    (.acceptsBodiesThatAreNone, "RST-8"), (.mergesAreSets, "RST-3"),
  ])
  func `a defect is found`(defect: ServerDefect, rule: String) throws {
    let finding = try found(Self.texts[4], defect: defect)
    #expect(finding?.rule == rule)
    #expect(finding?.sender == .server)
  }

  /// What is done to the answers to requests of a kind, and the rule that is broken so.
  private static let changes:
    [(rule: String, change: @Sendable (HTTPRequest, inout HTTPResponse) -> Void)] = [
      ("RST-1", { if $0.method == "GET", $0.arguments.count == 1 { $1.body = Array("{}".utf8) } }),
      ("RST-1", { if $0.method == "GET" { $1.body = Array("<html>".utf8) } }),
      ("RST-2", { if $0.argument("orderBy") == "\"n\"" { $1.status = 500 } }),
      ("RST-5", { if $0.argument("shallow") != nil { $1.body = Array("{\"room\":1}".utf8) } }),
      ("RST-3", { if $0.argument("print") != nil { $1.status = 200 } }),
      ("RST-3", { if $0.method == "PATCH" { $1.body = [] } }),
      (
        "RST-6",
        {
          if $0.method == "POST", $0.path == "/.json" {
            $1.body = Array("{\"name\":\"room\"}".utf8)
          }
        }
      ),
      ("RST-7", { $1.headers.removeAll { $0.name == "ETag" } }),
      ("RST-7", { if $1.status == 412 { $1.body = Array("null".utf8) } }),
      ("RST-8", { if $1.status == 400 { $1.status = 200 } }),
    ]

  @Test(arguments: changes.indices)
  func `an answer that is wrong is found`(index: Int) throws {
    let (rule, change) = Self.changes[index]
    let finding = try found(Self.texts[4]) { request, response in
      var response = response
      change(request, &response)
      return response
    }
    #expect(finding?.rule == rule, "\(finding.map { "\($0.sentence)" } ?? "nothing")")
  }

  @Test func `a database may want an index for an order`() throws {
    let finding = try found(Self.texts[4]) { request, response in
      let order = request.argument("orderBy") ?? "\"$key\""
      return ["\"$key\"", "\"$priority\""].contains(order)
        ? response : .error(400, "Index not defined")
    }
    #expect(finding == nil)
  }

  @Test func `what is found names the request, its answer and what was expected`() throws {
    let finding = try found(Self.texts[4], defect: .ignoresQueriesOfREST)
    #expect(
      finding?.text
        == #"the server is asked by REST: GET /room.json?orderBy="n"&startAt=2&format=export is answered "#
        + #"200 {"a":{"n":3},"b":{"n":1},"c":{"n":2,".priority":7}}, expected 200 "#
        + #"{"a":{"n":3},"c":{"n":2,".priority":7}}"#)
  }
}
