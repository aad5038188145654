import ClientInterface
import Document
import Faults
import Scenario
import Tree

extension Reading {
  /// A length of time: `5s`, `30ms`, `1m`, `1.5s`.
  mutating func interval(
    _ node: DocumentNode, _ what: String, orRange range: String = ""
  ) -> Interval? {
    guard case let .string(text) = node.content else {
      mismatch(what, node, expected: "a duration such as 30ms, 5s or 1m\(range)")
      return nil
    }
    return interval(text, what, orRange: range, at: node.position)
  }

  private mutating func interval(
    _ text: String, _ what: String, orRange range: String = "", at position: Position
  ) -> Interval? {
    if let interval = Self.interval(of: text) { return interval }
    report(
      position,
      "\(what) is \(quoted(text)); expected a duration such as 30ms, 5s or 1m\(range), at most 1000h"
    )
    return nil
  }

  private static let units: [(name: String, nanoseconds: Double)] = [
    ("ms", 1e6), ("s", 1e9), ("m", 60e9), ("h", 3600e9),
  ]

  static func interval(of text: String) -> Interval? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let unit = units.first { $0.name == text.dropFirst(digits.count) }
    guard let unit, digits.first != ".", digits.last != ".", let count = Double(digits) else {
      return nil
    }
    let nanoseconds = (count * unit.nanoseconds).rounded()
    return nanoseconds <= 3.6e15 ? Interval(nanoseconds: Int64(nanoseconds)) : nil
  }

  /// A length of time in either direction: `500ms`, `-15m`.
  mutating func shift(_ node: DocumentNode, _ what: String) -> Interval? {
    guard case let .string(text) = node.content, text.hasPrefix("-") else {
      return interval(node, what)
    }
    return interval(String(text.dropFirst()), what, at: node.position).map { .zero - $0 }
  }

  /// What a clock gains in each second; at most as much as passes.
  mutating func drift(_ node: DocumentNode, _ what: String) -> ClockDrift? {
    guard let shift = shift(node, what) else { return nil }
    guard shift > .zero - .seconds(1), shift <= .seconds(1) else {
      report(
        node.position,
        "\(what) is \(node.flowText); expected what the clock gains in a second, at most 1s")
      return nil
    }
    return ClockDrift(perSecond: shift)
  }

  /// A duration, or a range of them: `10ms..60ms`.
  mutating func intervals(_ node: DocumentNode, _ what: String) -> ClosedRange<Interval>? {
    guard case let .string(text) = node.content, let dots = text.firstRange(of: "..") else {
      return interval(node, what, orRange: Self.range).map { $0...$0 }
    }
    let ends = (String(text[..<dots.lowerBound]), String(text[dots.upperBound...]))
    let unit = String(ends.1.drop { ("0"..."9").contains($0) || $0 == "." })
    if Self.interval(of: ends.0) == nil, let meant = Self.interval(of: ends.0 + unit),
      let end = Self.interval(of: ends.1), meant <= end
    {
      report(
        node.position,
        "\(what) is \(quoted(text)); expected a unit at both ends; "
          + "did you mean \(ends.0 + unit)..\(ends.1)?")
      return nil
    }
    let low = interval(ends.0, what, at: node.position)
    let high = interval(ends.1, what, at: node.position)
    guard let low, let high else { return nil }
    return ordered(low, high, what, at: node.position)
  }

  /// What is allowed in place of a duration, for messages.
  private static let range = ", or a range such as 20ms..80ms"

  /// The range from one duration to another; a reversed one is reported.
  mutating func ordered(
    _ low: Interval, _ high: Interval, _ what: String, at position: Position
  ) -> ClosedRange<Interval>? {
    guard low <= high else {
      report(position, "\(what) is a reversed range; expected the shorter duration first")
      return nil
    }
    return low...high
  }

  /// `[D, D]`.
  mutating func between(_ node: DocumentNode, _ what: String) -> ClosedRange<Interval>? {
    guard case let .list(ends) = node.content, ends.count == 2 else {
      report(node.position, "\(what) is \(node.flowText); expected a list of two durations")
      return nil
    }
    guard let low = interval(ends[0], what), let high = interval(ends[1], what) else {
      return nil
    }
    return ordered(low, high, what, at: node.position)
  }

  /// A path that a client is handed, right or wrong: refusing it is the client's part.
  mutating func path(_ node: DocumentNode, _ what: String = "path") -> Path? {
    guard let path = string(node, what).map({ Path($0) }) else { return nil }
    for name in path.keys.compactMap(\.referredName) { checkBound(name, at: node.position) }
    return path
  }

  /// A path that the server is to use, so it must be right.
  mutating func storedPath(_ node: DocumentNode, _ what: String = "path") -> Path? {
    guard let path = path(node, what) else { return nil }
    if let problem = path.problem { report(node.position, problem.description) }
    return path
  }

  mutating func number(_ node: DocumentNode, _ what: String) -> Double? {
    if case let .number(number) = node.content { return number }
    mismatch(what, node, expected: "a number")
    return nil
  }

  /// A whole number from `least` up.
  mutating func count(_ node: DocumentNode, _ what: String, atLeast least: Int) -> Int? {
    if let count = node.json.integer, count >= least { return count }
    report(node.position, "\(what) is \(node.flowText); expected a whole number from \(least) up")
    return nil
  }

  mutating func bool(_ node: DocumentNode, _ what: String) -> Bool? {
    if case let .bool(bool) = node.content { return bool }
    mismatch(what, node, expected: "true or false")
    return nil
  }

  /// A value of the database without children; null is the priority or bound that is none.
  mutating func scalar(_ node: DocumentNode, _ what: String) -> Scalar? {
    if node.isCollection, ServerValue(node.json) == nil {
      mismatch(what, node, expected: "a scalar")
    }
    return Scalar(node.json)
  }

  /// Such as `permission_denied`.
  mutating func errorCode(_ node: DocumentNode, _ what: String) -> ErrorCode? {
    guard let text = string(node, what) else { return nil }
    guard isLabel(text), text == text.lowercased(), !text.contains("-") else {
      report(
        node.position,
        "\(quoted(text)) is no error code; expected lower case such as permission_denied")
      return nil
    }
    return ErrorCode(text)
  }

  /// A number of bytes: `200B`, `64KB`, `10MB`.
  mutating func size(_ node: DocumentNode, _ what: String) -> Int? {
    guard let text = string(node, what) else { return nil }
    let units = [("KB", 1024), ("MB", 1024 * 1024), ("B", 1)]
    let unit = units.first { text.hasSuffix($0.0) }
    if let unit, let count = Int(text.dropLast(unit.0.count)), (0...9999).contains(count) {
      return count * unit.1
    }
    report(node.position, "\(what) is \(quoted(text)); expected a size such as 200B, 64KB or 10MB")
    return nil
  }

  /// The name of a host, such as `two.kennel.test`.
  mutating func host(_ node: DocumentNode, _ what: String) -> String? {
    guard let host = string(node, what) else { return nil }
    let isHost = host.unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0))
        || ["-", ".", ":"].contains($0)
    }
    if host.isEmpty || !isHost {
      report(node.position, "\(quoted(host)) is no host; expected one such as two.kennel.test")
      return nil
    }
    return host
  }
}
