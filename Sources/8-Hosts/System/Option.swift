/// One row in the table of a command's options: what is said about the option, which field it sets,
/// and how that field is written as words again.
///
/// Parsing, help, completions, the manual page, what a project file and the environment say, and the
/// command lines of other processes all come from these rows.
package struct Option<Settings> {
  package var description: OptionDescription
  /// What was expected in place of a text that stands for no value; nil for one that does.
  let expectation: (String) -> String?
  /// Takes the values given, of which there is at least one. Returns what is wrong with them.
  package let read: ([String], inout Settings) -> String?
  /// The values that set the field again; none where the field is as it is without the option. The
  /// value of an option without one is empty.
  let values: (Settings) -> [String]

  package init(
    _ description: OptionDescription, expectation: @escaping (String) -> String? = { _ in nil },
    read: @escaping ([String], inout Settings) -> String?, values: @escaping (Settings) -> [String]
  ) {
    self.description = description
    self.expectation = expectation
    self.read = read
    self.values = values
  }

  package var name: String { description.name }
}

/// Settings whose fields have values of their own for the options that are not given.
package protocol OptionSettings {
  init()
}

// The kinds of rows.

extension Option {
  /// An option without a value: it makes a field true, or false.
  package static func flag(
    _ name: String, _ field: WritableKeyPath<Settings, Bool>, is value: Bool = true,
    letter: Character? = nil, _ summary: String
  ) -> Option {
    Option(
      OptionDescription(name: name, letter: letter, summary: summary),
      read: { _, settings in
        settings[keyPath: field] = value
        return nil
      }, values: { $0[keyPath: field] == value ? [""] : [] })
  }

  /// An option without a value that sets a field as another option does, which writes it.
  package static func shorthand<Value>(
    _ name: String, _ field: WritableKeyPath<Settings, Value?>, _ value: Value, _ summary: String
  ) -> Option {
    Option(
      OptionDescription(name: name, summary: summary),
      read: { _, settings in
        settings[keyPath: field] = value
        return nil
      }, values: { _ in [] })
  }

  /// An option with a value; the last one given counts.
  package static func value<Value>(
    _ name: String, _ placeholder: String, _ field: WritableKeyPath<Settings, Value?>,
    _ kind: OptionKind<Value>, letter: Character? = nil, _ summary: String
  ) -> Option {
    Option(
      kind.description(name, placeholder, letter, summary), expectation: kind.expectation,
      read: { texts, settings in
        kind.read(texts.suffix(1), of: name) { settings[keyPath: field] = $0.last }
      }, values: { $0[keyPath: field].map { [kind.text($0)] } ?? [] })
  }

  /// An option whose values all count, each once.
  package static func list<Value: Equatable>(
    _ name: String, _ placeholder: String, _ field: WritableKeyPath<Settings, [Value]>,
    _ kind: OptionKind<Value>, _ summary: String
  ) -> Option {
    var description = kind.description(name, placeholder, nil, summary)
    description.isRepeatable = true
    return Option(
      description, expectation: kind.expectation,
      read: { texts, settings in
        kind.read(texts, of: name, isRepeatable: true) { values in
          settings[keyPath: field] = values.reduce(into: []) { list, value in
            if !list.contains(value) { list.append(value) }
          }
        }
      }, values: { $0[keyPath: field].map(kind.text) })
  }
}

extension Option where Settings: OptionSettings {
  /// An option with a value, and a field that has one without it too.
  package static func value<Value: Equatable>(
    _ name: String, _ placeholder: String, _ field: WritableKeyPath<Settings, Value>,
    _ kind: OptionKind<Value>, letter: Character? = nil, _ summary: String
  ) -> Option {
    var description = kind.description(name, placeholder, letter, summary)
    description.standard = kind.text(Settings()[keyPath: field])
    return Option(
      description, expectation: kind.expectation,
      read: { texts, settings in
        kind.read(texts.suffix(1), of: name) { values in
          if let value = values.last { settings[keyPath: field] = value }
        }
      },
      values: { settings in
        let value = settings[keyPath: field]
        return value == Settings()[keyPath: field] ? [] : [kind.text(value)]
      })
  }
}

