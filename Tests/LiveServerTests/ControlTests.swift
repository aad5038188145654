import Document
import LiveServer
import Testing
import Tree

/// The port for whoever runs the server.
@Suite struct ControlTests {
  private func ask(
    _ net: inout Net, _ method: String, _ path: String, _ body: String = ""
  ) -> String {
    let request = HTTPRequest(method, path, body: Array(body.utf8))
    let response = net.perform { $0.control(request) }
    net.wait(0)
    return "\(response.status) \(response.text)"
  }

  /// The numbers, and what became of the faults: `1 cut alice fired bit`.
  private func fates(_ net: inout Net) throws -> [String] {
    let text = ask(&net, "GET", "/faults").dropFirst(4)
    let faults = try JSON(parsing: String(text))["faults"]?.elements ?? []
    return faults.map { fault in
      let words = [fault["fault"]?.text, fault["name"]?.string, fault["client"]?.string]
      let states = ["waits", "withdrawn", "fired", "bit"].filter { fault[$0] == true }
      let when = fault["when"]?.string.map { "(\($0))" }
      return (words + [when]).compactMap { $0 }.joined(separator: " ") + ": "
        + states.joined(separator: " ")
    }
  }

  @Test func `faults are added in the words of scenarios, and their fates are told`() throws {
    var net = Net("alice")
    net.connect("alice")
    let faults = #"""
      [{"network.drop": "alice"},
       {"network.cut": {"client": "any", "when": {"frame": "put", "from": "any", "nth": 2}}},
       {"server.restart": {"when": {"after": "1h"}}},
       {"network.close-after": {"client": "alice", "messages": 5}}]
      """#
    #expect(ask(&net, "POST", "/faults", faults) == "200 {\"faults\":[1,2,3,4]}\n")
    #expect(ask(&net, "POST", "/faults", #"{"network.heal":"any"}"#) == "200 {\"faults\":[5]}\n")

    #expect(
      try fates(&net) == [
        "1 drop alice: fired bit",
        "2 cut alice (put from alice, number 2, after it arrives): waits",
        "3 restart (after 3600000 ms): waits", "4 close-after alice: waits fired",
        "5 heal alice: fired",
      ])
  }

  @Test func `what waits is taken back, one or all, also for clients to come`() throws {
    var net = Net("alice")
    let faults = #"""
      [{"server.set": {"path": "a", "value": 1, "when": {"messages": 9, "client": "alice"}}},
       {"network.cut": {"client": "any", "when": {"frame": "put", "edge": "before-delivery"}}}]
      """#
    _ = ask(&net, "POST", "/faults", faults)
    do {
      let answer = ask(&net, "DELETE", "/faults/1")
      #expect(answer.hasPrefix("200 "))
    }
    #expect(
      ask(&net, "DELETE", "/faults/1")
        == "409 {\"error\":\"fault 1 does not wait for anything\"}\n")
    #expect(ask(&net, "DELETE", "/faults/9") == "404 {\"error\":\"there is no fault 9\"}\n")
    #expect(
      try fates(&net) == [
        "1 write (9 messages of alice, both ways): withdrawn",
        "2 cut alice (put from alice, before it arrives): waits",
      ])
    do {
      let answer = ask(&net, "DELETE", "/faults")
      #expect(answer.hasPrefix("200 "))
    }
    net.connect("carol")
    net.put("carol", "/a", "1")

    #expect(net.received("carol") == ["hello", "ok 1"])
    #expect(net.live.marks.count == 2)
  }

  @Test func `bad faults change nothing, and all that is wrong is told`() throws {
    var net = Net("alice")
    do {
      let answer = ask(&net, "POST", "/faults", "{")
      #expect(answer.hasPrefix(#"400 {"error":"faults:1:2: "#))
    }
    #expect(
      ask(&net, "POST", "/faults", #"[{"network.cut":"carol"},{"alice.kill":{}}]"#)
        == #"400 {"error":"faults:1:17: unknown client \"carol\"; expected alice, any or one that is declared, "#
        + #"as in {clients: [carol], faults: [...]}\n"#
        + #"faults:1:27: alice.kill is about the process or the machine of a client, which is not"#
        + #" the server's to disturb; expected network.… or server.…"}"# + "\n")

    #expect(try fates(&net) == [])
    #expect(!net.live.isDisturbed)
  }

  @Test func `the network of all is made well again`() throws {
    var net = Net("alice", "bob")
    _ = ask(&net, "POST", "/faults", #"[{"network.cut":"alice"},{"network.stall":"bob"}]"#)
    let before = ask(&net, "GET", "/faults")
    #expect(
      before.contains(
        #"{"client":"alice","connections":0,"network":"cut","latency":"0 ms","stalled":[]}"#))
    #expect(before.contains(#""latency":"0 ms","stalled":["to-server","to-client"]"#))
    let after = ask(&net, "POST", "/heal")

    #expect(!after.contains("\"network\":\"cut\""))
    #expect(!after.contains("to-server\""))
    #expect(try fates(&net).suffix(2) == ["3 heal alice: fired bit", "4 heal bob: fired"])
  }

  @Test func `it cuts what is connected`() {
    var net = Net("alice")
    net.connect("alice")
    _ = net.received("alice")
    #expect(ask(&net, "POST", "/cut") == "200 {\"cut\":1}\n")

    #expect(net.received("alice") == ["closed"])
    #expect(net.connect("alice") == true)
  }

  @Test func `what it does not do is said`() {
    var net = Net()

    #expect(
      ask(&net, "GET", "/a.json")
        == "404 {\"error\":\"expected GET /connections or /traffic; GET, POST or DELETE /faults;"
        + " DELETE /faults/NUMBER; POST /heal or POST /cut, not GET /a.json\"}\n")
  }
}
