import Foundation
import LiveServer
import TestKit
import Testing
import Tree

@testable import LiveServer
@testable import ServerHost
@testable import System

/// What users of an emulator expect: their project's file, data that stay, phones.
@Suite struct EmulatorTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func file(_ name: String, _ text: String) throws -> String {
    try folder.write(text, to: name)
    return folder.path(name)
  }

  private func mistake(_ text: String) throws -> String {
    let file = try file("firebase.json", text)
    do throws(Failure) {
      _ = try FirebaseProject(file: file)
      return "none"
    } catch {
      return "\(error)".replacing(file, with: "firebase.json")
    }
  }

  @Test func `a project names the port and the rules`() throws {
    let file = try file(
      "firebase.json",
      #"""
      {"database": {"rules": "rules/database.json"}, "hosting": {"public": "x"},
       "emulators": {"database": {"host": "127.0.0.1", "port": 9100}, "ui": {"enabled": true}}}
      """#)

    let project = try FirebaseProject(file: file)

    #expect(project.port == 9100)
    #expect(project.rulesFile == folder.path("rules/database.json"))
  }

  @Test func `a project may name neither`() throws {
    let project = try FirebaseProject(file: try file("firebase.json", "{}"))

    #expect(project.port == nil)
    #expect(project.rulesFile == nil)
  }

  @Test(
    arguments: [
      (
        #"{"emulators": {"database": {"port": "9000"}}}"#,
        "firebase.json:1:37: the port of the database is no number from 0 to 65535"
      ),
      (
        #"{"emulators": {"database": {"port": 70000}}}"#,
        "firebase.json:1:37: the port of the database is no number from 0 to 65535"
      ),
      (
        #"{"database": {"rules": 1}}"#,
        "firebase.json:1:24: database.rules is the name of a file, in quotes"
      ),
      (
        #"{"database": [{"rules": "a"}, {"rules": "b"}]}"#,
        "firebase.json:1:14: there are 2 databases; expected one; name the rules with --rules"
      ),
    ])
  func `a project with a mistake is refused`(text: String, message: String) throws {
    #expect(try mistake(text) == message)
  }

  @Test func `rules that are not there are missed where they are named`() throws {
    let file = try file("firebase.json", "{\n  \"database\": {\"rules\": \"database.rules.json\"}}")
    let project = try FirebaseProject(file: file)

    #expect {
      _ = try project.readRules(project.rulesFile ?? "")
    } throws: {
      "\($0)".replacing(file.dropLast("firebase.json".count), with: "")
        == "firebase.json:2:25: database.rules names database.rules.json, which cannot be read: No such file "
        + "or directory; expected a file with security rules; make it, correct the name, or name another file "
        + "with --rules"
    }
  }

  @Test func `rules with mistakes are refused with their locations`() throws {
    let file = try file(
      "rules.json", "{\"rules\": {\n  \".read\": \"atuh != null\", \".write\": 1}}")

    #expect {
      _ = try ServerOptions.readRules(file)
    } throws: {
      "\($0)".replacing(file, with: "rules.json")
        == """
        rules.json:2:13: .read, character 1: unknown variable "atuh"; did you mean "auth"?
        rules.json:2:38: a .write rule is true, false or an expression in quotes
        """
    }
  }

  @Test func `data are exported in the form in which they are read`() throws {
    let target = folder.path("data.json")
    var settings = LiveServerSettings(data: Node(json: ["a": ["b": 1, ".priority": 2]]))
    settings.seed = 1
    var live = LiveServer(settings)
    _ = live.hasNamespace("default")
    _ = live.hasNamespace("demo")
    write("/c.json", in: "demo", of: &live)

    try DataExport(file: target).write(live)

    #expect(try ServerOptions.readData(target).json.text == #"{"a":{"b":1,".priority":2}}"#)
    #expect(
      try ServerOptions.readData(folder.path("data.demo.json"))
        == Node(json: ["a": ["b": 1, ".priority": 2], "c": 1]))
  }

  private func write(_ path: String, in namespace: String, of live: inout LiveServer) {
    var effects: [Effect] = []
    let request = HTTPRequest("PUT", path, [.init("ns", namespace)], body: [UInt8(ascii: "1")])
    live.perform(at: SocketLoop.now, into: &effects) { $0.handle(request, from: Socket(1)) }
  }

  @Test(
    arguments: [
      ("data.json", "data.demo.json"), ("a.b/data", "a.b/data.demo"), ("/x/.data", "/x/.data.demo"),
      ("data.tar.gz", "data.tar.demo.gz"),
    ])
  func `the data of a namespace have its name in their file`(file: String, expected: String) {
    #expect(DataExport(file: file).path(of: "demo") == expected)
    #expect(DataExport(file: file).path(of: "default") == file)
  }

  @Test func `a server that ends exports what was written`() throws {
    var options = ServerOptions()
    options.exportFile = folder.path("data.json")
    let client = Client(asking: "/a.json", method: "PUT")
    try ServeSession(options).run(until: { client.hasAnswer }) { start throws(Failure) in
      client.connect(to: start.port)
    }

    #expect(try ServerOptions.readData(options.exportFile ?? "").isEmpty == false)
  }

  @Test func `an export leaves alone what pages have only named, and the files of others`() throws {
    try folder.write("mine", to: "data.demo.json")
    var live = LiveServer()
    for name in ["default", "demo", "looked-at"] {
      _ = live.hasNamespace(name)
    }
    write("/a.json", in: "demo", of: &live)

    try DataExport(file: folder.path("data.json")).write(live)

    #expect(try folder.text("data.json") == "null\n")
    #expect(try folder.text("data.demo.json") == "mine")
    #expect(try folder.text("data.demo-2.json") == "{\"a\":1}\n")
    #expect(!FileManager.default.fileExists(atPath: folder.path("data.looked-at.json")))
  }

  @Test(arguments: [#"{".info":1}"#, #"{"a":{".value":{"x":1}}}"#, #"{"a":{".sv":"foo"}}"#])
  func `data that nobody may write are refused`(data: String) throws {
    try folder.write(data, to: "data.json")

    #expect { _ = try ServerOptions.readData(folder.path("data.json")) } throws: { _ in true }
  }

  @Test func `keys that cannot be stored are all refused with their places`() throws {
    try folder.write(
      "{\"users\": {\n  \"bob@example.com\": {\"ok\": [{\"$x\": 1}]},\n  \"\": 2}, \".priority\": 3}",
      to: "email.json")
    let file = folder.path("email.json")

    #expect {
      _ = try ServerOptions.readData(file)
    } throws: {
      "\($0)".replacing(file, with: "email.json")
        == """
        email.json:2:3: key "bob@example.com" contains "."; keys may not contain . # $ [ ] /; encode it, such as \
        "bob@example%2Ecom", also where clients name it
        email.json:2:31: key "$x" contains "$"; keys may not contain . # $ [ ] /; encode it, such as "%24x", also \
        where clients name it
        email.json:3:3: a key is empty; a key has at least one character; name it
        """
    }
  }

  @Test func `of many keys that cannot be stored 50 are shown`() throws {
    let keys = (0..<53).map { "\"\($0)$\": 1" }.joined(separator: ",\n")
    try folder.write("{\(keys)}", to: "data.json")

    do throws(Failure) {
      _ = try ServerOptions.readData(folder.path("data.json"))
      Issue.record("they are stored")
    } catch {
      let lines = error.report.split(separator: "\n")
      #expect(lines.count == 51)
      #expect(lines[49].contains("data.json:50:1: key \"49$\""))
      #expect(
        lines[50] == "kennel: 3 more keys in \(folder.path("data.json")) cannot be stored")
    }
  }

  @Test func `rules without an end are not read without an end`() {
    #expect {
      _ = try ServerOptions.readRules("/dev/zero")
    } throws: {
      "\($0)".contains("it has more than 16777216 bytes")
    }
  }

  @Test func `an export that cannot be written is an error at the start`() throws {
    try folder.write("", to: "file")
    var options = ServerOptions()
    options.exportFile = folder.path("file/data.json")

    #expect { _ = try ServeSession(options) } throws: { "\($0)".contains("it is no folder") }
  }

  @Test func `an export that cannot be written is an error`() throws {
    #expect {
      var live = LiveServer()
      _ = live.hasNamespace("default")
      try DataExport(file: "/nowhere/data.json").write(live)
    } throws: {
      "\($0)".contains("/nowhere/data.json")
    }
  }

  @Test(
    arguments: [
      ("secret", "default"), ("demo.secret", "demo"), ("a.b.secret", "a.b"), ("demo", nil),
      ("secret.demo", nil), (nil, nil), ("", nil), ("demosecret", nil),
    ] as [(String?, String?)])
  func `another machine names the token`(name: String?, namespace: String?) {
    let arguments = name.map { [HTTPRequest.Argument("ns", $0)] } ?? []
    let request = HTTPRequest("GET", "/a.json", arguments)

    #expect(LANAccess(token: "secret").admitted(request)?.namespace == namespace)
  }

  @Test func `the addresses for other machines have the token`() throws {
    var options = ServerOptions()
    options.isOnLAN = true
    var starts: [ServeSession.Start] = []

    try ServeSession(options).run(until: { true }) { start throws(Failure) in starts.append(start) }

    let start = try #require(starts.first)
    #expect(start.otherAddresses.count == LANAccess.ownAddresses().count)
    #expect(start.otherAddresses.allSatisfy { $0.contains(":\(start.port)/?ns=") })
  }
}
