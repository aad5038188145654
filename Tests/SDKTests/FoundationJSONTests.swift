import ClientEngine
import ClientInterface
import Foundation
import Testing
import Tree

/// Any JSON is the same after it was read or made by Foundation.
@Suite struct FoundationJSONTests {
  @Test(arguments: 0..<200 as Range<UInt64>)
  func `what JSONSerialization reads is what was written`(seed: UInt64) throws {
    let json = Self.draw(seed)
    let object = try JSONSerialization.jsonObject(
      with: Data(json.text.utf8), options: .fragmentsAllowed)

    // Foundation reads -0 as 0; the two are equal.
    #expect(JSON(plain: object) == json)
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `what is made of objects is what they stand for`(seed: UInt64) {
    let json = Self.draw(seed)

    #expect(JSON(plain: Self.object(json))?.text == json.text)
  }

  /// The same as objects of Foundation.
  private static func object(_ json: JSON) -> NSObject {
    switch json {
    case .null: NSNull()
    case let .bool(bool): NSNumber(value: bool)
    case let .number(number): self.number(number)
    case let .string(text): NSString(string: text)
    case let .array(elements): NSArray(array: elements.map(object))
    case let .object(members):
      NSDictionary(
        objects: members.map { object($0.value) },
        forKeys: members.map { NSString(string: $0.name) })
    }
  }

  /// As an integer where that loses nothing.
  private static func number(_ number: Double) -> NSNumber {
    guard let integer = Int64(exactly: number), integer != 0 || number.sign == .plus else {
      return NSNumber(value: number)
    }
    return NSNumber(value: integer)
  }

  private static func draw(_ seed: UInt64) -> JSON {
    var random = RandomNumbers(seed: seed)
    return draw(&random, depth: 4)
  }

  private static let scalars: [JSON] = [
    .null, true, false, 0, 1, -1, 2, .number(-0.0), 0.1, 1.5, -2.25, 255, 256, 32_768,
    4_294_967_296,
    .number(0x1p53), .number(0x1p53 - 1), .number(-0x1p63), .number(0x1p63), .number(0x1p64),
    .number(1e29), .number(1e300), .number(0x1p-1074), "", "0", "true", "é", "\u{1F600}",
  ]

  private static func draw(_ random: inout RandomNumbers, depth: Int) -> JSON {
    let count = Int.random(in: 0..<5, using: &random)
    switch depth == 0 ? 0 : Int.random(in: 0..<4, using: &random) {
    case 0, 1: return scalars.randomElement(using: &random) ?? .null
    case 2: return .array((0..<count).map { _ in draw(&random, depth: depth - 1) })
    default:
      return .object((0..<count).map { .init("k\($0)", draw(&random, depth: depth - 1)) })
    }
  }
}
