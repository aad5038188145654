import ClientInterface
import Testing
import Tree

@Suite struct InspectionVocabularyTests {
  static let inspections: [(JSON, Inspection)] = [
    (["path": "a/b", "ask": "key"], Inspection(.reference("a/b"), "key")),
    (["url": "https://h/a", "ask": "key"], Inspection(.address("https://h/a"), "key")),
    (
      ["snapshot": "feed", "of": "a", "ask": "hasChild", "with": "b"],
      Inspection(.snapshot("feed"), of: "a", "hasChild", "b")
    ),
    (
      ["snapshot": "feed", "nth": 2, "ask": "value"],
      Inspection(.snapshot("feed", nth: 2), "value")
    ),
    (["completion": "w", "ask": "ref"], Inspection(.completion("w"), "ref")),
    (
      ["mutable": .null, "changes": [["value": 1]], "ask": "value"],
      Inspection(.mutableData(.null, changes: [["value": 1]]), "value")
    ),
    (
      ["path": "a", "query": [["orderBy": "x"]], "ask": "valid"],
      Inspection(.query("a", steps: [["orderBy": "x"]]), "valid")
    ),
  ]

  @Test(arguments: inspections)
  func `an inspection is read`(json: JSON, inspection: Inspection) throws {
    let call = JSON.object([.init("op", "inspect")] + (json.members ?? []))

    #expect(try Operation(json: call) == .inspect(inspection))
  }

  static let mistakes: [(JSON, String)] = [
    (["ask": "key"], "nothing is inspected; expected path, url, snapshot, completion or mutable"),
    (["path": "a"], "\"ask\" is missing"),
    (["path": 5, "ask": "key"], "\"path\" is a number, expected a string"),
    (["path": "a", "of": 5, "ask": "key"], "\"of\" is a number, expected a string"),
    (["mutable": 1, "changes": 5, "ask": "key"], "\"changes\" is a number, expected a list"),
  ]

  @Test(arguments: mistakes)
  func `a mistake in an inspection is told`(json: JSON, message: String) {
    let call = JSON.object([.init("op", "inspect")] + (json.members ?? []))

    #expect(throws: VocabularyError.self) { try Operation(json: call) }
    do {
      _ = try Operation(json: call)
    } catch {
      #expect("\(error)" == message)
    }
  }
}
