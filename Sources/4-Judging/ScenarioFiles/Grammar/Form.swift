import ClientInterface
import Document
import Faults
import Scenario
import Tree

/// How values of one type are written in scenario files: what reads them, what writes them, and what
/// an editor can check.
struct Form<Value>: Sendable {
  /// What a JSON Schema says of a value. It accepts all that the reader accepts, and may accept more.
  let schema: JSON
  /// Reads a value, which messages call `what`; `nil` for one that is wrong, and is reported by then.
  let read: @Sendable (inout Reading, DocumentNode, _ what: String) -> Value?
  /// Writes a value so that it is read as the same again.
  let write: @Sendable (Value) -> YAML

  init(
    _ schema: JSON = true,
    read: @escaping @Sendable (inout Reading, DocumentNode, _ what: String) -> Value?,
    write: @escaping @Sendable (Value) -> YAML
  ) {
    self.schema = schema
    self.read = read
    self.write = write
  }
}

/// What schemas say of values of one type of JSON.
enum Schema {
  static let text: JSON = ["type": "string"]
  static let sentence: JSON = ["type": "string", "minLength": 1]

  static func words(_ words: [String]) -> JSON {
    orParameter(["enum": .array(words.map { .string($0) })])
  }

  /// A scalar that is no text of its own, or `$(name)` for it.
  static func orParameter(_ schema: JSON) -> JSON {
    ["anyOf": [schema, ["$ref": "#/$defs/parameter"]]]
  }

  static func list(of elements: JSON, from least: Int = 1) -> JSON {
    ["type": "array", "minItems": .number(Double(least)), "items": elements]
  }
}

extension Form where Value: CaseIterable & RawRepresentable<String> & Sendable {
  /// One of the cases, by its raw value.
  static var word: Form {
    Form(
      Schema.words(Value.allCases.map(\.rawValue)), read: { $0.choice($1, $2, as: Value.self) },
      write: { .text($0.rawValue) })
  }
}

extension Form where Value: Sendable {
  /// A mapping with the fields of a table; `nil` where something in it is wrong.
  init(_ table: Table<Value>, from initial: Value) {
    self.init(
      table.schema,
      read: { reading, node, what in
        let before = reading.problems.count
        var value = initial
        reading.read(node, what, by: table, into: &value)
        return reading.problems.count == before ? value : nil
      }, write: { .mapping($0, by: table) })
  }
}

extension Form {
  /// A list with at least one element.
  static func list<Element>(of elements: String, _ form: Form<Element>) -> Form
  where Value == [Element] {
    Form(
      Schema.list(of: form.schema),
      read: { reading, node, what in
        reading.list(node, what, of: elements).compactMap {
          form.read(&reading, $0, "an element of \(what)")
        }
      }, write: { .list($0.map(form.write)) })
  }

  /// Some of the cases, by their raw values; there is at least one.
  static func words<Case: CaseIterable & RawRepresentable<String> & Sendable>(
    _ what: String, of cases: String
  ) -> Form where Value == Set<Case> {
    Form(
      Schema.list(of: Form<Case>.word.schema),
      read: { reading, node, name in
        let words = reading.words(node, name, of: cases)
        let found = words.compactMap { reading.choice($0, what, at: $1, as: Case.self) }
        return found.isEmpty ? nil : Set(found)
      }, write: { .words($0.map(\.rawValue).sorted()) })
  }
}

extension Form<String> {
  static let text = Form(Schema.text, read: { $0.string($1, $2) }, write: { .text($0) })

  /// A text that says something, and stands on a line of its own.
  static func sentence(orElse expected: String) -> Form {
    Form(
      Schema.sentence,
      read: { reading, node, what in
        let text = reading.string(node, what)
        if text?.isEmpty == true {
          reading.report(node.position, "\(what) is empty; expected \(expected)")
        }
        return text
      }, write: { .line($0) })
  }

  /// One of the words that there are.
  static func word(among words: [String]) -> Form {
    Form(
      Schema.words(words), read: { $0.word($1, $2, among: words) }, write: { .text($0) })
  }

  /// The name of a client that there is.
  static let client = Form(Schema.text, read: { $0.knownClient($1, $2) }, write: { .text($0) })

  /// The name of a host, such as `two.kennel.test`.
  static let host = Form(Schema.text, read: { $0.host($1, $2) }, write: { .text($0) })
}

extension Form<Interval> {
  /// `30ms`, `1.5s`, `2h`.
  static let duration = Form(
    Schema.text, read: { $0.interval($1, $2) }, write: { .duration($0) })
  /// The same in either direction: `-15m`.
  static let shift = Form(Schema.text, read: { $0.shift($1, $2) }, write: { .shift($0) })
}

extension Form<ClosedRange<Interval>> {
  /// `50ms`, or `10ms..60ms`.
  static let intervals = Form(Schema.text, read: { $0.intervals($1, $2) }, write: { .range($0) })
  /// `[0ms, 50ms]`.
  static let between = Form(
    read: { $0.between($1, $2) },
    write: { .list([.duration($0.lowerBound), .duration($0.upperBound)]) })
}

extension Form<Double> {
  static let number = Form(
    Schema.orParameter(["type": "number"]), read: { $0.number($1, $2) },
    write: { .value(.number($0)) })
}

extension Form<Int> {
  /// A whole number from `least` up.
  static func count(from least: Int) -> Form {
    Form(
      Schema.orParameter(["type": "integer", "minimum": .number(Double(least))]),
      read: { $0.count($1, $2, atLeast: least) }, write: { .word("\($0)") })
  }

  /// A number of bytes: `200B`, `64KB`, `10MB`.
  static let size = Form(Schema.text, read: { $0.size($1, $2) }, write: { .size($0) })
}

extension Form<Bool> {
  static let flag = flag(true, false)
}

extension Form where Value: Equatable & Sendable {
  /// `true` or `false`, for one of two values.
  static func flag(_ yes: Value, _ no: Value) -> Form {
    Form(
      Schema.orParameter(["type": "boolean"]),
      read: { reading, node, what in reading.bool(node, what).map { $0 ? yes : no } },
      write: { .word($0 == yes ? "true" : "false") })
  }

  /// `true`, for a value that is there or is not.
  static func mark(_ value: Value, orElse other: String = "") -> Form {
    Form(
      Schema.orParameter(["const": true]),
      read: { reading, node, what in
        if node.json != true { reading.mismatch(what, node, expected: "true" + other) }
        return value
      }, write: { _ in .word("true") })
  }
}

extension Form<Path> {
  /// A path that a client is handed, right or wrong: refusing it is the client's part.
  static let path = Form(Schema.text, read: { $0.path($1, $2) }, write: { .path($0) })
  /// A path that the server is to use, so it must be right.
  static let storedPath = Form(Schema.text, read: { $0.storedPath($1, $2) }, write: { .path($0) })
}

extension Form<ErrorCode> {
  static let errorCode = Form(
    Schema.text, read: { $0.errorCode($1, $2) }, write: { .text($0.name) })
}

extension Form<ClockDrift> {
  /// What a clock gains in each second, or loses.
  static let drift = Form(Schema.text, read: { $0.drift($1, $2) }, write: { .shift($0.perSecond) })
}
