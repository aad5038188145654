import ClientInterface
import Document
import Faults
import Scenario
import Tree

// Steps that affect the network, the server, or a client's process and machine.

/// The steps of one verb: `network.cut`, `server.set` or `CLIENT.clock`.
struct FaultVerb: Sendable {
  /// A fault as its step states it.
  typealias Stated = (kind: FaultKind, fields: FaultFields<String>)

  let group: FaultKind.Group
  /// The verb, with what it does.
  let key: FieldKey
  /// The faults that share it: what is stated shows which of them is meant.
  let kinds: [FaultKind]
  let table: Table<Stated>

  /// All of them, in the order in which messages list them.
  static let all = writes + [.network, .server, .process].flatMap(verbs)

  static func all(of group: FaultKind.Group) -> [FaultVerb] { all.filter { $0.group == group } }

  /// What can happen to a client's process: the words behind its name.
  static let ofProcess = all(of: .process).map(\.key.name)

  /// The verb of a step that states this fault.
  static func of(_ fault: NamedFault) -> FaultVerb {
    let step = if case let .write(write) = fault { write.step } else { fault.kind.step }
    let verb = all.first { $0.step == step }
    guard let verb else { preconditionFailure("no step states \(fault)") }
    return verb
  }

  /// The step as files have it; `CLIENT` stands for a client.
  var step: String { group.rawValue + "." + key.name }

  /// Whether the step says everything without an argument.
  var isWord: Bool { kinds.count == 1 && table.required.isEmpty }

  private static func verbs(of group: FaultKind.Group) -> [FaultVerb] {
    let kinds = FaultKind.steps(of: group)
    return kinds.filter { kind in kinds.first { $0.verb == kind.verb } == kind }.map { first in
      let own = kinds.filter { $0.verb == first.verb }
      let field =
        switch first.verb {
        case _ where own.count == 1: Field<Stated>(first.table, \.fields)
        case "clock": changes(own)
        default: failures(own)
        }
      let effects = own.map(\.effect).joined(separator: "; ")
      let key = FieldKey(first.verb, ScenarioGrammar.fault(field.keys), effects)
      return FaultVerb(group: group, key: key, kinds: own, table: Table([field]))
    }
  }

  /// `{skew: 500ms}`, `{jump: -15m}` or `{drift: 5ms}`.
  private static func changes(_ kinds: [FaultKind]) -> Field<Stated> {
    Field(
      kinds.flatMap(\.table.keys).map { FieldKey($0.name, $0.schema, $0.summary) },
      read: { reading, fields, stated in
        let found = kinds.filter { kind in kind.table.names.contains { fields[$0] != nil } }
        guard found.count == 1 else {
          return reading.report(
            fields.position,
            "\(reading.caller).clock has \(found.count) changes; expected one of "
              + alternatives(kinds.compactMap(\.word)))
        }
        stated.kind = found[0]
        reading.read(fields, by: found[0].table, into: &stated.fields)
      }, write: { $0.kind.table.entries(of: $0.fields) })
  }

  /// `{fail: write, times: 2}`, `{fail: torn}`, `{fail: full, at: 200B}` or `{fail: nothing}`.
  private static func failures(_ kinds: [FaultKind]) -> Field<Stated> {
    let fail = FieldKey("fail", Schema.text, isRequired: true, "What fails.")
    return Field(
      [fail] + kinds.flatMap(\.table.keys),
      read: { reading, fields, stated in
        guard let node = fields["fail"],
          let word = reading.word(node, "fail", among: kinds.compactMap(\.word)),
          let kind = kinds.first(where: { $0.word == word })
        else { return }
        for owner in kinds where owner != kind {
          for entry in owner.table.names.compactMap({ fields.entry($0) }) {
            reading.report(
              entry.keyPosition,
              "\(entry.key) stands beside fail: \(word); "
                + "expected it with fail: \(owner.word ?? owner.name)")
          }
        }
        stated.kind = kind
        reading.read(fields, by: kind.table, into: &stated.fields)
      },
      write: {
        [.init("fail", .text($0.kind.word ?? ""))] + $0.kind.table.entries(of: $0.fields)
      })
  }

  private static let writes: [FaultVerb] = [
    write(
      .set, "A write of another client, directly at the server: `{path, value, priority?}`."),
    write(.update, "The same for several children or deeper paths: `{path, value}`."),
    write(.remove, "The same for a removal: a path."),
  ]

  /// States what a call of a client does that writes the same.
  private static func write(_ call: Operation.Kind, _ summary: String) -> FaultVerb {
    FaultVerb(
      group: .server, key: FieldKey(call.rawValue, summary), kinds: [.write],
      table: Table([Field(call.table(for: .stored), \.fields.call)]))
  }
}

extension FaultKind {
  /// What a step states; a process is named before its step.
  var table: Table<FaultFields<String>> { Self.tables[rawValue] }

