internal import ClientInterface
internal import Faults
internal import Scenario
internal import Tree

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
        _ = attempt { $0.steps[step].expectation?.order.remove(at: index) }
      }
      if !expectation.frames.isEmpty { _ = attempt { $0.steps[step].expectation?.frames = [] } }
      if expectation.server != nil { _ = attempt { $0.steps[step].expectation?.server = nil } }
      if expectation.isConverged {
        _ = attempt { $0.steps[step].expectation?.isConverged = false }
      }
    }
  }

  /// Everything but the data: each part as it is unless it is stated.
  mutating func simplifySetup() {
    _ = attempt { $0.latency = Scenario.Latency() }
    _ = attempt { $0.start = .connected }
    _ = attempt { $0.quiet = .seconds(2) }
    if current.databaseRules != nil { _ = attempt { $0.databaseRules = nil } }
    for index in current.security.indices.reversed() {
      if !attempt({ $0.security.remove(at: index) }) {
        _ = attempt { $0.security[index].unless = .noUser }
        _ = attempt { $0.security[index].status = nil }
      }
    }
    for name in current.tokens.keys.sorted() {
      if !attempt({ $0.tokens[name] = nil }) {
        _ = attempt { $0.tokens[name]?.lifetime = nil }
      }
    }
    for name in current.clients {
      if current.persistence[name] == nil { continue }
      if !attempt({ $0.persistence[name] = nil }) {
        _ = attempt { $0.persistence[name] = .init() }
      }
    }
    for index in current.without.indices.reversed() {
      _ = attempt { $0.without.remove(at: index) }
    }
  }

  private mutating func simplifyData() {
    if current.data.isEmpty || attempt({ $0.data = .empty }) { return }
    var isChanged = true
    while isChanged, !isExhausted {
      isChanged = attemptFirst(
        current.data.simplerParts.map { node in
          var candidate = current
          candidate.data = node
          return candidate
        })
    }
  }
}
