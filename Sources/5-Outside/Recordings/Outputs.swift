internal import ClientInterface
internal import Tree

/// What a client did in a group, as far as it is compared.
struct Outputs: Hashable {
  /// What the application heard, in order.
  var heard: [JSON]
  /// The requests, in order, without their numbers.
  var sent: [JSON]

  init(_ outputs: [JSON]) {
    heard = outputs.filter(\.isObservation).map(\.normalized)
    sent = outputs.compactMap(\.requestOutline)
  }

  init(heard: [JSON], sent: [JSON]) {
    self.heard = heard
    self.sent = sent
  }

  var isEmpty: Bool { heard.isEmpty && sent.isEmpty }

  /// Requests first: what was heard is the effect of an input, as they are, and their order relative
  /// to each other is left open.
  var all: [JSON] { sent.map { ["send": $0] } + heard }

  /// The outputs that concern none of `subjects`.
  func without(_ subjects: Set<Subject>) -> Outputs {
    Outputs(
      heard: heard.filter { !subjects.contains(Subject(heard: $0)) },
      sent: sent.filter { !subjects.contains(Subject(sent: $0)) })
  }
}

/// Whom an output concerns.
enum Subject: Hashable {
  case listener(String)
  case call(String)
  case request(Path)

  init(heard output: JSON) {
    let body = output.members?.first?.value ?? .null
    if let listener = body["listener"]?.string {
      self = .listener(listener)
    } else {
      self = .call(body["call"]?.string ?? "")
    }
  }

  init(sent request: JSON) {
    self = .request(Path(request["b"]?["p"]?.string ?? ""))
  }
}

extension JSON {
  /// What an application hears.
  fileprivate var isObservation: Bool {
    let verbs = ["event", "cancelled", "completed", "updateRan", "threw"]
    return members?.first.map { verbs.contains($0.name) } ?? false
  }

  /// Error codes in the kit's lower case.
  fileprivate var normalized: JSON {
    guard let member = members?.first, let body = member.value.members,
      ["cancelled", "completed"].contains(member.name)
    else { return self }
    let lowered = body.map { field in
      guard field.name == "error", let text = field.value.string else { return field }
      return Member("error", .string(ErrorCode(text).name))
    }
    return .object([Member(member.name, .object(lowered))])
  }

  /// A request without its number; `nil` for everything else and for usage counters.
  fileprivate var requestOutline: JSON? {
    guard let message = self["send"], message["t"] == "d", let request = message["d"],
      request["a"] != "s"
    else { return nil }
    return .object([
      Member("a", request["a"] ?? .null), Member("b", request["b"] ?? .null),
    ])
  }
}
