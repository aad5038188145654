import Document
import Testing
import Tree
import YAML

private let deep =
  "this is nested deeper than 64 levels; expected at most 64 lists and mappings inside each "
  + "other; make it flatter"

@Suite struct LimitTests {
  @Test(
    arguments: [
      ([0x61, 0xFF], "1:2", "FF"), ([0xFF, 0xFE, 0x61, 0x00], "1:1", "FF"),
      ([0x22, 0x0A, 0xC3, 0xA9, 0xC3], "2:2", "C3"), ([0xEF, 0xBB, 0xBF, 0x80], "1:1", "80"),
      ([0xED, 0xA0, 0x80], "1:1", "ED"), ([0xC0, 0x80], "1:1", "C0"),
    ] as [([UInt8], String, String)])
  func `bytes that are not UTF-8 are told with their place`(
    bytes: [UInt8], position: String, byte: String
  ) {
    let problem =
      "\(position): byte 0x\(byte) is not UTF-8; expected text in UTF-8; save it in that encoding"

    #expect(DocumentReader.readYAML(bytes).texts == [problem])
    #expect(DocumentReader.readJSON(bytes).texts == [problem])
    let error = #expect(throws: DocumentError.self) { try JSON(parsing: bytes) }
    #expect(error?.description == problem)
  }

  @Test func `a text of sixty-four mebibytes is read and a larger one is not`() throws {
    let limit = 64 << 20
    let largest = [0x22] + [UInt8](repeating: 0x61, count: limit - 2) + [0x22]
    let larger = largest + [0x20]
    let problem = "1:1: the text has 67108865 bytes; expected at most 67108864; split it"

    #expect(try JSON(parsing: largest).string?.utf8.count == limit - 2)
    #expect(DocumentReader.readYAML(larger).texts == [problem])
    #expect(DocumentReader.readJSON(larger).texts == [problem])
    let error = #expect(throws: DocumentError.self) { try JSON(parsing: larger) }
    #expect(error?.description == problem)
  }

  @Test(arguments: [64, 65, 3000, 1_000_000])
  func `JSON may be nested sixty-four levels deep`(levels: Int) {
    let lists = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    let mappings =
      String(repeating: "{\"a\":", count: levels) + "1" + String(repeating: "}", count: levels)

    #expect(json(lists).texts == (levels > 64 ? ["1:65: \(deep)"] : []))
    #expect(json(mappings).texts == (levels > 64 ? ["1:321: \(deep)"] : []))
    if levels > 64 {
      let error = #expect(throws: DocumentError.self) { try JSON(parsing: lists) }
      #expect(error?.description == "1:65: \(deep)")
    } else {
      #expect(throws: Never.self) { try JSON(parsing: mappings) }
    }
  }
}
