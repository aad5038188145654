import Document
import Testing

@Suite struct SuggestionTests {
  @Test(arguments: [
    ("rnu", ["run"]), ("lst", ["list"]), ("lisst", ["list"]), ("RUN", ["run"]),
    ("explian", ["explain"]), ("deploy", []), ("", []),
  ])
  func `a slip of a letter or two is recognised`(written: String, suggested: [String]) {
    let commands = ["run", "list", "check", "explain", "bench"]

    #expect(closestMatches(to: written, in: commands) == suggested)
  }

  @Test(arguments: [
    ("Set", ["set"]), ("set-priority", ["setPriority"]), ("GET", ["get"]), ("set", ["set", "get"]),
    ("val", ["value"]), ("prevKey", ["prev"]), ("child", ["childAdded", "childMoved"]), ("va", []),
    ("setting", []), ("unlisten", ["unlistenAll"]),
    ("value,prev", []),
  ])
  func `other spellings and forms of a name are recognised`(written: String, suggested: [String]) {
    let names = [
      "set", "get", "value", "prev", "childAdded", "childMoved", "setPriority", "unlistenAll",
    ]

    #expect(closestMatches(to: written, in: names) == suggested)
  }

  @Test func `nearer comes first and equally near keeps the order of the candidates`() {
    let candidates = ["EVT-19", "EVT-9", "EVT-1", "EVT-10", "OBS-9"]

    #expect(closestMatches(to: "EVT-1", in: candidates) == ["EVT-1", "EVT-19", "EVT-9"])
  }

  @Test func `a candidate given twice is suggested once`() {
    #expect(closestMatches(to: "rum", in: ["run", "run"]) == ["run"])
  }

  @Test(arguments: [
    ("isInt", "; expected one such as isNumber or isText"), ("val", "; did you mean \"value\"?"),
    ("isle", "; expected one of isNumber, isText, value, a, b, c, d, e, f"),
    ("foo", "; expected one of isNumber, isText, value, a, b, c, d, e, f"),
  ])
  func `of many names those are listed that begin with the same word`(text: String, hint: String) {
    let names = ["isNumber", "isText", "value", "a", "b", "c", "d", "e", "f"]

    #expect(closestOrAll(to: text, in: names) == hint)
  }

  @Test func `an empty list of candidates has no suggestion`() {
    #expect(closestMatches(to: "run", in: []).isEmpty)
  }
}
