import ClientInterface
import Document
import Faults
import Scenario
import Tree

/// What a step waits for, and the client that the step is about: conditions need not name it.
private struct Condition {
  var trigger: Step.Trigger
  var subject: String?

  init(_ trigger: Step.Trigger, about subject: String? = nil) {
    (self.trigger, self.subject) = (trigger, subject)
  }

  static let kinds = OneOf<Condition>(
    [
      .init(
        FieldKey("frame", Schema.text, "Once such a message is delivered."),
        beside: ends + Step.Trigger.Frame.table.keys, read: { $0.frame($1, $2) },
        write: \.frameEntries),
      .init(
        "after", .duration, "Once so much time has passed.", { Condition(.after($0)) },
        of: { if case let .after(interval) = $0.trigger { interval } else { nil } }),
      .init(
        FieldKey("messages", Form.count(from: 1).schema, "Once so many messages were delivered."),
        beside: [
          FieldKey("direction", Form<FaultDirection>.word.schema, "Those in this direction."),
          FieldKey("client", Schema.text, "Those of this client."),
        ], read: { $0.messages($1, $2) }, write: \.messageEntries),
    ],
    .init(
      none: "when has no condition; expected one of",
      several: { found, all in
        "when has \(found.joined(separator: " and ")); expected one of \(alternatives(all))"
      }, areReportedAtMapping: true,
      misplaced: { key, one, _ in "\(key) stands beside \(one); expected no \(key) there" }))

  private static let ends = [
    FieldKey("from", Schema.text, "The client or the `server` that sends it."),
    FieldKey("to", Schema.text, "The client or the `server` that receives it."),
  ]

  private var frameEntries: [YAML.Entry]? {
    guard case let .frame(frame) = trigger else { return nil }
    let end = frame.client == subject ? nil : frame.client
    return [.init("frame", .text(frame.kind))]
      + (end.map { [.init(frame.isFromServer ? "to" : "from", .text($0))] } ?? [])
      + Step.Trigger.Frame.table.entries(of: frame)
  }

  private var messageEntries: [YAML.Entry]? {
    guard case let .messages(count, direction, client) = trigger else { return nil }
    return [.init("messages", .word("\(count)"))]
      + (direction == .both ? [] : [.init("direction", .text(direction.rawValue))])
      + (client == subject ? [] : [.init("client", .text(client))])
  }
}

extension Step.Trigger.Frame {
  /// What a frame states besides its kind and the client at its other end.
  fileprivate static let table = Table<Step.Trigger.Frame>([
    Field("nth", .count(from: 1), \.count, unless: 1, "Which of the messages that fit."),
    Field("edge", .word, \.edge, unless: .after, "Whether the message has arrived by then."),
  ])
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
      let fields = fields(of: node, "when", keys: Condition.kinds.keys.map(\.name))
    else { return nil }
    affected = action?.client
    return Condition.kinds.read(&self, fields)?.trigger
  }

  /// `{messages: 3, direction: to-client, client: alice}`.
  fileprivate mutating func messages(_ node: DocumentNode, _ fields: Fields) -> Condition? {
    let count = count(node, "messages", atLeast: 1)
    let direction =
      fields["direction"].flatMap { choice($0, "direction", as: FaultDirection.self) } ?? .both
    var client = affected
    if let node = fields["client"] {
      client = knownClient(node, "client")
    } else if client == nil {
      report(fields.position, "when names no client; expected client: ...")
    }
    guard let count, let client else { return nil }
    return Condition(.messages(count, direction, client: client))
  }

  /// `{frame: put, from: alice, nth: 2, edge: before-delivery}`.
  fileprivate mutating func frame(_ node: DocumentNode, _ fields: Fields) -> Condition? {
    let kinds = FrameExpectation.kinds + Step.Trigger.Frame.serverKinds
    guard let kind = string(node, "frame") else { return nil }
    guard kinds.contains(kind) else {
      unknown("frame", kind, at: node.position, among: kinds)
      return nil
    }
    var frame = Step.Trigger.Frame(kind: kind, client: affected, edge: .after)
    read(fields, by: Step.Trigger.Frame.table, into: &frame)
    let ends = frame.isFromServer ? ("to", "from") : ("from", "to")
    if let node = fields[ends.0] {
      guard let client = knownClient(node, ends.0) else { return nil }
      frame.client = client
    }
    if let node = fields[ends.1], node.json != "server" {
      report(
        node.position,
        "\(kind) goes \(ends.1) \(node.flowText); expected \(ends.1): server, since "
          + (frame.isFromServer ? "only the server sends it" : "only clients send it"))
      return nil
    }
    return Condition(.frame(frame))
  }
}

extension YAML {
  static func trigger(_ trigger: Step.Trigger, of client: String?) -> YAML {
    .mapping(Condition.kinds.entries(of: Condition(trigger, about: client)))
  }
}
