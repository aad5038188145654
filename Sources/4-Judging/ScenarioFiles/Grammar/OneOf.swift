import Document
import Scenario
import Tree

/// Keys of a mapping of which one is stated, each with those that go with it.
///
/// Which keys exclude each other, what is missing and what stands in the wrong company follows from
/// the cases; so do the keys in messages, the schema and what is written.
struct OneOf<Value>: Sendable {
  /// One of the keys.
  struct Case: Sendable {
    let key: FieldKey
    /// What may stand beside this key, and beside no other that does not name it as well.
    let beside: [FieldKey]
    /// Reads the value of the key, and what stands beside it; `nil` for what is wrong, and is
    /// reported by then.
    let read: @Sendable (inout Reading, DocumentNode, Fields) -> Value?
    /// What is to be stated; `nil` for a value of another case.
    let write: @Sendable (Value) -> [YAML.Entry]?

    init(
      _ key: FieldKey, beside: [FieldKey] = [],
      read: @escaping @Sendable (inout Reading, DocumentNode, Fields) -> Value?,
      write: @escaping @Sendable (Value) -> [YAML.Entry]?
    ) {
      (self.key, self.beside, self.read, self.write) = (key, beside, read, write)
    }
  }

  /// What messages say where not exactly one of the keys is stated.
  struct Messages: Sendable {
    /// What comes before the list of all keys where none is stated; `nil` where none need be.
    var none: String?
    /// About several, which are reported at the second one, or at the mapping as a whole.
    var several: @Sendable (_ found: [String], _ all: [String]) -> String = { found, _ in
      "\(found.joined(separator: " and ")) are both given; expected one of them"
    }
    var areReportedAtMapping = false
    /// About a key beside one with which it does not go.
    var misplaced: @Sendable (_ key: String, _ one: String, _ owners: [String]) -> String = {
      "\($0) stands beside \($1); expected it beside \(alternatives($2)) alone"
    }
  }

  let cases: [Case]
  /// The keys of which one is stated.
  let names: [String]
  /// All keys: what goes with one stands behind it, what goes with several behind them all.
  let keys: [FieldKey]
  private let messages: Messages
  /// What goes with some of the keys.
  private let companions: [String]

  init(_ cases: [Case], _ messages: Messages = Messages()) {
    self.cases = cases
    self.messages = messages
    names = cases.map(\.key.name)
    var (near, far): ([FieldKey], [FieldKey]) = ([], [])
    for one in cases {
      near.append(one.key)
      for key in one.beside where !cases.contains(where: { $0.key.name == key.name }) {
        if cases.filter({ $0.goes(with: key.name) }).count == 1 {
          near.append(key)
        } else if !far.contains(where: { $0.name == key.name }) {
          far.append(key)
        }
      }
    }
    // None of them is required by itself.
    keys = (near + far).map { FieldKey($0.name, $0.schema, $0.summary) }
    companions = cases.flatMap(\.beside).map(\.name)
  }

  /// What the mapping states; `nil` for what is wrong and for nothing.
  func read(_ reading: inout Reading, _ fields: Fields) -> Value? {
    var found = fields.entries.filter { names.contains($0.key) && !companions.contains($0.key) }
    // What goes with another key is one by itself only where no other is meant.
    if found.isEmpty, !fields.hasUnknownKeys {
      found = fields.entries.filter { names.contains($0.key) }
    }
    if found.count > 1 {
      reading.report(
        messages.areReportedAtMapping ? fields.position : found[1].keyPosition,
        messages.several(found.map(\.key), names))
    }
    guard let entry = found.first, let one = cases.first(where: { $0.key.name == entry.key }) else {
      // A misspelt one has been reported as an unknown key.
      if let none = messages.none, !fields.hasUnknownKeys {
        reading.report(fields.position, "\(none) \(alternatives(names))")
      }
      return nil
    }
    for other in fields.entries where companions.contains(other.key) && other.key != entry.key {
      if one.goes(with: other.key) { continue }
      let owners = cases.filter { $0.goes(with: other.key) }.map(\.key.name)
      reading.report(other.keyPosition, messages.misplaced(other.key, entry.key, owners))
    }
    return one.read(&reading, entry.value, fields)
  }

  /// How a value is stated.
  ///
  /// - Precondition: The value is one of a case.
  func entries(of value: Value) -> [YAML.Entry] {
    for one in cases {
      if let entries = one.write(value) { return entries }
    }
    preconditionFailure("none of \(names) states \(value)")
  }
}

extension OneOf.Case {
  /// A key whose value says everything.
  @_semantics("optimize.sil.specialize.generic.never")
  @inline(never)
  init<Part>(
    _ name: String, _ form: Form<Part>, _ summary: String,
    _ embed: @escaping @Sendable (Part) -> Value, of part: @escaping @Sendable (Value) -> Part?
  ) {
    self.init(
      FieldKey(name, form.schema, summary),
      read: { reading, node, _ in form.read(&reading, node, name).map(embed) },
      write: { part($0).map { [YAML.Entry(name, form.write($0))] } })
  }

  /// A key with others that go with it: the first one of a table and the rest.
  @_semantics("optimize.sil.specialize.generic.never")
  @inline(never)
  init<Part>(
    _ table: Table<Part>, from initial: @escaping @Sendable (Reading, Fields) -> Part,
    _ embed: @escaping @Sendable (Part) -> Value, of part: @escaping @Sendable (Value) -> Part?
  ) {
    self.init(
      table.keys[0], beside: Array(table.keys.dropFirst()),
      read: { reading, _, fields in
        var part = initial(reading, fields)
        reading.read(fields, by: table, into: &part)
        return embed(part)
      }, write: { part($0).map(table.entries) })
  }

  fileprivate func goes(with key: String) -> Bool { beside.contains { $0.name == key } }
}

extension Field {
  /// Keys of which one is stated.
  @_semantics("optimize.sil.specialize.generic.never")
  @inline(never)
  init<Value>(
    _ choice: OneOf<Value>, _ path: any WritableKeyPath<Owner, Value> & Sendable
  ) {
    self.init(
      choice.keys,
      read: { reading, fields, owner in
        if let value = choice.read(&reading, fields) { owner[keyPath: path] = value }
      }, write: { choice.entries(of: $0[keyPath: path]) })
  }

  /// Keys of which one is stated, or none for what is `usual`.
  @_semantics("optimize.sil.specialize.generic.never")
  @inline(never)
  init<Value: Equatable & Sendable>(
    _ choice: OneOf<Value>, _ path: any WritableKeyPath<Owner, Value?> & Sendable,
    usually usual: Value? = nil
  ) {
    self.init(
      choice.keys,
      read: { $2[keyPath: path] = choice.read(&$0, $1) ?? usual },
      write: { owner in
        guard let value = owner[keyPath: path], value != usual else { return [] }
        return choice.entries(of: value)
      })
  }
}
