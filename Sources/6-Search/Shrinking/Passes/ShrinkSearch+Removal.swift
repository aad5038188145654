internal import Scenario

// What takes away whole parts.

extension ShrinkSearch {
  /// Leaves out what comes after the failure: by halving, since runs that are cut are short.
  mutating func cutAfterFailure() {
    var enough = current.steps.count
    var tooFew = 0
    while tooFew + 1 < enough {
      let middle = (tooFew + enough) / 2
      if attempt(current.cut(after: middle)) || current.steps.count <= middle {
        enough = min(middle, current.steps.count)
      } else {
        tooFew = middle
      }
    }
  }

  mutating func dropClients() {
    for client in current.clients.reversed() where current.clients.count > 1 {
      _ = attempt { $0.clients.removeAll { $0 == client } }
    }
  }

  /// Leaves out all of a family at once, faults first.
  mutating func dropFamilies() {
    for isFault in [true, false] {
      var families: [String] = []
      for element in current.elements where current[element].isFault == isFault {
        let family = current[element].family
        if !families.contains(family) { families.append(family) }
      }
      for family in families {
        let removed = current.elements.filter { current[$0].family == family }
        if removed.count > 1 { attempt(current.without(removed)) }
      }
    }
  }

  /// Leaves out what is done, in pieces that become smaller, from the end, until nothing can be
  /// left out by itself any more.
  mutating func dropSteps() {
    var size = max(1, current.elements.count / 2)
    while !isExhausted {
      let before = current.elements.count
      sweep(size)
      if size > 1 {
        size = min(size, max(2, current.elements.count)) / 2
      } else if current.elements.count == before {
        return
      }
    }
  }

  /// Tries once for each piece to do without it.
  private mutating func sweep(_ size: Int) {
    var end = current.elements.count
    while end > 0, !isExhausted {
      let elements = current.elements
      end = min(end, elements.count)
      let start = max(0, end - size)
      attempt(current.without(elements[start..<end]))
      end = start
    }
  }

  /// What happens together one after the other, where that does as well.
  mutating func separateLanes() {
    var index = 0
    while index < current.steps.count {
      if case let .together(members) = current.steps[index].action {
        _ = attempt { $0.steps.replaceSubrange(index...index, with: members) }
      }
      index += 1
    }
  }
}

extension Scenario {
  /// The first steps, and what lets them settle.
  fileprivate func cut(after count: Int) -> Scenario {
    var copy = self
    copy.steps = Array(steps.prefix(count))
    if judging == .invariants, let last = copy.steps.last {
      copy.steps.append(Step(file: last.file, position: last.position, text: "", action: .settle))
    }
    return copy
  }
}
