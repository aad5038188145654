internal import ClientInterface
internal import Vocabulary

extension AdapterSchema {
  /// The arguments of each operation.
  static let call = operation(of: Operation.Kind.allCases)
  /// A call that is made from inside a callback.
  private static let nested = Shape.named(
    "nested", operation(of: Operation.Kind.allCases.filter { $0 != .on }))

  private static func operation(of kinds: [Operation.Kind]) -> Shape {
    .operation(
      kinds.map { kind in
        (
          kind.rawValue,
          [.needs("id", .text), .needs("op", .text)] + kind.parameters.flatMap(fields)
        )
      })
  }

  private static let event = Shape.word(EventType.allCases.map(\.rawValue))
  private static let scalar = Shape.either([.text, .number, .flag, .null])

  private static let query: Shape = {
    let bound = Shape.either([
      scalar, .object([.may("value", scalar), .may("key", .text)]),
    ])
    let bounds = ["startAt", "startAfter", "endAt", "endBefore", "equalTo"]
    return .named(
      "query",
      .object(
        [.may("orderBy", .text)] + bounds.map { .may($0, bound) }
          + [.may("limitToFirst", .number), .may("limitToLast", .number)]))
  }()

  private static let function = Shape.named(
    "function",
    .either(
      TransactionFunction.Kind.allCases.map { kind in
        switch kind.argument {
        case .number: .object([.needs(kind.rawValue, .number)])
        case .value: .object([.needs(kind.rawValue, .anything)])
        case .children: .object([.needs(kind.rawValue, .mapping(.anything))])
        case .none: .object([.needs(kind.rawValue, .flag)])
        }
      }))

  private static func fields(for parameter: Operation.Parameter) -> [Shape.Field] {
    switch parameter {
    case .listener: [.needs("listener", .text)]
    case .path: [.needs("path", .text)]
    case .optionalPath: [.may("path", .text)]
    case .query: [.may("query", query)]
    case .events: [.may("event", event), .may("events", .list(event))]
    case .event: [.needs("event", event)]
    case .value: [.needs("value", .anything)]
    case .optionalValue: [.may("value", .anything)]
    case .changes: [.needs("value", .mapping(.anything))]
    case .priority: [.needs("priority", .anything)]
    case .function: [.needs("update", function)]
    case .localEvents: [.may("localEvents", .flag)]
    case .synchronization: [.needs("on", .flag)]
    case .token: [.needs("token", .text)]
    case .inspection:
      [
        .may("path", .text), .may("url", .text), .may("snapshot", .text),
        .may("nth", .whole), .may("completion", .text), .may("mutable", .anything),
        .may("changes", .list(.mapping(.anything))),
        .may("query", .list(.mapping(.anything))), .may("of", .text), .needs("ask", .text),
        .may("with", .anything),
      ]
    case .reaction:
      [
        .may("listener", .text), .may("event", event), .may("cancel", .text),
        .may("completion", .text), .may("function", .text), .may("nth", .whole),
        .needs("do", .list(nested)),
      ]
    }
  }
}