extension Option {
  /// The row, with more that is to be said about it.
  package func with(_ change: (inout OptionDescription) -> Void) -> Option {
    var option = self
    change(&option.description)
    return option
  }

  /// The row, with another text in the help.
  package func saying(_ summary: String) -> Option { with { $0.summary = summary } }

  /// The row of a setting: its value comes from the environment or a project file where it is not given.
  package func setting(_ key: String) -> Option { with { $0.setting = key } }

  /// The row for an option that does not go together with others.
  package func excluding(_ names: String...) -> Option { with { $0.excludes += names } }

  /// A table of rows of which the same is to be said.
  package static func table(
    _ rows: [Option], _ change: (inout OptionDescription) -> Void
  ) -> [Option] {
    rows.map { $0.with(change) }
  }
}

// Tables of rows.

extension Array {
  /// The rows for settings that have these settings as a part.
  package func within<Settings, Whole>(
    _ part: WritableKeyPath<Whole, Settings>
  ) -> [Option<Whole>] where Element == Option<Settings> {
    map { option in
      Option<Whole>(
        option.description, expectation: option.expectation,
        read: { option.read($0, &$1[keyPath: part]) },
        values: { option.values($0[keyPath: part]) })
    }
  }

  /// The rows for settings that may have these settings as a part.
  package func within<Settings, Whole>(
    _ part: WritableKeyPath<Whole, Settings?>
  ) -> [Option<Whole>] where Element == Option<Settings> {
    map { option in
      Option<Whole>(
        option.description, expectation: option.expectation,
        read: { texts, whole in
          guard var settings = whole[keyPath: part] else { return nil }
          defer { whole[keyPath: part] = settings }
          return option.read(texts, &settings)
        }, values: { $0[keyPath: part].map(option.values) ?? [] })
    }
  }

  /// The command line, without operands, that leads to these settings.
  package func words<Settings>(of settings: Settings) -> [String]
  where Element == Option<Settings> {
    flatMap { option in
      option.values(settings).flatMap { value in
        option.description.value == nil ? ["--\(option.name)"] : ["--\(option.name)", value]
      }
    }
  }

  /// The rows, some of them with another text in the help.
  package func saying<Settings>(_ summaries: [String: String]) -> [Element]
  where Element == Option<Settings> {
    map { option in summaries[option.name].map(option.saying) ?? option }
  }

  /// The rows of these options, in the order of the table.
  package func only<Settings>(_ names: String...) -> [Element] where Element == Option<Settings> {
    filter { names.contains($0.name) }
  }

  /// The rows of all options but these.
  package func except<Settings>(_ names: String...) -> [Element] where Element == Option<Settings> {
    filter { !names.contains($0.name) }
  }
}

/// What is said about an option of a command, and with what it goes together.
package struct OptionDescription {
  /// Without the two hyphens.
  package let name: String
  /// What the help calls the value; nil for an option without one.
  package var value: String?
  /// A letter that stands for the option, for those few used by hand all the time.
  package var letter: Character?
  package var summary: String
  /// The values that can be given, where these are few.
  package var choices: [String]
  /// Whether all values count that are given, and not the last one only.
  package var isRepeatable = false
  /// Whether it means nothing without the command of an adapter.
  package var needsAdapter = false
  /// Whether it means nothing without a server under test.
  package var needsServer = false
  /// Options that it does not go together with.
  package var excludes: [String] = []
  /// The key under which a project file gives the value where a command line does not.
  package var setting: String?
  /// What counts where nothing gives a value; nil where it is not a text.
  package var standard: String?
  /// What a value is, for messages: `a whole number above 0`.
  var expected = "a text"
  /// What its values have to do with files.
  package var file = FileUse.none
  /// An example of the mapping by which a project file gives its values, `a=b` for each `a: b`; nil where
  /// it gives them as words.
  package var mapping: String?

  /// What values have to do with files. In a project file, their paths start from its folder.
  package enum FileUse {
    case none, read, written
    /// Each word may name a file that is there, or something else.
    case perhaps
    /// It is a line for a shell, which names files as it likes.
    case started
  }

  package init(
    name: String, value: String? = nil, letter: Character? = nil, summary: String,
    choices: [String] = []
  ) {
    self.name = name
    self.value = value
    self.letter = letter
    self.summary = summary
    self.choices = choices
  }
}
