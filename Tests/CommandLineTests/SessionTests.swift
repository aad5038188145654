import Foundation
import TestKit
import Testing

/// What the commands say about recordings and traces of live sessions.
@Suite struct SessionTests {
  private static let header =
    #"{"recording":1,"client":"firebase","seed":0,"name":"ann","namespace":"demo","epoch":0}"#
  private static let lines = [
    #"{"t":0,"out":{"connect":{}}}"#, #"{"t":0,"in":{"opened":{}}}"#,
    #"{"t":0,"in":{"frame":{"t":"c","d":{"t":"h","d":{"ts":0,"v":"5","h":"h","s":"s1"}}}}}"#,
    #"{"t":9,"out":{"send":{"t":"d","d":{"r":1,"a":"p","b":{"p":"/a","d":1}}}}}"#,
    #"{"t":9,"in":{"frame":{"t":"d","d":{"r":1,"b":{"s":"ok","d":""}}}}}"#,
  ]
  private static let live =
    #"{"trace":1,"kennel":"0.1.0","scenario":"","title":"t","file":"","profile":"firebase","seed":"0","client":"live","clients":[],"judge":"expectations","choices":[],"sources":[],"live":{"epoch":0,"data":{"a":5}}}"#
  private static let events = [
    #"{"n":0,"t":0,"step":-1,"client":"ann","out":{"connect":{}}}"#,
    #"{"n":1,"cause":0,"t":0,"step":-1,"client":"ann","serverOpened":"session1"}"#,
    #"{"n":2,"cause":0,"t":0,"step":-1,"client":"ann","in":{"opened":{}}}"#,
    #"{"n":3,"t":50,"step":-1,"serverWrite":{"path":"/a","value":6}}"#,
  ]

  private func write(_ lines: [String], _ name: String, _ folder: Folder) throws {
    try folder.write(lines.joined(separator: "\n") + "\n", to: name)
  }

  @Test func `a recording that is cut off is told as far as it goes, with a warning`() throws {
    let folder = try Folder()
    try write([Self.header] + Self.lines + [#"{"t":12,"out":{"se"#], "cut.jsonl", folder)
    let reported = try folder.kennel(["scenario-from", "cut.jsonl", "-o", "told.yaml"])

    #expect(reported.status == 0)
    #expect(reported.messages.contains("kennel: cut.jsonl:7: "))
    #expect(reported.messages.contains("; using what comes before"))
    #expect(reported.messages.contains("the clients send the same request"))
    #expect(try folder.kennel(["run", "told.yaml"]).status == 0)
    #expect(try folder.kennel(["check", "told.yaml"]).status == 0)
    #expect(try folder.kennel(["replay", "cut.jsonl"]).output.contains("1 passed, 0 failed"))
  }

  @Test func `what an application reads once is no difference`() throws {
    let folder = try Folder()
    let get = [
      #"{"t":9,"out":{"send":{"t":"d","d":{"r":1,"a":"g","b":{"p":"/a","q":{}}}}}}"#,
      #"{"t":9,"in":{"frame":{"t":"d","d":{"r":1,"b":{"s":"ok","d":5}}}}}"#,
    ]
    try write([Self.header] + Self.lines.prefix(3) + get, "get.jsonl", folder)
    let replayed = try folder.kennel(["replay", "get.jsonl"])
    let reported = try folder.kennel(["scenario-from", "get.jsonl"])

    #expect(replayed.output.contains(" 0 unexplained"))
    #expect(reported.output.contains("- ann.get: {path: a"))
    #expect(reported.messages.contains("the clients send the same request"))
  }

  @Test func `the trace of a live session need not end`() throws {
    let folder = try Folder()
    try write([Self.live] + Self.events + [#"{"n":4,"t"#], "live.jsonl", folder)
    let reported = try folder.kennel(["scenario-from", "live.jsonl", "--name", "What we saw"])

    #expect(reported.status == 0)
    #expect(reported.messages.contains("live.jsonl:6:"))
    #expect(reported.output.contains("title: What we saw"))
    #expect(reported.output.contains("server.set: {path: a, value: 6}"))
    #expect(reported.output.contains("data: {a: 5}"))
    #expect(reported.messages.contains("The clients of the session sent no requests."))
    #expect(try folder.kennel(["show", "live.jsonl"]).output.contains("ann"))
    #expect(try folder.kennel(["view", "live.jsonl"]).output == "live.html\n")
    #expect(
      try folder.kennel(["why", "live.jsonl"]).output.contains(
        "it passes with the reference client.\nThe clients of the session sent no requests.\n"))
  }

  @Test func `what cannot be read or put together is told`() throws {
    let folder = try Folder()
    try write(["{}"], "none.jsonl", folder)
    try folder.write("", to: "empty.jsonl")
    try write([Self.header] + Self.lines, "ann.jsonl", folder)
    try write([Self.live] + Self.events, "live.jsonl", folder)
    let wilddog = Self.header.replacingOccurrences(of: "firebase", with: "wilddog")
    try write([wilddog] + Self.lines, "dog.jsonl", folder)
    try write([Self.header.replacingOccurrences(of: "0}", with: "1e30}")], "late.jsonl", folder)

    for (words, message) in [
      ([], "scenario-from needs a trace"), (["none.jsonl"], "neither a trace nor a recording"),
      (["empty.jsonl"], "empty.jsonl:1:1: the file is empty"),
      (["ann.jsonl", "live.jsonl"], "live.jsonl is a trace, which has all clients"),
      (["ann.jsonl", "dog.jsonl"], "they are of no one session"),
      (["late.jsonl"], "late.jsonl:1:85: \"epoch\" is"),
    ] {
      let outcome = try folder.kennel(["scenario-from"] + words)
      #expect(outcome.status == 2)
      #expect(outcome.messages.contains(message), "\(outcome.messages)")
    }
    for (option, message) in [
      ("--step", "go through it with 'kennel view live.jsonl'"),
      ("--changed", "make a scenario of it with 'kennel scenario-from live.jsonl'"),
    ] {
      let outcome = try folder.kennel(["replay", option, "live.jsonl"])
      #expect(outcome.status == 2)
      #expect(outcome.messages.contains(message), "\(outcome.messages)")
    }
    let nothing = try folder.kennel(["replay", "ann.jsonl"])
    #expect(nothing.messages.contains("only requests are compared"))
  }
}
