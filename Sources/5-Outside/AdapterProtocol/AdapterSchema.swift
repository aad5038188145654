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

// MARK: - Lines

extension AdapterSchema {
  private static let id = Shape.Field.needs("id", .whole)

  /// A line with the member that has its verb, and others before that.
  private static func line(_ others: [Shape.Field], _ verb: Shape.Field) -> Shape.Case {
    Shape.Case(verb.name, verb.meaning, others + [verb])
  }

  private static let requests: [Shape.Case] =
    [
      line(
        [id],
        .needs(
          "hello", .object([AdapterRequest.versionField] + AdapterRun.fields),
          "The first line that a process gets.")),
      line(
        [id], .needs("reset", .object(AdapterRun.fields), "Another run begins in the same process.")
      ),
    ]
    + ClientInput.Verb.allCases.map {
      line([id, .needs("client", .text), .needs("now", .number)], $0.field)
    } + [
      line(
        [id, .needs("client", .text), .needs("now", .number)],
        .needs("frames", .list(.mapping(.anything)), "The server sent several messages.")),
      line([], .needs("bye", .object([]), "The end, which is not answered.")),
    ]

  private static let answers: [Shape.Case] =
    [line([], .needs("hello", .object(AdapterHello.fields), "Who this is and what it can do."))]
    + (ClientOutput.Verb.allCases.map(\.field) + [next, error, idle]).map {
      line([.may("client", .text)], $0)
    }

  private static let error = Shape.Field.needs(
    "error",
    .object([
      .needs("code", .word(["not-supported", "invalid", "failed"])), .needs("message", .text),
    ]), "The request cannot be carried out.")
  private static let next = Shape.Field.needs(
    "next", .object([]), "What follows is about the next message of `frames`.")
  private static let idle = Shape.Field.needs(
    "idle", .whole, "All that the request causes has happened.")
}
