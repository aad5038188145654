internal import Text
internal import Tree
internal import Wire

/// Judges what one message consists of, as strictly as Specs/wire-messages.md shows it, and goes on
/// after a mistake.
struct MessageShape {
  let sender: WireError.Sender
  let dialect: Dialect
  private(set) var findings: [WireFinding] = []
  /// The message, or the request in it: what findings quote.
  var piece: JSON = .null

  init(_ sender: WireError.Sender, _ dialect: Dialect) {
    self.sender = sender
    self.dialect = dialect
  }

  /// What is wrong with a message.
  static func findings(
    in message: JSON, by sender: WireError.Sender, _ dialect: Dialect
  ) -> [WireFinding] {
    var shape = MessageShape(sender, dialect)
    shape.judge(message)
    return shape.findings
  }

  mutating func record(_ check: WireCheck, rule: String? = nil, _ text: String) {
    findings.append(
      WireFinding(check, by: sender, rule: rule, "\(text); found in \(Self.quoted(piece))"))
  }

  /// A piece of a message on one line, and not too long.
  static func quoted(_ json: JSON) -> String { quoted(json.text) }

  static func quoted(_ text: String) -> String {
    let limit = 120
    let rest = text.unicodeScalars.count - limit
    let shown = Truncation.end(of: text, toScalars: limit, mark: "… (\(rest) characters more)")
    return shown.replacingScalars { $0.isControl ? "\u{FFFD}" : nil }
  }

  private mutating func judge(_ message: JSON) {
    piece = message
    let envelope: [Member] = [
      .required("t", .text, "\"c\" for the connection or \"d\" for data"),
      .required("d", .mapping, "the content"),
    ]
    guard judge(message, envelope, "the message"), let content = message["d"] else { return }
    switch (message["t"]?.string, sender) {
    case ("c", _): judgeControl(content)
    case ("d", .client): judgeRequest(content)
    case ("d", .server): judgeData(content)
    case let (kind, _):
      record(
        .shape,
        "\"t\" of the message is \"\(kind ?? "")\"; expected \"c\" for the connection or "
          + "\"d\" for data")
    }
  }

  /// Judges the members of a mapping.
  ///
  /// - Returns: Whether all that are needed are there and of their kinds.
  @discardableResult
  mutating func judge(_ json: JSON, _ members: [Member], _ subject: String) -> Bool {
    guard let found = json.members else {
      record(.shape, "\(subject) is \(json.kind); expected a mapping")
      return false
    }
    var isWhole = true
    for member in members {
      guard let value = json[member.name] else {
        if member.isRequired {
          record(.shape, "\(subject) has no \"\(member.name)\"; add it: \(member.meaning)")
          isWhole = false
        }
        continue
      }
      isWhole = judge(value, member, subject) && isWhole
    }
    for other in found where !members.contains(where: { Text($0.name) == Text(other.name) }) {
      judgeUnknown(other, subject)
    }
    return isWhole
  }

  private mutating func judge(_ value: JSON, _ member: Member, _ subject: String) -> Bool {
    if value == .null, !member.isRequired, member.kind != .any, member.kind != .bound {
      record(
        .spelling, "\"\(member.name)\" of \(subject) is null; leave it out where it is not needed")
      return false
    }
    if let expected = member.expectation(of: value) {
      record(
        .shape,
        "\"\(member.name)\" of \(subject) is \(Self.quoted(value)); expected \(expected), "
          + member.meaning)
      return false
    }
    if case .path = member.kind, let text = value.string { judgePath(text, member, subject) }
    return true
  }

  private mutating func judgeUnknown(_ member: JSON.Member, _ subject: String) {
    if member.name == "h", sender == .client, Self.hashless.contains(subject) {
      return record(
        .hashAllowed,
        "\(subject) has a hash; only the puts of transactions have one; leave \"h\" out")
    }
    record(
      .unknown,
      "\(subject) has a member \"\(member.name)\", which it is not known to have; it "
        + "changes nothing")
  }

  /// What could be taken for a put with a condition, and is none.
  private static let hashless: Set<String> = [
    "request \"o\"", "request \"om\"", "request \"oc\"", "request \"n\"", "request \"g\"",
  ]

  /// Judges how a location is written; whether it can be is judged where it is used.
  private mutating func judgePath(_ text: String, _ member: Member, _ subject: String) {
    let bytes = Array(text.utf8)
    let slash = UInt8(ascii: "/")
    let isRooted = bytes.first == slash
    if sender == .client, !isRooted {
      record(
        .spelling,
        "\"\(member.name)\" of \(subject) is \"\(text)\"; a client writes a slash first, "
          + "and / for the root")
    } else if sender == .server, isRooted {
      record(
        .spelling,
        "\"\(member.name)\" of \(subject) is \"\(text)\"; a server writes no slash first, "
          + "and nothing for the root")
    }
    let inner = isRooted ? bytes.dropFirst() : bytes[...]
    let hasEmptyKey = zip(inner, inner.dropFirst()).contains { $0 == slash && $1 == slash }
    if hasEmptyKey || inner.last == slash || inner.first == slash {
      record(
        .spelling,
        "\"\(member.name)\" of \(subject) is \"\(text)\"; write one slash between keys and "
          + "none at the end")
    }
  }
}

extension Member.Kind: Equatable {}
