import Text

/// What one check of an adapter came to.
package struct CheckResult {
  /// What was looked at, as a clause without its subject.
  var name: String
  var outcome: Outcome

  enum Outcome {
    /// With what was seen; empty where there is nothing to report.
    case well(String)
    /// With a sentence, and what else is known.
    case bad(String, [String])
    /// It could not be looked at, and why.
    case absent(String)
  }

  init(_ name: String, _ outcome: Outcome) {
    self.name = name
    self.outcome = outcome
  }

  /// A line, and what is wrong below it.
  package var text: String {
    switch outcome {
    case let .well(detail): line("ok  ", detail)
    case let .absent(reason): line("--  ", reason)
    case let .bad(sentence, rest):
      line("FAIL", "")
        + (ascii(sentence).wrapped(to: 92) + rest.map(ascii)).map { "        \($0)\n" }
        .joined()
    }
  }

  private func line(_ mark: String, _ detail: String) -> String {
    let padding = String(repeating: " ", count: max(0, 44 - name.count))
    return detail.isEmpty ? "\(mark)  \(name)\n" : "\(mark)  \(name)\(padding)  \(detail)\n"
  }
}
