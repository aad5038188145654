public import ClientInterface
internal import Conformance
internal import Document
internal import Scenario
public import Trace
internal import Tree
internal import Wire

/// Something that two versions of a client do differently in the same run.
public struct VersionDifference: Sendable {
  /// In what they differ.
  public enum Aspect: String, CaseIterable, Sendable {
    /// What an application sees: events, and what becomes of calls.
    case events
    /// What goes over the wire: requests, keep-alives, connections.
    case messages
    /// The same is done at another time.
    case timing
    /// What is kept for the next process.
    case storage
  }

  /// In what they differ.
  public let aspect: Aspect
  /// What each version did, the older one first; `nil` where one did nothing of the kind. The number is
  /// that of the event in the older run, or of the first one behind the moment.
  public let sides: TraceDifference
  /// What happened last before that in the older run.
  public let context: [TraceEvent]
  /// In what way, by the words that failures are grouped by.
  let deviation: Deviation
  /// Whether only an order differs that the rules leave open.
  public internal(set) var isFree = false

  /// How many events of the older run are kept before the difference.
  private static let contextLength = 5

  init(
    _ aspect: Aspect, _ way: Deviation.Way, _ old: TraceEvent?, _ new: TraceEvent?,
    in runs: (old: Trace, new: Trace)
  ) {
    self.aspect = aspect
    let (run, shown) = old.map { (runs.old, $0) } ?? (runs.new, new)
    let time = shown?.time ?? .zero
    let events = runs.old.events
    let number =
      old?.sequence ?? events.firstIndex { $0.time > time } ?? events.count
    sides = TraceDifference(number: number, first: old, second: new)
    context = Array(events.prefix(number).suffix(Self.contextLength))
    let cause = shown.flatMap { run.lastInput(before: $0.sequence) }
    deviation = Deviation(
      way: way, act: shown?.output?.act ?? "other", trigger: cause?.input.occasion ?? "nothing")
  }
}

extension VersionDifference {
  /// The earlier moment of both sides.
  public var time: Interval {
    [sides.first, sides.second].compactMap { $0?.time }.min() ?? .zero
  }

  /// How much later the newer version does the same; negative for earlier, `nil` for another aspect.
  public var delay: Interval? {
    guard aspect == .timing, let old = sides.first, let new = sides.second else { return nil }
    return new.time - old.time
  }

  /// The event that is shown for both: that of the older version where there is one.
  private var shown: TraceEvent? { sides.first ?? sides.second }

  /// The client that it is about.
  public var client: ClientIndex? { shown?.kind.client }
  /// The step in which it is, from 0.
  public var step: Int { shown?.step ?? 0 }
  /// The listener or call that it is about; `nil` for what is on the wire or stored.
  public var label: String? { shown?.output?.recipient?.name }
  /// The path that a message is about.
  public var path: String? { shown?.kind.transit?.path?.description }
}

extension VersionDifference {
  /// What two runs of one scenario do not have in common: of each aspect the first difference, in the
  /// order of time.
  ///
  /// Events are compared listener by listener and call by call, and where none of them differs in the
  /// order of each application; messages in the order of each client, without their numbers, tags and
  /// hashes. Times are compared up to the first other difference: behind it most follow from that.
  ///
  /// - Complexity: O(events), and quadratic in what lies between the first and the last difference.
  static func all(from old: Trace, to new: Trace) -> [VersionDifference] {
    let acts = (old: NoticedActs(old), new: NoticedActs(new))
    var found: [VersionDifference] = []
    for thread in (acts.old.threads + acts.new.threads).unique() {
      found += differences(acts.old[thread], acts.new[thread], thread.aspect, in: (old, new))
    }
    let clients = [old, new].flatMap { $0.events.compactMap(\.kind.client) }.unique()
    for client in clients {
      found += order(acts.old[all: client], acts.new[all: client], in: (old, new))
      found += storage(of: client, in: (old, new))
    }
    found = found.enumerated().sorted { first, second in
      let (a, b) = (first.element, second.element)
      return (a.time, a.sides.number, first.offset) < (b.time, b.sides.number, second.offset)
    }.map(\.element)
    let firsts = found.grouped { $0.aspect }.map { $0[0] }
    return firsts.enumerated().filter { $0.offset == 0 || $0.element.aspect != .timing }.map(
      \.element)
  }

  /// What differs first in one list of acts, and the first act before that at another time.
  private static func differences(
    _ old: [TraceEvent], _ new: [TraceEvent], _ aspect: Aspect, in runs: (old: Trace, new: Trace)
  ) -> [VersionDifference] {
    let rows = Alignment(expected: old.count, observed: new.count) {
      old[$0].isNoticed(as: new[$1])
    }.rows
    let agreed = rows.prefix(while: \.isSame).count
    var found: [VersionDifference] = []
    if let (first, second) = zip(old, new).prefix(agreed).first(where: { $0.time != $1.time }) {
      let way: Deviation.Way = second.time > first.time ? .late : .early
      found.append(.init(.timing, way, first, second, in: runs))
    }
    let differing = rows.filter { !$0.isSame }
    guard !differing.isEmpty else { return found }
    let lacking = differing.compactMap(\.expected).map { old[$0] }
    let added = differing.compactMap(\.observed).map { new[$0] }
    if agreed < min(old.count, new.count), isReordered(lacking, added) {
      found.append(.init(aspect, .reordered, old[agreed], new[agreed], in: runs))
      return found
    }
    let hunk = rows[agreed...].prefix { !$0.isSame }
    let first = hunk.lazy.compactMap(\.expected).first.map { old[$0] }
    let second = hunk.lazy.compactMap(\.observed).first.map { new[$0] }
    var way = Deviation.Way.missing
    if let second { way = first.map { $0.isOfKind(second) ? .other : .missing } ?? .extra }
    found.append(.init(aspect, way, first, second, in: runs))
    return found
  }

