public import ClientInterface
public import Conformance
internal import Trace

/// The act in which a client first differs from a conforming one that is given the same calls and
/// messages, and what it had just been given then.
///
/// A failure shows where a scenario looks; this is where it begins. So failures of one cause have it in
/// common, wherever they show.
struct Deviation: Hashable {
  /// In what way the act is not as it should be.
  enum Way: String {
    case missing
    case late
    case early
    case extra
    /// The same is done with other data; between two versions only.
    case other
    /// The same is done before or after something else; between two versions only.
    case reordered
  }

  /// In what way the act is not as it should be.
  var way: Way
  /// What is done, in a word, and what kind of it: `event child_added`, `completed ok`, `send put`.
  var act: String
  /// What the client had just been given when it did that, or should have done it: `data`, `refusal`,
  /// `write` for its own set, update or removal.
  var trigger: String

  /// The causes that it can be put down to: the act upon this, of whatever kind it is, and this kind
  /// of act upon whatever.
  var causes: [String] {
    let family = String(act.prefix { $0 != " " })
    let isOfKinds = ["event", "completed"].contains(family)
    let upon = "\(way.rawValue) \(isOfKinds ? family : act) on \(trigger)"
    if family == "completed" { return [upon, "\(way.rawValue) completed"] }
    let isAbsent = way == .missing && isOfKinds
    return [upon, isAbsent ? "missing-\(act)" : "\(way.rawValue) \(act)"]
  }
}

extension ScenarioResult {
  /// The causes that a failure can be put down to.
  ///
  /// - Parameter makeReference: Makes a conforming client.
  /// - Returns: The kind of difference, or the verdict where no more is known; then that of events of
  ///   whatever kind that no longer were to come; then the ones that tell where the client first differs.
  /// - Complexity: O(events).
  public func possibleCauses(comparedWith makeReference: @escaping () -> any SyncClient) -> [String]
  {
    guard verdict == .fail else { return [cause?.text ?? verdict.rawValue] }
    let done = shadowed(by: makeReference)
    return [cause(among: done)?.text ?? verdict.rawValue] + [belated].compactMap(\.self)
      + (deviation(from: done)?.causes ?? [])
  }

  /// `unexpected-event after-removal`, of whatever kind the event is.
  private var belated: String? {
    guard let kind = divergences.first?.kind, case let .unexpected(_, reason) = kind.base else {
      return nil
    }
    return reason.row.word.map { "unexpected-event \($0)" }
  }

  /// The first act in which a client of a failing run differs from a conforming one that was given the
  /// same.
  ///
  /// - Parameter done: What conforming clients did, a list for each client.
  /// - Returns: `nil` where all did the same.
  private func deviation(from done: [[TraceEvent]]) -> Deviation? {
    var first: (way: Deviation.Way, output: ClientOutput, time: Interval, cause: Int)?
    for (number, done) in done.enumerated() {
      let account = ActionAccount(of: ClientIndex(number), in: trace)
      let missing = account.missing(among: done).map { action in
        (way: Deviation.Way.missing, output: action.output, time: action.time, cause: action.cause)
      }
      for act in missing + account.displaced(beside: done, in: trace)
      where act.output.isTelling && first.map({ act.time < $0.time }) ?? true {
        first = act
      }
    }
    guard let first else { return nil }
    return Deviation(
      way: first.way, act: first.output.act,
      trigger: trace.lastInput(before: first.cause)?.input.occasion ?? "nothing")
  }
}
