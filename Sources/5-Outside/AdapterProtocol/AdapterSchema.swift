internal import ClientInterface
public import Document
public import Tree

/// What lines of the adapter protocol look like.
public enum AdapterSchema {
  /// What the kit writes.
  public static let request = Shape.named("request", .verb(of: requests, in: "request"))
  /// What the adapter writes.
  public static let answer = Shape.named("answer", .verb(of: answers, in: "line"))

  /// The published JSON Schema, for validators in any language: a line in either direction, and in
  /// `$defs` each direction by itself.
  public static var json: JSON {
    var definitions: [JSON.Member] = []
    let lines = [request, answer].map { $0.schema(&definitions) }
    return [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "Lines of the adapter protocol",
      "description":
        "A request goes from the kit to the adapter, an answer from the adapter to the kit.",
      "anyOf": .array(lines),
      "$defs": .object(definitions),
    ]
  }
}

// MARK: - What the kit writes

extension AdapterSchema {
  private static let run: [Shape.Field] = [
    .needs("profile", .word(Profile.all.map(\.name))), .needs("seed", .text),
  ]
  private static let id = Shape.Field.needs("id", .whole)
  private static let nothing = Shape.object([])
  private static let message = Shape.mapping(.anything)
  private static let timer = Shape.Field.needs("timer", .whole)
  private static let version = Shape.Field.needs("protocol", .exactly(AdapterRequest.version))

  /// A request about a client.
  private static func request(
    _ verb: String, _ summary: String, _ arguments: Shape = nothing
  ) -> Shape.Case {
    Shape.Case(
      verb, summary,
      [id, .needs("client", .text), .needs("now", .number), .needs(verb, arguments)])
  }

  private static let requests: [Shape.Case] = [
    .init(
      "hello", "The first line that a process gets.",
      [id, .needs("hello", .object([version] + run))]),
    .init(
      "reset", "Another run begins in the same process.", [id, .needs("reset", .object(run))]),
    request(
      "open", "The process of a client starts.",
      .object([
        .needs("host", .text), .needs("seed", .text), .may("cacheBytes", .whole),
        .may("storage", .list(.list(.text))), .may("url", .text),
      ])),
    request("call", "The application calls a client.", .named("call", call)),
    request("opened", "The connection is up."),
    request("refused", "The connection could not be made."),
    request("frame", "The server sent a message.", message),
    request("closed", "The connection is gone."),
    request("timer", "A timer is due.", .object([timer])),
    request("kill", "The process of a client ends without a trace."),
    .init("bye", "The end, which is not answered.", [.needs("bye", nothing)]),
  ]
}

// MARK: - Calls

extension AdapterSchema {
  /// The arguments of each operation.
  private static let call = operation(of: Operation.Kind.allCases)
  /// A call that is made from inside a callback.
  private static let nested = Shape.named(
    "nested", operation(of: Operation.Kind.allCases.filter { $0 != .on }))

  private static func operation(of kinds: [Operation.Kind]) -> Shape {
    .operation(
      kinds.map { kind in
        let head: [Shape.Field] = [.needs("id", .text), .needs("op", .word([kind.rawValue]))]
        return Shape.Case(kind.rawValue, "", head + kind.parameters.flatMap(fields))
      })
  }

  private static let event = Shape.word(EventType.allCases.map(\.rawValue))

  private static let query: Shape = {
    let scalar = Shape.either([.text, .number, .flag, .null])
    let bound = Shape.either([scalar, .object([.may("value", scalar), .may("key", .text)])])
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
        let argument: Shape =
          switch kind.argument {
          case .number: .number
          case .value: .anything
          case .children: .mapping(.anything)
          case .none: .flag
          }
        return .object([.needs(kind.rawValue, argument)])
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

// MARK: - What the adapter writes

extension AdapterSchema {
  private static let orNull = Shape.either([.text, .null])

  /// A line that may name the client that it is about.
  private static func line(
    _ verb: String, _ summary: String, _ fields: Shape.Field..., as arguments: Shape? = nil
  ) -> Shape.Case {
    Shape.Case(
      verb, summary, [.may("client", .text), .needs(verb, arguments ?? .object(fields))])
  }

  private static let answers: [Shape.Case] = [
    .init("hello", "Who this is and what it can do.", [.needs("hello", .object(introduction))]),
    line("connect", "Ask for a connection.", .may("host", .text)),
    line("send", "Send a message over the open connection.", as: message),
    line("disconnect", "Close the connection, or stop asking for one."),
    line(
      "setTimer", "Ask to be woken.", timer, .needs("after", .length),
      .may("label", .word(TimerPurpose.allCases.map(\.rawValue)))),
    line("cancelTimer", "Forget a timer.", timer),
    line(
      "event", "A listener was called.", .needs("listener", .text), .needs("type", event),
      .needs("key", orNull), .needs("value", .anything), .may("prev", orNull),
      .may("children", .list(.text)), .may("sorted", .text)),
    line(
      "cancelled", "A listener was cancelled.", .needs("listener", .text),
      .needs("error", .text)),
    line(
      "completed", "A call ended.", .needs("call", .text), .needs("error", orNull),
      .may("committed", .flag), .may("value", .anything)),
    line(
      "answered", "What a call returned at once.", .needs("call", .text),
      .needs("value", .anything)),
    line(
      "threw", "A call was refused at once.", .needs("call", .text), .needs("error", .text)),
    line(
      "updateRan", "The function of a transaction was called.", .needs("call", .text),
      .needs("input", .anything)),
    line(
      "calling", "The call with this id is about to be made from inside a callback.",
      .needs("call", .text)),
    line("returned", "That call has returned.", .needs("call", .text)),
    line(
      "store", "Keep a text over the end of the process.", .needs("key", .text),
      .needs("text", .text)),
    line("erase", "Forget such a text.", .needs("key", .text)),
    line(
      "uncaught", "The client threw an exception that was not caught.", .needs("message", .text),
      .may("type", .text), .may("stack", .text)),
    line("log", "Something for the developer.", .needs("text", .text), .may("level", .text)),
    line(
      "error", "The request cannot be carried out.",
      .needs("code", .word(["not-supported", "invalid", "failed"])), .needs("message", .text)),
    line("idle", "All that the request causes has happened.", as: .whole),
  ]

  private static let introduction: [Shape.Field] = [
    version, .needs("name", .text), .needs("version", .text),
    .needs("capabilities", .list(.word(AdapterHello.declarable))),
    .may("lacks", .list(.word(Feature.names))), .may("clock", .word(["virtual", "real"])),
    .may("transport", .word(["frames", "socket"])),
  ]
}
