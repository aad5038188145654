import ClientInterface
import Document
import Reports
import TestKit
import Testing
import TraceFiles

/// Traces that were damaged at random, always in the same way: whatever is in a file, it is refused
/// with its location or replayed, and nothing crashes.
@Suite struct FuzzTests {
  @Test func `a damaged trace is refused with its location, or is replayed`() throws {
    let old = try SourceTree.text(of: Version1Tests.path)
    let originals = [
      Array(try Kit.trace(Self.small).text.utf8),
      Array(try Kit.trace(Kit.race, seed: 3).text.utf8),
      Array(old.utf8), Array(try TraceFile(old, file: "x").text.utf8),
    ]
    var random = RandomNumbers(seed: 20)
    var refused = 0
    for number in 0..<2000 {
      var bytes = originals[number % originals.count]
      for _ in 0...Int(random.next(upperBound: UInt64(3))) { Self.damage(&bytes, &random) }
      guard let text = String(validating: bytes, as: UTF8.self) else { continue }
      do throws(SourceError) {
        try Self.use(try TraceFile(text, file: "x"))
      } catch {
        refused += 1
        let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
        #expect((1...lines).contains(error.position.line), "\(number): \(error)")
        #expect((1...(bytes.count + 1)).contains(error.position.column), "\(number): \(error)")
        #expect(!error.message.isEmpty)
      }
    }
    #expect(refused > 1000)
  }

  @Test(arguments: [
    #""t":1e300"#, #""t":-1e300"#, #""t":-9223372036854775808"#, #""step":9007199254740993"#,
    #""step":-9223372036854775808"#, #""n":1e300"#, #""cause":-1"#, #""t":9e15"#,
  ])
  func `numbers out of bounds are refused`(member: String) throws {
    let lines = try Kit.trace(Self.small).text.split(separator: "\n").map(String.init)
    let name = String(member.prefix { $0 != ":" })
    let start = try #require(lines[3].firstRange(of: name))
    let end = lines[3][start.upperBound...].firstIndex(of: ",") ?? lines[3].endIndex
    let line = lines[3].replacing(lines[3][start.lowerBound..<end], with: member)
    let text = (lines[..<3] + [line] + lines[4...]).map { $0 + "\n" }.joined()

    #expect(throws: SourceError.self) { try TraceFile(text, file: "x") }
  }

  private static let small = """
    clients: [alice]
    network: {latency: 1ms..3ms}
    steps:
      - alice.listen: {path: a, as: feed}
      - alice.set: {path: a, value: {b: 1.5, c: yes}}
      - server.set: {path: a/d, value: {.value: 2, .priority: p}}
      - expect: {server: 1}
    """

  /// Does all that can be done with a trace that was read.
  private static func use(_ file: TraceFile) throws(SourceError) {
    let replay = try TraceReplay(of: file, named: "x", by: Kit.runner())
    #expect(ReplayReport(replay, name: "x", kit: "0.1.0").text.hasSuffix("\n"))
    var walk = TraceWalk(replay)
    for command in ["n", "p", "c", "v", "d", "c", "f", "v", "7", "h"] {
      #expect(walk.answer(to: command) != nil)
    }
  }

  private static let words = [
    "null", "-1", "1e308", "9223372036854775807", "-9223372036854775808", "[]", "{}", "\"\"",
    "\"alice\"", "true", "0.5", "\\u0000", "\n", "\r\n", "{\"end\":{}}", "[[[[[[[[", "}", "\"",
  ]

  private static func damage(_ bytes: inout [UInt8], _ random: inout RandomNumbers) {
    func index(_ random: inout RandomNumbers) -> Int {
      Int(random.next(upperBound: UInt64(bytes.count + 1)))
    }
    let first = index(&random)
    let second = index(&random)
    let range = min(first, second)..<max(first, second)
    let near = range.lowerBound..<min(range.upperBound, range.lowerBound + 12)
    switch random.next(upperBound: UInt64(8)) {
    case 0: bytes.removeSubrange(range.upperBound...)
    case 1: bytes.removeSubrange(near)
    case 2: bytes.insert(contentsOf: bytes[near], at: first)
    case 3 where first < bytes.count: bytes[first] = UInt8(random.next(upperBound: UInt64(128)))
    case 4: damageLines(&bytes, &random)
    case 5: bytes.removeSubrange(range)
    default:
      // In place of a value, so that more than the syntax is wrong.
      let word = Array(words[Int(random.next(upperBound: UInt64(words.count)))].utf8)
      let start = bytes[first...].firstIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? first
      let isEnd = { (byte: UInt8) in ",}]\n".utf8.contains(byte) }
      let end = bytes[start...].firstIndex(where: isEnd) ?? bytes.count
      bytes.replaceSubrange(start..<end, with: word)
    }
  }

  /// Takes out a line, doubles one or exchanges two.
  private static func damageLines(_ bytes: inout [UInt8], _ random: inout RandomNumbers) {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let first = Int(random.next(upperBound: UInt64(lines.count)))
    let second = Int(random.next(upperBound: UInt64(lines.count)))
    switch random.next(upperBound: UInt64(3)) {
    case 0: lines.remove(at: first)
    case 1: lines.insert(lines[first], at: second)
    default: lines.swapAt(first, second)
    }
    bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
  }
}
