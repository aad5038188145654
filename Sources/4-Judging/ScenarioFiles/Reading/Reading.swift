import ClientInterface
import Document
import Faults
import Scenario
import Tree
import Wire

/// The reading of one scenario from its files: what was found so far, and everything that is wrong.
///
/// Each part of the format has an extension of its own. They return `nil` for what cannot be read;
/// by then the problem is reported, and reading goes on with the next part.
struct Reading {
  /// The file in which the problems found next lie.
  var file: String
  private(set) var problems: [SourceError] = []
  /// The rules that there are; `nil` where they are not known.
  let rules: RuleBook?
  let purpose: ScenarioReader.Purpose
  /// The clients of the scenario, in order.
  var clients: [String] = []
  /// The names that steps have given so far.
  var labels = Labels()
  /// The clients that were killed and not started again so far.
  var killed: Set<String> = []
  /// The clients that will be killed at some time, which only the run can know.
  var removed: Set<String> = []
  /// The names that `$bind` has given so far.
  var boundNames: [String] = []
  /// What callbacks name, which may be given its name later.
  var forwardNames: [ForwardName] = []
  /// The client whose call is being read.
  var caller = ""
  /// Whether the calls that are read are made from inside a callback.
  var isInCallback = false

  init(file: String, rules: RuleBook?, for purpose: ScenarioReader.Purpose = .run) {
    (self.file, self.rules, self.purpose) = (file, rules, purpose)
  }

  mutating func report(_ position: Position, _ message: String) {
    problems.append(SourceError(file: file, position: position, message: message))
  }

  /// Reports that a value has the wrong type.
  mutating func mismatch(_ what: String, _ node: DocumentNode, expected: String) {
    report(node.position, "\(what) is \(node.kind); expected \(expected)")
  }

  /// Reports a word that is none of those that are known.
  mutating func unknown(
    _ what: String, _ word: String, at position: Position, among candidates: [String]
  ) {
    let parts = ["; expected \(alternatives(candidates))", hint(for: word, among: candidates)]
    // The end of a long list is not read.
    let ordered = candidates.count > 12 ? parts.reversed() : parts
    report(position, "unknown \(what) \(quoted(word))" + ordered.joined())
  }
}

/// The entries of a mapping whose keys are known.
struct Fields {
  var position: Position
  var entries: [DocumentNode.Entry] = []

  subscript(_ key: String) -> DocumentNode? { entry(key)?.value }

  func entry(_ key: String) -> DocumentNode.Entry? { entries.first { $0.key == key } }
}

extension Reading {
  /// The entries of a mapping. Keys that do not belong there, and required keys that are missing,
  /// are reported; `unsupported` keys belong to the format, but the kit does not understand them yet.
  mutating func fields(
    of node: DocumentNode, _ what: String, keys: [String], required: [String] = [],
    unsupported: [String] = []
  ) -> Fields? {
    guard case let .mapping(entries) = node.content else {
      mismatch(what, node, expected: "a mapping with the keys \(keys.joined(separator: ", "))")
      return nil
    }
    for entry in entries where !keys.contains(entry.key) {
      if unsupported.contains(entry.key) {
        report(entry.keyPosition, "\(entry.key) is not supported yet")
      } else if let home = home(of: entry.key, among: keys) {
        report(entry.keyPosition, "\(entry.key) is in the wrong location; expected it \(home)")
      } else {
        unknown("key", entry.key, at: entry.keyPosition, among: keys)
      }
    }
    for key in required where !entries.contains(where: { $0.key == key }) {
      report(node.position, "\(what) has no \(key); expected \(key): ...")
    }
    return Fields(position: node.position, entries: entries)
  }

  mutating func string(_ node: DocumentNode, _ what: String) -> String? {
    switch node.content {
    case let .string(text): return text
    case .number, .bool:
      mismatch(what, node, expected: "a string; put it in quotes")
    case .null, .list, .mapping:
      mismatch(what, node, expected: "a string")
    }
    return nil
  }

