internal import Tree

extension MessageShape {
  /// The longest string that official clients write, in bytes.
  private static let longestText = 10 << 20
  private static let known: Set<String> = [".priority", ".value", ".sv"]

  /// Judges how data are written; what they come to is judged with the request.
  mutating func judgeValue(_ value: JSON, at path: Path) {
    switch value {
    case let .string(text):
      if text.utf8.count > Self.longestText {
        record(
          .large,
          "the string at \(path) has \(text.utf8.count) bytes; official clients write "
            + "10 MiB at most; split it")
      }
    case let .array(elements):
      for (index, element) in elements.enumerated() {
        judgeValue(element, at: path.appending(Key(String(index))))
      }
    case let .object(members): judge(members, value, at: path)
    case .null, .bool, .number: break
    }
  }

  private mutating func judge(_ members: [JSON.Member], _ value: JSON, at path: Path) {
    if let special = value[".sv"], ServerValue(value) == nil {
      record(
        .value,
        "\".sv\" at \(path) is \(Self.quoted(special)); expected \"timestamp\" or "
          + "{\"increment\": NUMBER}, and nothing beside it but a priority")
    }
    if value[".value"] != nil,
      let other = members.first(where: { $0.name != ".value" && $0.name != ".priority" })
    {
      record(
        .value,
        "the leaf at \(path) has \"\(other.name)\" beside \".value\"; a location has a value or "
          + "children; leave one out")
    }
    for member in members {
      if member.name.utf8.first == UInt8(ascii: "."), !Self.known.contains(member.name) {
        record(
          .value,
          "\"\(member.name)\" at \(path) is no key; keys have no dot, and what begins with "
            + "one is .priority, .value or .sv")
        continue
      }
      if member.name.utf8.first != UInt8(ascii: ".") {
        judgeValue(member.value, at: path.appending(Key(member.name)))
      }
    }
  }
}
