internal import ClientInterface
internal import Scenario
internal import Tree
internal import Wire

/// The listens that one connection of a client has in place, as the client knows them.
struct ListenTable {
  struct Entry: Equatable {
    var path: Path
    /// `nil` for a plain listen.
    var query: Query?
    var tag: Int?
    /// Whether the server sent what its window holds, for this listen or for one before it that
    /// ended with its connection.
    var isReported: Bool
    /// Whether what is known rests on more than it received: on a write of the client deep inside
    /// what it took for empty, or on data for another listen, which may push out what the server
    /// still has.
    var isMixed = false
    /// The request that made it.
    var request: Int

    /// Whether it is that of a target.
    func isFor(_ target: Operation.Target) -> Bool {
      target.path == path && Query.isListen(query, for: target.query.onWire)
    }
  }

  private(set) var entries = PathList<Entry>()
  /// The listens that the server has not answered, by their requests.
  private var unanswered = RequestTable<Entry>()
  /// The queries whose window the server has sent, by the last listen's end or since.
  private var reported: [Operation.Target] = []

  /// The listens of earlier connections, and those that were refused, that left what came from several,
  /// until they, or a plain one there or above, are answered.
  private var mixedBefore: [Operation.Target] = []

  mutating func clear() {
    for entry in entries where entry.isMixed { leave(entry) }
    entries.removeAll()
    unanswered.removeAll()
  }

  mutating func take(_ request: Request, numbered number: Int) {
    switch request {
    case let .listen(listen):
      let entry = Entry(
        path: listen.path, query: listen.query?.onWire, tag: listen.tag,
        isReported: !listen.hash.isEmpty && reported.contains(listen.target),
        isMixed: listen.query != nil && beginsMixed(at: listen.path),
        request: number)
      entries.append(entry, at: entry.path)
      unanswered[number] = entry
    case let .unlisten(path, query, _):
      let query = query?.onWire
      let index = entries.positions(.at, path).first { entries[$0].query == query }
      guard let index else { return }
      entries.remove(at: index)
      if let query { reported.removeAll { $0 == Operation.Target(path, query) } }
    default: break
    }
  }

  mutating func take(_ message: ServerMessage) {
    switch message {
    case let .response(response):
      guard let entry = unanswered.removeValue(forKey: response.request) else { return }
      if response.status == "ok" {
        mixedBefore.removeAll { mixed in
          guard let query = entry.query else { return mixed.path.starts(with: entry.path) }
          return mixed == Operation.Target(entry.path, query)
        }
      } else {
        refuse(entry)
      }
    case let .put(path, _, tag?), let .merge(path, _, tag?):
      let near = entries.positions(.at, path).first { entries[$0].tag == tag }
      guard let index = near ?? entries.firstIndex(where: { $0.tag == tag }) else { return }
      entries[index].isReported = true
      if let query = entries[index].query {
        let target = Operation.Target(entries[index].path, query)
        if !reported.contains(target) { reported.append(target) }
      }
    case let .put(path, _, nil): cross(path)
    case let .merge(path, assignments, nil):
      for assignment in assignments { cross(path.appending(assignment.path)) }
    case let .revoked(path, queries):
      // What was known there is no longer kept up to date.
      for index in entries.positions(.atOrAbove, path)
      where unanswered[entries[index].request] != nil { entries[index].isMixed = true }
      let ended = queries.map { $0.map { Optional($0.onWire) } } ?? [nil]
      // What is not answered was still on its way when the server revoked.
      Self.remove(from: &entries, at: path) { entry in
        unanswered[entry.request] == nil && ended.contains { ($0 ?? nil) == entry.query }
      }
    default: break
    }
  }

  /// Takes out a listen that the server refused.
  private mutating func refuse(_ refused: Entry) {
    let at = entries.positions(.at, refused.path).first {
      entries[$0].request == refused.request
    }
    guard let at else { return }
    leave(entries[at])
    entries.remove(at: at)
  }

  /// Remembers that what a listen leaves came from several.
  private mutating func leave(_ entry: Entry) {
    let target = Operation.Target(entry.path, entry.query ?? .all)
    if !mixedBefore.contains(target) { mixedBefore.append(target) }
  }

