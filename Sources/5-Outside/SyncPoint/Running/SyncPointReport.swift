internal import ClientInterface
public import Text
public import Trace
internal import Tree

/// Runs of sync-point cases as text.
public enum SyncPointReport {
  /// What is reported about a run that failed: which, where, in one sentence why, and the events of
  /// the step, expected and observed. Empty for a run that passed.
  public static func text(of run: CaseRun, _ palette: Palette = .plain) -> String {
    guard let failure = run.failure else { return "" }
    let step = run.subject.steps[failure.step]
    let number = "step \(failure.step + 1) of \(run.subject.steps.count)"
    let lines = [
      palette.paint("FAIL", .bad) + "  \(ascii(run.subject.name))   at \(run.path)   \(number)",
      "      \(run.subject.file):\(step.position)", "",
      "  \(name(of: step.action, below: run.path)): \(sentence(failure.mismatch))", "",
    ]
    return (lines + rows(failure.mismatch, palette) + [""]).map { $0 + "\n" }.joined()
  }

  /// The counts and the line for programs, which counts every case once for each of its locations.
  public static func summary(of runs: [CaseRun]) -> String {
    let cases = counted(runs.count / CaseRun.paths.count, "case")
    return "\(counted(runs.count, "run")) of \(cases)\n\n\(tally(of: runs).line)\n"
  }

  /// How many runs passed and failed, none being skipped; linear in the number of runs.
  public static func tally(of runs: [CaseRun]) -> Tally {
    let passed = runs.count(where: \.passed)
    return Tally(passed: passed, failed: runs.count - passed)
  }

  private static func name(of action: CaseStep.Action, below path: Path) -> String {
    if case let .acknowledge(write, _) = action { return "\(action.name) of write \(write)" }
    return action.name + (action.path.map { " \(ascii("\(path.appending($0))"))" } ?? "")
  }

  private static func sentence(_ mismatch: CaseMismatch) -> String {
    switch mismatch.kind {
    case let .refused(error): return "the client refused the call: \(error)"
    case let .order(event, other):
      let names = (title(event), title(other))
      let (first, second) =
        names.0 == names.1
        ? Truncation.middle(of: line(event), line(other), to: lineWidth / 2) : names
      return "the right events in the wrong order: \(first) came before \(second)"
    case let .events(missing, unexpected):
      let parts = [
        missing == 0
          ? "" : counted(missing, "event") + (missing == 1 ? " is" : " are") + " missing",
        unexpected == 0
          ? ""
          : counted(unexpected, "event") + (unexpected == 1 ? " was" : " were")
            + " not expected",
      ]
      return parts.filter { !$0.isEmpty }.joined(separator: ", ")
    }
  }

  private static func rows(_ mismatch: CaseMismatch, _ palette: Palette) -> [String] {
    if mismatch.rows.isEmpty { return ["      (no events are expected)"] }
    let all = mismatch.rows
    let texts = Truncation.middle(
      ofLines: all.map { line($0.event) },
      first: all.indices.filter { if case .expected = all[$0] { true } else { false } },
      second: all.indices.filter { if case .observed = all[$0] { true } else { false } },
      to: lineWidth - 6)
    let rows = zip(all, texts).map { row, text in
      switch row {
      case .same: "      " + text
      case .expected: palette.paint("    - " + text, .good)
      case .observed: palette.paint("    + " + text, .bad)
      }
    }
    return rows + ["      (- expected, + observed)"]
  }

  private static func title(_ event: CaseStep.Event) -> String {
    ascii(event.type.rawValue + " \(event.key.map(event.path.appending) ?? event.path)")
  }

  private static func line(_ event: CaseStep.Event) -> String {
    title(event) + ascii(" = \(event.value)" + event.previous.clause())
  }
}
