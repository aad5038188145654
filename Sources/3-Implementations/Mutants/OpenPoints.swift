internal import ClientInterface
internal import ReferenceClient
internal import ReferenceServer
internal import RunModel
internal import Tree
internal import Wire

// What Specs/decisions.md declares open, decided otherwise than the reference client decides it: the
// decision stands where mutants have the defect that they stand for.

extension Mutant {
  static let openPoints: [Mutant] =
    openInQueries + openInBounds + openInWrites + openInTransactions + openElsewhere

  private static let openInQueries: [Mutant] = [
    open("A-07", "no-move-between-the-same", "A child that keeps its neighbours does not move.")
      .in([.wilddog1]).deciding { $0.views.movesNeedNoNeighbours = false },
    open(
      "LIM-14", "windows-with-room-are-parts",
      "A window that has room for more is taken for a part of what is there."
    ).deciding { $0.views.windowsWithRoomAreWhole = false },
    open(
      "C-07 A-04 A-52", "mappings-come-first",
      "In an order by values, mappings come before other kinds of values."
    ).in([.wilddog1, .wilddog2]).outputs { step in
      step.reordering { $0.target.query.keysFromMappings(of: $1) }
    },
    open(
      "R-04", "queries-in-another-order", "Queries of one location learn of a change last to first."
    ).outputs { step in
      guard step.input.dataPath != nil || step.operation?.isPlainWrite == true else { return nil }
      return step.outputs.swapping { first, second in
        guard let first = step.after[first]?.target, let second = step.after[second]?.target else {
          return false
        }
        return first.path == second.path
          && String(describing: first.query) < String(describing: second.query)
      }
    },
    open("R-10", "moves-by-value-only", "In the order of values a child moves with its leaf alone.")
      .withoutEvents { step, event in
        guard event.type == .childMoved, let key = event.key,
          let listener = step.before[event.listener], listener.target.query.ordering == .value
        else { return false }
        return OrderValue(listener.children[key]) == OrderValue(event.value)
      },
  ]

  private static let openInBounds: [Mutant] = [
    open("A-26", "null-bounds-are-refused", "A query with null as a bound is refused.")
      .in([.wilddog1, .wilddog2])
      .refusing("invalid_query") { operation in
        operation.arguments.query?.bounds.contains { $0.value == nil } ?? false
      },
    open("A-26", "null-bounds-bound-nothing", "A bound that is null is none.")
      .in([.wilddog1, .wilddog2]).queries { query in
        if query.start?.value == nil { query.start = nil }
        if query.end?.value == nil { query.end = nil }
      },
    open("A-40", "ranges-keep-to-their-kind", "A range has only values of the kind of its bounds.")
      .in([.wilddog2]).reading { $0.ranges = .withinKind },
    open("A-40", "bounds-of-two-kinds-are-refused", "A query with bounds of two kinds is refused.")
      .in([.wilddog1, .wilddog2])
      .refusing("invalid_query") { operation in
        let values = operation.arguments.query?.bounds.map { OrderValue($0.value) } ?? []
        return values.contains { !$0.isSameKind(as: values[0]) }
      },
  ]

  private static let openInWrites: [Mutant] = [
    Mutant(
      "no-priority-for-nothing", "The server refuses a priority for an empty location.",
      from: "A-09", component: .benign, in: [.wilddog1, .wilddog2], server: .refusesBarePriorities),
    open("A-23", "updates-of-nothing-are-refused", "An update without a name is refused.")
      .refusing("invalid_value") { operation in
        switch operation {
        case let .update(path, changes), let .onDisconnectUpdate(path, changes):
          changes.isEmpty && path.problem == nil
        default: false
        }
      },
    open("A-23", "deep-names-are-refused", "An update names direct children only.")
      .in([.wilddog1]).refusing("invalid_path") { operation in
        operation.arguments.changes?.contains { $0.path.keys.count > 1 } ?? false
      },
    open("WRT-27", "updates-name-no-priorities", "An update that names a priority is refused.")
      .in([.wilddog1]).refusing("invalid_path") { operation in
        operation.arguments.changes?.contains { $0.path.key == .priority } ?? false
      },
    open("A-34", "priorities-inside-are-refused", "A value with priorities inside is refused.")
      .in([.wilddog1]).refusing("invalid_value", \.writesPrioritiesInside),
    open("A-34", "priorities-inside-are-ignored", "Priorities inside a value are left out.")
      .in([.wilddog1]).calls { operation, _ in
        operation.writesPrioritiesInside ? operation.withoutPrioritiesInside : nil
      },
    open("PRI-16", "updates-in-two-parts", "An update removes first, and then adds.")
      .deciding { $0.updatesAreWhole = false },
    open("PSH-7", "ids-by-the-own-clock", "Push ids have the time of the client's clock.")
      .in([.wilddog1]).deciding { $0.pushIDsFollowTheServer = false },
    open("A-57", "completions-come-last", "Completions come after all that happens with them.")
      .in([.wilddog1, .wilddog2]).reading { $0.completions = .last },
    open("A-57", "completions-come-at-once", "Completions come before what else happens with them.")
      .in([.firebase]).reading { $0.completions = .immediate },
    open(
      "A-58", "refused-updates-take-all-back",
      "A refused update takes accepted writes back where the server has not answered the listen."
    ).deciding { $0.updatesAreWithdrawnAlone = false },
    open("R-25", "long-paths-are-refused", "A path that is too long is refused in every call.")
      .refusing("invalid_path") { operation in
        [.listening, .onDisconnect].contains(operation.kind.family)
          && operation.path?.problem != nil
      },
  ]

