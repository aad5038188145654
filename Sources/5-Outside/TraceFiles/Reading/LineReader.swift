internal import Document
internal import Tree

/// Reads the members of a line and knows where it is.
struct LineReader {
  let file: String
  /// From 1.
  var number = 1
  /// The bytes of the line, without its end.
  var line: ArraySlice<UInt8> = []
  /// Whether no line follows it.
  var isLast = false
  /// The keys that lead to the part of the line that is read.
  private var keys: [String] = []

  init(file: String) {
    self.file = file
  }

  /// A reader of the part of the line that is called so.
  func inside(_ key: String) -> LineReader {
    var reader = self
    reader.keys.append(key)
    return reader
  }

  /// A mistake in the part that is called `key`, or in the whole where there is no such part.
  func error(_ message: String, at key: String? = nil) -> SourceError {
    error(message, column: JSONLines.column(of: keys + (key.map { [$0] } ?? []), in: line))
  }

  func error(_ message: String, column: Int) -> SourceError {
    SourceError(
      file: file, position: Position(line: number, column: column), message: message)
  }

  func object() throws(SourceError) -> JSON {
    if line.isEmpty { throw error("the line is empty; expected a JSON object") }
    let json = try parsed()
    guard json.members != nil else {
      throw error("the line is \(json.kind); expected a JSON object")
    }
    return json
  }

  private func parsed() throws(SourceError) -> JSON {
    do throws(SourceError) {
      return try JSONLines.value(of: line, number: number, in: file)
    } catch {
      // Advice about what is missing in a line that goes on would mislead.
      if isLast, line.last != UInt8(ascii: "}") {
        throw self.error(
          "the file ends in the middle of this line; expected a whole JSON object; make the file again",
          column: line.count + 1)
      }
      throw error
    }
  }
}

// The members of a part of the line.

extension LineReader {
  func member(_ name: String, of json: JSON) throws(SourceError) -> JSON {
    guard let value = json[name] else { throw error("\"\(name)\" is missing") }
    return value
  }

  func text(_ name: String, of json: JSON) throws(SourceError) -> String {
    let value = try member(name, of: json)
    guard let text = value.string else {
      throw error("\"\(name)\" is \(value.kind), expected a string", at: name)
    }
    return text
  }

  func integer(_ name: String, of json: JSON) throws(SourceError) -> Int {
    let value = try member(name, of: json)
    guard let integer = value.integer else {
      throw error("\"\(name)\" is \(value.text), expected a whole number", at: name)
    }
    return integer
  }

  func list(_ name: String, of json: JSON) throws(SourceError) -> [JSON] {
    let value = try member(name, of: json)
    guard let elements = value.elements else {
      throw error("\"\(name)\" is \(value.kind), expected a list", at: name)
    }
    return elements
  }

  func texts(_ name: String, of json: JSON) throws(SourceError) -> [String] {
    var texts: [String] = []
    for element in try list(name, of: json) {
      guard let text = element.string else {
        throw error("\"\(name)\" has \(element.kind) in it, expected strings", at: name)
      }
      texts.append(text)
    }
    return texts
  }

  /// Runs what reads the part that is called `name`, and says where it was.
  func reading<Value>(_ name: String, _ body: () throws -> Value) throws(SourceError) -> Value {
    do {
      return try body()
    } catch {
      throw self.error("\(error)", at: name)
    }
  }
}
