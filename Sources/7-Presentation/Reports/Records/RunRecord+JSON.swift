internal import Conformance
internal import Document
internal import KnownFailures
public import Tree

extension RunRecord {
  /// All of it but how it compares with the known failures, for another process of the same
  /// program.
  public var transfer: JSON {
    [
      "scenario": .string(scenario), "title": .string(title), "file": .string(file),
      "profile": .string(profile), "seed": .string(String(seed)),
      "verdict": .string(verdict.rawValue), "reason": text(of: reason),
      "signature": text(of: signature), "cause": .string(failureCause), "rule": text(of: rule),
      "sentence": .string(sentence),
      "at": .string(location.file), "line": .number(Double(location.line)),
      "column": .number(Double(location.column)), "findings": list(report.findings),
      "commands": list(report.commands), "notes": list(notes), "json": json,
      "milliseconds": .number(milliseconds), "details": details ?? .null,
    ]
  }

  private func list(_ texts: [String]) -> JSON { .array(texts.map { .string($0) }) }

  private func text(of string: String?) -> JSON { string.map { .string($0) } ?? .null }

  /// Reads what another process handed over; `nil` for anything else.
  public init?(transfer: JSON) {
    guard let scenario = transfer["scenario"]?.string, let title = transfer["title"]?.string,
      let file = transfer["file"]?.string, let profile = transfer["profile"]?.string,
      let seed = (transfer["seed"]?.string).flatMap({ UInt64($0) }),
      let verdict = (transfer["verdict"]?.string).flatMap({ Verdict(rawValue: $0) }),
      let sentence = transfer["sentence"]?.string, let at = transfer["at"]?.string,
      let line = transfer["line"]?.integer, let column = transfer["column"]?.integer,
      let findings = transfer["findings"]?.elements, let notes = transfer["notes"]?.elements,
      let commands = transfer["commands"]?.elements, let json = transfer["json"],
      case let .number(milliseconds)? = transfer["milliseconds"]
    else { return nil }
    (self.scenario, self.title, self.file, self.profile) = (scenario, title, file, profile)
    (self.seed, self.verdict) = (seed, verdict)
    reason = transfer["reason"]?.string
    signature = transfer["signature"]?.string
    failureCause = transfer["cause"]?.string ?? signature ?? verdict.rawValue
    rule = transfer["rule"]?.string
    self.sentence = sentence
    location = Location(file: at, line: line, column: column)
    report = RunReport(
      findings: findings.compactMap(\.string), commands: commands.compactMap(\.string))
    (self.notes, self.json) = (notes.compactMap(\.string), json)
    self.milliseconds = milliseconds
    details = transfer["details"].flatMap { $0 == .null ? nil : $0 }
  }
}

extension KnownFailure {
  /// The entry as the member `known` of a result has it.
  func json(_ knownStatus: String) -> JSON {
    [
      "standing": .string(knownStatus), "kind": .string(kind.rawValue),
      "signature": .string(signature), "issue": .string(issue), "until": .string(until.description),
      "file": .string(file), "line": .number(Double(position.line)),
      "note": note.map { .string($0) } ?? .null,
    ]
  }
}
