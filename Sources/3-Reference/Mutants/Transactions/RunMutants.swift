internal import ClientInterface
internal import Interception
internal import ReferenceClient
internal import Tree
internal import Wire

// When a transaction's function runs, and what its result is sent with.

extension Mutant {
  static let runMutants = [
    Mutant(
      "functions-run-later", "A transaction's function runs with the next input.",
      violating: "TXN-1", remembering: [ClientInput]()
    ) { input, _, held in
      if case .call(_, .transaction) = input {
        held.append(input)
        return []
      }
      defer { held = [] }
      return [input] + held
    },
    Mutant(
      "five-tries", "A transaction is given up after five tries.", violating: "TXN-7",
      remembering: [Path: Int]()
    ) { input, model, tries in
      guard case .frame(.response(var response)) = input,
        let request = model.requests[response.request], request.isTransaction,
        let path = request.path
      else { return [input] }
      guard response.status == "datastale" else {
        tries[path] = nil
        return [input]
      }
      tries[path, default: 0] += 1
      if tries[path] == 5 { response.status = "maxretry" }
      return [.frame(.response(response))]
    },
    Mutant(
      "transactions-drop-the-priority", "The result of a transaction has no priority.",
      violating: "TXN-20"
    ) { step in
      step.requests { request in
        guard case let .put(path, node, hash?) = request else { return [request] }
        return [.put(path, node.settingPriority(nil), hash: hash)]
      }
    },
    Mutant(
      "transactions-watch-nothing", "A transaction does not listen to its location.",
      violating: "TXN-19"
    ) { step in
      guard case .transaction? = step.operation else { return step.outputs }
      return step.withoutRequests(\.isListen)
    },
    Mutant(
      "removing-all-ends-watches", "Removing all listeners makes transactions there miss data.",
      violating: "TXN-21", remembering: Set<Path>()
    ) { input, model, blind in
      if case let .call(_, .unlistenAll(target)) = input,
        model.outstanding.contains(where: {
          $0.request.isTransaction && $0.request.path == target.path
        })
      {
        blind.insert(target.path)
      }
      return input.dataPath.map(blind.contains) == true ? [] : [input]
    },
    Mutant(
      "transactions-do-not-wait", "A transaction is sent while another one there is on its way.",
      violating: "TXN-15", deciding: { $0.transactionsWait = false }),
    function(
      "placeholders-in-results-are-lost",
      "A placeholder in a transaction's result is written as 0.",
      violating: "SRV-10"
    ) { function in
      function = function.mapValues { $0[".sv"] == nil ? $0 : 0 }
    },
    Mutant(
      "hash-without-padding", "Hashes are sent without the padding of base 64.",
      violating: "HSH-2"
    ) { step in
      step.requests { request in
        guard case let .put(path, node, hash?) = request else { return [request] }
        return [.put(path, node, hash: String(hash.prefix { $0 != "=" }))]
      }
    },
    hashing(
      "hash-of-nothing", "The hash of nothing is that of an empty text.", violating: "HSH-1"
    ) { $0.isEmpty ? Node("") : $0 },
    hashing(
      "hash-of-texts", "The hash takes every leaf for a text.", violating: "HSH-3"
    ) { $0.mappingScalars(\.asText) },
    hashing(
      "hash-in-single-precision", "The hash has numbers with the precision of 32 bits.",
      violating: "HSH-4"
    ) { node in
      node.mappingScalars { scalar in
        if case let .number(number) = scalar { .number(Double(Float(number))) } else { scalar }
      }
    },
    hashing(
      "hash-of-the-first-child", "The hash of a mapping is that of its first child alone.",
      violating: "HSH-5"
    ) { node in
      guard let first = node.children.keys.first else { return node }
      return Node(Children([(first, node[first])]), priority: node.priority)
    },
  ]

  /// One that hashes something else than what its function was given.
  private static func hashing(
    _ name: String, _ sentence: String, violating rules: String,
    _ change: @escaping @Sendable (Node) -> Node
  ) -> Mutant {
    Mutant(name, sentence, violating: rules) { step in
      step.requests { request in
        guard case let .put(path, node, hash?) = request,
          let known = hash.isEmpty ? .empty : step.before.shown(whoseHashIs: hash)
        else { return [request] }
        return [.put(path, node, hash: change(known).hash)]
      }
    }
  }
}
