import ClientInterface
import Document
import Scenario
import Tree

/// A name in a reaction. The step that gives it may come later.
struct ForwardName {
  var client: String
  var name: String
  var kind: Kind
  var position: Position
  var file: String

  enum Kind: String {
    case listener
    case call
    case transaction
  }
}

extension Reading {
  static let callbackKeys: [FieldKey] = [
    .init("listener", Schema.text, "Called with an event of this listener."),
    .init("cancel", Schema.text, "Called when the server ends this listener."),
    .init("completion", Schema.text, "Called when this call ends."),
    .init("function", Schema.text, "Called when the function of this transaction runs."),
    .init("event", Form<EventType>.word.schema, "Of a listener: the type; any unless stated."),
    .init("nth", Form.count(from: 1).schema, "Which of these callbacks; the first unless stated."),
    .init("do", ["type": ["array", "string"]], isRequired: true, "The calls that are made."),
  ]
  private static let callbacks = ["listener", "cancel", "completion", "function"]

  /// `{listener: feed, event: value, nth: 2, do: [{set: {...}}]}`.
  mutating func reaction(_ fields: Fields) -> Reaction? {
    let client = caller
    let nth = fields["nth"].map { count($0, "nth", atLeast: 1) } ?? 1
    let callback = callback(fields, of: client)
    let calls = fields["do"].map { nestedCalls($0, of: client) } ?? []
    guard let callback, let nth, !calls.isEmpty else { return nil }
    return Reaction(in: callback, nth: nth, calls)
  }

  private mutating func callback(_ fields: Fields, of client: String) -> Reaction.Callback? {
    let given = fields.entries.filter { Self.callbacks.contains($0.key) }
    guard let entry = given.first else {
      report(
        fields.position, "no callback is named; expected \(alternatives(Self.callbacks))")
      return nil
    }
    if let second = given.dropFirst().first {
      report(
        second.keyPosition,
        "\(entry.key) and \(second.key) are both given; expected one of them")
    }
    if let event = fields.entry("event"), entry.key != "listener" {
      report(
        event.keyPosition, "event is given beside \(entry.key); expected it beside listener alone")
    }
    guard let name = string(entry.value, entry.key) else { return nil }
    addForwardName(name, of: client, entry)
    switch entry.key {
    case "listener":
      let type = fields["event"].map { choice($0, "event", as: EventType.self) }
      if case .some(nil) = type { return nil }
      return .event(ListenerID(name), type ?? nil)
    case "cancel": return .cancel(ListenerID(name))
    case "completion": return .completion(CallID(name))
    default: return .function(CallID(name))
    }
  }

  private mutating func addForwardName(
    _ name: String, of client: String, _ entry: DocumentNode.Entry
  ) {
    let kind: ForwardName.Kind =
      switch entry.key {
      case "listener", "cancel": .listener
      case "completion": .call
      default: .transaction
      }
    addForwardName(name, kind, of: client, at: entry.value.position)
  }

  mutating func addForwardName(
    _ name: String, _ kind: ForwardName.Kind, of client: String, at position: Position
  ) {
    forwardNames.append(
      ForwardName(client: client, name: name, kind: kind, position: position, file: file))
  }

  /// The calls that are made in a callback, each `OPERATION: {...}`.
  private mutating func nestedCalls(
    _ node: DocumentNode, of client: String
  ) -> [Reaction.Call] {
    isInCallback = true
    defer { isInCallback = false }
    var calls: [Reaction.Call] = []
    for element in list(node, "do", of: "calls") {
      guard let entry = nestedEntry(element) else { continue }
      if entry.key == Operation.Kind.on.rawValue {
        report(
          entry.keyPosition,
          "do states another reaction; expected a step of its own for it, before this one")
      } else if let call = call(of: client, entry.key, entry) {
        calls.append(Reaction.Call(call.id, call.operation))
      }
    }
    return calls
  }

  /// The only entry of a mapping; a plain word such as `go-offline` is a call without arguments.
  private mutating func nestedEntry(_ node: DocumentNode) -> DocumentNode.Entry? {
    if case let .mapping(entries) = node.content, entries.count == 1 {
      guard let dot = entries[0].key.firstIndex(of: ".") else { return entries[0] }
      let verb = entries[0].key[entries[0].key.index(after: dot)...]
      report(
        entries[0].keyPosition,
        "\(entries[0].key) names a client; expected \(verb) alone, since a callback calls its own")
      return nil
    }
    if case let .string(word) = node.content {
      let nothing = DocumentNode(.null, at: node.position)
      return .init(key: word, keyPosition: node.position, value: nothing)
    }
    report(
      node.position,
      "a call is \(node.flowText); expected a mapping with one operation such as {set: {...}}")
    return nil
  }

  /// Reports what callbacks name and no step gives a name to.
  mutating func checkForwardNames() {
    for forward in forwardNames {
      file = forward.file
      let labels = labels.labels(of: forward.client)
      guard let label = labels.first(where: { $0.name == forward.name }) else {
        unknown(
          forward.kind.rawValue, forward.name, at: forward.position, among: labels.map(\.name))
        continue
      }
      guard let mismatch = label.kind.mismatch(to: forward.kind) else { continue }
      report(
        forward.position,
        "\(forward.name) is \(mismatch); expected the name of a \(forward.kind.rawValue)")
    }
  }
}

extension Labels.Kind {
  /// What it is instead of what a callback needs; `nil` where it fits.
  fileprivate func mismatch(to kind: ForwardName.Kind) -> String? {
    switch (self, kind) {
    case (.unknown, _), (.listener, .listener), (.transaction, .call),
      (.transaction, .transaction), (.write, .call), (.push, .call), (.credential, .call):
      nil
    case (.listener, _): "a listener"
    case (.keyOnly, .call): "a push without a value, which has no callback"
    case (.inspection, .call): "an inspection, which has no callback"
    case (_, .listener), (_, .transaction): "a call"
    }
  }
}

extension YAML {
  static func fields(of reaction: Reaction) -> [Entry] {
    var fields: [Entry] =
      switch reaction.callback {
      case let .event(listener, type):
        [Entry("listener", .text(listener.name))]
          + (type.map { [Entry("event", .text($0.rawValue))] } ?? [])
      case let .cancel(listener): [Entry("cancel", .text(listener.name))]
      case let .completion(call): [Entry("completion", .text(call.name))]
      case let .function(call): [Entry("function", .text(call.name))]
      }
    if reaction.nth != 1 { fields.append(Entry("nth", .word("\(reaction.nth)"))) }
    let calls = reaction.calls.map { call in
      let entry = entry(
        of: call.operation, as: call.isNamed ? call.id : nil, call.operation.name)
      return entry.value == nil ? YAML.word(entry.key) : YAML.mapping([entry])
    }
    return fields + [Entry("do", .list(calls))]
  }
}
