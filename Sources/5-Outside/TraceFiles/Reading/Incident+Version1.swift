internal import ClientInterface
internal import Faults
internal import Trace
internal import Tree
internal import Wire

// Traces of version 1 state faults in words. This is the one reader of them.

extension Incident {
  /// What a trace of version 1 states in words; words that version 1 did not write stay as they are.
  ///
  /// - Parameters:
  ///   - text: The words.
  ///   - client: The client of the event.
  ///   - clients: The names of all clients, in order of their index.
  init(version1 text: String, _ client: ClientIndex?, _ clients: [String]) {
    self = .stated(text, client)
    // What is read must be what was written: the hash is computed from it.
    if let found = Self.read(text, client, clients), found.recordedText == text,
      found.client == client
    {
      self = found
    }
  }

  private static func read(
    _ text: String, _ client: ClientIndex?, _ clients: [String]
  ) -> Incident? {
    if let rest = text.parts(between: ["armed: ", ""]) {
      return IndexedFault(version1: rest[0], client).map { .armed($0) }
    }
    if client == nil, let name = text.parts(between: ["revoke the credential of ", ""])?[0] {
      return clients.firstIndex(of: name).map { .credentialRevoked(ClientIndex($0), name: name) }
    }
    if let client {
      if text == "revoke the credential" { return .fault(.revokeAuth(client)) }
      if let act = FutileAct(version1: text) { return .futile(act, client) }
    }
    return IndexedFault(version1: text, client).map { .fault($0) }
  }
}

extension Incident.FutileAct {
  fileprivate init?(version1 text: String) {
    if text == "asked for a second connection" {
      self = .secondConnection
    } else if text == "sent without a connection" {
      self = .unconnectedMessage
    } else if text == "called while it was not running" {
      self = .deadCall
    } else if let key = text.parts(between: ["not stored: ", ""])?[0] {
      self = .lostRecord(key: key)
    } else if let call = text.parts(between: ["no callback was to call ", ""])?[0] {
      self = .unknownCall(CallID(call))
    } else {
      return nil
    }
  }
}

extension Fault<ClientIndex> {
  fileprivate init?(version1 text: String, _ client: ClientIndex?) {
    for kind in FaultKind.allCases {
      var fields = FaultFields(client: client)
      guard let words = kind.words, let found = text.parts(between: words),
        fields.take(found, of: kind), let fault = IndexedFault(kind, fields),
        fault.recordedText == text
      else { continue }
      self = fault
      return
    }
    return nil
  }
}

extension FaultKind {
  /// The words around what a fault states; `nil` for one that version 1 states too little of.
  fileprivate var words: [String]? {
    switch self {
    case .latency: ["latency ", ""]
    case .halfOpen: ["half-open, noticed by ", ""]
    case .stall: ["stall ", ""]
    case .resume: ["resume ", ""]
    case .closeAfter: ["close after ", " messages ", ""]
    case .loseAcknowledgement: ["lost acknowledgement"]
    case .lateClose: ["late close, after ", ""]
    case .redirect: ["redirect to ", ""]
    case .shutdown: ["shutdown: ", ""]
    case .start: ["start, storage ", ""]
    case .skew: ["clock ahead by ", ""]
    case .drift: ["clock gains ", " in ", ""]
    case .jump: ["clock jumps by ", ""]
    case .serverClock: ["clock of the server ahead by ", ""]
    case .writeError: ["write error, ", " times"]
    case .storageFull: ["storage full at ", " bytes"]
    case .tornRecord: ["torn record"]
    case .storageWorks: ["storage works"]
    case .reject: ["deny ", " at ", ""]
    case .revoke: ["revoke ", ""]
    case .stale: ["stale hash, ", " times, new data ", ""]
    case .restart: ["restart, down for ", ", on-disconnects ", ""]
    case .cut, .drop, .heal, .refuse, .kill, .revokeAuth: [name]
    // Writes are no faults, and version 1 knew no others.
    default: nil
    }
  }
}

extension FaultFields {
  /// Takes what stands between the words for a kind of fault.
  ///
  /// - Returns: Whether that can be read.
  fileprivate mutating func take(_ parts: [String], of kind: FaultKind) -> Bool {
    guard let first = parts.first, let last = parts.last else { return true }
    switch kind {
    case .latency: return take(latency: first)
    case .halfOpen:
      return Self.set(&notices, FaultSide.allCases.first { first.hasSuffix($0.rawValue) })
    case .stall, .resume:
      return Self.set(&direction, FaultDirection.allCases.first { $0.text == first })
    case .closeAfter:
      return Self.set(&count, Int(first))
        && Self.set(&direction, FaultDirection.allCases.first { $0.text == last })
    case .lateClose, .skew, .jump, .serverClock:
      return Self.set(&interval, Interval(version1: first))
    case .redirect: return Self.set(&host, first)
    case .shutdown: return Self.set(&reason, first)
    case .start: return Self.set(&storage, StorageCondition.allCases.first { "\($0)" == first })
    case .drift:
      return Self.set(&drift, ClockDrift(checking: Int(first) ?? 0, per: Int(last) ?? 0))
    case .writeError: return Self.set(&count, Int(first))
    case .storageFull: return Self.set(&bytes, Int(first))
    case .reject:
      let denied = SecurityRule.Access.allCases.filter { first.contains($0.rawValue) }
      return Self.set(&rule, SecurityRule(Path(last), deny: Set(denied)))
    case .revoke: return Self.set(&path, Path(first))
    case .stale:
      return Self.set(&count, Int(first))
        && Self.set(&data, StaleData.allCases.first { "\($0)" == last })
    case .restart:
      return Self.set(&interval, Interval(version1: first))
        && Self.set(&fate, last == "lost" ? .lost : .done)
    // The others stated nothing in version 1.
    default: return true
    }
  }

  private mutating func take(latency text: String) -> Bool {
    let bounds = text.parts(between: ["", "..", ""]) ?? [text, text]
    guard let lowest = Interval(version1: bounds[0]), let highest = Interval(version1: bounds[1]),
      lowest >= .zero, lowest <= highest
    else { return false }
    latency = Latency(lowest, through: highest)
    return true
  }

  private static func set<Value>(_ field: inout Value, _ value: Value?) -> Bool {
    guard let value else { return false }
    field = value
    return true
  }
}

extension Interval {
  /// `310 ms` or `1.5 s`.
  fileprivate init?(version1 text: String) {
    let words = text.split(separator: " ")
    guard words.count == 2, let number = Double(words[0]), abs(number) < 3_000_000_000 else {
      return nil
    }
    self.init(
      nanoseconds: Int64((number * (words[1] == "s" ? 1_000_000_000 : 1_000_000)).rounded()))
  }
}

extension String {
  /// What stands between words that follow each other; `nil` where the text has others.
  fileprivate func parts(between words: [String]) -> [String]? {
    guard hasPrefix(words[0]) else { return nil }
    var rest = dropFirst(words[0].count)
    var parts: [String] = []
    for word in words.dropFirst() {
      guard let range = word.isEmpty ? rest.endIndex..<rest.endIndex : rest.firstRange(of: word)
      else { return nil }
      parts.append(String(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return rest.isEmpty ? parts : nil
  }
}
