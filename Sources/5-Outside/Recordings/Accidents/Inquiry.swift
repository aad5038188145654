internal import ClientInterface
internal import ReferenceClient
internal import Tree

/// Follows a recording beside the reference client and says which accidents explain a difference.
struct Inquiry {
  private let profile: Profile
  private var taints: [Taint] = []
  private var listeners: [String: Listener] = [:]
  private var calls: [String: Path] = [:]
  /// Single reads and calls that an accident has led astray: what they do until they end follows
  /// from it.
  private var astray: [Subject: Accident] = [:]

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
  mutating func explain(_ moment: Moment) -> [Accident] {
    learn(moment.input)
    taints = taints.filter(moment.isListened)
    let new = Accident.allCases.flatMap { $0.taints(moment) }
    let accidents =
      moment.recorded == moment.right ? [] : explanation(moment, by: taints + new)
    taints = taints.compactMap { taint in
      var taint = taint
      return taint.isOver(after: moment) ? nil : taint
    }
    taints += new.filter { !$0.isMomentary }
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
  private mutating func explanation(_ moment: Moment, by taints: [Taint]) -> [Accident] {
    let subjects = moment.subjects
    var excuses: [Subject: Accident] = [:]
    for subject in subjects {
      excuses[subject] = excuse(for: subject, moment, by: taints)
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
    where !taints.contains(where: { $0.isMomentary && covers($0, subject) }) {
      follow(subject, as: excuses[subject])
    }
    if accidents.isEmpty { accidents.formUnion(excuses.values) }
    return accidents.sorted()
  }

  private mutating func follow(_ subject: Subject, as accident: Accident?) {
    switch subject {
    case let .listener(name):
      guard let listener = listeners[name], listener.isOnce else { return }
      astray[subject] = accident
      astray[.request(listener.target.path)] = accident
    case let .call(name):
      astray[subject] = accident
      if let path = calls[name] { astray[.request(path)] = accident }
    case .request: break
    }
  }

  private func excuse(
    for subject: Subject, _ moment: Moment, by taints: [Taint]
  ) -> Accident? {
    if let taint = taints.first(where: { covers($0, subject) }) { return taint.accident }
    if let accident = astray[subject] { return accident }
    guard case let .listener(name) = subject, let listener = listeners[name], listener.isOnce
    else { return nil }
    return SingleRead(
      recorded: moment.recorded.only(subject).heard, right: moment.right.only(subject).heard,
      profile: profile
    ).accident
  }

  private func covers(_ taint: Taint, _ subject: Subject) -> Bool {
    if case let .call(call) = taint.reach { return subject == .call(call.name) }
    let includesCalls = if case .known = taint.reach { true } else { false }
    switch subject {
    case let .listener(name):
      guard let target = listeners[name]?.target else { return false }
      guard let query = taint.query else { return target.path.isRelated(to: taint.place) }
      return target == Operation.Target(taint.place, query)
    case let .call(name):
      guard includesCalls, let path = calls[name] else { return false }
      return path.isRelated(to: taint.place)
    case let .request(path):
      guard includesCalls else { return false }
      return taint.query == nil ? path.isRelated(to: taint.place) : path == taint.place
    }
  }
}

extension Moment {
  /// Everybody whom an output of this group concerns, each once, in order of appearance.
  fileprivate var subjects: [Subject] {
    let all =
      (recorded.heard + right.heard).map { Subject(heard: $0) }
      + (recorded.sent + right.sent).map { Subject(sent: $0) }
    var seen: Set<Subject> = []
    return all.filter { seen.insert($0).inserted }
  }

  /// Whether the one view that a taint is about is still there.
  fileprivate func isListened(_ taint: Taint) -> Bool {
    guard let query = taint.query else { return true }
    return before.view(at: taint.place, query) != nil || after.view(at: taint.place, query) != nil
  }
}

extension Outputs {
  /// The outputs that concern `subject`.
  fileprivate func only(_ subject: Subject) -> Outputs {
    Outputs(
      heard: heard.filter { Subject(heard: $0) == subject },
      sent: sent.filter { Subject(sent: $0) == subject })
  }
}
