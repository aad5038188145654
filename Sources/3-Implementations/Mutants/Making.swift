internal import ClientInterface
internal import ReferenceClient
internal import RunModel
internal import Tree
internal import Wire

// What mutants do: each method gives its mutant the defect.

extension Mutant {
  /// Is a reference client that decides otherwise in one point.
  func deciding(_ change: @escaping @Sendable (inout ClientPolicy) -> Void) -> Mutant {
    making { ReferenceClient(profile: $0, deciding: change) }
  }

  /// Is a reference client that takes itself for another kind of client.
  func reading(_ change: @escaping @Sendable (inout Profile) -> Void) -> Mutant {
    making { profile in
      var other = profile
      change(&other)
      return ReferenceClient(profile: other)
    }
  }

  // What the client receives.

  /// Changes what the client receives; `nil` leaves an input as it is.
  func inputs(
    _ change: @escaping @Sendable (ClientInput, ClientModel) -> [ClientInput]?
  ) -> Mutant {
    inputs(remembering: 0) { input, model, _ in change(input, model) }
  }

  /// The same with something that is remembered; may change what comes of it as well.
  func inputs<Memory: Sendable>(
    remembering memory: Memory, _ change: @escaping MutantClient<Memory>.InputRewriter,
    does: MutantClient<Memory>.OutputRewriter? = nil
  ) -> Mutant {
    wrapping { MutantClient($0, memory, rewritesInput: change, does: does) }
  }

  /// Does not receive some inputs.
  func ignoring(_ isIgnored: @escaping @Sendable (ClientInput, ClientModel) -> Bool) -> Mutant {
    inputs { isIgnored($0, $1) ? [] : nil }
  }

  /// Receives some inputs behind the next one.
  func delaying(_ isMeant: @escaping @Sendable (ClientInput) -> Bool) -> Mutant {
    inputs(remembering: [ClientInput]()) { input, _, held in
      if isMeant(input) {
        held.append(input)
        return []
      }
      defer { held = [] }
      return [input] + held
    }
  }

  /// Begins with other settings, or another storage.
  func opening(_ change: @escaping @Sendable (inout ClientInput.Opening) -> Void) -> Mutant {
    inputs { input, _ in
      guard case .open(var opening) = input else { return nil }
      change(&opening)
      return [.open(opening)]
    }
  }

  /// Does something else than is asked of it; `nil` leaves a call as it is.
  func calls(
    _ change: @escaping @Sendable (Operation, ClientModel) -> Operation?
  ) -> Mutant {
    inputs { input, model in
      guard case let .call(call, operation) = input else { return nil }
      return change(operation, model).map { [.call(call, $0)] }
    }
  }

  // What comes of it.

  /// Changes what comes of each input that satisfies a condition; `nil` leaves it as it is.
  func outputs(
    when condition: @escaping @Sendable (InterceptedStep) -> Bool = { _ in true },
    _ change: @escaping @Sendable (InterceptedStep) -> [ClientOutput]?
  ) -> Mutant {
    outputs(remembering: 0) { step, _ in condition(step) ? change(step) : nil }
  }

  /// The same with something that is remembered.
  func outputs<Memory: Sendable>(
    remembering memory: Memory, _ change: @escaping MutantClient<Memory>.OutputRewriter
  ) -> Mutant {
    wrapping { MutantClient($0, memory, does: change) }
  }

  /// Does some of it twice.
  func twice(_ isMeant: @escaping @Sendable (ClientOutput) -> Bool) -> Mutant {
    outputs { $0.outputs.flatMap { isMeant($0) ? [$0, $0] : [$0] } }
  }

  /// Raises events of one type with something else in them.
  func events(
    _ type: EventType, _ change: @escaping @Sendable (InterceptedStep, inout Event) -> Void
  ) -> Mutant {
    outputs { step in
      step.events { event in
        guard event.type == type else { return [event] }
        var changed = event
        change(step, &changed)
        return [changed]
      }
    }
  }

  /// Does not raise some events.
  func withoutEvents(
    _ isDropped: @escaping @Sendable (InterceptedStep, Event) -> Bool
  ) -> Mutant {
    outputs { step in step.withoutEvents { isDropped(step, $0) } }
  }

  /// Sends others in place of some requests; `nil` leaves a request as it is.
  func requests(_ change: @escaping @Sendable (Request) -> [Request]?) -> Mutant {
    outputs { $0.requests(change) }
  }

  /// Sends what transactions make, and the hash of what they were given, otherwise.
  func transactionPuts(
    _ change: @escaping @Sendable (InterceptedStep, inout Node, inout String?) -> Void
  ) -> Mutant {
    outputs { step in
      step.requests { request in
        guard case .put(let path, var node, var hash) = request, hash != nil else { return nil }
        change(step, &node, &hash)
        return [.put(path, node, hash: hash)]
      }
    }
  }
}