  /// The elements of a list. A list without any is reported.
  mutating func list(_ node: DocumentNode, _ what: String, of elements: String) -> [DocumentNode] {
    guard case let .list(nodes) = node.content else {
      mismatch(what, node, expected: "a list of \(elements)")
      return []
    }
    if nodes.isEmpty {
      report(node.position, "\(what) is an empty list; expected at least one element")
    }
    return nodes
  }

  /// The strings of a list, each once.
  mutating func words(
    _ node: DocumentNode, _ what: String, of elements: String
  ) -> [(text: String, position: Position)] {
    var words: [(text: String, position: Position)] = []
    for element in list(node, what, of: elements) {
      guard let text = string(element, "an element of \(what)") else { continue }
      if words.contains(where: { $0.text == text }) {
        report(element.position, "\(quoted(text)) occurs twice in \(what); expected it once")
      } else {
        words.append((text, element.position))
      }
    }
    return words
  }

  /// One of the cases of an enumeration, by its raw value.
  mutating func choice<Choice: CaseIterable & RawRepresentable>(
    _ node: DocumentNode, _ what: String, as type: Choice.Type
  ) -> Choice? where Choice.RawValue == String {
    guard let text = string(node, what) else { return nil }
    return choice(text, what, at: node.position, as: type)
  }

  mutating func choice<Choice: CaseIterable & RawRepresentable>(
    _ text: String, _ what: String, at position: Position, as type: Choice.Type
  ) -> Choice? where Choice.RawValue == String {
    if let choice = Choice(rawValue: text) { return choice }
    unknown(what, text, at: position, among: Choice.allCases.map(\.rawValue))
    return nil
  }
}

extension Reading {
  /// `[{message: 3, from: CLIENT, late: D}, {order: calls, is: [0, 1]}]` and the like, each choice
  /// once. An empty list is right: it makes every choice the benign one.
  mutating func readChoices(_ node: DocumentNode) -> [Scenario.Choice] {
    guard case let .list(elements) = node.content else {
      mismatch("choices", node, expected: "a list of choices; [] makes all of them benign")
      return []
    }
    var choices: [Scenario.Choice] = []
    for element in elements {
      guard let choice = choice(element) else { continue }
      if choices.contains(where: { $0.isSameChoice(as: choice) }) {
        report(element.position, "\(choice) is a choice made above; expected each once")
      } else {
        choices.append(choice)
      }
    }
    return choices
  }

  private static let choiceKinds = ["seed", "message", "connection", "form", "order"]

  private mutating func choice(_ node: DocumentNode) -> Scenario.Choice? {
    guard case let .mapping(entries) = node.content else {
      mismatch(
        "an element of choices", node,
        expected: "a mapping such as {message: 3, from: alice, late: 2ms}")
      return nil
    }
    guard let kind = entries.first?.key, Self.choiceKinds.contains(kind) else {
      let found = entries.first.map { "begins with \(quoted($0.key))" } ?? "is empty"
      report(
        node.position,
        "an element of choices \(found); expected \(alternatives(Self.choiceKinds)) first")
      return nil
    }
    switch kind {
    case "seed": return seedChoice(node)
    case "message": return messageChoice(node)
    case "connection": return connectionChoice(node)
    case "form": return formChoice(node)
    default: return orderChoice(node)
    }
  }

  private mutating func seedChoice(_ node: DocumentNode) -> Scenario.Choice? {
    guard let value = fields(of: node, "a seed", keys: ["seed"])?["seed"] else { return nil }
    if case let .string(text) = value.content, let seed = UInt64(text) { return .seed(seed) }
    if let number = value.json.number, let seed = UInt64(exactly: number), seed < 1 << 53 {
      return .seed(seed)
    }
    report(
      value.position,
      "seed is \(value.flowText); expected a whole number, in quotes from 2^53 up")
    return nil
  }

