import ClientInterface
import Document
import Faults
import Scenario
import Tree

extension Reading {
  static let triggerKey = "when"

  private static let kinds = ["frame", "after", "messages"]

  /// What a step waits for, if it states that.
  ///
  /// - Parameters:
  ///   - entry: The step; its argument has been read without the trigger.
  ///   - action: What it does; `nil` where that is wrong.
  /// - Returns: the trigger; `nil` for a step that happens at once, and for a wrong one.
  mutating func trigger(of entry: DocumentNode.Entry, _ action: Action?) -> Step.Trigger? {
    if let action, action.fault == nil { return nil }
    guard case .mapping = entry.value.content, let node = entry.value[Self.triggerKey] else {
      return nil
    }
    let keys = ["frame", "from", "to", "nth", "edge", "after", "messages", "direction", "client"]
    guard let fields = fields(of: node, "when", keys: keys) else { return nil }
    let found = fields.entries.filter { Self.kinds.contains($0.key) }
    guard let kind = found.first, found.count == 1 else {
      let isMisspelt = fields.entries.contains { !keys.contains($0.key) }
      if found.count > 1 || !isMisspelt {
        let names = found.map(\.key).joined(separator: " and ")
        report(
          node.position,
          "when has \(names.isEmpty ? "no condition" : names); "
            + "expected one of \(alternatives(Self.kinds))")
      }
      return nil
    }
    switch kind.key {
    case "after":
      refuse(["from", "to", "nth", "edge", "direction", "client"], in: fields, besides: "after")
      return interval(kind.value, "after").map(Step.Trigger.after)
    case "messages": return messages(kind.value, fields, action?.client)
    default: return frame(kind.value, fields, action?.client)
    }
  }

  private mutating func refuse(_ keys: [String], in fields: Fields, besides kind: String) {
    for entry in fields.entries where keys.contains(entry.key) {
      report(
        entry.keyPosition, "\(entry.key) stands beside \(kind); expected no \(entry.key) there")
    }
  }

  /// `{messages: 3, direction: to-client, client: alice}`.
  private mutating func messages(
    _ node: DocumentNode, _ fields: Fields, _ subject: String?
  ) -> Step.Trigger? {
    refuse(["from", "to", "nth", "edge"], in: fields, besides: "messages")
    let count = count(node, "messages", atLeast: 1)
    let direction =
      fields["direction"].flatMap { choice($0, "direction", as: FaultDirection.self) } ?? .both
    var client = subject
    if let node = fields["client"] {
      guard let name = string(node, "client"), checkClient(name, at: node.position) else {
        return nil
      }
      client = name
    }
    guard let client else {
      report(fields.position, "when names no client; expected client: ...")
      return nil
    }
    return count.map { .messages($0, direction, client: client) }
  }

  /// `{frame: put, from: alice, nth: 2, edge: before-delivery}`.
  private mutating func frame(
    _ node: DocumentNode, _ fields: Fields, _ subject: String?
  ) -> Step.Trigger? {
    refuse(["direction", "client"], in: fields, besides: "frame")
    let kinds = FrameExpectation.kinds + Step.Trigger.Frame.serverKinds
    guard let kind = string(node, "frame") else { return nil }
    guard kinds.contains(kind) else {
      unknown("frame", kind, at: node.position, among: kinds)
      return nil
    }
    var frame = Step.Trigger.Frame(kind: kind, client: subject, edge: .after)
    read(fields, by: Step.Trigger.Frame.table, into: &frame)
    let ends = frame.isFromServer ? ("to", "from") : ("from", "to")
    if let node = fields[ends.0] {
      guard let name = string(node, ends.0) else { return nil }
      guard clients.contains(name) else {
        unknown("client", name, at: node.position, among: clients)
        return nil
      }
      frame.client = name
    }
    if let node = fields[ends.1], node.json != "server" {
      report(
        node.position,
        "\(kind) goes \(ends.1) \(node.flowText); expected \(ends.1): server, since "
          + (frame.isFromServer ? "only the server sends it" : "only clients send it"))
      return nil
    }
    return .frame(frame)
  }
}

extension Step.Trigger.Frame {
  /// What a frame states besides its kind and the client at its other end.
  fileprivate static let table = Table<Step.Trigger.Frame>([
    Field("nth", .count(from: 1), \.count, unless: 1, "Which of the messages that fit."),
    Field("edge", .word, \.edge, unless: .after, "Whether the message has arrived by then."),
  ])
}

extension YAML {
  static func trigger(_ trigger: Step.Trigger, of client: String?) -> YAML {
    switch trigger {
    case let .after(interval): .mapping([Entry("after", .duration(interval))])
    case let .messages(count, direction, counted):
      .mapping(of: [
        ("messages", .word("\(count)")),
        ("direction", direction == .both ? nil : .text(direction.rawValue)),
        ("client", counted == client ? nil : .text(counted)),
      ])
    case let .frame(frame):
      .mapping(
        [Entry("frame", .text(frame.kind))]
          + end(of: frame, besides: client) + Step.Trigger.Frame.table.entries(of: frame))
    }
  }

  /// The client at the other end than the server, where the step does not name it.
  private static func end(of frame: Step.Trigger.Frame, besides client: String?) -> [Entry] {
    guard let other = frame.client, other != client else { return [] }
    return [Entry(frame.isFromServer ? "to" : "from", .text(other))]
  }
}
