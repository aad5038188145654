internal import Text
public import Wire

/// Something that the protocol does not allow, or does not advise.
public struct WireFinding: Hashable, Sendable {
  /// What the monitor looked at; it decides whether the finding is only a note.
  public var check: WireCheck
  /// The rule that it breaks: that of the check, or a nearer one.
  public var rule: String
  /// Who did it.
  public var sender: WireError.Sender
  /// What was found, what was expected, and how to correct it.
  public var text: String

  /// Whether it is only advisable.
  public var isNote: Bool { check.isNote }

  /// The text with the rule, as it is reported.
  public var sentence: String { "\(isNote ? "note: " : "")\(text) (\(rule))" }

  init(
    _ check: WireCheck, by sender: WireError.Sender = .client, rule: String? = nil, _ text: String
  ) {
    self.check = check
    self.rule = rule ?? check.rule
    self.sender = sender
    // Parts of it are of clients, and may be written to a terminal.
    self.text = printable(text)
  }
}
