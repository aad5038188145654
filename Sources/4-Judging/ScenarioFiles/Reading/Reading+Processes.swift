import ClientInterface
import Document
import Faults
import Scenario

extension Reading {
  static let processVerbs = ["kill", "start", "clock", "storage"]

  /// `CLIENT.kill`, `CLIENT.start: {storage: S}`, `CLIENT.clock: {…}`, `CLIENT.storage: {…}`.
  mutating func processAction(
    _ client: String, _ verb: String, _ entry: DocumentNode.Entry
  ) -> NamedFault? {
    guard checkClient(client, at: entry.keyPosition) else { return nil }
    switch verb {
    case "kill": return killing(client, entry)
    case "start": return starting(client, entry)
    case "clock": return clockFault(client, entry)
    default: return storageFault(client, entry)
    }
  }

  private mutating func killing(
    _ client: String, _ entry: DocumentNode.Entry
  ) -> NamedFault? {
    let isTriggered = entry.value[Self.triggerKey] != nil
    if isTriggered {
      _ = fields(of: entry.value, entry.key, keys: [Self.triggerKey])
    } else {
      checkNoArguments(entry)
    }
    checkRunning(client, entry)
    if isTriggered {
      removed.insert(client)
    } else {
      killed.insert(client)
      labels.endAll(of: client)
    }
    return .kill(client)
  }

  private mutating func starting(
    _ client: String, _ entry: DocumentNode.Entry
  ) -> NamedFault? {
    if removed.remove(client) != nil {
      labels.endAll(of: client)
    } else if killed.remove(client) == nil {
      report(
        entry.keyPosition, "\(client) is running; expected \(client).kill before it is started")
    }
    let keys = ["storage", Self.triggerKey]
    guard let fields = withPath(entry, keys: keys, required: []) else { return nil }
    guard let node = fields["storage"] else { return .start(client, .kept) }
    return choice(node, "storage", as: StorageCondition.self).map { .start(client, $0) }
  }

  /// `{skew: 500ms}`, `{jump: -15m}` or `{drift: 5ms}`.
  private mutating func clockFault(
    _ client: String, _ entry: DocumentNode.Entry
  ) -> NamedFault? {
    let kinds = ["skew", "jump", "drift"]
    guard let fields = fields(of: entry.value, entry.key, keys: kinds + [Self.triggerKey]) else {
      return nil
    }
    let found = fields.entries.filter { kinds.contains($0.key) }
    guard let fault = found.first, found.count == 1 else {
      report(
        entry.value.position,
        "\(entry.key) has \(found.count) changes; expected one of \(alternatives(kinds))")
      return nil
    }
    guard let shift = shift(fault.value, fault.key) else { return nil }
    if fault.key == "drift", shift <= .zero - .seconds(1) || shift > .seconds(1) {
      report(
        fault.value.position,
        "drift is \(fault.value.flowText); expected what the clock gains in a second, at most 1s")
      return nil
    }
    guard let kind = FaultKind.ofProcess("clock", fault.key) else { return nil }
    var stated = FaultFields(client: client)
    if kind.form.fields == [.gain] {
      stated.drift = ClockDrift(perSecond: shift)
    } else {
      stated.interval = shift
    }
    return NamedFault(kind, stated)
  }

  private enum StorageWord: String, CaseIterable {
    case write
    case torn
    case full
    case nothing
  }

  /// `{fail: write, times: 2}`, `{fail: torn}`, `{fail: full, at: 200B}` or `{fail: nothing}`.
  private mutating func storageFault(
    _ client: String, _ entry: DocumentNode.Entry
  ) -> NamedFault? {
    let keys = ["fail", "times", "at", Self.triggerKey]
    let fields = fields(of: entry.value, entry.key, keys: keys, required: ["fail"])
    guard let fields, let node = fields["fail"] else { return nil }
    var stated = FaultFields(client: client)
    let times = fields["times"].map { count($0, "times", atLeast: 1) } ?? stated.count
    let bytes = fields["at"].map { size($0, "at") } ?? stated.bytes
    guard let word = choice(node, "fail", as: StorageWord.self) else { return nil }
    for (key, owner) in [("times", StorageWord.write), ("at", .full)] where word != owner {
      guard let entry = fields.entry(key) else { continue }
      report(
        entry.keyPosition,
        "\(key) stands beside fail: \(word.rawValue); expected it with fail: \(owner.rawValue)")
    }
    guard let kind = FaultKind.ofProcess("storage", word.rawValue), let times, let bytes else {
      return nil
    }
    (stated.count, stated.bytes) = (times, bytes)
    return NamedFault(kind, stated)
  }

  /// `true`, `{cache: 1MB}`, or either of them for each client.
  mutating func readPersistence(_ node: DocumentNode) -> [String: ClientInput.Persistence] {
    if case let .mapping(entries) = node.content, !entries.contains(where: { $0.key == "cache" }) {
      var result: [String: ClientInput.Persistence] = [:]
      for entry in fields(of: node, "persistence", keys: ["cache"] + clients)?.entries ?? []
      where clients.contains(entry.key) {
        result[entry.key] = persistence(entry.value, "the persistence of \(entry.key)")
      }
      return result
    }
    guard let persistence = persistence(node, "persistence") else { return [:] }
    return Dictionary(uniqueKeysWithValues: clients.map { ($0, persistence) })
  }

  private mutating func persistence(
    _ node: DocumentNode, _ what: String
  ) -> ClientInput.Persistence? {
    switch node.content {
    case let .bool(isOn): return isOn ? .init() : nil
    case .mapping:
      let fields = fields(of: node, what, keys: ["cache"], required: ["cache"])
      return fields?["cache"].flatMap { size($0, "cache") }.map { .init(cacheBytes: $0) }
    case .null, .number, .string, .list:
      mismatch(what, node, expected: "true, false or {cache: SIZE}")
      return nil
    }
  }

  /// A number of bytes: `200B`, `64KB`, `10MB`.
  mutating func size(_ node: DocumentNode, _ what: String) -> Int? {
    guard let text = string(node, what) else { return nil }
    let units = [("KB", 1024), ("MB", 1024 * 1024), ("B", 1)]
    let unit = units.first { text.hasSuffix($0.0) }
    if let unit, let count = Int(text.dropLast(unit.0.count)), (0...9999).contains(count) {
      return count * unit.1
    }
    report(node.position, "\(what) is \(quoted(text)); expected a size such as 200B, 64KB or 10MB")
    return nil
  }

  /// Reports something that a client is to do while it is not running.
  mutating func checkRunning(_ client: String, _ entry: DocumentNode.Entry) {
    guard killed.contains(client) else { return }
    report(
      entry.keyPosition,
      "\(client) was killed and is not running; expected \(client).start before \(entry.key)")
  }
}
