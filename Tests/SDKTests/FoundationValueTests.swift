import ClientEngine
import Foundation
import Testing
import Tree

/// What an application in Swift has from Foundation: numbers, texts, arrays and dictionaries as
/// objects, and what `JSONSerialization` makes of JSON.
@Suite struct FoundationValueTests {
  private static let numbers: [(NSNumber, Double)] = [
    (NSNumber(value: 0), 0), (NSNumber(value: 1), 1), (NSNumber(value: 1.0), 1),
    (NSNumber(value: Int8(1)), 1), (NSNumber(value: UInt8(0)), 0), (NSNumber(value: Int16(1)), 1),
    (NSNumber(value: UInt32(1)), 1), (NSNumber(value: Float(0.5)), 0.5),
    (NSNumber(value: -0.0), -0.0), (NSNumber(value: 0.1), 0.1),
    (NSNumber(value: Float(0.1)), Double(Float(0.1))),
    (NSNumber(value: Int64.min), -0x1p63), (NSNumber(value: Int64.max), 0x1p63),
    (NSNumber(value: UInt64.max), 0x1p64), (NSNumber(value: 9_007_199_254_740_993), 0x1p53),
    (NSDecimalNumber(value: 0), 0), (NSDecimalNumber(value: 1), 1),
    (NSDecimalNumber(string: "0.1"), 0.1), (NSDecimalNumber(string: "1e100"), 1e100),
    (NSDecimalNumber(string: "-123456789012345678901234567890"), -1.2345678901234568e29),
  ]

  private enum Diet: String { case plants }
  private enum Size: Int { case small = 1 }

  @Test func `decimals, raw values and parts of texts are what they stand for`() {
    #expect(JSON(plain: Decimal(1)) == 1)
    #expect(JSON(plain: Decimal(string: "0.1")) == 0.1)
    #expect(JSON(plain: ["a": Decimal(0)]) == ["a": 0])
    #expect(JSON(plain: [Diet.plants]) == ["plants"])
    #expect(JSON(plain: Size.small) == 1)
    #expect(JSON(plain: "text".dropFirst()) == "ext")
  }

  @Test(arguments: numbers) func `a number is a number`(number: NSNumber, double: Double) {
    #expect(JSON(plain: number) == .number(double))
    #expect(JSON(plain: number)?.number?.sign == double.sign)
    #expect(JSON(plain: Optional(number) as Any) == .number(double))
    #expect(JSON(plain: NSArray(object: number)) == [.number(double)])
  }

  @Test func `a boolean is a boolean`() {
    #expect(JSON(plain: NSNumber(value: true)) == true)
    #expect(JSON(plain: NSNumber(value: false)) == false)
    #expect(JSON(plain: true as NSNumber) == true)
    #expect(JSON(plain: false as AnyObject) == false)
    #expect(JSON(plain: Optional(NSNumber(value: true)) as Any) == true)
  }

  @Test func `a text is a text`() {
    #expect(JSON(plain: NSString(string: "text")) == "text")
    #expect(JSON(plain: NSMutableString(string: "1")) == "1")
  }

  @Test func `the null object is null, at the top and below`() {
    #expect(JSON(plain: NSNull()) == .null)
    #expect(JSON(plain: Optional(NSNull()) as Any) == .null)
    #expect(JSON(plain: ["a": NSNull(), "b": [NSNull(), 1]]) == ["a": .null, "b": [.null, 1]])
    #expect(
      JSON(plain: ["a": NSNull(), "b": 1] as [String: Any]).map { Node(json: $0) }
        == Node(json: ["b": 1]))
  }

  @Test func `arrays and dictionaries have what is in them`() {
    let values: [Any] = [0, true, NSNull(), "a", [1], ["b": false]]
    let json: JSON = [0, true, .null, "a", [1], ["b": false]]

    #expect(JSON(plain: NSArray(array: values)) == json)
    #expect(JSON(plain: NSMutableArray(array: values)) == json)
    #expect(JSON(plain: NSDictionary(dictionary: ["k": values])) == ["k": json])
    #expect(JSON(plain: NSMutableDictionary(dictionary: ["k": values])) == ["k": json])
    let keys: [AnyHashable: Any] = [NSString(string: "k"): NSNumber(value: 1), "l": NSArray()]
    #expect(JSON(plain: keys) == ["k": 1, "l": []])
    #expect(JSON(plain: ["k": Optional(NSNumber(value: 1)) as Any]) == ["k": 1])
  }

  @Test func `what is no value of the database is none`() {
    #expect(JSON(plain: NSObject()) == nil)
    #expect(JSON(plain: NSDate()) == nil)
    #expect(JSON(plain: Date()) == nil)
    #expect(JSON(plain: Data([1])) == nil)
    #expect(JSON(plain: URL(filePath: "/a")) == nil)
    #expect(JSON(plain: UUID()) == nil)
    #expect(JSON(plain: NSSet(array: [1])) == nil)
    #expect(JSON(plain: NSDictionary(dictionary: [1: "a"])) == nil)
    #expect(JSON(plain: NSArray(array: [Date()])) == nil)
  }

  @Test func `two keys with one name are not made one`() {
    let keys: [AnyHashable: Any] = [AnyHashable("a"): 1, AnyHashable(NSString(string: "a")): 2]

    #expect(keys.count == 2)
    #expect(JSON(plain: keys) == nil)
  }
}
