import Document
import Testing
import Tree

@Suite struct SourceErrorTests {
  @Test func `a location is written with what is known of it`() {
    #expect(FileLocation(file: "a.yaml").description == "a.yaml")
    #expect(FileLocation(file: "a.yaml", line: 3).description == "a.yaml:3")
    #expect(
      FileLocation(file: "a.yaml", position: .init(line: 3, column: 7)).description == "a.yaml:3:7")
  }

  @Test func `an error says where it is, and starts where its line does`() {
    let error = SourceError(FileLocation(file: "a.yaml", line: 3), "wrong; right; correct")

    #expect(error.description == "a.yaml:3: wrong; right; correct")
    #expect(error.position == Position(line: 3, column: 1))
  }

  @Test func `errors are in reading order, and those at one position by their text`() {
    let errors = [(2, 1, "a"), (1, 5, "b"), (1, 5, "a"), (1, 2, "z")].map { line, column, text in
      SourceError(file: "f", position: .init(line: line, column: column), message: text)
    }

    #expect(
      errors.inReadingOrder().map(\.description) == [
        "f:1:2: z", "f:1:5: a", "f:1:5: b", "f:2:1: a",
      ])
  }
}

@Suite struct JSONLinesTests {
  @Test func `a file is known by a member of its first line, even one that is cut off`() {
    #expect(JSONLines.header(of: "{\"trace\":1}\n{", has: "trace"))
    #expect(JSONLines.header(of: "{\"trace\":1, \"x", has: "trace"))
    #expect(JSONLines.header(of: "{\"a\": 1, \"trace\": 2}", has: "trace"))
    #expect(!JSONLines.header(of: "{\"a\": 1}\n{\"trace\":1}", has: "trace"))
    #expect(!JSONLines.header(of: "", has: "trace"))
  }

  @Test func `a mistake in a line is at its position in the file`() {
    let error = #expect(throws: SourceError.self) {
      try JSONLines.value(of: Array("{\"a\": [1".utf8)[...], number: 3, in: "f")
    }

    #expect(
      error?.description
        == "f:3:9: the text ends inside the list that begins at 3:7; expected its end; "
        + "add the closing bracket")
  }
}
