import Foundation
import TestKit
import Testing
import Tree

@testable import LiveServer
@testable import ServerHost
@testable import System

/// Data that outlast the server.
@Suite struct DataStoreTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private var file: String { folder.path("data.store") }

  /// A server on a store, which is closed with it.
  private struct Server {
    private var live: LiveServer
    private var sockets = 0

    init(_ store: DataStore, data: JSON = .null) {
      var settings = LiveServerSettings(data: Node(json: data))
      settings.storage = store.storage
      live = LiveServer(settings)
    }

    /// The status and the text of an answer.
    mutating func ask(_ method: String, _ path: String, _ body: String = "") -> String {
      sockets += 1
      let parts = path.split(separator: "?")
      let arguments = parts.dropFirst().map { HTTPRequest.Argument(String($0)) }
      let request = HTTPRequest(method, String(parts[0]), arguments, body: Array(body.utf8))
      var effects: [Effect] = []
      live.perform(at: SocketLoop.now, into: &effects) {
        $0.handle(request, from: Socket(sockets))
      }
      for case let .respond(_, response) in effects {
        return "\(response.status) \(String(decoding: response.body.dropLast(), as: UTF8.self))"
      }
      return "nothing"
    }
  }

  private func data(_ path: String = "/.json", initially data: JSON = .null) throws -> String {
    var server = Server(try DataStore(file) { _ in }, data: data)
    return server.ask("GET", path)
  }

  @Test func `the next server goes on with what was acknowledged`() throws {
    do {
      var server = Server(try DataStore(file) { _ in }, data: ["begin": 1])
      #expect(server.ask("PUT", "/a/b.json", #"{"x":1.5,".priority":"p"}"#).hasPrefix("200"))
      #expect(
        server.ask("PATCH", "/a.json", #"{"b/x":2,"c":{".value":true,".priority":3}}"#).hasPrefix(
          "200"))
      #expect(server.ask("PUT", "/n.json", #"{".sv":{"increment":2}}"#).hasPrefix("200"))
      #expect(server.ask("PUT", "/n.json", #"{".sv":{"increment":2}}"#).hasPrefix("200"))
      #expect(server.ask("DELETE", "/begin.json").hasPrefix("200"))
      #expect(server.ask("PUT", "/a.json?ns=other", "null").hasPrefix("200"))
    }

    #expect(try data("/a/b/x.json") == "200 2")
    #expect(
      try data("/.json?format=export", initially: ["other": 2])
        == #"200 {"a":{"b":{"x":2,".priority":"p"},"c":{".value":true,".priority":3}},"n":4}"#)
    #expect(try data("/.json?ns=other", initially: ["begin": 1]) == #"200 {"begin":1}"#)
    #expect(try data("/.json?ns=third", initially: ["begin": 2]) == #"200 {"begin":2}"#)
  }

  @Test func `data are written anew when the writes since then are long`() throws {
    let text = String(repeating: "x", count: 700_000)
    do {
      var server = Server(try DataStore(file) { _ in })
      for number in 0..<20 {
        #expect(server.ask("PUT", "/\(number % 3).json", #""\#(number)\#(text)""#).hasPrefix("200"))
      }
    }

    for number in 17..<20 { #expect(try data("/\(number % 3).json") == "200 \"\(number)\(text)\"") }
    let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
    #expect(size ?? 0 < 12 << 20)
  }

  @Test func `a write for which there is no room is refused, and nothing is lost`() throws {
    var (acknowledged, refused) = ([Int](), [Int]())
    var warnings: [String] = []
    do {
      var server = Server(try DataStore(file, pages: 60) { warnings.append($0) })
      for number in 0..<40 {
        let answer = server.ask(
          "PUT", "/\(number).json", "\"\(String(repeating: "x", count: 9000))\"")
        if answer.hasPrefix("200") { acknowledged.append(number) } else { refused.append(number) }
        #expect(answer.hasPrefix("200") || answer == #"503 {"error":"unavailable"}"#)
      }
      #expect(server.ask("GET", "/\(refused[0]).json") == "200 null")
    }

    #expect(acknowledged.count > 5)
    #expect(refused.count > 5)
    #expect(warnings.count == 1, "\(warnings)")
    #expect(warnings.first?.contains("database or disk is full") == true)
    var server = Server(try DataStore(file) { _ in })
    for number in acknowledged { #expect(server.ask("GET", "/\(number).json").count == 9006) }
    for number in refused { #expect(server.ask("GET", "/\(number).json") == "200 null") }
    #expect(server.ask("PUT", "/\(refused[0]).json", "1") == "200 1")
  }

  @Test(
    arguments: [
      ("{\"a\": 1}\n", " but a JSON file", "; 'kennel serve --data' reads JSON"),
      ("no data", "", ""),
      ("{\"a\": ", "", ""),
    ])
  func `a file that is no database is called what it is`(
    text: String, found: String, advice: String
  ) throws {
    try folder.write(text, to: "data.store")
    #expect(chmod(file, 0o644) == 0)

    #expect {
      _ = try DataStore(file) { _ in }
    } throws: {
      "\($0)"
        == "--store: \(file) is no database\(found); expected a store that 'kennel serve --store' has "
        + "made, or the name of a new one\(advice)"
    }
    var status = stat()
    #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o644)
  }

  @Test func `a file of something else, or of another server, is left alone`() throws {
    try folder.write("no database, but a long enough text", to: "data.store")
    #expect { _ = try DataStore(file) { _ in } } throws: { "\($0)".hasPrefix("--store: ") }
    #expect(try folder.text("data.store").hasPrefix("no database"))

    let other = folder.path("other.store")
    let store = try DataStore(other) { _ in }
    #expect {
      _ = try DataStore(other) { _ in }
    } throws: {
      "\($0)".contains("is in use by another program")
    }
    withExtendedLifetime(store) {}
  }
}
