import ClientInterface
import Document
import TestKit
import Testing
import Tree

@testable import ReferenceClient

@Suite struct PushTests {
  @Test func `a push answers with its key and sets a value under it`() {
    var driver = CaseDriver.connected()
    let answered = driver.call("p", .push("list", nil))
    let pushed = driver.call("q", .push("list", Node(1)))

    #expect(answered.count == 1)
    #expect(answered[0].hasPrefix("p answered \"-K"))
    #expect(pushed.count == 2)
    #expect(pushed[1].hasPrefix(#"send {"r":2,"a":"p","b":{"p":"/list/-K"#))
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `keys increase, within a millisecond and across`(seed: UInt64) {
    var driver = CaseDriver(seed: seed)
    var last = ""
    for step in 0..<300 {
      if step % 3 == 0 { driver.now = driver.now + .milliseconds(1 + step % 70) }
      let key = driver.call("p", .push("list", nil)).first ?? ""
      #expect(Key(last) < Key(key), "seed \(seed)")
      #expect(key.wholeMatch(of: /p answered "[-0-9A-Z_a-z]{20}"/) != nil, "seed \(seed)")
      last = key
    }
  }

  @Test func `two clients with other seeds make other keys`() {
    var a = CaseDriver(seed: 1)
    var b = CaseDriver(seed: 2)

    #expect(a.call("p", .push("list", nil)) != b.call("p", .push("list", nil)))
  }

  @Test(arguments: [1e300, -1e300])
  func `a server with a broken clock does not stop the client`(timestamp: Double) {
    var driver = CaseDriver()
    _ = driver.feed(.opened)
    _ = driver.hello(ahead: timestamp)

    #expect(driver.call("p", .push("list", nil)).count == 1)
  }

  @Test func `keys are those of the vectors`() throws {
    let vectors = try Kit.vectors["pushid"] ?? .null
    var generator = PushIDGenerator()
    var random = RandomNumbers(seed: 1)
    func key(_ time: Double) -> String { generator.next(at: time, random: &random).string }
    let early = key(1)
    let first = key(1_700_000_000_000)
    let second = key(1_700_000_000_000.9)

    #expect(vectors["t1700000000000"]?.string == String(first.prefix(8)))
    #expect(vectors["t1"]?.string == String(early.prefix(8)))
    let same = vectors["sameMs"]?.elements?.compactMap(\.string) ?? []
    #expect(same.map { $0.prefix(19) } == [same[0].prefix(19), same[0].prefix(19)])
    #expect(first.prefix(8) == second.prefix(8))
    #expect(digits(second.dropFirst(8)) == successor(of: digits(first.dropFirst(8))))
    #expect(digits(same[1].dropFirst(8)) == successor(of: digits(same[0].dropFirst(8))))
  }

  private func digits(_ text: Substring) -> [Int] {
    let alphabet = Array("-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz")
    return text.compactMap { alphabet.firstIndex(of: $0) }
  }

  private func successor(of digits: [Int]) -> [Int] {
    var digits = digits
    for index in digits.indices.reversed() {
      digits[index] = (digits[index] + 1) % 64
      if digits[index] > 0 { break }
    }
    return digits
  }
}
