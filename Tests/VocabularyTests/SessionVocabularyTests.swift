import ClientInterface
import Testing
import Tree

@Suite struct SessionVocabularyTests {
  @Test func `synchronising and signing in are read`() throws {
    #expect(
      try Operation(json: ["op": "keep-synced", "path": "a", "query": ["limitToLast": 2]])
        == .keepSynced(.init("a", Query(limit: .last(2))), .on))
    #expect(
      try Operation(json: ["op": "keep-synced", "path": "a", "on": false])
        == .keepSynced(.init("a"), .off))
    #expect(try Operation(json: ["op": "auth", "token": "t"]) == .authenticate(token: "t"))
    #expect(try Operation(json: ["op": "unauth"]) == .unauthenticate)
  }

  @Test func `signing in needs a token`() {
    let error = #expect(throws: VocabularyError.self) { try Operation(json: ["op": "auth"]) }

    #expect(error?.description == "\"token\" is missing")
  }
}
