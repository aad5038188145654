internal import ClientInterface
internal import Scenario

/// A step, or one of several that happen together.
struct Element: Hashable {
  var step: Int
  /// Its number among those that happen together; `nil` for a step of its own.
  var member: Int?
}

extension Scenario {
  /// Everything that is done, in the order of the file.
  var elements: [Element] {
    steps.enumerated().flatMap { index, step -> [Element] in
      guard case let .together(members) = step.action else { return [Element(step: index)] }
      return members.indices.map { Element(step: index, member: $0) }
    }
  }

  subscript(_ element: Element) -> Action {
    get { self[step: element].action }
    set { self[step: element].action = newValue }
  }

  subscript(step element: Element) -> Step {
    get {
      let step = steps[element.step]
      guard let member = element.member, case let .together(members) = step.action else {
        return step
      }
      return members[member]
    }
    set {
      guard let member = element.member,
        case var .together(members) = steps[element.step].action
      else {
        steps[element.step] = newValue
        return
      }
      members[member] = newValue
      steps[element.step].action = .together(members)
    }
  }

  /// The scenario without some of what is done.
  func without(_ elements: some Sequence<Element>) -> Scenario {
    let removed = Set(elements)
    var copy = self
    copy.steps = []
    for (index, step) in steps.enumerated() {
      if removed.contains(Element(step: index)) { continue }
      guard case let .together(members) = step.action else {
        copy.steps.append(step)
        continue
      }
      let kept = members.indices.filter { !removed.contains(Element(step: index, member: $0)) }
      var changed = step
      changed.action = .together(kept.map { members[$0] })
      copy.steps.append(changed)
    }
    return copy
  }
}

extension Action {
  /// Whether it makes things worse for a client, or better again.
  var isFault: Bool {
    fault != nil || call?.operation.isOnline != nil
  }
}
