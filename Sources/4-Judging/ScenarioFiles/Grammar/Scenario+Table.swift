import ClientInterface
import Document
import Faults
import ReferenceServer
import Scenario
import Tree
import Wire

// What stands beside the steps.

extension Scenario {
  /// A key beside the steps.
  struct Part: Sendable {
    /// What it means in a fragment.
    enum InFragments: Sendable {
      /// It does not belong there.
      case unknown
      /// It says nothing about the scenarios that include the fragment, or is read in another way.
      case ignored
      /// It adds to what other files say.
      case added
      /// It may be there, if no other file states it.
      case once
    }

    let inFragments: InFragments
    let field: Field<Scenario>

    fileprivate init(_ field: Field<Scenario>, inFragments: InFragments = .unknown) {
      self.inFragments = inFragments
      self.field = field
    }

    /// A key that something else reads, if a scenario by itself has it at all.
    fileprivate init(
      _ name: String, _ schema: JSON, isRequired: Bool = false, summary: String,
      inFragments: InFragments = .unknown,
      write: @escaping @Sendable (Scenario) -> YAML? = { _ in nil }
    ) {
      self.init(
        Field(
          name, schema, isRequired: isRequired, summary: summary, read: { _, _, _ in },
          write: write), inFragments: inFragments)
    }
  }

  /// All keys beside the steps, and the steps.
  static let parts: [Part] = identity + judgement + purpose + environment + openings + ways

