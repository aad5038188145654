import ClientInterface
import Tree
import Wire

extension Defect {
  /// What a server accepts although no application can want it.
  static let laws: [Defect] = [
    .request("transactions store something else", "INV-44") { number, request in
      guard case let .put(path, _, hash?) = request else {
        return [.send(.request(number, request))]
      }
      return [.send(.request(number, .put(path, Node("something else"), hash: hash)))]
    },
    .request("hashes are those of the results", "INV-45") { number, request in
      guard case let .put(path, node, _?) = request else {
        return [.send(.request(number, request))]
      }
      return [.send(.request(number, .put(path, node, hash: node.hash)))]
    },
    .request("transactions vouch for data of another place", "INV-60") { number, request in
      guard case let .put(path, node, _?) = request else {
        return [.send(.request(number, request))]
      }
      return [.send(.request(number, .put(path, node, hash: Node("other").hash)))]
    },
    Defect("sets are acknowledged and never sent", "INV-46") { input, outputs, _ in
      guard case let .call(call, .set) = input else { return outputs }
      return outputs.filter { !$0.isPlainPut } + [.completed(call, .ok)]
    },
    .request("transactions do not look", "INV-47") { number, request in
      guard case let .put(path, node, _?) = request else {
        return [.send(.request(number, request))]
      }
      return [.send(.request(number, .put(path, node, hash: nil)))]
    },
    .request("a neighbour is written as well", "INV-47") { number, request in
      guard case let .put(path, node, nil) = request else {
        return [.send(.request(number, request))]
      }
      let other = Request.put(path.appending(Key("neighbour")), node, hash: nil)
      return [.send(.request(number, request)), .send(.request(number + 1_000_000, other))]
    },
    Defect("what has ended goes out again", "INV-48") { _, outputs, memory in
      memory.held += outputs.filter(\.isPlainPut)
      guard outputs.contains(where: \.isEnd), !memory.held.isEmpty else { return outputs }
      memory.number += 1
      let again = memory.held.map { $0.numbered(after: 1_000_000 * memory.number) }
      memory.held = []
      return outputs + again
    },
    Defect("results of transactions go out again", "INV-48") { _, outputs, memory in
      memory.held += outputs.filter(\.isConditionalPut)
      guard outputs.contains(where: \.isEnd), !memory.held.isEmpty else { return outputs }
      memory.number += 1
      let again = memory.held.map { $0.repeated(after: 1_000_000 * memory.number) }
      memory.held = []
      return outputs + again
    },
    Defect("transactions are committed and never sent", "INV-46") { input, outputs, _ in
      guard case let .call(call, .transaction) = input,
        outputs.contains(where: \.isConditionalPut)
      else { return outputs.filter { !$0.isConditionalPut } }
      let end = Completion(committed: true, value: .empty)
      return outputs.filter { !$0.isConditionalPut } + [.completed(call, end)]
    },
    .event("a value has a child that nobody wrote", "INV-51") { event, _ in
      var event = event
      if event.type == .value, !event.value.children.isEmpty {
        event.value = event.value.setting(Node("nobody"), at: Key("a"))
      }
      return [event]
    },
    Defect("puts go out in pairs, the later first", "INV-49") { _, outputs, memory in
      let puts = outputs.filter(\.isPlainPut)
      memory.held = puts + memory.held
      let rest = outputs.filter { !$0.isPlainPut }
      guard memory.held.count > 1 else { return rest }
      defer { memory.held = [] }
      return rest + memory.held
    },
  ]
}

extension ClientOutput {
  fileprivate var isPlainPut: Bool {
    if case .send(.request(_, .put(_, _, nil))) = self { true } else { false }
  }

  fileprivate var isConditionalPut: Bool {
    if case .send(.request(_, .put(_, _, _?))) = self { true } else { false }
  }

  /// A put that the server accepts when it has accepted the same before.
  fileprivate func repeated(after base: Int) -> ClientOutput {
    guard case let .send(.request(number, .put(path, node, _))) = self else { return self }
    return .send(.request(base + number, .put(path, node, hash: node.hash)))
  }

  fileprivate func numbered(after base: Int) -> ClientOutput {
    guard case let .send(.request(number, request)) = self else { return self }
    return .send(.request(base + number, request))
  }
}