  private static func remove(
    from entries: inout PathList<Entry>, at path: Path, where isEnded: (Entry) -> Bool
  ) {
    let ended = entries.positions(.at, path).filter { isEnded(entries[$0]) }
    for index in ended.reversed() { entries.remove(at: index) }
  }

  /// Whether everything that a listener wants to receive is raised.
  func serves(_ target: Operation.Target) -> Bool {
    let query = target.query.onWire
    return entries.first(.atOrAbove, target.path) { index in
      entries[index].query == nil
        || entries[index].path == target.path && Query.isListen(entries[index].query, for: query)
    } != nil
  }

  /// Whether the server has answered a listen that contains everything about a listener.
  func hasAnswer(for target: Operation.Target) -> Bool {
    entries.first(.atOrAbove, target.path) {
      entries[$0].query == nil && unanswered[entries[$0].request] == nil
    } != nil
  }

  /// Whether a client knows of a window no more than that the server found it empty, or what it
  /// knows comes from elsewhere too.
  ///
  /// What lies outside may then be taken for empty, and data of other listens for the whole of what
  /// they are a part of, as shipped clients do (EVT-19).
  func isUnreported(_ target: Operation.Target) -> Bool {
    let query = target.query.onWire
    let own = entries.positions(.at, target.path).first { entries[$0].query == query }
    guard let own else { return !hasAnswer(for: target) }
    return !entries[own].isReported || entries[own].isMixed
      || mixedBefore.contains(Operation.Target(target.path, query ?? .all))
  }

  /// Whether what is known at a listener may come from several listens: data below it came while its
  /// own listen was not answered, or to a window that it was first shown from.
  func isMixed(_ target: Operation.Target) -> Bool {
    entries.positions(.atOrAbove, target.path).contains { entries[$0].isMixed }
      || mixedBefore.contains { target.path.starts(with: $0.path) }
  }

  /// Whether a plain listen at or above it has no answer, and what is known there is mixed: a window
  /// that replaces it begins with that.
  private func beginsMixed(at path: Path) -> Bool {
    entries.positions(.atOrAbove, path).contains {
      entries[$0].query == nil && entries[$0].isMixed
        && unanswered[entries[$0].request] != nil
    }
  }

  /// Takes a write of the client itself.
  mutating func take(_ write: PlainWrite) {
    for set in write.sets {
      for index in entries.positions(.atOrAbove, set.path)
      where entries[index].query != nil && !entries[index].isReported
        && set.path.count > entries[index].path.count + 1
      {
        entries[index].isMixed = true
      }
    }
  }

  /// Takes data at a location for everybody.
  private mutating func cross(_ path: Path) {
    for index in entries.positions(.atOrAbove, path)
    where path.count > entries[index].path.count
      && (entries[index].query != nil || unanswered[entries[index].request] != nil)
    {
      entries[index].isMixed = true
    }
  }

  /// The first listen that an unfiltered one covers, with that one.
  var superfluous: (entry: Entry, cover: Entry)? {
    for cover in entries.indices where entries[cover].query == nil {
      let path = entries[cover].path
      for below in entries.positions(.atOrBelow, path)
      where entries[below].query != nil || entries[below].path != path {
        return (entries[below], entries[cover])
      }
    }
    return nil
  }
}

extension Query {
  /// The query as the server knows it; `nil` for one that only orders (WIR-13). The wire does not
  /// say how far ranges reach.
  var onWire: Query? {
    guard filters else { return nil }
    var query = self
    query.reach = .acrossKinds
    return query
  }
}

extension Request.Listen {
  /// What it asks for, as the server knows it.
  fileprivate var target: Operation.Target { Operation.Target(path, query?.onWire ?? .all) }
}

extension Query {
  /// Whether a listen to one query shows what another asks for. A bound that is left out may be sent as the
  /// next one that is not, as clients do that are older than WIR-14.
  fileprivate static func isListen(_ sent: Query?, for wanted: Query?) -> Bool {
    guard let sent, let wanted, sent != wanted else { return sent == wanted }
    func mayBe(_ bound: Bound?, for other: Bound?) -> Bool {
      bound == other || bound != nil && other?.edge == .exclusive
    }
    return sent.ordering == wanted.ordering && sent.limit == wanted.limit
      && mayBe(sent.start, for: wanted.start) && mayBe(sent.end, for: wanted.end)
  }
}
