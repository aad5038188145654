internal import Tree

// Numbers, booleans and the null object of Foundation, which an application may write although
// the SDK does not have Foundation: a program without it stays small.

extension JSON {
  /// What an object of Foundation is in JSON: `NSNull`, or an `NSNumber`; `nil` for any other object.
  ///
  /// An `NSNumber` of 0 or 1 can be cast to `Bool`, whatever it was made of. The class is the difference:
  /// Foundation has one of its own for booleans.
  init?(foundation object: AnyObject) {
    let classes = FoundationClasses.shared
    // In a program without Foundation, Swift puts every value into the same kind of box.
    if classes.null == classes.boolean { return nil }
    switch ObjectIdentifier(type(of: object)) {
    case classes.null: self = .null
    case classes.boolean:
      guard let bool = object as? Bool else { return nil }
      self = .bool(bool)
    case let found:
      let isNumber = found == classes.number
      guard let number = isNumber ? Self.number(object) : Self.decimalNumber(object) else {
        return nil
      }
      self = .number(number)
    }
  }

  /// An integer of 64 bits has no cast to `Double` if it has too many digits for that: it is rounded, as
  /// an `Int` is.
  private static func number(_ object: AnyObject) -> Double? {
    if let number = object as? Double { return number }
    if let number = object as? Int64 { return Double(number) }
    return (object as? UInt64).map { Double($0) }
  }

  /// An `NSDecimalNumber`. Its cast to `Double` is not the nearest one, and its text has every digit.
  private static func decimalNumber(_ object: AnyObject) -> Double? {
    guard let number = object as? Double else { return nil }
    return Double("\(object)") ?? number
  }
}

/// The classes of Foundation for what Swift has other types for, found without naming them: as an
/// object, a value of Swift is one of them.
private struct FoundationClasses {
  let null = ObjectIdentifier(type(of: Int?.none as AnyObject))
  let boolean = ObjectIdentifier(type(of: true as AnyObject))
  let number = ObjectIdentifier(type(of: 0 as AnyObject))

  static let shared = FoundationClasses()
}
