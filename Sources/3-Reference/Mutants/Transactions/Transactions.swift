internal import ClientInterface
internal import Interception
internal import ReferenceClient
internal import Tree
internal import Wire

extension Mutant {
  static let transactionMutants =
    [
      Mutant(
        "transactions-from-the-same-base", "A transaction does not see pending writes.",
        from: "C24 R38", violating: "TXN-2", deciding: { $0.functionsSeeWrites = false }),
      Mutant(
        "hidden-results-not-seen",
        "A transaction does not see what one without local events has made.", from: "C24",
        violating: "TXN-2",
        deciding: { $0.functionsSeeHiddenWrites = false }),
      Mutant(
        "transactions-sent-again", "A transaction is sent again when its answer was lost.",
        from: "C22", violating: "TXN-13", deciding: { $0.sentTransactionsFail = false }),
      Mutant(
        "abort-leaves-its-result", "What a transaction has shown stays when a set ends it.",
        from: "C23", violating: "TXN-9", deciding: { $0.overtakenResultsGo = false }),
      Mutant(
        "broken-rerun-sends-the-old-result",
        "When its function breaks down in a later run, a transaction sends what it made before.",
        from: "R36", violating: "TXN-25", deciding: { $0.brokenRunsEnd = false }),
      Mutant(
        "overtaken-twice-is-forgotten", "A transaction that two sets overtake never ends.",
        from: "ACC-101", violating: "TXN-10 TXN-11",
        deciding: { $0.overtakenTwiceAreAwaited = false }),
      Mutant(
        "results-before-their-data",
        "What transactions make of new data is shown before the data are.", from: "C50",
        deciding: { $0.dataPrecedeResults = false }),
      Mutant(
        "local-events-always", "The results of a transaction without local events are shown.",
        from: "R40", violating: "TXN-5"
      ) { input, _ in
        guard case let .call(call, .transaction(path, function, .hidden)) = input else {
          return [input]
        }
        return [.call(call, .transaction(path, function, localEvents: .shown))]
      },
      Mutant(
        "local-events-never", "No transaction is shown before it is accepted.", from: "R40",
        violating: "TXN-4 TXN-24"
      ) { input, _ in
        guard case let .call(call, .transaction(path, function, .shown)) = input else {
          return [input]
        }
        return [.call(call, .transaction(path, function, localEvents: .hidden))]
      },
      Mutant(
        "abort-is-a-removal", "A function that returns nothing removes what is there.", from: "R45",
        violating: "TXN-3"
      ) { input, _ in
        guard case let .call(call, .transaction(path, .abort, localEvents)) = input else {
          return [input]
        }
        return [.call(call, .transaction(path, .set(.null), localEvents: localEvents))]
      },
      Mutant(
        "transactions-need-a-connection", "A transaction fails at once without a connection.",
        from: "R42", violating: "TXN-14", remembering: [CallID]()
      ) { input, model, refused in
        guard case let .call(call, .transaction(path, _, localEvents)) = input,
          !model.hasReceivedHello
        else { return [input] }
        refused.append(call)
        return [.call(call, .transaction(path, .fail, localEvents: localEvents))]
      } does: { step, refused in
        step.outputs.filter { output in
          if case let .updateRan(call, _) = output { !refused.contains(call) } else { true }
        }
      },
      Mutant(
        "commit-tells-the-first-result", "The value of a commit is that of the first run.",
        from: "S6", violating: "TXN-22", remembering: [CallID: Node]()
      ) { step, first in
        for case let .updateRan(call, input) in step.outputs where first[call] == nil {
          first[call] = Node(json: input)
        }
        return step.outputs.map { output in
          guard case .completed(let call, var completion) = output, completion.committed == true
          else { return output }
          completion.value = first[call]
          return .completed(call, completion)
        }
      },
      Mutant(
        "updates-end-siblings", "An update ends transactions next to the children that it names.",
        from: "R43", violating: "TXN-12", in: [.firebase],
        reading: { $0.updateAborts = .wholeLocation }),
      Mutant(
        "reruns-ignore-sent-transactions",
        "A transaction that runs again does not see those that are on their way.", from: "ACC-112",
        violating: "TXN-16",
        deciding: { $0.rerunsSeeSentResults = false }),
    ] + answerMutants

  private static let answerMutants = [
    Mutant(
      "stale-is-final", "A transaction that finds other data fails at once.", from: "C21",
      violating: "TXN-6 TXN-27"
    ) {
      input, model in
      input.transactionAnswer(in: model) { $0.status = $0.status == "ok" ? "ok" : "stale" }
    },
    Mutant(
      "transactions-always-succeed", "A transaction succeeds whatever the server answers.",
      from: "H13", violating: "TXN-8"
    ) { input, model in
      input.transactionAnswer(in: model) { $0.status = "ok" }
    },
    Mutant(
      "refused-transactions-run-again", "A transaction that is refused runs again.", from: "H13",
      violating: "ACC-7 TXN-8"
    ) { input, model in
      input.transactionAnswer(in: model) { response in
        if response.status != "ok" { response.status = "datastale" }
      }
    },
    Mutant(
      "transactions-without-a-hash", "A transaction is sent as a plain write.", from: "R37",
      violating: "TXN-26 TXN-17"
    ) {
      step in
      step.requests { request in
        if case let .put(path, node, _?) = request {
          [.put(path, node, hash: nil)]
        } else {
          [request]
        }
      }
    },
    Mutant(
      "hash-of-the-result", "The hash of a transaction is that of what it makes.", from: "R44",
      violating: "TXN-26"
    ) { step in
      step.requests { request in
        guard case let .put(path, node, _?) = request else { return [request] }
        return [.put(path, node, hash: node.hash)]
      }
    },
    Mutant(
      "hash-without-priorities", "The hash of a transaction leaves out priorities.", from: "S6",
      violating: "HSH-6"
    ) { step in
      step.requests { request in
        guard case let .put(path, node, hash?) = request,
          let known = step.before.value(whoseHashIs: hash)
        else { return [request] }
        return [.put(path, node, hash: known.withoutPriorities.hash)]
      }
    },
  ]
}

extension ClientInput {
  /// The same, with the answer changed if it is one to a transaction.
  fileprivate func transactionAnswer(
    in model: ClientModel, _ change: (inout ServerMessage.Response) -> Void
  ) -> [ClientInput] {
    guard case .frame(.response(var response)) = self,
      model.requests[response.request]?.isTransaction == true
    else { return [self] }
    change(&response)
    return [.frame(.response(response))]
  }
}

extension ClientModel {
  fileprivate func value(whoseHashIs hash: String) -> Node? {
    listeners { $0.value?.hash == hash }.first.flatMap { listeners[$0]?.value }
  }
}

extension Node {
  var withoutPriorities: Node {
    if let scalar { return Node(scalar) }
    return Node(Children(children.map { ($0.key, $0.node.withoutPriorities) }))
  }
}
