internal import ClientInterface

/// What lines of the adapter protocol look like.
public enum AdapterSchema {
  /// What the kit writes.
  public static let request = Shape.named("request", .verb(of: requests, in: "request"))
  /// What the adapter writes.
  public static let answer = Shape.named("answer", .verb(of: answers, in: "line"))

  private static let run: [Shape.Field] = [
    .needs("profile", .word(Profile.all.map(\.name))), .needs("seed", .text),
  ]
  private static let id = Shape.Field.needs("id", .whole)
  private static let client: [Shape.Field] = [
    id, .needs("client", .text), .needs("now", .number),
  ]
  private static let nothing = Shape.object([])
  private static let timer = Shape.Field.needs("timer", .whole)

  private static let requests: [Shape.Line] = [
    .init(
      verb: "hello", summary: "The first line that a process gets.",
      arguments: .object([.needs("protocol", .exactly(AdapterRequest.version))] + run),
      envelope: [id]),
    .init(
      verb: "reset", summary: "Another run begins in the same process.", arguments: .object(run),
      envelope: [id]),
    .init(
      verb: "open", summary: "The process of a client starts.",
      arguments: .object([
        .needs("host", .text), .needs("seed", .text), .may("cacheBytes", .whole),
        .may("storage", .list(.list(.text))), .may("url", .text),
      ]), envelope: client),
    .init(
      verb: "call", summary: "The application calls a client.", arguments: .named("call", call),
      envelope: client),
    .init(
      verb: "opened", summary: "The connection is up.", arguments: nothing, envelope: client),
    .init(
      verb: "refused", summary: "The connection could not be made.", arguments: nothing,
      envelope: client),
    .init(
      verb: "frame", summary: "The server sent a message.", arguments: .mapping(.anything),
      envelope: client),
    .init(verb: "closed", summary: "The connection is gone.", arguments: nothing, envelope: client),
    .init(
      verb: "timer", summary: "A timer is due.", arguments: .object([timer]), envelope: client),
    .init(
      verb: "kill", summary: "The process of a client ends without a trace.", arguments: nothing,
      envelope: client),
    .init(
      verb: "bye", summary: "The end, which is not answered.", arguments: nothing, envelope: []),
  ]

  private static func line(
    _ verb: String, _ summary: String, _ fields: Shape.Field...
  ) -> Shape.Line {
    Shape.Line(
      verb: verb, summary: summary, arguments: .object(fields), envelope: [.may("client", .text)])
  }

  private static let orNull = Shape.either([.text, .null])

  private static let answers: [Shape.Line] = [
    .init(
      verb: "hello", summary: "Who this is and what it can do.",
      arguments: .object([
        .needs("protocol", .exactly(AdapterRequest.version)), .needs("name", .text),
        .needs("version", .text), .needs("capabilities", .list(.word(AdapterHello.declarable))),
        .may("lacks", .list(.word(Feature.names))),
        .may("clock", .word(["virtual", "real"])), .may("transport", .word(["frames", "socket"])),
      ]), envelope: []),
    line("connect", "Ask for a connection.", .may("host", .text)),
    .init(
      verb: "send", summary: "Send a message over the open connection.",
      arguments: .mapping(.anything), envelope: [.may("client", .text)]),
    line("disconnect", "Close the connection, or stop asking for one."),
    line(
      "setTimer", "Ask to be woken.", timer, .needs("after", .length),
      .may("label", .word(TimerPurpose.allCases.map(\.rawValue)))),
    line("cancelTimer", "Forget a timer.", timer),
    line(
      "event", "A listener was called.", .needs("listener", .text),
      .needs("type", .word(EventType.allCases.map(\.rawValue))), .needs("key", orNull),
      .needs("value", .anything), .may("prev", orNull), .may("children", .list(.text)),
      .may("sorted", .text)),
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
    .init(
      verb: "idle", summary: "All that the request causes has happened.", arguments: .whole,
      envelope: [.may("client", .text)]),
  ]
}
