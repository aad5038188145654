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

extension Reaction {
  /// What may call the calls.
  private static let callbacks = OneOf<Callback>(
    [
      .init(
        event, from: { _, _ in ("", nil) }, { .event(ListenerID($0.listener), $0.type) },
        of: { callback in
          guard case let .event(listener, type) = callback else { return nil }
          return (listener.name, type)
        }),
      .init(
        "cancel", .listenerName, "Called when the server ends this listener.",
        { .cancel(ListenerID($0)) },
        of: { if case let .cancel(listener) = $0 { listener.name } else { nil } }),
      .init(
        "completion", .callName, "Called when this call ends.", { .completion(CallID($0)) },
        of: { if case let .completion(call) = $0 { call.name } else { nil } }),
      .init(
        "function", .transactionName, "Called when the function of this transaction runs.",
        { .function(CallID($0)) },
        of: { if case let .function(call) = $0 { call.name } else { nil } }),
    ],
    .init(
      none: "no callback is named; expected",
      misplaced: { key, one, owners in
        "\(key) is given beside \(one); expected it beside \(alternatives(owners)) alone"
      }))

  private static let event = Table<(listener: String, type: EventType?)>([
    Field("listener", .listenerName, \.listener, "Called with an event of this listener."),
    Field("event", .word, \.type, "Of a listener: the type; any unless stated."),
  ])

  /// `{listener: feed, event: value, nth: 2, do: [{set: {...}}]}`.
  static let table = Table<Reaction>([
    Field(callbacks, \.callback),
    Field(
      "nth", .count(from: 1), \.nth, unless: 1,
      "Which of these callbacks; the first unless stated."),
    Field(
      "do", ["type": ["array", "string"]], isRequired: true,
      summary: "The calls that are made.",
      read: { $2.calls = $0.nestedCalls($1, of: $0.caller) },
      write: { .list($0.calls.map(\.yaml)) }),
  ])
}

extension Reaction.Call {
  fileprivate var yaml: YAML {
    let entry = YAML.entry(of: operation, as: isNamed ? id : nil, operation.name)
    return entry.value == nil ? .word(entry.key) : .mapping([entry])
  }
}

extension Form<String> {
  fileprivate static let listenerName = forwardName(.listener)
  /// A name of a call, which a later step may give it.
  static let callName = forwardName(.call)
  fileprivate static let transactionName = forwardName(.transaction)

  private static func forwardName(_ kind: ForwardName.Kind) -> Form {
    Form(
      Schema.text,
      read: { reading, node, what in
        let name = reading.string(node, what)
        if let name { reading.addForwardName(name, kind, of: reading.caller, at: node.position) }
        return name
      }, write: { .text($0) })
  }
}

extension Reading {
  mutating func addForwardName(
    _ name: String, _ kind: ForwardName.Kind, of client: String, at position: Position
  ) {
    forwardNames.append(
      ForwardName(client: client, name: name, kind: kind, position: position, file: file))
  }

  /// The calls that are made in a callback, each `OPERATION: {...}`.
  fileprivate mutating func nestedCalls(
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

  private mutating func nestedEntry(_ node: DocumentNode) -> DocumentNode.Entry? {
    guard let entries = node.entries, entries.count == 1 else {
      report(
        node.position,
        "a call is \(node.flowText); expected a mapping with one operation such as {set: {...}}")
      return nil
    }
    guard let dot = entries[0].key.firstIndex(of: ".") else { return entries[0] }
    let verb = entries[0].key[entries[0].key.index(after: dot)...]
    report(
      entries[0].keyPosition,
      "\(entries[0].key) names a client; expected \(verb) alone, since a callback calls its own")
    return nil
  }

  /// Reports what callbacks name and no step gives a name to.
  mutating func checkForwardNames() {
    for forward in forwardNames {
      file = forward.file
      guard let label = labels[forward.client, forward.name] else {
        unknown(
          forward.kind.rawValue, forward.name, at: forward.position,
          among: labels.candidates(of: forward.client))
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
