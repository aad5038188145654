internal import ClientInterface
internal import ReferenceClient
internal import RunModel
internal import Tree
internal import Wire

// Transactions: what their functions see, when they run, and what they are sent with.

extension Mutant {
  static let transactionMutants: [Mutant] =
    [
      Mutant(
        "transactions-from-the-same-base", "A transaction does not see pending writes.",
        from: "C24 R38", violating: "TXN-2"
      ).deciding { $0.functionsSeeWrites = false },
      Mutant(
        "hidden-results-not-seen",
        "A transaction does not see what one without local events has made.", from: "C24",
        violating: "TXN-2"
      ).deciding { $0.functionsSeeHiddenWrites = false },
      Mutant(
        "transactions-sent-again", "A transaction is sent again when its answer was lost.",
        from: "C22", violating: "TXN-13"
      ).deciding { $0.sentTransactionsFail = false },
      Mutant(
        "abort-leaves-its-result", "What a transaction has shown stays when a set ends it.",
        from: "C23", violating: "TXN-9"
      ).deciding { $0.overtakenResultsGo = false },
      Mutant(
        "broken-rerun-sends-the-old-result",
        "When its function breaks down in a later run, a transaction sends what it made before.",
        from: "R36", violating: "TXN-25"
      ).deciding { $0.brokenRunsEnd = false },
      Mutant(
        "overtaken-twice-is-forgotten", "A transaction that two sets overtake never ends.",
        from: "ACC-101", violating: "TXN-10 TXN-11"
      ).deciding { $0.overtakenTwiceAreAwaited = false },
      Mutant(
        "results-before-their-data",
        "What transactions make of new data is shown before the data are.", from: "C50"
      ).deciding { $0.dataPrecedeResults = false },
      Mutant(
        "local-events-always", "The results of a transaction without local events are shown.",
        from: "R40", violating: "TXN-5"
      ).calls { operation, _ in
        guard case let .transaction(path, function, .hidden) = operation else { return nil }
        return .transaction(path, function, localEvents: .shown)
      },
      Mutant(
        "local-events-never", "No transaction is shown before it is accepted.", from: "R40",
        violating: "TXN-4 TXN-24"
      ).calls { operation, _ in
        guard case let .transaction(path, function, .shown) = operation else { return nil }
        return .transaction(path, function, localEvents: .hidden)
      },
      Mutant(
        "hidden-writes-shadow", "A refused write stays shown if a hidden transaction covers it.",
        violating: "WRT-14"
      ).deciding { $0.hides = { isLater, _ in isLater } },
      Mutant(
        "abort-is-a-removal", "A function that returns nothing removes what is there.", from: "R45",
        violating: "TXN-3"
      ).function { if $0 == .abort { $0 = .set(.null) } },
      Mutant(
        "transactions-need-a-connection", "A transaction fails at once without a connection.",
        from: "R42", violating: "TXN-14"
      ).inputs(remembering: [CallID]()) { input, model, refused in
        guard case let .call(call, .transaction(path, _, localEvents)) = input,
          !model.link.hasReceivedHello
        else { return nil }
        refused.append(call)
        return [.call(call, .transaction(path, .fail, localEvents: localEvents))]
      } does: { step, refused in
        step.outputs.filter { output in
          if case let .updateRan(call, _) = output { !refused.contains(call) } else { true }
        }
      },
      Mutant(
        "commit-tells-the-first-result", "The value of a commit is that of the first run.",
        from: "S6", violating: "TXN-22"
      ).outputs(remembering: [CallID: Node]()) { step, first in
        for case let .updateRan(call, input) in step.outputs where first[call] == nil {
          first[call] = Node(json: input)
        }
        return step.completions { call, completion in
          if completion.committed == true { completion.value = first[call] }
        }
      },
      Mutant(
        "failures-have-committed",
        "A transaction that ends with an error says that it has committed.",
        violating: "TXN-22"
      ).outputs { step in
        step.completions { _, completion in
          if completion.error != nil, completion.committed != nil { completion.committed = true }
        }
      },
      Mutant(
        "updates-end-siblings", "An update ends transactions next to the children that it names.",
        from: "R43", violating: "TXN-12", in: [.firebase]
      ).reading { $0.updateAborts = .wholeLocation },
      Mutant(
        "reruns-ignore-sent-transactions",
        "A transaction that runs again does not see those that are on their way.", from: "ACC-112",
        violating: "TXN-16"
      ).deciding { $0.rerunsSeeSentResults = false },
    ] + answerMutants