  /// In the order of the kinds.
  private static let tables = allCases.map { kind in
    Table(FaultFields.subject(of: kind.form) + kind.form.fields.map { $0.field(of: kind) })
  }
}

extension FaultFields<String> {
  /// A write at the server, as what a call states that writes the same.
  fileprivate var call: Operation.Arguments {
    get {
      switch write {
      case let .set(path, node): Operation.set(path, node).arguments
      case let .update(path, parts): Operation.update(path, parts).arguments
      case let .remove(path): Operation.remove(path).arguments
      }
    }
    set {
      let path = newValue.path ?? .root
      write =
        newValue.value.map { .set(path, $0) } ?? newValue.changes.map { .update(path, $0) }
        ?? .remove(path)
    }
  }
}

extension FaultFields<String> {
  /// What a fault is about.
  fileprivate static func subject(of form: FaultKind.Form) -> [Field<Self>] {
    switch form {
    case .client:
      [Field("client", .client, \.client, isRequired: true, "The client that it affects.")]
    case .everyone: [Field("client", .client, \.client, "The client; each unless stated.")]
    case .rule: [Field(SecurityRule.table, \.rule)]
    case .path: [Field("path", .storedPath, \.path, "Where it happens, and below.")]
    // The key is the name of a client, or `latency` for all of them.
    case .latency:
      [
        Field(
          [], read: { _, _, _ in },
          write: { [.init($0.client ?? "latency", .range($0.latency.range))] })
      ]
    case .server, .write, .process: []
    }
  }
}

extension FaultKind.Field {
  /// How a step states it, nearly always under a key of its own.
  func field(of kind: FaultKind) -> Field<FaultFields<String>> {
    let key = rawValue
    return switch self {
    case .notices: Field(key, .word, \.notices, unless: .neither, "Who sees it at once.")
    case .direction:
      Field(key, .word, \.direction, unless: .both, "The direction of the messages concerned.")
    case .messages: Field(key, .count(from: 1), \.count, "How many more are delivered.")
    case .after: Field(key, .duration, \.interval, "How much later the server sees it.")
    case .host: Field(key, .host, \.host, "Where the client is to connect.")
    case .down: Field(key, .duration, \.interval, unless: .zero, "How long no client can connect.")
    case .onDisconnects:
      Field(key, .word, \.fate, unless: .done, "What becomes of on-disconnect operations.")
    case .skew, .shift:
      Field(kind.word ?? key, .shift, \.interval, "By how much the clock is wrong.")
    case .gain: Field(kind.word ?? key, .drift, \.drift, "What the clock gains in each second.")
    case .writes: Field(key, .count(from: 0), \.count, unless: 1, "How many writes are refused.")
    case .times: Field(key, .count(from: 1), \.count, unless: 1, "How many texts are not stored.")
    case .data: Field(key, .word, \.data, unless: .withheld, "Whether the present data are sent.")
    case .storage:
      Field(key, .word, \.storage, unless: .kept, "What the process finds of what was stored.")
    case .at:
      Field(key, .size, \.bytes, unless: 0, "How long all stored texts together may be.")
    }
  }
}

extension SecurityRule {
  /// `{path: P, deny: [read, write], unless: U, status: S}`.
  static let table = Table<SecurityRule>([
    Field("path", .storedPath, \.path, "Where it holds, and below."),
    Field("deny", .words("access", of: "read and write"), \.deny, "What is refused."),
    Field("unless", .exemption, \.unless, unless: .noUser, "Who is exempt from it."),
    Field("status", .errorCode, \.status, "What the server answers."),
  ])
}

extension Form<SecurityRule.Exemption> {
  /// `authenticated` or `{uid: NAME}`.
  fileprivate static let exemption = Form(
    read: { reading, node, what in
      if case let .string(text) = node.content {
        if text == "authenticated" { return .authenticated }
        reading.unknown(
          "exemption", text, at: node.position, among: ["authenticated", "{uid: NAME}"])
        return nil
      }
      return user.read(&reading, node, what).map { .user($0) }
    },
    write: { exemption in
      switch exemption {
      case .noUser: .mapping([])
      case .authenticated: .text("authenticated")
      case let .user(name): user.write(name)
      }
    })

  private static let user = Form<String>(
    Table([Field("uid", .text, \.self, "The user who is exempt.")]), from: "")
}

// MARK: - Reading