  /// Whether both have the same acts, each as often as the other.
  private static func isReordered(_ old: [TraceEvent], _ new: [TraceEvent]) -> Bool {
    guard old.count == new.count else { return false }
    var rest = new
    for act in old {
      guard let index = rest.firstIndex(where: { act.isNoticed(as: $0) }) else { return false }
      rest.remove(at: index)
    }
    return true
  }

  /// What an application sees in another order, where each listener and call sees the same.
  private static func order(
    _ old: [TraceEvent], _ new: [TraceEvent], in runs: (old: Trace, new: Trace)
  ) -> [VersionDifference] {
    guard isReordered(old, new),
      let pair = zip(old, new).first(where: { !$0.isNoticed(as: $1) })
    else { return [] }
    return [.init(.events, .reordered, pair.0, pair.1, in: runs)]
  }

  /// What a client has stored otherwise at the end of the first process of which that is so.
  private static func storage(
    of client: ClientIndex, in runs: (old: Trace, new: Trace)
  ) -> [VersionDifference] {
    let (old, new) = (
      StoredRecords(of: client, in: runs.old), StoredRecords(of: client, in: runs.new)
    )
    for (before, after) in zip(old.processes, new.processes) {
      let found = Set(before.keys).union(after.keys).sorted().compactMap { key -> Self? in
        let (first, second) = (before[key], after[key])
        if first?.output == second?.output { return nil }
        let way: Deviation.Way = first == nil ? .extra : second == nil ? .missing : .other
        return .init(.storage, way, first, second, in: runs)
      }
      if let first = found.min(by: { $0.time < $1.time }) { return [first] }
    }
    return []
  }
}

/// What the clients of a run have done that others notice, in lists that each have one order.
private struct NoticedActs {
  /// A listener or call of a client, or its connection.
  struct Thread: Hashable {
    var client: ClientIndex
    var recipient: Recipient?

    var aspect: VersionDifference.Aspect { recipient == nil ? .messages : .events }
  }

  /// In the order in which something was done first.
  private(set) var threads: [Thread] = []
  private var acts: [Thread: [TraceEvent]] = [:]
  private var seen: [ClientIndex: [TraceEvent]] = [:]

  init(_ trace: Trace) {
    for event in trace.events {
      guard let client = event.kind.client, let output = event.output, output.isNoticed else {
        continue
      }
      let thread = Thread(client: client, recipient: output.recipient)
      if acts[thread] == nil { threads.append(thread) }
      acts[thread, default: []].append(event)
      if thread.recipient != nil { seen[client, default: []].append(event) }
    }
  }

  subscript(thread: Thread) -> [TraceEvent] { acts[thread] ?? [] }

  /// What the application of a client sees, in its order.
  subscript(all client: ClientIndex) -> [TraceEvent] { seen[client] ?? [] }
}

/// What a client has stored at the end of each of its processes.
private struct StoredRecords {
  /// By key, the event in which the record was stored last.
  private(set) var processes: [[Text: TraceEvent]] = []

  init(of client: ClientIndex, in trace: Trace) {
    var records: [Text: TraceEvent] = [:]
    for event in trace.events where event.kind.client == client {
      if let input = event.input {
        if input.isEnd { processes.append(records) }
        // What a disk has lost was not forgotten by the client.
        if let found = input.opening?.storage {
          let keys = Set(found.map { Text($0.key) })
          records = records.filter { keys.contains($0.key) }
        }
      } else if case let .storage(key, text)? = event.output?.topic {
        records[Text(key)] = text == nil ? nil : event
      }
    }
    processes.append(records)
  }
}

extension TraceEvent {
  fileprivate var output: ClientOutput? {
    if case let .output(_, output) = kind { output } else { nil }
  }

  fileprivate var input: ClientInput? {
    if case let .input(_, input) = kind { input } else { nil }
  }

  /// Whether what is done here cannot be told from what is done in another run.
  fileprivate func isNoticed(as other: TraceEvent) -> Bool {
    guard let output, let another = other.output else { return false }
    if output.recipient != another.recipient { return false }
    if let event = output.event, let raised = another.event {
      return event.agrees(with: raised) || raised.agrees(with: event)
    }
    if let request = output.request, let sent = another.request {
      return request.outline == sent.outline
    }
    return output == another
  }

  /// Whether both are about the same child, call or location, whatever they bring.
  fileprivate func isOfKind(_ other: TraceEvent) -> Bool {
    guard let output, let client = kind.client else { return false }
    return MissingAction(client: client, output: output, time: time, cause: sequence)
      .isLike(other.kind)
  }
}
