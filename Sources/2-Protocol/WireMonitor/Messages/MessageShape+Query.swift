internal import Tree
internal import Wire

extension MessageShape {
  private static let query: [Member] = [
    .optional("sp", .bound, "the value at which the range starts"),
    .optional("sn", .text, "the key beside it"),
    .optional("sin", .boolean, "whether the start belongs to the range"),
    .optional("ep", .bound, "the value at which the range ends"),
    .optional("en", .text, "the key beside it"),
    .optional("ein", .boolean, "whether the end belongs to the range"),
    .optional("l", .wholeNumber, "the limit"),
    .optional("vf", .text, "the side of the limit"),
    .optional("i", .text, "the order"),
  ]

  mutating func judgeQuery(_ query: JSON) {
    guard judge(query, Self.query, "the query") else { return }
    judgeBound(query, ("sp", "sn", "sin"), "start")
    judgeBound(query, ("ep", "en", "ein"), "end")
    judgeLimit(query)
    guard let order = query["i"]?.string else { return }
    if order == ".priority" {
      record(.spelling, "\"i\" of the query is \".priority\"; that is the order without \"i\" too")
    }
    if ![".key", ".value", ".priority"].contains(order), let problem = Path(order).problem {
      record(.path, "the query orders by a location that cannot be: \(problem)")
    }
  }

  private mutating func judgeBound(
    _ query: JSON, _ names: (value: String, key: String, inclusion: String), _ end: String
  ) {
    guard let value = query[names.value] else {
      for name in [names.key, names.inclusion] where query[name] != nil {
        record(
          .shape,
          "the query has \"\(name)\" without \"\(names.value)\"; the value of the \(end) is "
            + "always there, null for none")
      }
      return
    }
    if query["i"] == ".key", value.string == nil {
      record(
        .shape, rule: "ERR-9",
        "\"\(names.value)\" of the query is \(Self.quoted(value)), but the "
          + "order is by key; expected a string")
    }
    switch (dialect, query[names.inclusion]?.bool) {
    case (.firebase, nil):
      record(
        .spelling,
        "the query has \"\(names.value)\" without \"\(names.inclusion)\"; write true, or "
          + "false for a bound that is left out")
    case (.wilddog, true?):
      record(.spelling, "\"\(names.inclusion)\" of the query is true; leave it out")
    default: break
    }
  }

  private mutating func judgeLimit(_ query: JSON) {
    if query["l"] == 0 {
      record(.shape, rule: "ERR-4", "\"l\" of the query is 0; expected a positive number")
    }
    switch (query["l"], query["vf"]?.string) {
    case (_?, "l"?), (_?, "r"?), (nil, nil): break
    case (_?, nil):
      record(.spelling, "the query has \"l\" without \"vf\"; write l for the first, r for the last")
    case (nil, _?): record(.spelling, "the query has \"vf\" without \"l\"; leave it out")
    case let (_?, side?):
      record(
        .shape, "\"vf\" of the query is \"\(side)\"; expected l for the first or r for the last")
    }
  }
}