  private static let identity: [Part] = [
    Part(
      "kennel", ["const": 1], isRequired: true, summary: "The version of the format: `1`.",
      inFragments: .ignored,
      write: { _ in .word("\(Reading.version)") }),
    Part(
      Field(
        "id", Schema.text, summary: "The path of the file below `Scenarios`, without the suffix.",
        read: { reading, node, _ in
          if let id = reading.string(node, "id") { reading.checkID(id, node.position) }
        }, write: { _ in nil })),
    Part(
      Field(
        "title", .sentence(orElse: "a sentence"), \.title, "What holds, as one sentence."),
      inFragments: .ignored),
    Part(
      Field(
        "rules", Schema.list(of: ["type": "string", "pattern": #"^[A-Z]+-[0-9]+$|\$\("#]),
        summary:
          "The ids of the rules for which the scenario is evidence; at least one, unless it is "
          + "judged by invariants.",
        read: { $2.rules = $0.readRules($1) },
        write: { $0.rules.isEmpty ? nil : .words($0.rules.map(\.id)) })),
  ]

  private static let judgement: [Part] = [
    Part(
      Field(
        "fixed-order", .sentence(orElse: "the reason"), \.fixedOrder,
        "Why the expectations hold only in the order that time gives. `kennel explore "
          + "--deliveries` then judges by invariants alone.")),
    Part(
      Field(
        "judge", .word, \.judging, unless: .expectations,
        "How runs are judged: by `expectations` (default) or by `invariants`; see below.")),
    Part(
      Field(
        "profiles", Schema.list(of: Schema.words(Profile.all.map(\.name))),
        summary: "The profiles it holds for: \(list(of: Profile.all.map(\.name))). Default: all.",
        read: { $2.profiles = $0.readProfiles($1) },
        write: { $0.profiles == Profile.all ? nil : .words($0.profiles.map(\.name)) })),
  ]

  private static let purpose: [Part] = [
    Part(
      Field(
        "needs", Schema.list(of: Schema.text),
        summary: "Capabilities without which a client cannot be judged; then the verdict is "
          + "`unsupported`. Capabilities that the steps use need not be named.",
        read: { $0.readNeeds($1, into: &$2) }, write: { $0.needs.isEmpty ? nil : .words($0.needs) }),
      inFragments: .added),
    Part(
      Field(
        "tags", Schema.list(of: Schema.text),
        summary: "Words to select scenarios by. `doc` gives the scenario a "
          + "[page](guides/documentation.md).",
        read: { $2.tags = $0.readTags($1) }, write: { $0.tags.isEmpty ? nil : .words($0.tags) })),
    Part(
      Field(
        "why", Schema.text, summary: "Which users are affected when this does not hold.",
        read: { $2.why = $0.string($1, "why") ?? "" },
        write: { $0.why.isEmpty ? nil : .paragraphs($0.why) }), inFragments: .ignored),
    Part(
      "matrix", ["type": "object"], summary: "Parameters; see below."),
    Part(
      "include", Schema.list(of: Schema.text, from: 0), summary: "Fragments; see below.",
      inFragments: .ignored),
  ]

  private static let environment: [Part] = [
    Part(
      "clients", Schema.list(of: Schema.text),
      summary:
        "The names of the clients, in the order in which they are opened. Required, here or in a "
        + "fragment.", inFragments: .ignored,
      write: { .words($0.clients) }),
    Part(
      Field(
        "start", .word, \.start, unless: .connected,
        "`connected` (default) or `opening`; see Time."), inFragments: .once),
    Part(
      Field(
        "network", ["type": "object"], summary: "Latency; see below.",
        read: { $2.latency = $0.readNetwork($1) },
        write: { $0.latency == Latency() ? nil : $0.latency.yaml }), inFragments: .once),
    Part(
      Field(
        "quiet", .duration, \.quiet, unless: .seconds(2),
        "How long nothing may be due for the run to count as settled. Default `2s`."),
      inFragments: .once),
    Part(
      Field(
        "data", summary: "The server's tree at the start, in export format. Default: nothing.",
        read: { reading, node, scenario in
          reading.checkStored(node, at: .root, .initial)
          scenario.data = Node(json: node.json)
        }, write: { $0.data.isEmpty ? nil : .value($0.data) }), inFragments: .once),
    Part(
      Field(
        "security", ["type": ["array", "object", "string"]],
        summary:
          "What the server refuses from the start: `[{path: secret, deny: [read, write]}]`, or "
          + "`{rules: …}` in the [language of the database](guides/security-rules.md).",
        read: { $0.readSecurity($1, into: &$2) }, write: \.securityYAML), inFragments: .added),
  ]

  private static let openings: [Part] = [
    Part(
      Field(
        "tokens", ["type": "object"],
        summary:
          "The tokens with which clients can sign in: `{TOKEN: {uid: ann, expires: 30s}}`; see "
          + "below.",
        read: { $2.tokens = $0.readTokens($1) }, write: \.tokenYAML), inFragments: .once),
    Part(
      Field(
        "persistence", ["type": ["boolean", "object", "string"]],
        summary: "What clients keep over the end of their process; see Other steps.",
        read: { $2.persistence = $0.readPersistence($1) }, write: \.persistenceYAML),
      inFragments: .once),
  ]

  private static let ways: [Part] = [
    Part(
      Field(
        "choices", StatedChoice.schema,
        summary: "How the run decides what the steps leave open; see Choices. Default: drawn from "
          + "`--seed`.",
        read: { $2.choices = $0.readChoices($1) },
        write: { scenario in
          scenario.choices.map { .list($0.map { .value($0.json) }, $0.isEmpty ? .flow : .block) }
        })),
    Part(
      Field(
        "form", .word, \.form,
        "In which [form](rules/wire.md) the server words everything: "
          + "\(list(of: WireForm.allCases.map(\.rawValue))); where one does not apply, "
          + "`as-written`. Default: drawn from `--seed`, and `as-written` with the seed 0.")),
    Part(
      Field(
        "without", Schema.list(of: Scenario.Exception.table.schema),
        summary: "[Invariants](invariants.md) that the scenario does without, and why: "
          + "`[{invariant: INV-9, because: …}]`.",
        read: { $2.without = $0.readExceptions($1) },
        write: { scenario in
          let table = Scenario.Exception.table
          return scenario.without.isEmpty
            ? nil : .list(scenario.without.map { .mapping($0, by: table) })
        })),
    Part(
      "steps", Schema.list(of: ["$ref": "#/$defs/step"]), isRequired: true,
      summary: "What happens.",
      inFragments: .ignored,
      write: { .steps($0.statedSteps) }),
  ]

  /// `` `a`, `b` or `c` ``.
  private static func list(of words: [String]) -> String {
    alternatives(words.map { "`\($0)`" })
  }
}

extension Scenario.Token {
  static let table = Table<Scenario.Token>([
    Field("uid", .text, \.user, "The user for whom a client acts."),
    Field("expires", .duration, \.lifetime, "After how much of the run it becomes invalid."),
  ])
}

extension Scenario.Exception {
  static let table = Table<Scenario.Exception>([
    Field(
      "invariant", Schema.text, isRequired: true, summary: "The id of the invariant.",
      read: { reading, node, exception in
        exception.position = node.position
        exception.invariant = reading.invariant(node) ?? exception.invariant
      }, write: { .text($0.invariant.id) }),
    Field(
      "because", Schema.sentence, isRequired: true,
      summary: "Why the scenario does without it.",
      read: { reading, node, exception in
        let form = Form.sentence(orElse: "the reason for the exception")
        exception.reason = form.read(&reading, node, "because") ?? ""
      }, write: { .text($0.reason) }),
  ])
}

extension Reading {
  /// `[{invariant: INV-3, because: TEXT}]`, each invariant once. An exception without a reason is
  /// none: it would be unknown later whether it is still needed.
  fileprivate mutating func readExceptions(_ node: DocumentNode) -> [Scenario.Exception] {
    var exceptions: [Scenario.Exception] = []
    for element in list(node, "without", of: "{invariant, because}") {
      let before = problems.count
      var exception = Scenario.Exception(Invariant.all[0], because: "", position: element.position)
      read(element, "an element of without", by: Scenario.Exception.table, into: &exception)
      if problems.count > before { continue }
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

  fileprivate mutating func invariant(_ node: DocumentNode) -> Invariant? {
    guard let id = string(node, "invariant") else { return nil }
    if let invariant = Invariant.all.first(where: { $0.id == id }) { return invariant }
    let ids = Invariant.all.map(\.id)
    report(
      node.position,
      "unknown invariant \(quoted(id)); expected one from \(ids[0]) to \(ids[ids.count - 1])"
        + hint(for: id, among: ids))
    return nil
  }
}

// MARK: - Writing

extension Scenario {
  fileprivate var securityYAML: YAML? {
    if let databaseRules { return .value(databaseRules.json) }
    return security.isEmpty ? nil : .list(security.map { .mapping($0, by: SecurityRule.table) })
  }

  fileprivate var tokenYAML: YAML? {
    if tokens.isEmpty { return nil }
    let sorted = tokens.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return .mapping(sorted.map { .init(YAML.key($0.key), .mapping($0.value, by: Token.table)) })
  }

  /// What all keep is stated once.
  fileprivate var persistenceYAML: YAML? {
    if persistence.isEmpty { return nil }
    let all = clients.map { persistence[$0] }
    if let first = all.first, let first, all.allSatisfy({ $0 == first }) { return first.yaml }
    return .mapping(of: clients.map { ($0, persistence[$0]?.yaml) })
  }

  /// The steps without the expectation that the reader adds at the end.
  fileprivate var statedSteps: [Step] {
    guard let last = steps.last, case .expect = last.action, judging == .expectations,
      let expectation = last.expectation, expectation.isEmpty, expectation.rules.isEmpty,
      let other = steps.dropLast().last, other.expectation?.timing != .settled
    else { return steps }
    return steps.dropLast()
  }
}

extension Scenario.Latency {
  fileprivate var yaml: YAML {
    let isUsual = standard == Scenario.Latency().standard
    let own = overrides.map { override in
      YAML.Entry(override.client, .mapping([.init("latency", .range(override.range))]))
    }
    return .mapping((isUsual ? [] : [.init("latency", .range(standard))]) + own)
  }
}

extension ClientInput.Persistence {
  fileprivate var yaml: YAML {
    self == Self() ? .word("true") : .mapping([.init("cache", .size(cacheBytes))])
  }
}
