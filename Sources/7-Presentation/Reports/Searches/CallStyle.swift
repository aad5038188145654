public import ClientInterface
internal import Document
internal import Trace
internal import Tree

/// How calls look in the interface of a client: a text for each operation, with the names of its
/// arguments in braces, as `ref({path}).set({value})`.
public struct CallStyle: Hashable, Sendable {
  private let templates: [Operation.Kind: String]

  /// Takes a text for each operation that has one.
  public init(_ templates: [Operation.Kind: String] = [:]) { self.templates = templates }

  /// A call as its program has it, or in plain words where its operation has no text.
  func words(for operation: ClientInterface.Operation) -> String {
    text(of: operation) ?? operation.plainText
  }

  private func text(of operation: ClientInterface.Operation) -> String? {
    guard let template = templates[operation.kind] else { return nil }
    var text = ""
    var rest = template[...]
    while let brace = rest.firstIndex(of: "{") {
      let name = rest[brace...].dropFirst().prefix { $0.isLetter }
      text += rest[..<brace]
      rest = rest[name.endIndex...]
      if name.isEmpty || !rest.hasPrefix("}") {
        text += "{" + name
      } else {
        rest = rest.dropFirst()
        text += words(for: String(name), of: operation)
      }
    }
    return text + rest
  }

  private func words(for argument: String, of operation: ClientInterface.Operation) -> String {
    switch argument {
    case "query":
      (operation.registration?.target.query.conditions ?? []).map { "." + $0 }.joined()
    case "event", "events":
      (operation.registration?.events.sorted() ?? []).map { "\"\($0.rawValue)\"" }
        .joined(separator: ", ")
    case "update": operation.arguments.function?.words ?? ""
    default: operation.json[argument]?.text ?? ""
    }
  }
}

extension ClientInterface.Operation {
  /// The call in words, where there are better ones than its name and arguments.
  fileprivate var plainText: String {
    if let registration {
      return "\(name) \(registration.target.text) for \(registration.events.words)"
    }
    if case let .removesAll(target)? = listenerChange { return "\(name) \(target.text)" }
    if let function = arguments.function, let path {
      return "\(name) \(path), which \(function.words)"
    }
    let call = TraceEvent.Kind.input(ClientIndex(0), .call(CallID(name), self))
    return TraceEvent(sequence: 0, cause: nil, time: .zero, step: 0, kind: call).brief
  }
}

extension Set<EventType> {
  /// `value`, `child_added, child_removed`, `all events`.
  fileprivate var words: String {
    count == EventType.allCases.count
      ? "all events" : sorted().map(\.rawValue).joined(separator: ", ")
  }
}