  private mutating func messageChoice(_ node: DocumentNode) -> Scenario.Choice? {
    let what = "the choice for a message"
    guard
      let fields = fields(
        of: node, what, keys: ["message", "from", "to", "late"], required: ["late"])
    else { return nil }
    let from = fields.entry("from")
    let to = fields.entry("to")
    if let from, to != nil {
      report(from.keyPosition, "from and to are both given; expected one of them")
    }
    guard let end = from ?? to else {
      report(node.position, "\(what) has neither from nor to; expected from: CLIENT or to: CLIENT")
      return nil
    }
    let client = knownClient(end.value, end.key)
    guard let number = fields["message"].flatMap({ count($0, "message", atLeast: 1) }),
      let late = fields["late"].flatMap({ lateness($0) }), let client
    else { return nil }
    return .message(number, from == nil ? .toClient : .fromClient, client: client, late: late)
  }

  private mutating func connectionChoice(_ node: DocumentNode) -> Scenario.Choice? {
    guard
      let fields = fields(
        of: node, "the choice for a connection", keys: ["connection", "of", "late"],
        required: ["of", "late"])
    else { return nil }
    let client = fields["of"].flatMap { knownClient($0, "of") }
    guard let number = fields["connection"].flatMap({ count($0, "connection", atLeast: 1) }),
      let late = fields["late"].flatMap({ lateness($0) }), let client
    else { return nil }
    return .connection(number, client: client, late: late)
  }

  private mutating func formChoice(_ node: DocumentNode) -> Scenario.Choice? {
    guard
      let fields = fields(
        of: node, "the choice of a form", keys: ["form", "to", "is"], required: ["to", "is"])
    else { return nil }
    let client = fields["to"].flatMap { knownClient($0, "to") }
    guard let number = fields["form"].flatMap({ count($0, "form", atLeast: 1) }),
      let form = fields["is"].flatMap({ choice($0, "is", as: WireForm.self) }), let client
    else { return nil }
    return .form(number, client: client, form)
  }

  private mutating func orderChoice(_ node: DocumentNode) -> Scenario.Choice? {
    guard
      let fields = fields(of: node, "an order", keys: ["order", "is"], required: ["is"]),
      let scope = fields["order"].flatMap({ choice($0, "order", as: Scenario.OrderScope.self) }),
      let value = fields["is"]
    else { return nil }
    guard case let .list(elements) = value.content else {
      mismatch("is", value, expected: "a list of whole numbers")
      return nil
    }
    return .order(scope, elements.compactMap { count($0, "a move", atLeast: 0) })
  }

  private mutating func knownClient(_ node: DocumentNode, _ what: String) -> String? {
    guard let name = string(node, what), checkClient(name, at: node.position) else {
      return nil
    }
    return name
  }

  private mutating func lateness(_ node: DocumentNode) -> Interval? {
    guard let late = interval(node, "late") else { return nil }
    guard late.nanoseconds.isMultiple(of: Scenario.Choice.latencyUnit.nanoseconds) else {
      report(node.position, "late is \(node.flowText); expected tenths of a millisecond")
      return nil
    }
    return late
  }
}

extension Reading {
  /// `CLIENT.LABEL: [events]`.
  mutating func readListener(
    _ entry: DocumentNode.Entry, _ client: String, _ label: Labels.Label
  ) -> ListenerExpectation? {
    switch label.kind {
    case .listener, .unknown: break
    case .write, .push, .keyOnly, .transaction, .inspection, .credential:
      mismatch(entry.key, entry.value, expected: "the outcome of a call, such as {ok: true}")
      return nil
    }
    guard case let .list(elements) = entry.value.content else {
      mismatch(entry.key, entry.value, expected: "a list of events")
      return nil
    }
    var listener = ListenerExpectation(
      client: client, listener: ListenerID(label.name), position: entry.keyPosition, items: [])
    for element in elements {
      if let node = element["each-gap"] {
        if listener.gap != nil {
          report(element.position, "each-gap is given twice; expected it once for each listener")
        }
        listener.gap = readGap(element, node)
      } else if let item = readItem(element, label) {
        listener.items.append(item)
      }
    }
    return listener
  }

  private mutating func readItem(
    _ node: DocumentNode, _ label: Labels.Label
  ) -> ListenerExpectation.Item? {
    guard let group = node["$unordered"] else {
      return readEvent(node, label).map(ListenerExpectation.Item.event)
    }
    _ = fields(of: node, "a group of events", keys: ["$unordered"])
    let events = list(group, "$unordered", of: "events").compactMap { readEvent($0, label) }
    return .unordered(events)
  }

