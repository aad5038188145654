internal import ClientInterface
internal import Faults
internal import Scenario
internal import Tree

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
      attempt { $0.clients.removeAll { $0 == client } }
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
      sweep(size, of: \.elements.count) { $0.without($0.elements[$1]) }
      if size > 1 {
        size = min(size, max(2, current.elements.count)) / 2
      } else if current.elements.count == before {
        return
      }
    }
  }

  /// What happens together one after the other, where that does as well.
  mutating func separateLanes() {
    var index = 0
    while index < current.steps.count {
      if case let .together(members) = current.steps[index].action {
        attempt { $0.steps.replaceSubrange(index...index, with: members) }
      }
      index += 1
    }
  }
}

// In which order things are done.

extension ShrinkSearch {
  /// Brings neighbours into the usual order where that does not matter: who listens comes first,
  /// then the clients in their order.
  mutating func reorder() {
    var isChanged = true
    while isChanged, !isExhausted {
      isChanged = false
      for index in current.steps.indices.dropFirst() where index < current.steps.count {
        let (first, second) = (current.steps[index - 1], current.steps[index])
        guard let a = rank(first), let b = rank(second), b.lexicographicallyPrecedes(a) else {
          continue
        }
        if attempt({ $0.steps.swapAt(index - 1, index) }) { isChanged = true }
      }
    }
  }

  /// `nil` for what nothing is moved across.
  private func rank(_ step: Step) -> [Int]? {
    guard step.expectation == nil else { return nil }
    if step.action.fault?.kind.group == .server { return [1, current.clients.count] }
    guard let call = step.action.call else { return nil }
    let client = current.clients.firstIndex(of: call.client) ?? current.clients.count
    return [call.operation.registration != nil ? 0 : 1, client]
  }
}

extension ShrinkSearch {
  /// Removes each part once by itself.
  ///
  /// - Returns: Whether the failure was another one, or none, each time. A removal that leaves the
  ///   failure as it is stays removed.
  mutating func prove() -> Bool {
    let before = text
    withLongTimeout { search in
      for element in search.current.elements.reversed() {
        search.attempt(search.current.without([element]))
      }
      search.dropClients()
      search.simplifySetup()
      search.dropData()
    }
    return text == before && !isSpent
  }

  /// Leaves out each child of the data once, from the deepest up.
  mutating func dropData() {
    for path in current.data.paths.reversed() where !current.data[path].isEmpty {
      attempt { $0.data = $0.data.setting(.empty, at: path) }
    }
  }
}

extension Node {
  /// Every location below this one that has something, in order.
  fileprivate var paths: [Path] {
    children.flatMap { child -> [Path] in
      let own = Path([child.key])
      return [own] + child.node.paths.map { own.appending($0) }
    }
  }
}

// What a scenario has besides its steps.

extension ShrinkSearch {
  mutating func simplifyOutsideSteps() {
    simplifySetup()
    simplifyData()
    simplifyExpectations()
  }

  /// Looks at less.
  mutating func simplifyExpectations() {
    for step in current.steps.indices {
      guard let expectation = current.steps[step].expectation else { continue }
      for index in expectation.order.indices.reversed() {
        attempt { $0.steps[step].expectation?.order.remove(at: index) }
      }
      if !expectation.frames.isEmpty { attempt { $0.steps[step].expectation?.frames = [] } }
      if expectation.server != nil { attempt { $0.steps[step].expectation?.server = nil } }
      if expectation.isConverged {
        attempt { $0.steps[step].expectation?.isConverged = false }
      }
    }
  }

  /// Everything but the data: all as it is unless it is stated, or each part.
  mutating func simplifySetup() {
    let isPlain = attempt { scenario in
      scenario.latency = Scenario.Latency()
      (scenario.start, scenario.quiet) = (.connected, .seconds(2))
      (scenario.databaseRules, scenario.security, scenario.tokens) = (nil, [], [:])
      (scenario.persistence, scenario.without) = ([:], [])
    }
    if isPlain { return }
    attempt { $0.latency = Scenario.Latency() }
    attempt { $0.start = .connected }
    attempt { $0.quiet = .seconds(2) }
    if current.databaseRules != nil { attempt { $0.databaseRules = nil } }
    for index in current.security.indices.reversed() {
      if !attempt({ $0.security.remove(at: index) }) {
        attempt { $0.security[index].unless = .noUser }
        attempt { $0.security[index].status = nil }
      }
    }
    for name in current.tokens.keys.sorted() {
      if !attempt({ $0.tokens[name] = nil }) {
        attempt { $0.tokens[name]?.lifetime = nil }
      }
    }
    for name in current.clients {
      if current.persistence[name] == nil { continue }
      if !attempt({ $0.persistence[name] = nil }) {
        attempt { $0.persistence[name] = .init() }
      }
    }
    for index in current.without.indices.reversed() {
      attempt { $0.without.remove(at: index) }
    }
  }

  private mutating func simplifyData() {
    if current.data.isEmpty || attempt({ $0.data = .empty }) { return }
    exhaust { scenario in
      scenario.data.simplerParts.map { node in scenario.changed { $0.data = node } }
    }
  }
}
