internal import Document
internal import Scenario
import ScenarioFiles
internal import Tree

extension ExtractedScenario {
  /// What a scenario without a name is called.
  public static func title(of sources: [String]) -> String {
    sources.count == 1
      ? "What happened in \(sources[0])" : "What happened in a session of \(sources.count) clients"
  }

  /// The scenario as a file, as `kennel fmt` lays it out, with what is inferred in it listed above.
  ///
  /// - Parameter sources: What the session was read from.
  /// - Returns: The text.
  public func yaml(from sources: [String]) -> String {
    let text = scenario.yaml(comment: comment(from: sources))
    guard case let .text(laidOut) = DocumentLayout.yaml(Array(text.utf8)) else { return text }
    return laidOut
  }

  private func comment(from sources: [String]) -> String {
    var lines = Self.folded(sources.joined(separator: ", "), "Made by kennel scenario-from of ")
    let guessed = scenario.clients.filter { !reported.contains($0) }
    if !reported.isEmpty {
      lines.append(
        "Known: what \(reported.joined(separator: ", ")) called, and what is expected of it.")
    }
    if !guessed.isEmpty {
      lines.append(
        "Inferred: the calls of \(guessed.joined(separator: ", ")), from what it sent; expected is")
      lines.append("what the reference client shows.")
    }
    lines += Self.folded(steps(known: true), "Known from the session: ")
    lines += Self.folded(steps(known: false), "Inferred: ")
    lines += similarity.sentence.split(separator: "\n").map(String.init)
    return lines.map { String($0.unicodeScalars.map { Character($0.value < 32 ? " " : $0) }) }
      .joined(separator: "\n")
  }

  /// `steps 1-3, 5`; nothing where there are none. Waiting and expecting are of the kit.
  private func steps(known: Bool) -> String {
    var ranges: [ClosedRange<Int>] = []
    for (index, step) in scenario.steps.enumerated() {
      switch step.action {
      case .wait, .settle, .expect: continue
      default: break
      }
      guard index < isKnown.count, isKnown[index] == known else { continue }
      if let last = ranges.last, last.upperBound == index {
        ranges[ranges.count - 1] = last.lowerBound...(index + 1)
      } else {
        ranges.append((index + 1)...(index + 1))
      }
    }
    let texts = ranges.map {
      $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)"
    }
    if texts.isEmpty { return "" }
    let isOne = ranges.count == 1 && ranges[0].count == 1
    return (isOne ? "step " : "steps ") + texts.joined(separator: ", ")
  }

  private static func folded(_ text: String, _ beginning: String) -> [String] {
    if text.isEmpty { return [] }
    var lines = [beginning]
    for word in (text + ".").split(separator: " ") {
      if lines[lines.count - 1].count + word.count > 96 { lines.append("  ") }
      let gap = lines[lines.count - 1].hasSuffix(" ") ? "" : " "
      lines[lines.count - 1] += gap + word
    }
    return lines
  }
}

extension ExtractedScenario.Similarity {
  /// How the run compares with the session, in sentences.
  public var sentence: String {
    guard let difference else { return messageSentence }
    return messageSentence + "\nThe server's trees at the end are not the same: at "
      + "\(difference.path) the session has \(Self.short(difference.session)), "
      + "the run \(Self.short(difference.run))."
  }

  private static func short(_ json: JSON) -> String {
    let text = json.text
    return text.count > 80 ? "\(text.prefix(80))…" : text
  }

  private var messageSentence: String {
    if requests == 0 { return "The clients of the session sent no requests." }
    if missing.isEmpty, added.isEmpty, isSettled {
      let requests = requests == 1 ? "request" : "\(requests) requests"
      return "Run with the reference client, the clients send the same \(requests)."
    }
    let rest = isSettled ? "" : "; the run does not settle"
    return "Run with the reference client, \(same) of \(requests) requests are the same, "
      + "and \(added.count) more \(added.count == 1 ? "is" : "are") sent\(rest)."
  }

  /// The requests that differ, the first few of them, a line each.
  public var differences: [String] {
    let lines =
      missing.map { "only in the session: \($0.client) \($0.request.text)" }
      + added.map { "only in the run: \($0.client) \($0.request.text)" }
    let shown = lines.prefix(20).map { $0.count > 160 ? "\($0.prefix(160))…" : $0 }
    return lines.count > 20 ? shown + ["and \(lines.count - 20) more"] : shown
  }
}