extension Reading {
  /// `network.VERB`, `server.VERB`, or `CLIENT.VERB` for what happens to a client's process.
  mutating func fault(
    _ group: FaultKind.Group, of client: String? = nil, _ word: String,
    _ entry: DocumentNode.Entry
  ) -> NamedFault? {
    let verbs = FaultVerb.all(of: group)
    guard let verb = verbs.first(where: { $0.key.name == word }) else {
      unknown(
        "\(group.rawValue) step", word, at: entry.keyPosition, among: verbs.map(\.key.name))
      return nil
    }
    if let client {
      guard checkClient(client, at: entry.keyPosition) else { return nil }
      follow(verb.kinds[0], of: client, entry)
    }
    if verb.kinds == [.latency] { return newLatency(entry.value) }
    let keys = verb.table.names + [Self.triggerKey]
    guard let fields = argument(entry, keys: keys, required: verb.table.required) else {
      return nil
    }
    caller = client ?? ""
    var stated = FaultVerb.Stated(verb.kinds[0], FaultFields(client: client))
    read(fields, by: verb.table, into: &stated)
    return NamedFault(stated.kind, stated.fields)
  }

  /// The fields of an argument. A client or a path may stand alone where nothing else is required.
  mutating func argument(
    _ entry: DocumentNode.Entry, keys: [String], required: [String]
  ) -> Fields? {
    if keys.allSatisfy({ $0 == Self.triggerKey && entry.value[$0] == nil }) {
      checkNoArguments(entry.value, entry.key)
      return Fields(position: entry.keyPosition)
    }
    let only = keys.first.flatMap { YAML.aloneKeys.contains($0) ? $0 : nil }
    if let only, case .string = entry.value.content, [[], [only]].contains(required) {
      let field = DocumentNode.Entry(
        key: only, keyPosition: entry.value.position, value: entry.value)
      return Fields(position: entry.value.position, entries: [field])
    }
    if entry.value.isNull, required.isEmpty { return Fields(position: entry.keyPosition) }
    guard only == "client", entry.value.json.members == nil else {
      return fields(of: entry.value, entry.key, keys: keys, required: required)
    }
    let needed = required.map { "\($0): ..." }.joined(separator: ", ")
    mismatch(
      entry.key, entry.value,
      expected: [[], ["client"]].contains(required)
        ? "the name of a client" : "a mapping such as {\(needed)}")
    return nil
  }

  /// `50ms`; `{CLIENT: 5ms}`; `{latency: 50ms, when: …}` where it waits for something.
  private mutating func newLatency(_ node: DocumentNode) -> NamedFault? {
    guard case .mapping = node.content else {
      return intervals(node, "network.latency").map { .latency(Latency($0), nil) }
    }
    if node["client"] != nil, !clients.contains("client") {
      report(
        node.position,
        "network.latency has client; expected the name of the client as the key, such as "
          + "{\(clients.first ?? "alice"): 1ms..50ms}")
      return nil
    }
    let keys = Scenario.Latency.table.names + clients + [Self.triggerKey]
    guard let fields = fields(of: node, "network.latency", keys: keys) else { return nil }
    let stated = fields.entries.filter { $0.key != Self.triggerKey }
    guard stated.count == 1 else {
      report(
        node.position,
        "network.latency names \(stated.count) clients; expected one in each step")
      return nil
    }
    let client = clients.first { $0 == stated[0].key }
    return latency(stated[0]).map { .latency(Latency($0), client) }
  }

  /// Keeps account of which clients run.
  private mutating func follow(
    _ kind: FaultKind, of client: String, _ entry: DocumentNode.Entry
  ) {
    if kind == .kill {
      checkRunning(client, entry)
      if entry.value[Self.triggerKey] != nil {
        removed.insert(client)
      } else {
        killed.insert(client)
        labels.endAll(of: client)
      }
    } else if kind == .start {
      if removed.remove(client) != nil {
        labels.endAll(of: client)
      } else if killed.remove(client) == nil {
        report(
          entry.keyPosition, "\(client) is running; expected \(client).kill before it is started")
      }
    }
  }

  /// Reports something that a client is to do while it is not running.
  mutating func checkRunning(_ client: String, _ entry: DocumentNode.Entry) {
    guard killed.contains(client) else { return }
    report(
      entry.keyPosition,
      "\(client) was killed and is not running; expected \(client).start before \(entry.key)")
  }
}

// MARK: - Writing

extension YAML {
  /// The keys whose value may stand for all of an argument.
  static let aloneKeys = ["client", "path", "latency", "listener"]

  /// What stands behind a step or a call.
  static func argument(_ fields: [Entry]) -> YAML? {
    if fields.count == 1, aloneKeys.contains(fields[0].key) { return fields[0].value }
    return fields.isEmpty ? nil : .mapping(fields)
  }

  /// A step that affects a client or the server. It may wait for something.
  static func entry(of fault: NamedFault, _ trigger: Step.Trigger?) -> Entry {
    let verb = FaultVerb.of(fault)
    let owner = verb.group == .process ? fault.client ?? "" : verb.group.rawValue
    let key = "\(owner).\(verb.key.name)"
    let stated = verb.table.entries(of: fault.parts)
    guard let trigger else { return Entry(key, argument(stated)) }
    let condition = YAML.trigger(trigger, of: fault.client)
    return Entry(key, .mapping(stated + [Entry(Reading.triggerKey, condition)]))
  }
}
