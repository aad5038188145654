internal import ClientInterface
internal import Tree

extension YAML {
  static func steps(_ steps: [Step]) -> YAML { .list(steps.map { .step($0) }) }

  private static func step(_ step: Step) -> YAML {
    var entries: [Entry] = []
    if var entry = entry(of: step.action) {
      // A plain word cannot have an expectation behind it.
      if entry.value == nil {
        guard step.expectation != nil else { return .word(entry.key) }
        entry.value = .mapping([])
      }
      entries.append(entry)
    }
    if let expectation = step.expectation {
      let key = expectation.timing == .settled ? "expect" : "expect-now"
      entries.append(Entry(key, .expectation(expectation)))
    }
    return .mapping(entries, .block)
  }

  /// What a step does; `nil` for a step that only expects. One line for each kind of step.
  private static func entry(of action: Action) -> Entry? {
    switch action {
    case let .call(call): entry(of: call)
    case let .process(action): entry(of: action)
    case let .network(action): entry(of: action)
    case let .server(action): entry(of: action)
    case let .wait(interval): Entry("wait", .duration(interval))
    case .settle: Entry("settle", nil)
    case let .together(steps): Entry("together", .together(steps))
    case .expect: nil
    }
  }

  private static func together(_ steps: [Step]) -> YAML {
    let elements = steps.map { step($0) }
    return .list(elements)
  }

  private static func entry(of action: ProcessAction) -> Entry {
    switch action {
    case let .kill(client): Entry("\(client).kill", nil)
    case .start(let client, .kept): Entry("\(client).start", nil)
    case let .start(client, storage):
      Entry("\(client).start", .mapping([Entry("storage", .text(storage.rawValue))]))
    }
  }

  private static func entry(of action: NetworkAction) -> Entry {
    switch action {
    case let .cut(client): Entry("network.cut", .text(client))
    case let .heal(client): Entry("network.heal", .text(client))
    case let .refuse(client): Entry("network.refuse", .text(client))
    case let .latency(range, client?):
      Entry("network.latency", .mapping([Entry(client, .range(range))]))
    case let .latency(range, nil): Entry("network.latency", .range(range))
    }
  }

  private static func entry(of action: ServerAction) -> Entry {
    switch action {
    case let .set(path, node): Entry("server.set", .mapping(place(path) + written(node)))
    case let .update(path, parts):
      Entry("server.update", .mapping(place(path) + [Entry("value", .assignments(parts))]))
    case let .remove(path): Entry("server.remove", .path(path))
    case let .reject(restriction): Entry("server.reject", .restriction(restriction))
    case let .revoke(path): Entry("server.revoke", .path(path))
    case let .revokeCredential(client): Entry("server.revoke-auth", .text(client))
    }
  }

  static func restriction(_ restriction: Scenario.Restriction) -> YAML {
    let denied = Scenario.Access.allCases.filter { restriction.deny.contains($0) }
    let unless: YAML? =
      switch restriction.unless {
      case .nobody: nil
      case .authenticated: .text("authenticated")
      case let .user(name): .mapping([Entry("uid", .text(name))])
      }
    return .mapping(of: [
      ("path", .path(restriction.path)), ("deny", .words(denied.map(\.rawValue))),
      ("unless", unless), ("status", restriction.status.map { .text($0.name) }),
    ])
  }
}
