import ClientInterface
import Document
import Faults
import ReferenceServer
public import Scenario
import Tree
import Wire

// What stands beside the steps.

extension Scenario {
  private typealias Row = Field<Scenario>

  /// All keys beside the steps, and the steps.
  static let table = Table<Scenario>([
    Row(
      "kennel", ["const": 1], isRequired: true, summary: "The version of the format: `1`.",
      write: { _ in .word("\(Reading.version)") }
    ).inFragments(.ignored),
    Row(
      "id", Schema.text, summary: "The path of the file below `Scenarios`, without the suffix.",
      read: { reading, node, _ in
        if let id = reading.string(node, "id") { reading.checkID(id, node.position) }
      }),
    Row(
      "title", .sentence(orElse: "a sentence"), \.title, "What holds, as one sentence."
    ).inFragments(.ignored),
    Row(
      "rules", Schema.list(of: ["type": "string", "pattern": #"^[A-Z]+-[0-9]+$|\$\("#]),
      summary:
        "The ids of the rules for which the scenario is evidence; at least one, unless it is "
        + "judged by invariants.",
      read: { $2.rules = $0.readRules($1) },
      write: { $0.rules.isEmpty ? nil : .words($0.rules.map(\.id)) }),
    Row(
      "fixed-order", .sentence(orElse: "the reason"), \.fixedOrder,
      "Why the expectations hold only in the order that time gives. `kennel explore "
        + "--deliveries` then judges by invariants alone."),
    Row(
      "judge", .word, \.judging, unless: .expectations,
      "How runs are judged: by `expectations` (default) or by `invariants`; see below."),
    Row(
      "profiles", Schema.list(of: Schema.words(Profile.all.map(\.name))),
      summary: "The profiles it holds for: \(list(of: Profile.all.map(\.name))). Default: all.",
      read: { $2.profiles = $0.readProfiles($1) },
      write: { $0.profiles == Profile.all ? nil : .words($0.profiles.map(\.name)) }),
    Row(
      "needs", Schema.list(of: Schema.text),
      summary: "Capabilities without which a client cannot be judged; then the verdict is "
        + "`unsupported`. Capabilities that the steps use need not be named.",
      read: { $0.readNeeds($1, into: &$2) }, write: { $0.needs.isEmpty ? nil : .words($0.needs) }
    ).inFragments(.added),
    Row(
      "tags", Schema.list(of: Schema.text),
      summary: "Words to select scenarios by. `doc` gives the scenario a "
        + "[page](guides/documentation.md).",
      read: { $2.tags = $0.readTags($1) }, write: { $0.tags.isEmpty ? nil : .words($0.tags) }),
    Row(
      "why", Schema.text, summary: "Which users are affected when this does not hold.",
      read: { $2.why = $0.string($1, "why") ?? "" },
      write: { $0.why.isEmpty ? nil : .paragraphs($0.why) }
    ).inFragments(.ignored),
    Row(
      "found", .find, \.find,
      "What the [hunt](guides/hunting.md) that found the scenario knows of the failure."),
    Row(
      "matrix", ["type": "object"], summary: "Parameters; see below."),
    Row(
      "include", Schema.list(of: Schema.text, from: 0), summary: "Fragments; see below."
    ).inFragments(.ignored),
    Row(
      "clients", Schema.list(of: Schema.text),
      summary:
        "The names of the clients, in the order in which they are opened. Required, here or in a "
        + "fragment.",
      write: { .words($0.clients) }
    ).inFragments(.ignored),
    Row(
      "start", .word, \.start, unless: .connected,
      "`connected` (default) or `opening`; see Time."
    ).inFragments(.single),
    Row(
      "network", ["type": "object"], summary: "Latency; see below.",
      read: { $2.latency = $0.readNetwork($1) },
      write: { $0.latency == Latency() ? nil : $0.latency.yaml }
    ).inFragments(.single),
    Row(
      "quiet", .duration, \.quiet, unless: .seconds(2),
      "How long nothing may be due for the run to count as settled. Default `2s`."
    ).inFragments(.single),
    Row(
      "data", summary: "The server's tree at the start, in export format. Default: nothing.",
      read: { $2.data = $0.node($1, at: .root, .initial) },
      write: { $0.data.isEmpty ? nil : .value($0.data) }
    ).inFragments(.single),
    Row(
      "security", ["type": ["array", "object", "string"]],
      summary:
        "What the server refuses from the start: `[{path: secret, deny: [read, write]}]`, or "
        + "`{rules: …}` in the [language of the database](guides/security-rules.md).",
      read: { $0.readSecurity($1, into: &$2) }, write: \.securityYAML
    ).inFragments(.added),
    Row(
      "tokens", .tokens, \.tokens, unless: [:],
      "The tokens with which clients can sign in: `{TOKEN: {uid: ann, expires: 30s}}`; see "
        + "below."
    ).inFragments(.single),
    Row(
      "persistence", ["type": ["boolean", "object", "string"]],
      summary: "What clients keep over the end of their process; see Other steps.",
      read: { $2.persistence = $0.readPersistence($1) }, write: \.persistenceYAML
    ).inFragments(.single),
    Row(
      "choices", StatedChoice.schema,
      summary: "How the run decides what the steps leave open; see Choices. Default: drawn from "
        + "`--seed`.",
      read: { $2.choices = $0.readChoices($1) },
      write: { scenario in
        scenario.choices.map { .list($0.map { .value($0.json) }, $0.isEmpty ? .flow : .block) }
      }),
    Row(
      "form", .word, \.form,
      "In which [form](rules/wire.md) the server words everything: "
        + "\(list(of: WireForm.allCases.map(\.rawValue))); where one does not apply, "
        + "`as-written`. Default: drawn from `--seed`, and `as-written` with the seed 0."),
    Row(
      "without", .exceptions, \.without, unless: [],
      "[Invariants](invariants.md) that the scenario does without, and why: "
        + "`[{invariant: INV-9, because: …}]`."),
    Row(
      "steps", Schema.list(of: ["$ref": "#/$defs/step"]), isRequired: true,
      summary: "What happens.",
      write: { .steps($0.statedSteps) }
    ).inFragments(.ignored),
  ])

  /// `` `a`, `b` or `c` ``.
  private static func list(of words: [String]) -> String {
    alternatives(words.map { "`\($0)`" })
  }
}

extension Form<[String: Scenario.Token]> {
  /// `{TOKEN: {uid: NAME, expires: 30s}}`.
  fileprivate static let tokens = Form(
    ["type": "object"],
    read: { reading, node, what in
      guard case let .mapping(entries) = node.content, !entries.isEmpty else {
        let found = node.isCollection ? "empty" : node.kind
        reading.report(node.position, "\(what) is \(found); expected {TOKEN: {uid: NAME}}")
        return nil
      }
      return entries.reduce(into: [:]) {
        $0[$1.key] = token.read(&reading, $1.value, "the token \($1.key)")
      }
    },
    write: { tokens in
      let sorted = tokens.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      return .mapping(sorted.map { .init(YAML.key($0.key), token.write($0.value)) })
    })

  private static let token = Form<Scenario.Token>(
    Table([
      Field("uid", .text, \.user, "The user for whom a client acts."),
      Field("expires", .duration, \.lifetime, "After how much of the run it becomes invalid."),
    ]), from: .init(user: ""))
}

extension Form<Scenario.Find> {
  /// `{signature: inv-4 listener, seed: 7, options: [--seed, "7"]}`.
  fileprivate static let find = Form(
    Table([
      Field("signature", .text, \.signature, "What the seed failed with."),
      Field("seed", .seed, \.seed, "The seed that drew the scenario."),
      Field("run", .seed, \.run, "The seed of its run, where that is another."),
      Field(
        "options", .list(of: "words", .text), \.options, unless: [],
        "What `kennel run` needs besides the file."),
      Field("shrunk", shrunk, \.shrunk, "How far it was made small; nothing for as drawn."),
      Field(
        "confirmed", ["type": ["boolean", "string"]],
        summary: "`true`, or how a second process ended that did not see the failure.",
        read: { reading, node, find in
          if let clause = node.json.string {
            find.confirmation = .unconfirmed(clause)
          } else if node.json == true {
            find.confirmation = .confirmed
          } else {
            reading.mismatch("confirmed", node, expected: "true or a text")
          }
        },
        write: { find in
          switch find.confirmation {
          case .confirmed: .word("true")
          case let .unconfirmed(clause): .text(clause)
          case nil: nil
          }
        }),
    ]), from: .init(signature: "", seed: 0))

  private static let shrunk = Form<Scenario.Find.Shrunk>(
    Table([
      Field("from", .count(from: 0), \.before, "The number of steps that were drawn."),
      Field("to", .count(from: 0), \.after, "The number of steps that are left."),
      Field("runs", .count(from: 0), \.runs, "The number of runs that it took."),
      Field("minimal", .flag, \.isMinimal, "Whether nothing can be left out by itself."),
    ]), from: .init(from: 0, to: 0, runs: 0, isMinimal: false))
}

extension Form<UInt64> {
  /// A seed: a text where numbers would not be exact.
  fileprivate static let seed = Form(
    ["type": ["integer", "string"]],
    read: { reading, node, what in
      let number = node.json.integer.flatMap { UInt64(exactly: $0) }
      let seed = number ?? node.json.string.flatMap { UInt64($0) }
      if seed == nil { reading.mismatch(what, node, expected: "a seed such as 42") }
      return seed
    }, write: { $0 < 1 << 53 ? .word("\($0)") : .text("\($0)") })
}

extension Form<[Scenario.Exception]> {
  /// `[{invariant: INV-3, because: TEXT}]`, each invariant once. An exception without a reason is
  /// none: it would be unknown later whether it is still needed.
  fileprivate static let exceptions = Form(
    list.schema,
    read: { reading, node, what in
      var exceptions: [Scenario.Exception] = []
      for exception in list.read(&reading, node, what) ?? [] {
        if exceptions.contains(where: { $0.invariant == exception.invariant }) {
          reading.report(
            exception.position,
            "\(exception.invariant.id) occurs twice in \(what); expected it once")
        } else {
          exceptions.append(exception)
        }
      }
      return exceptions
    }, write: list.write)

  private static let list = Form.list(
    of: "{invariant, because}",
    Form<Scenario.Exception>(
      Table([
        Field(
          "invariant", Schema.text, isRequired: true, summary: "The id of the invariant.",
          read: { reading, node, exception in
            exception.position = node.position
            exception.invariant = reading.invariant(node) ?? exception.invariant
          }, write: { .text($0.invariant.id) }),
        // It can stand between braces, where a comma needs quotes.
        Field(
          "because", reason.schema, isRequired: true, summary: "Why the scenario does without it.",
          read: { $2.reason = reason.read(&$0, $1, "because") ?? "" },
          write: { .text($0.reason) }),
      ]),
      from: .init(Invariant.all[0], because: "", position: Position(line: 1, column: 1))))

  private static let reason = Form<String>.sentence(orElse: "the reason for the exception")
}

extension Reading {
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
  /// The scenario as a file, as a person would write it; ends with a line feed.
  ///
  /// Read again, it is the same scenario, but for its id, its file, and the positions and texts of
  /// its parts. A scenario of a matrix is one without parameters, and steps of fragments are among
  /// its own.
  ///
  /// - Parameter comment: What is above everything else, as lines that begin with `#`.
  /// - Returns: The text of the file.
  public func yaml(comment: String = "") -> String {
    let lines = comment.split(separator: "\n", omittingEmptySubsequences: false)
    let above = comment.isEmpty ? [] : lines.map { $0.isEmpty ? "#" : "# \($0)" }
    return (above + YAML.mapping(self, by: Self.table).lines).map { $0 + "\n" }.joined()
  }

  fileprivate var securityYAML: YAML? {
    if let databaseRules { return .value(databaseRules.json) }
    return security.isEmpty ? nil : .list(security.map { .mapping($0, by: SecurityRule.table) })
  }

  /// What all keep is stated once.
  fileprivate var persistenceYAML: YAML? {
    if persistence.isEmpty { return nil }
    let all = clients.map { persistence[$0] }
    if let first = all.first, let first, all.allSatisfy({ $0 == first }) { return first.yaml }
    return .mapping(clients.compactMap { name in persistence[name].map { .init(name, $0.yaml) } })
  }

  /// The steps without the expectation that the reader adds at the end.
  package var statedSteps: [Step] {
    guard let last = steps.last, case .expect = last.action, judging == .expectations,
      let expectation = last.expectation, expectation.isEmpty, expectation.rules.isEmpty,
      let other = steps.dropLast().last, other.expectation?.timing != .settled
    else { return steps }
    return steps.dropLast()
  }
}

extension Scenario.Latency {
  fileprivate var yaml: YAML {
    let all = standard == Scenario.Latency().standard ? [] : Self.table.entries(of: standard)
    return .mapping(all + overrides.map { .init($0.client, .mapping($0.range, by: Self.table)) })
  }
}

extension ClientInput.Persistence {
  fileprivate var yaml: YAML {
    self == Self() ? .word("true") : .mapping(self, by: Self.table)
  }
}