  /// `each-gap: {min, max, growth}`.
  private mutating func readGap(
    _ item: DocumentNode, _ node: DocumentNode
  ) -> ListenerExpectation.Gap? {
    let table = ListenerExpectation.Gap.table
    var gap = ListenerExpectation.Gap(minimum: nil, maximum: nil, growth: nil)
    _ = fields(of: item, "each-gap", keys: ["each-gap"])
    guard let fields = read(node, "each-gap", by: table, into: &gap) else { return nil }
    if fields.entries.isEmpty {
      report(node.position, "each-gap is empty; expected \(alternatives(table.names))")
    }
    if let minimum = gap.minimum, let maximum = gap.maximum {
      _ = ordered(minimum, maximum, "each-gap", at: node.position)
    }
    if let growth = gap.growth, growth <= 0, let node = fields["growth"] {
      report(node.position, "growth is \(node.flowText); expected a number above 0")
    }
    return gap
  }
}

extension ExpectedEvent {
  /// What every kind of event can state.
  static let table = Table<ExpectedEvent>([
    Field(
      "prev", summary: "The key before the child in the new window; `null` for the first.",
      read: { reading, node, event in
        let key = node.isNull ? nil : reading.keyPattern(node, "prev")
        event.previous = node.isNull ? .first : key.map { .key($0) } ?? .unstated
      },
      write: { event in
        switch event.previous {
        case .unstated: nil
        case .first: .word("null")
        case let .key(key): .pattern(key)
        }
      }),
    .time(\.time),
  ])
}

extension ListenerExpectation.Gap {
  static let table = Table<ListenerExpectation.Gap>([
    Field("min", .duration, \.minimum, "The shortest time between an event and the next."),
    Field("max", .duration, \.maximum, "The longest time between an event and the next."),
    Field("growth", .number, \.growth, "How many times as long as the one before each is."),
  ])
}

extension Reading {
  private static let childKinds = ["child_added", "child_changed", "child_moved", "child_removed"]
  private static let eventNames = eventKeys.map(\.name)

  static let eventKeys: [FieldKey] = kindKeys + ExpectedEvent.table.keys

  private static let kindKeys: [FieldKey] = [
    .init("child_added", "The key of a child that is new in the window."),
    .init("child_changed", "The key of a child whose value or priority changed."),
    .init("child_moved", "The key of a child that has another previous key."),
    .init("child_removed", "The key of a child that left the window."),
    .init(
      "value", "The value, in export format or as a pattern; of a removal what was shown last."),
    .init("cancelled", Schema.text, "The error with which the server ended the listener."),
  ]

  private mutating func readEvent(
    _ node: DocumentNode, _ label: Labels.Label
  ) -> ExpectedEvent? {
    guard let fields = fields(of: node, "an event", keys: Self.eventNames) else { return nil }
    let kinds = fields.entries.filter {
      Self.childKinds.contains($0.key) || $0.key == "cancelled"
    }
    if kinds.count > 1, let second = kinds.last {
      report(
        second.keyPosition,
        "an event is both \(kinds.map(\.key).joined(separator: " and ")); "
          + "expected one kind in each item")
      return nil
    }
    var event: ExpectedEvent?
    switch kinds.first {
    case let entry? where entry.key == "cancelled": event = cancellation(entry, fields)
    case let entry?: event = childEvent(entry, fields, label)
    case nil: event = valueEvent(fields, label)
    }
    guard var event else { return nil }
    read(fields, by: ExpectedEvent.table, into: &event)
    return event
  }

  private mutating func cancellation(
    _ entry: DocumentNode.Entry, _ fields: Fields
  ) -> ExpectedEvent? {
    refuse(["value", "prev"], in: fields, beside: "cancelled")
    return errorCode(entry.value, "cancelled").map {
      ExpectedEvent(position: fields.position, kind: .cancelled($0))
    }
  }

