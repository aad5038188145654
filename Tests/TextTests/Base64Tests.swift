import Document
import Testing

@Suite struct Base64Tests {
  @Test(arguments: [
    ("", []), ("AA==", [0]), ("AAE", [0, 1]), ("_-8.", [0xFF, 0xEF]), ("/+8=", [0xFF, 0xEF]),
    ("a2VubmVs", Array("kennel".utf8)), ("aw..", [0x6B]),
  ])
  func `a text in either alphabet is read`(text: String, bytes: [UInt8]) {
    #expect([UInt8](base64: text) == bytes)
  }

  @Test(arguments: ["A", "AA=A", "A A", "AAAA=", "AAA==", "AA===", "é"])
  func `other texts are not`(text: String) {
    #expect([UInt8](base64: text) == nil)
  }
}