  private static let answerMutants: [Mutant] = [
    Mutant(
      "stale-is-final", "A transaction that finds other data fails at once.", from: "C21",
      violating: "TXN-6 TXN-27"
    ).transactionAnswers { if $0 != "ok" { $0 = "stale" } },
    Mutant(
      "transactions-always-succeed", "A transaction succeeds whatever the server answers.",
      from: "H13", violating: "TXN-8 TXN-6"
    ).transactionAnswers { $0 = "ok" },
    Mutant(
      "refused-transactions-run-again", "A transaction that is refused runs again.", from: "H13",
      violating: "ACC-7 TXN-8"
    ).transactionAnswers { if $0 != "ok" { $0 = "datastale" } },
    Mutant(
      "transactions-without-a-hash", "A transaction is sent as a plain write.", from: "R37",
      violating: "TXN-26 TXN-17"
    ).transactionPuts { _, _, hash in hash = nil },
    Mutant(
      "hash-of-the-result", "The hash of a transaction is that of what it makes.", from: "R44",
      violating: "TXN-26"
    ).transactionPuts { _, node, hash in hash = node.hash },
    Mutant(
      "hash-without-priorities", "The hash of a transaction leaves out priorities.", from: "S6",
      violating: "HSH-6"
    ).transactionPuts { step, _, hash in
      let known = step.before.listeners.lazy.compactMap(\.value).first { $0.hash == hash }
      if let known { hash = known.withoutPriorities.hash }
    },
  ]

  // When a transaction's function runs, and what its result is sent with.

  static let runMutants: [Mutant] = [
    Mutant(
      "functions-run-later", "A transaction's function runs with the next input.",
      violating: "TXN-1"
    ).delaying { if case .call(_, .transaction) = $0 { true } else { false } },
    Mutant("five-tries", "A transaction is given up after five tries.", violating: "TXN-7").inputs(
      remembering: [Path: Int]()
    ) { input, model, tries in
      guard case .frame(.response(var response)) = input,
        let request = model.request(answeredBy: response), request.isTransaction,
        let path = request.path
      else { return nil }
      guard response.status == "datastale" else {
        tries[path] = nil
        return nil
      }
      tries[path, default: 0] += 1
      if tries[path] == 5 { response.status = "maxretry" }
      return [.frame(.response(response))]
    },
    Mutant(
      "transactions-drop-the-priority", "The result of a transaction has no priority.",
      violating: "TXN-20"
    ).transactionPuts { _, node, _ in node = node.settingPriority(nil) },
    Mutant(
      "null-names-no-priority", "A result that names null as its priority keeps the old one.",
      violating: "TXN-20"
    ).function { function in
      guard case .set(.object(let members)) = function else { return }
      function = .set(.object(members.filter { $0.name != ".priority" || $0.value != .null }))
    },
    Mutant(
      "transactions-watch-nothing", "A transaction does not listen to its location.",
      violating: "TXN-19"
    ).outputs { step in
      guard case .transaction? = step.operation else { return nil }
      return step.withoutRequests(\.isListen)
    },
    Mutant(
      "transactions-do-not-wait", "A transaction is sent while another one there is on its way.",
      violating: "TXN-15"
    ).deciding { $0.transactionsWait = false },
    Mutant(
      "placeholders-in-results-are-lost",
      "A placeholder in a transaction's result is written as 0.", violating: "SRV-10"
    ).function { $0 = $0.mapValues { $0[".sv"] == nil ? $0 : 0 } },
    Mutant(
      "hash-without-padding", "Hashes are sent without the padding of base 64.", violating: "HSH-2"
    ).transactionPuts { _, _, hash in
      hash = hash.map { String($0.prefix { $0 != "=" }) }
    },
    Mutant("hash-of-nothing", "The hash of nothing is that of an empty text.", violating: "HSH-1")
      .hashing { $0.isEmpty ? Node("") : $0 },
    Mutant("hash-of-texts", "The hash takes every leaf for a text.", violating: "HSH-3").hashing {
      $0.mappingScalars(\.asText)
    },
    Mutant(
      "hash-in-single-precision", "The hash has numbers with the precision of 32 bits.",
      violating: "HSH-4"
    ).hashing { node in
      node.mappingScalars { scalar in
        if case let .number(number) = scalar { .number(Double(Float(number))) } else { scalar }
      }
    },
    Mutant(
      "hash-of-the-first-child", "The hash of a mapping is that of its first child alone.",
      violating: "HSH-5"
    ).hashing { node in
      guard let first = node.children.keys.first else { return node }
      return Node(Children([(first, node[first])]), priority: node.priority)
    },
  ]

  /// Hashes something else than what its function was given.
  private func hashing(_ change: @escaping @Sendable (Node) -> Node) -> Mutant {
    transactionPuts { step, _, hash in
      let known = hash == "" ? Node.empty : hash.flatMap(step.before.shown(whoseHashIs:))
      if let known { hash = change(known).hash }
    }
  }

  /// Takes answers to transactions for others.
  private func transactionAnswers(_ change: @escaping @Sendable (inout String) -> Void) -> Mutant {
    inputs { input, model in
      guard case .frame(.response(var response)) = input,
        model.request(answeredBy: response)?.isTransaction == true
      else { return nil }
      change(&response.status)
      return [.frame(.response(response))]
    }
  }
}

extension ClientModel {
  /// Whether transactions of a location are on their way.
  func hasTransaction(at path: Path) -> Bool {
    outstanding.contains { $0.request.isTransaction && $0.request.path == path }
  }
}