  private mutating func childEvent(
    _ entry: DocumentNode.Entry, _ fields: Fields, _ label: Labels.Label
  ) -> ExpectedEvent? {
    guard let type = EventType(rawValue: entry.key) else { return nil }
    checkReceived(type, by: label, at: entry.keyPosition)
    if type == .childRemoved { refuse(["prev"], in: fields, beside: entry.key) }
    var event = ExpectedEvent(position: fields.position, kind: .event(type))
    event.key = keyPattern(entry.value, "the key")
    event.value = fields["value"].map { pattern($0, "value") }
    return event
  }

  private mutating func valueEvent(
    _ fields: Fields, _ label: Labels.Label
  ) -> ExpectedEvent? {
    guard let entry = fields.entry("value") else {
      // A misspelt kind has been reported as an unknown key.
      if fields.entries.allSatisfy({ Self.eventNames.contains($0.key) }) {
        let kinds = Self.childKinds + ["value", "cancelled"]
        report(fields.position, "an event has no kind; expected \(alternatives(kinds))")
      }
      return nil
    }
    let isWhole = fields.entries.allSatisfy { Self.eventNames.contains($0.key) }
    guard isWhole else { return nil }
    refuse(["prev"], in: fields, beside: "value")
    checkReceived(.value, by: label, at: entry.keyPosition)
    let value = pattern(entry.value, "value")
    return ExpectedEvent(position: fields.position, kind: .event(.value), value: value)
  }

  private mutating func refuse(_ keys: [String], in fields: Fields, beside kind: String) {
    for entry in fields.entries where keys.contains(entry.key) {
      report(entry.keyPosition, "\(kind) has a \(entry.key); expected none with this kind of event")
    }
  }

  /// Reports an event that the listener cannot receive.
  private mutating func checkReceived(
    _ type: EventType, by label: Labels.Label, at position: Position
  ) {
    guard case let .listener(types) = label.kind, !types.contains(type) else { return }
    let received = types.sorted().map(\.rawValue)
    report(
      position,
      "\(label.name) does not receive \(type.rawValue); expected \(alternatives(received))")
  }
}

extension Reading {
  /// `[{invariant: INV-3, because: TEXT}]`, each invariant once. An exception without a reason is
  /// none: it would be unknown later whether it is still needed.
  mutating func readExceptions(_ node: DocumentNode) -> [Scenario.Exception] {
    var exceptions: [Scenario.Exception] = []
    for element in list(node, "without", of: "{invariant, because}") {
      guard let exception = exception(element) else { continue }
      if exceptions.contains(where: { $0.invariant == exception.invariant }) {
        report(
          exception.position,
          "\(exception.invariant.id) occurs twice in without; expected it once")
      } else {
        exceptions.append(exception)
      }
    }
    return exceptions
  }

  private mutating func exception(_ node: DocumentNode) -> Scenario.Exception? {
    let keys = ["invariant", "because"]
    let what = "an element of without"
    guard let fields = fields(of: node, what, keys: keys, required: keys) else { return nil }
    let reason = fields["because"].flatMap { string($0, "because") }
    if let node = fields["because"], reason?.isEmpty == true {
      report(node.position, "because is empty; expected the reason for the exception")
    }
    guard let node = fields["invariant"], let id = string(node, "invariant") else { return nil }
    guard let invariant = Invariant.all.first(where: { $0.id == id }) else {
      report(
        node.position,
        "unknown invariant \(quoted(id)); expected one from INV-1 to "
          + (Invariant.all.last?.id ?? "INV-1")
          + hint(for: id, among: Invariant.all.map(\.id)))
      return nil
    }
    return Scenario.Exception(invariant, because: reason ?? "", position: node.position)
  }
}

// Rules for faults between real clients and a server.

extension Reading {
  private static let maxTimes = 1000