  private static let openInTransactions: [Mutant] = [
    open("A-17", "errors-bring-a-value", "A transaction that fails hands over what it was given.")
      .outputs(remembering: [CallID: Node]()) { step, inputs in
        for case let .updateRan(call, input) in step.outputs { inputs[call] = Node(json: input) }
        return step.completions { call, completion in
          if completion.error != nil, let input = inputs[call] { completion.value = input }
        }
      },
    open("TXN-25", "failures-are-aborts", "A function that breaks down ends as one that aborts.")
      .in([.wilddog1]).inputs { input, _ in
        guard case let .call(call, .transaction(path, function, localEvents)) = input else {
          return nil
        }
        return [.call(call, .transaction(path, function.aborting, localEvents: localEvents))]
      },
    open("TXN-12", "updates-overtake-by-name", "An update ends the transactions of its children.")
      .in([.wilddog1]).reading { $0.updateAborts = .namedChildren },
    open("TXN-1", "functions-run-twice", "A function runs twice on what it is given later.")
      .outputs(when: { $0.operation == nil }) { step in
        step.outputs.flatMap { output -> [ClientOutput] in
          if case .updateRan = output { [output, output] } else { [output] }
        }
      },
    open("ERR-3", "functions-run-before-refusals", "What is refused has run before.")
      .outputs { step in
        guard case .transaction? = step.operation else { return nil }
        return step.outputs.flatMap { output -> [ClientOutput] in
          guard case let .threw(call, code) = output, code == "invalid_value" else {
            return [output]
          }
          return [.updateRan(call, input: .null), output]
        }
      },
  ]

  private static let openElsewhere: [Mutant] = [
    open("A-35", "queries-are-not-kept", "No query with a range or a limit is kept synchronised.")
      .in([.wilddog1, .wilddog2]).ignoring { input, _ in
        guard case let .call(_, .keepSynced(target, _)) = input else { return false }
        return target.query.filters
      },
    open("A-35", "synchronisation-is-counted", "What is kept twice is given up twice.")
      .in([.wilddog1, .wilddog2]).inputs(remembering: [Operation.Target: Int]()) {
        input, _, counts in
        guard case let .call(_, .keepSynced(target, synchronization)) = input else { return nil }
        let count = counts[target, default: 0]
        counts[target] = synchronization == .on ? count + 1 : max(0, count - 1)
        return synchronization == .on ? nil : count > 1 ? [] : nil
      },
    open("A-62", "gets-inform-listeners", "Listeners that load show what a get has brought.")
      .in([.firebase]).deciding { $0.getsInformListeners = true },
    open("OFF-28", "info-is-not-kept", "What is local is refused where it is to be kept.")
      .refusing("invalid_path") { operation in
        if case let .keepSynced(target, _) = operation {
          target.path.keys.first == .info
        } else {
          false
        }
      },
    open(
      "CBK-14", "ends-are-told-all-the-same",
      "A callback that removes a listener does not take back its cancellation or single event."
    ).nestedCalls(.after) { call in call.due = call.withdrawnEnds + call.due },
    open("ACC-12", "waits-for-the-credential", "Nothing is sent until a credential is answered.")
      .wrapping { PatientClient(client: $0) },
    open(
      "ACC-10", "crossing-revocations-end-all",
      "A revocation that crosses the end of its listen ends the listeners that are left there."
    ).deciding { $0.crossingRevocationsEndAll = true },
    open("R-26", "leaves-without-a-credential", "A revoked credential ends the connection.")
      .in([.wilddog2]).deciding { $0.revokedCredentialsEndConnections = true },
    open("R-26", "stays-without-a-credential", "A revoked credential leaves the connection alone.")
      .in([.firebase]).deciding { $0.revokedCredentialsEndConnections = false },
    open("R-13", "no-statistics", "The client sends no statistics.").requests {
      if case .stats = $0 { [] } else { nil }
    },
    open("R-13", "statistics-once", "The usage counters are sent on the first connection only.")
      .in([.wilddog1, .wilddog2]).reading { $0.stats = .firstConnection },
    open(
      "OND-19", "acknowledged-a-moment-later",
      "An on-disconnect request counts as acknowledged a moment after its answer."
    ).deciding { $0.acknowledgementsCountAtOnce = false },
    open(
      "OND-8", "own-ends-by-name",
      "What was left for the end of the connection is done to the own data in the order of paths."
    ).deciding { $0.onDisconnectOrder = .byName },
    open(
      "OND-8", "own-ends-by-arrival",
      "What was left for the end of the connection is done to the own data as it was asked for."
    ).deciding { $0.onDisconnectOrder = .ofArrival },
    open(
      "OND-8", "own-ends-by-index",
      "What was left for the end of the connection is done to indexes before other keys."
    ).deciding { $0.onDisconnectOrder = .indexesFirst },
  ]

