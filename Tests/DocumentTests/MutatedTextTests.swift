import Testing
import Tree
import YAML

@testable import Document

@Suite struct MutatedTextTests {
  private static let yamlSeed = """
    kennel: 1
    a: &x {b: [1, .5, "q\\u00e9"], 'c': ~}
    ? k
    : !!str *x
    t: |+2
       text
    - wrong
    """
  private static let jsonSeed = """
    {"a": [1, -0.5e3, "q\\u00e9\\ud83d\\ude00\\n"], "é": {"b": null}, "c": [true, false, {}]}
    """

  @Test(arguments: 0..<20)
  func `no damaged text makes a reader fail`(seed: UInt64) {
    var dice = Dice(state: seed)
    for _ in 0..<200 {
      let bytes = dice.damage(Array(Self.yamlSeed.utf8))
      let read = DocumentReader.readYAML(bytes)
      #expect(read.root != nil || !read.problems.isEmpty, "seed \(seed): \(bytes)")
    }
  }

  @Test(arguments: 0..<20)
  func `jansson and the reader with locations accept the same texts`(seed: UInt64) {
    var dice = Dice(state: seed)
    for _ in 0..<500 {
      let bytes = dice.damage(Array(Self.jsonSeed.utf8))
      let outcome = bytes.withUnsafeBufferPointer(Jansson.decode)
      if let plain = bytes.withUnsafeBufferPointer(PlainJSON.value) {
        guard case let .value(value) = outcome else {
          Issue.record("seed \(seed): only the fast reader accepts \(bytes)")
          continue
        }
        #expect(plain.text == value.text, "seed \(seed): \(bytes)")
      }
      let read = DocumentReader.readJSON(bytes)
      if case let .value(value) = outcome {
        #expect(read.texts == [], "seed \(seed): \(bytes)")
        #expect(read.root?.json.text == value.text, "seed \(seed): \(bytes)")
      } else {
        #expect(read.texts != [], "seed \(seed): \(bytes)")
      }
    }
  }
}

/// The fast reader either agrees with jansson or leaves the text to it.
@Suite struct PlainJSONTests {
  private func value(of text: String) -> String? {
    Array(text.utf8).withUnsafeBufferPointer { PlainJSON.value(of: $0)?.text }
  }

  @Test(arguments: [
    "null", " true ", "false", "0", "-0", "12", "-1.5e3", "999999999999999", "1234567890123456789",
    "\"\"", "\"é\"", #""a\n\u00e9\ud83d\ude00\\""#, "[]", "[ 1 , [ ] ]", "{}",
    #"{"b":1,"a":{"c":[null]}}"#, #"{ "a" : "\"" , "b" : "" }"#,
  ])
  func `what nearly every text consists of is read`(text: String) {
    let outcome = Array(text.utf8).withUnsafeBufferPointer(Jansson.decode)
    guard case let .value(expected) = outcome else {
      Issue.record("jansson refuses \(text)")
      return
    }

    #expect(value(of: text) == expected.text)
  }

  @Test(arguments: [
    "", " ", "nul", "truely", "+1", "01", "1.", "1e999", "--1", "\"", "\"a", "\"a\u{1}\"", #""\x""#,
    #""\ud800""#, "[", "[1", "[1,]", "[,1]", "[1 2]", "{", "{1:2}", #"{"a"}"#, #"{"a":}"#,
    #"{"a":1,}"#, #"{"a":1 "b":2}"#, #"{"a":1,"a":2}"#, #"{"b":1,"a":2,"b":3}"#, "1 2", "[]]",
    "// no", "'a'", #"{"a\u0000":1}"#, #"{"\u0061":1}"#, "\u{0}", "1\u{0}",
    String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000),
  ])
  func `anything else is left to jansson`(text: String) {
    #expect(value(of: text) == nil)
  }

  @Test func `bytes that are no text are left to jansson`() {
    for bytes: [UInt8] in [[0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0xFF]] {
      #expect(bytes.withUnsafeBufferPointer(PlainJSON.value)?.text == nil)
    }
  }
}

private struct Dice {
  var state: UInt64

  mutating func roll(_ sides: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(sides))
  }

  mutating func damage(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0...roll(3) {
      let index = roll(bytes.count)
      switch roll(5) {
      case 0: bytes.remove(at: index)
      case 3: bytes.insert([0, 0x20, 0x2C, 0x5C][roll(4)], at: index)
      case 1: bytes[index] = UInt8(roll(256))
      case 2: bytes.insert(bytes[roll(bytes.count)], at: index)
      default:
        let length = min(roll(12), bytes.count - index)
        bytes.insert(contentsOf: bytes[index..<index + length], at: roll(bytes.count))
      }
    }
    return bytes
  }
}
