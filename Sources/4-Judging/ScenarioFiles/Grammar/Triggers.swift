import ClientInterface
import Document
import Faults
import Scenario
import Tree

extension Step.Trigger {
  /// What a step can wait for.
  static let kinds = OneOf<Step.Trigger>(
    [
      .init(
        Frame.table,
        from: { reading, _ in Frame(kind: "", client: reading.affected, edge: .after) },
        { .frame($0) }, of: { if case let .frame(frame) = $0 { frame } else { nil } }),
      .init(
        "after", .duration, "Once so much time has passed.", { .after($0) },
        of: { if case let .after(interval) = $0 { interval } else { nil } }),
      .init(
        messages, from: { reading, _ in (1, .both, reading.affected ?? "") },
        { .messages($0.count, $0.direction, client: $0.client) },
        of: { trigger in
          guard case let .messages(count, direction, client) = trigger else { return nil }
          return (count, direction, client)
        }),
    ],
    .init(
      none: "when has no condition; expected one of",
      several: { found, all in
        "when has \(found.joined(separator: " and ")); expected one of \(alternatives(all))"
      }, areReportedAtMapping: true,
      misplaced: { key, one, _ in "\(key) stands beside \(one); expected no \(key) there" }))

  /// `{messages: 3, direction: to-client, client: alice}`.
  private static let messages = Table<(count: Int, direction: FaultDirection, client: String)>([
    Field("messages", .count(from: 1), \.count, "Once so many messages were delivered."),
    Field("direction", .word, \.direction, unless: .both, "Those in this direction."),
    Field(
      [FieldKey("client", Schema.text, "Those of this client; of that of the step.")],
      read: { reading, fields, messages in
        if let node = fields["client"] {
          messages.client = reading.knownClient(node, "client") ?? ""
        } else if reading.affected == nil {
          reading.report(fields.position, "when names no client; expected client: ...")
        }
      }, write: { [.init("client", .text($0.client))] }),
  ])
}

extension Step.Trigger.Frame {
  private static let kinds = FrameExpectation.kinds + serverKinds

  /// `{frame: put, from: alice, nth: 2, edge: before-delivery}`.
  fileprivate static let table = Table<Step.Trigger.Frame>([
    Field("frame", .word(among: kinds), \.kind, "Once such a message is delivered."),
    Field(
      [
        FieldKey("from", Schema.text, "What sends it: a client or the `server`."),
        FieldKey("to", Schema.text, "What receives it: a client or the `server`."),
      ], read: { if kinds.contains($2.kind) { $2.readEnds(&$0, $1) } },
      write: { frame in
        frame.client.map { [.init(frame.isFromServer ? "to" : "from", .text($0))] } ?? []
      }),
    Field("nth", .count(from: 1), \.count, unless: 1, "Which of the messages that fit."),
    Field("edge", .word, \.edge, unless: .after, "Whether the message has arrived by then."),
  ])

  /// One end is a client, the other the server, which need not be stated.
  private mutating func readEnds(_ reading: inout Reading, _ fields: Fields) {
    let ends = isFromServer ? ("to", "from") : ("from", "to")
    if let node = fields[ends.0] { client = reading.knownClient(node, ends.0) ?? client }
    if let node = fields[ends.1], node.json != "server" {
      reading.report(
        node.position,
        "\(kind) goes \(ends.1) \(node.flowText); expected \(ends.1): server, since "
          + (isFromServer ? "only the server sends it" : "only clients send it"))
    }
  }
}

extension Reading {
  static let triggerKey = "when"

  /// What a step waits for, if it states that.
  ///
  /// - Parameters:
  ///   - entry: The step; its argument has been read without the trigger.
  ///   - action: What it does; `nil` where that is wrong.
  /// - Returns: the trigger; `nil` for a step that happens at once, and for a wrong one.
  mutating func trigger(of entry: DocumentNode.Entry, _ action: Action?) -> Step.Trigger? {
    if let action, action.fault == nil { return nil }
    guard case .mapping = entry.value.content, let node = entry.value[Self.triggerKey],
      let fields = fields(of: node, "when", keys: Step.Trigger.kinds.keys.map(\.name))
    else { return nil }
    affected = action?.client
    return Step.Trigger.kinds.read(&self, fields)
  }
}

extension YAML {
  /// What a step about this client waits for; the client need not be named again.
  static func trigger(_ trigger: Step.Trigger, of client: String?) -> YAML {
    let entries = Step.Trigger.kinds.entries(of: trigger)
    guard trigger.client == client else { return .mapping(entries) }
    return .mapping(entries.filter { !["client", "from", "to"].contains($0.key) })
  }
}
