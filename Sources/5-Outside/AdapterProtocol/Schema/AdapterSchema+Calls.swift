internal import ClientInterface
internal import Vocabulary

extension AdapterSchema {
  /// The arguments of each operation.
  static let call = Shape.operation(
    Operation.names.map { name in
      (name, [.needs("id", .text), .needs("op", .text)] + arguments(of: name))
    })

  private static let path = Shape.Field.needs("path", .text)
  private static let target = [path, Shape.Field.may("query", query)]
  private static let listener = Shape.Field.needs("listener", .text)
  private static let value = Shape.Field.needs("value", .anything)
  private static let changes = Shape.Field.needs("value", .mapping(.anything))
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
    .either([
      .object([.needs("increment", .number)]), .object([.needs("set", .anything)]),
      .object([.needs("setIfNull", .anything)]), .object([.needs("merge", .mapping(.anything))]),
      .object([.needs("abort", .flag)]), .object([.needs("fail", .flag)]),
      .object([.needs("setIfNullOrFail", .anything)]),
    ]))

  private static func arguments(of operation: String) -> [Shape.Field] {
    switch operation {
    case "listen": [listener] + target + [.may("event", event), .may("events", .list(event))]
    case "once": [listener] + target + [.needs("event", event)]
    case "unlisten": [listener, .may("path", .text)]
    case "unlisten-all": target
    case "set", "on-disconnect-set": [path, value]
    case "remove", "on-disconnect-remove", "on-disconnect-cancel": [path]
    case "set-priority": [path, .needs("priority", scalar)]
    case "update", "on-disconnect-update": [path, changes]
    case "push": [path, .may("value", .anything)]
    case "transaction": [path, .needs("update", function), .may("localEvents", .flag)]
    case "auth": [.needs("token", .text)]
    case "keep-synced": target + [.needs("on", .flag)]
    case "inspect":
      [
        .may("path", .text), .may("url", .text), .may("snapshot", .text),
        .may("mutable", .anything), .may("changes", .list(.mapping(.anything))),
        .may("query", .list(.mapping(.anything))), .may("of", .text), .needs("ask", .text),
        .may("with", .anything),
      ]
    default: []
    }
  }
}
