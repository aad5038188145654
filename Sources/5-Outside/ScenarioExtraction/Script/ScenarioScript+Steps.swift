internal import ClientInterface
internal import Document
internal import Scenario

/// The steps of a script, and where they are in the session.
struct ScriptSteps {
  var steps: [Step] = []
  var bounds: [Range<Int>] = []
  /// Whether a step is known from the session; else it is inferred.
  var isKnown: [Bool] = []
}

extension ScenarioScript {
  /// The script as steps.
  ///
  /// - Parameters:
  ///   - start: The time of the session at which the steps begin.
  ///   - pace: How closely times are kept.
  ///   - pause: From how long on nothing happening is a pause, behind which something is expected.
  ///   - isImmediate: Whether messages take no time: then there must be time between two steps.
  ///   - events: How many events the session has.
  /// - Returns: The steps, the last of which expects.
  func staged(
    from start: Interval, pace: Pace, pause: Interval, isImmediate: Bool, events: Int
  ) -> ScriptSteps {
    var stage = StepBuilder(now: start, isImmediate: isImmediate)
    for line in lines {
      if line.settles {
        if pace == .untilSettled { stage.settle(at: line) }
        continue
      }
      stage.pass(to: line, pace, pause)
      stage.add(line)
    }
    return stage.ended(events)
  }
}

/// Makes steps one after the other.
private struct StepBuilder {
  private(set) var scriptSteps = ScriptSteps()
  private var now: Interval
  private let isImmediate: Bool
  private var last: ScenarioScript.Line?
  private var hasNews = false

  init(now: Interval, isImmediate: Bool) {
    self.now = now
    self.isImmediate = isImmediate
  }

  /// Lets time pass until a line.
  mutating func pass(to line: ScenarioScript.Line, _ pace: ScenarioScript.Pace, _ pause: Interval) {
    var gap = line.time - now
    if isImmediate {
      // Clocks of machines are more precise than is readable.
      gap = .milliseconds(Int((gap.milliseconds).rounded()))
      if gap < .milliseconds(1) {
        gap =
          last.map { line.isPlain && $0.isPlain && $0.client == line.client } ?? true
          ? .zero : .milliseconds(1)
      }
    }
    guard gap > .zero else { return }
    now = now + gap
    guard last != nil else { return }
    let isPause = hasNews && gap >= pause
    if isPause, pace == .restful {
      expect(.settled, at: line.event)
    } else {
      step(.wait(gap), at: line.event, expecting: isPause ? .now : nil)
    }
  }

  mutating func settle(at line: ScenarioScript.Line) {
    step(.settle, at: line.event, expecting: nil)
    now = max(now, line.time)
  }

  mutating func add(_ line: ScenarioScript.Line) {
    step(line.action, at: line.event, expecting: nil, isKnown: line.isKnown)
    last = line
    hasNews = true
  }

  /// The whole, with an expectation at the end.
  func ended(_ events: Int) -> ScriptSteps {
    var copy = self
    copy.expect(.settled, at: events)
    return copy.scriptSteps
  }

  private mutating func expect(_ timing: Expectation.Timing, at event: Int) {
    step(.expect, at: event, expecting: timing)
  }

  private mutating func step(
    _ action: Action, at event: Int, expecting timing: Expectation.Timing?, isKnown: Bool = true
  ) {
    let position = Position(line: scriptSteps.steps.count + 1, column: 1)
    let begin = max(scriptSteps.bounds.last?.upperBound ?? 0, event)
    scriptSteps.steps.append(
      Step(
        file: "", position: position, text: "", action: action,
        expectation: timing.map { Expectation(position: position, timing: $0) }))
    scriptSteps.bounds.append(begin..<begin)
    scriptSteps.isKnown.append(isKnown)
    if timing != nil { hasNews = false }
  }
}

extension ScenarioScript.Line {
  /// A write whose outcome is not needed before the next one.
  fileprivate var isPlain: Bool {
    guard case let .call(call) = action else { return false }
    switch call.operation {
    case .set, .remove, .setPriority, .update, .push: return true
    default: return false
    }
  }

  fileprivate var client: String? {
    if case let .call(call) = action { return call.client }
    return nil
  }
}
