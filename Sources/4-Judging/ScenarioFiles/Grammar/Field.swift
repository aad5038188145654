import Document
import Scenario
import Tree

/// A key with what the reference and editors say of it.
struct FieldKey: Sendable {
  let name: String
  let isRequired: Bool
  /// What a JSON Schema says of the value. It accepts all that the reader accepts.
  let schema: JSON
  /// What it is for, as a sentence in Markdown.
  let summary: String

  /// A key whose value no schema restricts.
  init(_ name: String, _ summary: String) { self.init(name, true, summary) }

  init(_ name: String, _ schema: JSON, isRequired: Bool = false, _ summary: String) {
    self.name = name
    self.isRequired = isRequired
    self.schema = schema
    self.summary = summary
  }
}

/// What a mapping of a scenario file states under one key, or under several that go together.
///
/// Nothing else knows the keys of a mapping: reading, writing, messages, the JSON Schema and the
/// reference in `Specs/scenario-format.md` follow from its fields. Their order is that in which a
/// mapping is written and in which messages list its keys.
///
/// Tables are made once, so what makes fields is not compiled again for each type of value: that
/// would take 18 % more processor time for the module (69.8 s beside 59.2 s, compiled side by
/// side), and run no faster.
struct Field<Owner>: Sendable {
  typealias Key = FieldKey

  let keys: [Key]
  /// Takes over what the mapping states; what is wrong is reported and left out.
  let read: @Sendable (inout Reading, Fields, inout Owner) -> Void
  /// What is to be stated; nothing for what holds where nothing is said.
  let write: @Sendable (Owner) -> [YAML.Entry]
  /// What it means in a fragment of a scenario.
  private(set) var use = FragmentUse.unknown

  init(
    _ keys: [Key], read: @escaping @Sendable (inout Reading, Fields, inout Owner) -> Void,
    write: @escaping @Sendable (Owner) -> [YAML.Entry]
  ) {
    self.keys = keys
    self.read = read
    self.write = write
  }
}

/// What a key of a scenario means in a fragment.
enum FragmentUse: Sendable {
  /// It does not belong there.
  case unknown
  /// It says nothing about the scenarios that include the fragment, or is read in another way.
  case ignored
  /// It adds to what other files say.
  case added
  /// It may be there, if no other file states it.
  case single
}

extension Field<Scenario> {
  func inFragments(_ use: FragmentUse) -> Field {
    var field = self
    field.use = use
    return field
  }
}

extension Field {
  /// One key whose value is read and written in a way of its own, or by something else.
  init(
    _ name: String, _ schema: JSON = true, isRequired: Bool = false, summary: String,
    read: @escaping @Sendable (inout Reading, DocumentNode, inout Owner) -> Void = { _, _, _ in },
    write: @escaping @Sendable (Owner) -> YAML? = { _ in nil }
  ) {
    self.init(
      [Key(name, schema, isRequired: isRequired, summary)],
      read: { reading, fields, owner in
        if let node = fields[name] { read(&reading, node, &owner) }
      }, write: { owner in write(owner).map { [YAML.Entry(name, $0)] } ?? [] })
  }

  /// A key for a property that has no value where nothing is stated.
  @_semantics("optimize.sil.specialize.generic.never")
  @inline(never)
  init<Value>(
    _ name: String, _ form: Form<Value>, _ path: any WritableKeyPath<Owner, Value?> & Sendable,
    isRequired: Bool = false, _ summary: String
  ) {
    self.init(
      name, form.schema, isRequired: isRequired, summary: summary,
      read: { reading, node, owner in
        if let value = form.read(&reading, node, name) { owner[keyPath: path] = value }
      }, write: { owner in owner[keyPath: path].map { form.write($0) } })
  }

  /// A key for a property that has its `usual` value where nothing is stated; without such a value
  /// the key has to be there.
  @_semantics("optimize.sil.specialize.generic.never")
  @inline(never)
  init<Value: Equatable & Sendable>(
    _ name: String, _ form: Form<Value>, _ path: any WritableKeyPath<Owner, Value> & Sendable,
    unless usual: Value? = nil, _ summary: String
  ) {
    self.init(
      name, form.schema, isRequired: usual == nil, summary: summary,
      read: { reading, node, owner in
        if let value = form.read(&reading, node, name) { owner[keyPath: path] = value }
      },
      write: { owner in
        let value = owner[keyPath: path]
        return value == usual ? nil : form.write(value)
      })
  }
}

extension Field {
  /// A key for a property that is `usual` where nothing is stated, and that others need not have.
  @_semantics("optimize.sil.specialize.generic.never")
  @inline(never)
  init<Value: Equatable & Sendable>(
    _ name: String, _ form: Form<Value>, _ path: any WritableKeyPath<Owner, Value?> & Sendable,
    usually usual: Value, _ summary: String
  ) {
    let one = OneOf<Value>([.init(name, form, summary, { $0 }, of: { $0 })])
    self.init(one, path, usually: usual)
  }
}

/// The fields of a mapping.
struct Table<Owner>: Sendable {
  let fields: [Field<Owner>]
  /// All keys, in the order in which messages list them.
  let names: [String]
  /// The keys that must be there.
  let required: [String]

  init(_ fields: [Field<Owner>]) {
    self.fields = fields
    names = fields.flatMap(\.keys).map(\.name)
    required = fields.flatMap(\.keys).filter(\.isRequired).map(\.name)
  }

  var keys: [FieldKey] { fields.flatMap(\.keys) }

  /// What a JSON Schema says of a mapping that is read by it alone.
  var schema: JSON {
    [
      "type": "object", "required": .array(required.map { .string($0) }),
      "properties": ScenarioGrammar.properties(keys),
    ]
  }

  /// What a mapping states, in the order of the table.
  func entries(of owner: Owner) -> [YAML.Entry] { fields.flatMap { $0.write(owner) } }
}

extension Field {
  /// The keys of the table of a property, which stand among those of this one.
  @_semantics("optimize.sil.specialize.generic.never")
  @inline(never)
  init<Value>(_ table: Table<Value>, _ path: any WritableKeyPath<Owner, Value> & Sendable) {
    self.init(
      table.keys, read: { $0.read($1, by: table, into: &$2[keyPath: path]) },
      write: { table.entries(of: $0[keyPath: path]) })
  }
}

extension Reading {
  /// Reads a mapping by its table.
  ///
  /// - Parameters:
  ///   - node: The mapping.
  ///   - what: What messages call it.
  ///   - table: Its fields.
  ///   - owner: Gets what the mapping states.
  /// - Returns: `nil` for what is no mapping.
  @discardableResult
  mutating func read<Owner>(
    _ node: DocumentNode, _ what: String, by table: Table<Owner>, into owner: inout Owner
  ) -> Fields? {
    let fields = fields(of: node, what, keys: table.names, required: table.required)
    if let fields { read(fields, by: table, into: &owner) }
    return fields
  }

  mutating func read<Owner>(_ fields: Fields, by table: Table<Owner>, into owner: inout Owner) {
    for field in table.fields { field.read(&self, fields, &owner) }
  }
}

extension YAML {
  static func mapping<Owner>(_ owner: Owner, by table: Table<Owner>) -> YAML {
    .mapping(table.entries(of: owner))
  }
}
