internal import ClientInterface
internal import Tree

/// What a client did in a group, as far as it is compared.
struct Outputs: Hashable {
  /// What the application received, in order.
  var received: [JSON]
  /// The requests, in order, without their numbers.
  var sent: [JSON]

  init(_ outputs: [JSON]) {
    received = outputs.filter(\.isObservation).map(\.normalized)
    sent = outputs.compactMap(\.requestOutline)
  }

  init(received: [JSON], sent: [JSON]) {
    self.received = received
    self.sent = sent
  }

  var isEmpty: Bool { received.isEmpty && sent.isEmpty }

  /// Requests first: what was received is the effect of an input, as they are, and their order
  /// relative to each other is left open.
  var all: [JSON] { sent.map { ["send": $0] } + received }

  /// The outputs that concern none of `subjects`.
  func without(_ subjects: Set<OutputSubject>) -> Outputs {
    Outputs(
      received: received.filter { !subjects.contains(OutputSubject(received: $0)) },
      sent: sent.filter { !subjects.contains(OutputSubject(sent: $0)) })
  }
}

/// Whom an output concerns.
enum OutputSubject: Hashable {
  case listener(String)
  case call(String)
  case request(Path)

  init(received output: JSON) {
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
  /// What an application receives.
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
