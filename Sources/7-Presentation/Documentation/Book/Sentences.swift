internal import ClientInterface
internal import Document
internal import Scenario
internal import Search
internal import Tree

/// What always, what may and what never happens, as sentences that are read off all orders.
struct Sentences {
  private let profileRun: ProfileRun
  private let shared: SharedOrder
  private let owners: [String]

  /// How many sentences of one kind are written.
  private static let limit = 12

  init(_ profileRun: ProfileRun) {
    self.profileRun = profileRun
    shared = profileRun.shared
    owners = profileRun.shared.appEvents.map { profileRun.owner(of: $0) }
  }

  /// The owners, each once, in the order of their first events.
  private var names: [String] { owners.unique() }

  private func words(_ index: Int) -> [Inline] {
    [.code(owners[index]), .text(" "), .text(EventWords(shared.appEvents[index]).text)]
  }

  private static func cut(_ sentences: [[Inline]], _ what: String) -> [[Inline]] {
    guard sentences.count > limit else { return sentences }
    return sentences.prefix(limit) + [[.text("... and \(sentences.count - limit) more \(what).")]]
  }

  var always: [[Inline]] {
    var sentences: [[Inline]] = []
    for name in names {
      let members = shared.appEvents.indices.filter { owners[$0] == name }
      guard isChain(members) else { continue }
      let isCall = members.contains {
        if case .event = shared.appEvents[$0].kind { false } else { true }
      }
      if members.count == 1 {
        sentences.append(
          [.code(name), .text(isCall ? " ends the same: " : " receives one event: ")]
            + [.text(EventWords(shared.appEvents[members[0]]).text + ".")])
      } else {
        sentences.append([
          .code(name), .text(" receives the same \(members.count) events in the same order."),
        ])
      }
    }
    let bonds = shared.covers(among: shared.certain).filter { owners[$0.0] != owners[$0.1] }
    sentences += Self.cut(
      bonds.map { a, b in
        words(a) + [.text(" comes before ")] + words(b) + [.text(".")]
      }, "lines of the diagram")
    let ends = servers
    if ends.count == 1 {
      sentences.append([
        .text("In the end the server has "), .code(Shown.value(ends[0])), .text("."),
      ])
    }
    return sentences
  }

  /// Whether these come in every order, one after the other.
  private func isChain(_ members: [Int]) -> Bool {
    members.allSatisfy(shared.isCertain)
      && members.allSatisfy { a in
        members.allSatisfy { a == $0 || shared.relation(a, $0) != .either }
      }
  }

  /// What the server has at the end, each once.
  private var servers: [Node] { profileRun.orders.ways.map(\.server).unique() }

  var may: [[Inline]] {
    var sentences = Self.cut(shared.possible.map(possibility), "events that may come")
    sentences += Self.cut(exchanges, "pairs of listeners and calls")
    if servers.count > 1 {
      var sentence: [Inline] = [.text("In the end the server may have ")]
      for (index, node) in servers.enumerated() {
        if index > 0 { sentence.append(.text(" or ")) }
        sentence.append(.code(Shown.value(node)))
      }
      sentences.append(sentence + [.text(".")])
    }
    return sentences
  }

  private func possibility(_ index: Int) -> [Inline] {
    words(index) + [.text(" comes in \(shared.counts[index]) of \(shared.total) orders.")]
  }

  /// For any two owners one pair of events that can come either way round, and how many more.
  private var exchanges: [[Inline]] {
    var sentences: [[Inline]] = []
    for (position, name) in names.enumerated() {
      for other in names[position...] {
        let pairs = free(name, other)
        guard let first = pairs.first else { continue }
        var sentence = words(first.0) + [.text(" and ")] + words(first.1)
        sentence.append(.text(" may come either way round"))
        if pairs.count > 1 {
          sentence.append(.text("; so may \(counted(pairs.count - 1, "more pair")) of theirs"))
        }
        sentences.append(sentence + [.text(".")])
      }
    }
    return sentences
  }

  private func free(_ name: String, _ other: String) -> [(Int, Int)] {
    var pairs: [(Int, Int)] = []
    for a in shared.appEvents.indices where owners[a] == name {
      for b in shared.appEvents.indices where owners[b] == other && (name != other || a < b) {
        if shared.relation(a, b) == .either { pairs.append((a, b)) }
      }
    }
    return pairs
  }

  var never: [[Inline]] {
    var sentences: [[Inline]] = []
    for call in profileRun.orders.scenario.calls {
      guard let new = call.operation.registration else { continue }
      let name = "\(call.client).\(new.listener.name)"
      let received = Set(
        shared.appEvents.indices.filter { owners[$0] == name }.compactMap {
          shared.appEvents[$0].type
        })
      let silent = new.events.subtracting(received).sorted()
      if silent.isEmpty { continue }
      let kinds = silent.map(\.rawValue).joined(separator: ", ")
      sentences.append([.code(name), .text(" never receives \(kinds).")])
    }
    let exclusive = shared.possible.flatMap { a in
      shared.possible.filter { b in
        a < b && owners[a] == owners[b] && shared.relation(a, b) == .never
      }.map { (a, $0) }
    }
    sentences += Self.cut(
      exclusive.map { a, b in
        words(a) + [.text(" and ")] + words(b) + [.text(" never come in the same order of events.")]
      }, "pairs that exclude each other")
    if profileRun.orders.isComplete {
      sentences.append([.text("No other event comes in any order.")])
    }
    return sentences
  }
}

extension EventOrders.ApplicationEvent {
  /// The kind of event, if it is one.
  fileprivate var type: EventType? {
    if case let .event(event) = kind { event.type } else { nil }
  }
}
