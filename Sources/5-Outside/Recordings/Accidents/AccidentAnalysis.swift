internal import ClientInterface
internal import Document
internal import Tree
internal import Wire

/// Follows a recording beside the reference client and says which accidents explain a difference.
struct AccidentAnalysis {
  private let profile: Profile
  private var unreliabilities: [Unreliability] = []
  private var listeners: [String: Listener] = [:]
  private var calls: [String: Path] = [:]
  /// Single reads and calls that an accident has led astray: what they do until they end follows
  /// from it.
  private var failedPrediction: [OutputSubject: Accident] = [:]

  struct Listener {
    let target: Operation.Target
    let isOnce: Bool
  }

  init(profile: Profile) {
    self.profile = profile
  }

  /// The accidents that explain how the recorded client differs from the reference client in this
  /// group; none when it does not, and none when they do not explain all of it.
  ///
  /// - Precondition: Every earlier group of the recording was looked at.
  mutating func explain(_ moment: RecordedStep) -> [Accident] {
    learn(moment.input)
    unreliabilities = unreliabilities.filter(moment.isListened)
    let new = Accident.allCases.flatMap { $0.unreliabilities(moment) }
    let accidents =
      moment.recorded == moment.right ? [] : explanation(moment, by: unreliabilities + new)
    unreliabilities = unreliabilities.compactMap { unreliability in
      var unreliability = unreliability
      return unreliability.isFinished(after: moment) ? nil : unreliability
    }
    unreliabilities += new.filter { !$0.isTransient }
    return accidents
  }

  private mutating func learn(_ input: ClientInput?) {
    guard case let .call(call, operation) = input else { return }
    calls[call.name] = operation.path ?? .root
    if let new = operation.registration {
      listeners[new.listener.name] = Listener(target: new.target, isOnce: new.isOnce)
    }
  }

  /// Every output that differs must concern something unreliable; what is left when that is taken
  /// out must be equal, order included.
  private mutating func explanation(
    _ moment: RecordedStep, by unreliabilities: [Unreliability]
  ) -> [Accident] {
    let subjects = moment.subjects
    var excuses: [OutputSubject: Accident] = [:]
    for subject in subjects {
      excuses[subject] = excuse(for: subject, moment, by: unreliabilities)
    }
    let excused = Set(excuses.keys)
    let recorded = moment.recorded.without(excused)
    let right = moment.right.without(excused)
    var accidents: Set<Accident> = []
    if recorded != right {
      guard let permutation = moment.permutation(from: right, to: recorded) else { return [] }
      accidents.insert(permutation)
    }
    let differing = subjects.filter {
      moment.recorded.only($0) != moment.right.only($0)
    }
    accidents.formUnion(differing.compactMap { excuses[$0] })
    for subject in differing
    where !unreliabilities.contains(where: { $0.isTransient && covers($0, subject) }) {
      follow(subject, as: excuses[subject])
    }
    if accidents.isEmpty { accidents.formUnion(excuses.values) }
    return accidents.sorted()
  }

  private mutating func follow(_ subject: OutputSubject, as accident: Accident?) {
    switch subject {
    case let .listener(name):
      guard let listener = listeners[name], listener.isOnce else { return }
      failedPrediction[subject] = accident
      failedPrediction[.request(listener.target.path)] = accident
    case let .call(name):
      failedPrediction[subject] = accident
      if let path = calls[name] { failedPrediction[.request(path)] = accident }
    case .request: break
    }
  }

  private func excuse(
    for subject: OutputSubject, _ moment: RecordedStep, by unreliabilities: [Unreliability]
  ) -> Accident? {
    if let unreliability = unreliabilities.first(where: { covers($0, subject) }) {
      return unreliability.accident
    }
    if let accident = failedPrediction[subject] { return accident }
    guard case let .listener(name) = subject, let listener = listeners[name], listener.isOnce
    else { return nil }
    return SingleRead(
      recorded: moment.recorded.only(subject).received, right: moment.right.only(subject).received,
      profile: profile
    ).accident
  }

  private func covers(_ unreliability: Unreliability, _ subject: OutputSubject) -> Bool {
    if case let .call(call) = unreliability.reach { return subject == .call(call.name) }
    let includesCalls = if case .known = unreliability.reach { true } else { false }
    switch subject {
    case let .listener(name):
      guard let target = listeners[name]?.target else { return false }
      guard let query = unreliability.query else {
        return target.path.isRelated(to: unreliability.path)
      }
      return target == Operation.Target(unreliability.path, query)
    case let .call(name):
      guard includesCalls, let path = calls[name] else { return false }
      return path.isRelated(to: unreliability.path)
    case let .request(path):
      guard includesCalls else { return false }
      return unreliability.query == nil
        ? path.isRelated(to: unreliability.path) : path == unreliability.path
    }
  }
}

extension RecordedStep {
  /// Everybody whom an output of this group concerns, each once, in order of appearance.
  fileprivate var subjects: [OutputSubject] {
    let all =
      (recorded.received + right.received).map { OutputSubject(received: $0) }
      + (recorded.sent + right.sent).map { OutputSubject(sent: $0) }
    return all.unique()
  }

  /// Whether the one view that a unreliability is about is still there.
  fileprivate func isListened(_ unreliability: Unreliability) -> Bool {
    guard let query = unreliability.query else { return true }
    return before.view(at: unreliability.path, query) != nil
      || after.view(at: unreliability.path, query) != nil
  }
}

extension Outputs {
  /// The outputs that concern `subject`.
  fileprivate func only(_ subject: OutputSubject) -> Outputs {
    Outputs(
      received: received.filter { OutputSubject(received: $0) == subject },
      sent: sent.filter { OutputSubject(sent: $0) == subject })
  }
}

/// What happened to the listener of a single read in a group, as recorded and as it is right.
///
struct SingleRead {
  let recorded: [JSON]
  let right: [JSON]
  let profile: Profile

  /// The accident that makes the one of the other; `nil` when none does.
  var accident: Accident? {
    guard let first = right.first, right.count == 1 else { return nil }
    let event = first["event"]
    if profile.dialect == .wilddog, recorded.count == 1, event?["prev"] != nil {
      return event?.withoutPrevious == recorded[0]["event"]?.withoutPrevious
        && recorded[0]["event"]?["prev"]?.string == nil ? .onceWithoutPrevious : nil
    }
    let types = Set(recorded.map { $0["event"]?["type"] ?? .null })
    let keys = Set(recorded.map { $0["event"]?["key"] ?? .null })
    let isRepeated =
      recorded.count > 1 && keys.count == recorded.count && types == [event?["type"] ?? .null]
    let isFirebase = profile.dialect == .firebase
    return isFirebase && isRepeated && recorded.last == first ? .onceRepeated : nil
  }
}

extension JSON {
  /// The body of an event without the key before its child.
  fileprivate var withoutPrevious: JSON {
    .object((members ?? []).filter { $0.name != "prev" })
  }
}