  private static func open(_ decision: String, _ name: String, _ sentence: String) -> Mutant {
    Mutant(name, sentence, from: decision, component: .benign)
  }

  /// The same in some profiles, where what it decides is open.
  private func `in`(_ profiles: [Profile]) -> Mutant {
    Mutant(
      name, sentence, from: origin.joined(separator: " "), component: component, in: profiles)
  }

  /// Asks for other queries.
  private func queries(_ change: @escaping @Sendable (inout Query) -> Void) -> Mutant {
    calls { operation, _ in
      operation.mapArguments { given in
        if var query = given.query {
          change(&query)
          given.query = query
        }
      }
    }
  }

  /// Refuses some calls.
  private func refusing(
    _ code: ErrorCode, _ isRefused: @escaping @Sendable (Operation) -> Bool
  ) -> Mutant {
    wrapping { RefusingClient(client: $0, code: code, isRefused: isRefused) }
  }
}

extension Query {
  fileprivate var bounds: [Bound] {
    ordering == .key ? [] : [start, end].compactMap(\.self)
  }

  /// The keys of children with mappings right behind those without a value (QRY-6); `nil` where they
  /// meet no other kind, or the query filters: its window would be another one.
  fileprivate func keysFromMappings(of children: Children) -> [Key]? {
    if filters || ordering == .key || ordering == .priority { return nil }
    let values = ordering.keys(of: children).map { ($0, ordering.value(of: children[$0])) }
    let first = values.filter { $1 == .null } + values.filter { $1 == .children }
    let others = values.filter { $1 != .null && $1 != .children }
    let isMixed = first.last?.1 == .children && !others.isEmpty
    return isMixed ? (first + others).map(\.0) : nil
  }
}

extension Operation {
  /// Whether it writes values with priorities inside, none of which is refused as such (PRI-4).
  fileprivate var writesPrioritiesInside: Bool {
    let given = arguments
    let values = [given.value, given.function.map { Node(json: $0.argument) }].compactMap(\.self)
    let parts = given.changes?.flatMap(\.node.priorities) ?? []
    let priorities = values.flatMap(\.prioritiesInside) + parts
    return !priorities.isEmpty && !priorities.contains(true) && !priorities.contains(false)
  }

  /// The same without priorities inside its values.
  fileprivate var withoutPrioritiesInside: Operation {
    mapArguments { given in
      given.value = given.value?.withoutPrioritiesInside
      given.changes = given.changes?.map { Assignment($0.path, $0.node.withoutPriorities) }
      given.function = given.function?.mapValues { Node(json: $0).withoutPrioritiesInside.json }
    }
  }
}

extension Node {
  fileprivate var priorities: [Scalar] { [priority].compactMap(\.self) + prioritiesInside }

  /// The priorities below its own.
  fileprivate var prioritiesInside: [Scalar] { children.flatMap(\.node.priorities) }

  /// The same with its own priority alone.
  fileprivate var withoutPrioritiesInside: Node { withoutPriorities.settingPriority(priority) }
}

extension TransactionFunction {
  /// The same where a breakdown is an abort.
  fileprivate var aborting: TransactionFunction {
    switch self {
    case .fail: .abort
    case let .setIfNullOrFail(value): .setIfNull(value)
    default: self
    }
  }
}

/// Refuses calls that another client accepts.
private struct RefusingClient: WrappingClient {
  var client: any SyncClient
  let code: ErrorCode
  let isRefused: @Sendable (Operation) -> Bool

  mutating func handle(_ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]) {
    guard case let .call(call, operation) = input, isRefused(operation) else {
      return client.handle(input, at: now, into: &outputs)
    }
    outputs.append(.threw(call, code))
  }
}

/// Holds requests back while a credential waits for its answer. Those that are held when the
/// connection ends are lost, as they would be on their way.
private struct PatientClient: WrappingClient {
  var client: any SyncClient
  var held: [ClientOutput] = []
  /// The number of the credential that waits.
  var asked: Int?

  mutating func handle(_ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]) {
    var caused: [ClientOutput] = []
    client.handle(input, at: now, into: &caused)
    if case let .frame(.response(response)) = input, response.request == asked { asked = nil }
    if input == .closed { (held, asked) = ([], nil) }
    // WRT-30: what is given up is not sent any more.
    if case .call(_, .purgeWrites) = input {
      held.removeAll {
        $0.request.map { $0.isPlainWrite || $0.isTransaction || $0.isOnDisconnect } ?? false
      }
    }
    if asked == nil {
      caused = held + caused
      held = []
    }
    for output in caused { put(output, into: &outputs) }
  }

  private mutating func put(_ output: ClientOutput, into outputs: inout [ClientOutput]) {
    switch output {
    case .send(.request) where asked != nil:
      held.append(output)
      return
    case let .send(.request(number, .authenticate)): asked = number
    case .disconnect: (held, asked) = ([], nil)
    default: break
    }
    outputs.append(output)
  }
}
