internal import ClientInterface
internal import Interception
internal import Tree
internal import Wire

extension Mutant {
  /// Right clients over something that is not a faithful connection.
  static let transports = [
    Mutant(
      "characters-are-split", "A character that is cut by a segment boundary is broken.",
      from: "T1",
      component: .transport
    ) { input, _ in
      switch input {
      case let .frame(.put(path, node, tag)):
        [.frame(.put(path, node.mappingScalars(\.split), tag: tag))]
      case let .frame(.merge(path, assignments, tag)):
        [
          .frame(
            .merge(
              path, assignments.map { Assignment($0.path, $0.node.mappingScalars(\.split)) },
              tag: tag))
        ]
      default: [input]
      }
    },
    Mutant(
      "data-arrive-twice", "Data arrive once more after the next message.", from: "T2",
      component: .transport, remembering: ClientInput?.none
    ) { input, _, last in
      let again = last
      last = input.dataPath == nil ? nil : input
      return [input] + (again.map { [$0] } ?? [])
    },
    Mutant(
      "answers-arrive-twice", "The answer to a request arrives for the next one as well.",
      from: "T2", component: .transport
    ) { input, model in
      guard case .frame(.response(var response)) = input,
        let next = model.outstanding.first(where: { $0.number > response.request })
      else { return [input] }
      response.request = next.number
      return [input, .frame(.response(response))]
    },
    Mutant(
      "requests-arrive-twice", "Every write arrives at the server twice.", from: "T2",
      component: .transport,
      wrapping: { DuplicateSender(client: $0) }),
    Mutant(
      "data-of-the-last-connection",
      "Data of the connection before arrive after the hello of the next one.", from: "T3 C33",
      component: .transport, remembering: ClientInput?.none
    ) { input, _, last in
      if input.dataPath != nil { last = input }
      guard case .frame(.hello) = input, let late = last else { return [input] }
      last = nil
      return [input, late]
    },
    Mutant(
      "old-data-of-the-last-connection",
      "The first data of the connection before arrive again after those of the next one.",
      from: "T3 C33", violating: "CON-13", component: .transport,
      remembering: (old: [ClientInput](), new: [ClientInput]())
    ) { input, _, memory in
      if case .frame(.hello) = input { memory = (memory.new, []) }
      guard input.dataPath != nil else { return [input] }
      memory.new.append(input)
      guard memory.new.count == 1, let late = memory.old.first else { return [input] }
      return [input, late]
    },
    Mutant(
      "closing-is-not-noticed", "The client does not notice that its connection has closed.",
      from: "T4", component: .transport
    ) { input, _ in
      input == .closed ? [] : [input]
    },
    Mutant(
      "data-arrive-out-of-order", "Of two data messages the second arrives first.",
      from: "S9", component: .transport, remembering: ClientInput?.none
    ) { input, _, held in
      let first = held
      held = nil
      if first == nil, input.dataPath != nil {
        held = input
        return []
      }
      return [input] + (first.map { [$0] } ?? [])
    },
    Mutant(
      "large-messages-are-lost", "A message with many children does not arrive.", from: "T1",
      component: .transport
    ) { input, _ in
      if case let .frame(.put(_, node, _)) = input, node.children.count > 4 { [] } else { [input] }
    },
  ]
}

extension Scalar {
  /// The same with the first character that is not ASCII replaced by what a decoder makes of
  /// halves.
  fileprivate var split: Scalar {
    guard case let .string(text) = self else { return self }
    var string = text.string
    guard let index = string.firstIndex(where: { !$0.isASCII }) else { return self }
    string.replaceSubrange(index...index, with: "\u{FFFD}\u{FFFD}")
    return .string(Text(string))
  }
}

/// Sends every write twice, with one number.
private struct DuplicateSender: WrappingClient {
  var client: any SyncClient

  mutating func handle(_ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]) {
    var caused: [ClientOutput] = []
    client.handle(input, at: now, into: &caused)
    outputs += caused.flatMap { output in
      output.request?.isPlainWrite == true ? [output, output] : [output]
    }
  }
}
