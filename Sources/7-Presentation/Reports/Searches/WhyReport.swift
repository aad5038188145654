internal import ClientInterface
internal import Conformance
internal import Document
internal import Scenario
public import Search
internal import Trace
internal import Tree
internal import Wire

/// An explanation as text: what led to the failure, when it became inevitable, and what would have
/// to be otherwise.
public struct WhyReport {
  private let text: TextReport
  /// How many changes that make it pass are reported.
  private static let neighbours = 3

  /// Uses the settings of a text report for the failure that it explains.
  public init(_ text: TextReport) {
    self.text = text
  }

  /// The explanation of one failing run as lines of ASCII.
  public func text(of explanation: Explanation) -> String {
    story(of: explanation) + changes(of: explanation)
  }

  /// When the failure became inevitable, and what would have to be otherwise.
  public func changes(of explanation: Explanation) -> String {
    let lines = moment(explanation) + neighbours(explanation)
    return lines.map { trimmedEnd($0) + "\n" }.joined()
  }

  /// What is wrong, and what led there.
  public func story(of explanation: Explanation) -> String {
    let result = text.citing(explanation.result)
    var lines = [
      "WHY  " + Truncation.middle(of: ascii(result.scenario.title), to: TextReport.width - 5)
    ]
    guard let divergence = result.divergences.first else {
      lines += ["     \(ascii(result.scenario.file))", ""]
      lines += TextReport.paragraph(result.sentence)
      return lines.map { trimmedEnd($0) + "\n" }.joined()
    }
    lines += ["     \(ascii(divergence.file)):\(divergence.position.line)", ""]
    let clues = text.clues(to: divergence, in: result)
    let absence = clues?.absence
    lines +=
      TextReport.paragraph(divergence.sentence)
      + (clues?.sentences.flatMap { TextReport.paragraph($0) } ?? [])
    lines += ["  on  " + ascii(divergence.subject.text)] + text.stack(of: divergence)
    lines += ["", "  what led there", ""]
    let shown = absence == nil ? evident(divergence, in: result) : divergence
    lines += Causes(of: shown, in: result, missing: absence, limit: nil).lines
    let rule = text.rule(divergence, result).map { "\n" + $0.text } ?? ""
    return lines.map { trimmedEnd($0) + "\n" }.joined() + rule
  }

  /// The divergence with evidence: where it is only that something is wrong in the end, the last
  /// that the client received about the location.
  private func evident(_ divergence: Divergence, in result: ScenarioResult) -> Divergence {
    guard divergence.evidence == nil else { return divergence }
    var copy = divergence
    let client = result.scenario.clients.firstIndex { $0 == divergence.subject.clientName }
    let inputs = result.trace.events.filter { event in
      guard case let .input(index, input) = event.kind else { return false }
      return (client == nil || index.number == client) && input.path != nil
    }
    let path = divergence.subject.path
    let related = inputs.last { event in
      guard case let .input(_, input) = event.kind else { return false }
      return input.path?.isRelated(to: path) ?? false
    }
    copy.evidence = (related ?? inputs.last)?.sequence
    return copy
  }
}

// When it became inevitable.

extension WhyReport {
  private func moment(_ explanation: Explanation) -> [String] {
    guard let failureProbability = explanation.failureProbability else { return [] }
    let first = [(failureProbability.failing[0], "before anything is open")]
    let rest = zip(failureProbability.failing.dropFirst(), failureProbability.moves).map {
      ($0, "after  \($1.words)")
    }
    return table(
      "how likely it was, with the order of the rest left to chance", first + rest,
      failureProbability.moment.map { $0 + 1 })
  }

  private func table(
    _ title: String, _ rows: [(failing: Double, text: String)], _ moment: Int?
  ) -> [String] {
    if rows.isEmpty { return [] }
    var lines = ["", "  " + title, ""]
    for (index, row) in rows.enumerated() {
      let percent = "\(Int((row.failing * 100).rounded()))"
      let mark = index == moment ? "  > " : "    "
      let space = String(repeating: " ", count: 3 - percent.count)
      lines.append(
        Truncation.middle(of: "\(mark)\(space)\(percent) %  " + ascii(row.text), to: lineWidth))
      // Nothing changes any more.
      if row.failing == 1, rows[index...].allSatisfy({ $0.failing == 1 }) { break }
    }
    return lines
  }
}

// What would have to be otherwise.

extension WhyReport {
  private func neighbours(_ explanation: Explanation) -> [String] {
    let found =
      explanation.failureProbability?.neighbours.map { neighbour in
        ["passes if  \(neighbour.earlier)", "   before  \(neighbour.later)"]
      } ?? explanation.neighbours.map { [words(of: $0, explanation.result.scenario)] }
    if found.isEmpty {
      return [
        "",
        "  no change of one step, or of two neighbours, makes it pass without taking away what fails",
      ]
    }
    let lines = found.prefix(Self.neighbours).flatMap { $0 }.flatMap { line in
      let line = ascii(line)
      let fits = line.count <= TextReport.width - 2
      let parts = fits ? [line] : line.wrapped(to: TextReport.width - 6)
      return parts.enumerated().map { ($0 == 0 ? "  " : "      ") + $1 }
    }
    return [""] + lines
  }

  private func words(of neighbour: Explanation.Neighbour, _ scenario: Scenario) -> String {
    func text(_ number: Int) -> String {
      scenario.steps.indices.contains(number - 1) ? scenario.steps[number - 1].text : ""
    }
    return switch neighbour {
    case let .earlier(number):
      "passes if step \(number) comes before step \(number - 1)  \(text(number))"
    case let .without(number): "passes without step \(number)  \(text(number))"
    }
  }
}