  /// Reads a list of rules, or a mapping with one.
  ///
  /// - Returns: The latency that the mapping states.
  mutating func faultRules(
    _ root: DocumentNode, into rules: inout [ReadFaultRules.Rule]
  ) -> Scenario.Latency? {
    var latency: Scenario.Latency?
    var list = root
    if case let .mapping(entries) = root.content, !Self.isRule(entries) {
      let keys = ["kennel", "clients", "network", "faults"]
      guard let fields = fields(of: root, "a file of faults", keys: keys) else { return nil }
      readClients(fields)
      if let position = fields.entry("clients")?.value.position,
        clients.contains(ReadFaultRules.everyone)
      {
        report(
          position,
          "any cannot be the name of a client; expected another one, since it means every client")
      }
      addEveryone()
      if let node = fields["network"] { latency = readNetwork(node) }
      guard let node = fields["faults"] else { return latency }
      // A file that states clients or latency need not have faults.
      if case .list(let elements) = node.content, elements.isEmpty { return latency }
      list = node
    }
    addEveryone()
    let nodes: [DocumentNode]
    if case .mapping = list.content {
      nodes = [list]
    } else {
      nodes = self.list(list, "faults", of: "faults such as {network.cut: alice}")
    }
    for node in nodes {
      if let rule = faultRule(node) { rules.append(rule) }
    }
    return latency
  }

  private mutating func addEveryone() {
    if !clients.contains(ReadFaultRules.everyone) { clients.append(ReadFaultRules.everyone) }
  }

  /// Whether a mapping is a rule by itself.
  private static func isRule(_ entries: [DocumentNode.Entry]) -> Bool {
    entries.contains { $0.key.contains(".") }
  }

  private mutating func faultRule(_ node: DocumentNode) -> ReadFaultRules.Rule? {
    guard case let .mapping(entries) = node.content, !entries.isEmpty else {
      mismatch("a fault", node, expected: "a mapping such as {network.cut: alice}")
      return nil
    }
    let actions = entries.filter { $0.key != "times" }
    for entry in actions.dropFirst() {
      report(
        entry.keyPosition,
        "a fault does a second thing, \(entry.key); expected a fault of its own for it")
    }
    guard let entry = actions.first else {
      report(node.position, "a fault is only times; expected one such as network.cut: alice")
      return nil
    }
    guard let action = faultAction(entry) else { return nil }
    var step = Step(
      file: file, position: entry.keyPosition, text: Self.text(of: entry), action: action)
    step.trigger = trigger(of: entry, action)
    let isForEach =
      action.client == ReadFaultRules.everyone
      || step.trigger?.client == ReadFaultRules.everyone
    var rule = ReadFaultRules.Rule(step: step, isForEach: isForEach)
    if let times = entries.first(where: { $0.key == "times" }) {
      rule.times = repetition(times, of: step)
    }
    return rule
  }

  /// What a fault does: something of the network or the server.
  private mutating func faultAction(_ entry: DocumentNode.Entry) -> Action? {
    let parts = entry.key.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let verb = parts.count == 2 ? String(parts[1]) : ""
    switch parts.first {
    case "network" where parts.count == 2:
      return fault(.network, verb, entry).map { .fault($0) }
    case "server" where parts.count == 2:
      return fault(.server, verb, entry).map { .fault($0.forEach) }
    case _ where parts.count == 2 && Self.processVerbs.contains(verb):
      report(
        entry.keyPosition,
        "\(entry.key) is about the process or the machine of a client, which is not the server's"
          + " to disturb; expected network.… or server.…")
    default:
      unknown(
        "fault", entry.key, at: entry.keyPosition, among: ["network.VERB", "server.VERB"])
    }
    return nil
  }

  private mutating func repetition(_ entry: DocumentNode.Entry, of step: Step) -> Int {
    guard let times = count(entry.value, "times", atLeast: 1) else { return 1 }
    if times > Self.maxTimes {
      report(entry.value.position, "times is \(times); expected at most \(Self.maxTimes)")
    } else if step.trigger == nil, times > 1 {
      report(
        entry.keyPosition,
        "the fault happens at once, so it cannot happen again; expected when: ... beside times")
    }
    return min(times, Self.maxTimes)
  }
}

extension NamedFault {
  /// What the server sends to everyone it sends to each client, those to come included.
  fileprivate var forEach: NamedFault {
    guard case .everyone = kind.form, client == nil else { return self }
    var fields = parts.fields
    fields.client = ReadFaultRules.everyone
    return NamedFault(kind, fields) ?? self
  }
}
