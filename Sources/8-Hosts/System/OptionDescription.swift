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
  /// Options that it does not go together with.
  package var excludes: [String] = []
  /// The key of a project file that gives the value where a command line does not.
  package var projectKey: String?

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
