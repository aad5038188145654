public import ClientInterface
public import Wire

/// What an armed fault waits for. It fires once.
public enum Trigger: Hashable, Sendable {
  /// An interval from the arming.
  case after(Interval)
  /// So many messages delivered, from the arming, to and from a client or one of the two.
  case count(Int, ClientIndex, FaultDirection)
  /// The `nth` such message since the arming, counted from 1; of any client if none is named.
  case message(Frame, of: ClientIndex?, nth: Int = 1, Edge)

  /// A kind of message.
  public enum Frame: Hashable, Sendable {
    /// From a client: a request; any if no action is named.
    case request(Request.Action?)
    case ping
    /// From the server: the answer to a request with this action, or any.
    ///
    /// The action is known of requests that arrived while a fault was armed.
    case answer(Request.Action?)
    /// The answer ok to a put or a merge.
    case acknowledgement
    /// A put or a merge.
    case data
    case hello
    case revoked
    case credentialRevoked
    case shutdown
    case reset
    case pong
  }

  /// On which side of the delivery.
  public enum Edge: String, CaseIterable, Hashable, Sendable {
    /// The message has not arrived yet, and will not if the fault breaks its connection.
    case before
    /// The message has arrived and everything that it caused at once has happened.
    case after
  }
}

/// A fault that waits for its trigger.
package struct ArmedFault: Sendable {
  /// The position of its mark.
  package let mark: Int
  package let trigger: Trigger
  /// Whether not the fault itself is to happen, but its second part: the connection drops.
  package private(set) var isSecondPart = false
  /// When it happens; `nil` when it does not wait for a time.
  package internal(set) var due: Interval?
  /// How many more matching messages it waits for.
  var left: Int
  /// The sending of the message that was counted last: one that is stalled comes twice.
  private var lastCounted: Int?

  /// One that waits from now on.
  package init(mark: Int, trigger: Trigger, isSecondPart: Bool = false) {
    self.mark = mark
    self.trigger = trigger
    self.isSecondPart = isSecondPart
    left =
      switch trigger {
      case .after: 0
      case let .count(count, _, _): count
      case let .message(_, _, nth, _): nth
      }
  }

  /// Counts a message that passes.
  ///
  /// - Returns: Whether it is the one that was waited for.
  package mutating func counts(_ messageDelivery: MessageDelivery, _ edge: Trigger.Edge) -> Bool {
    guard lastCounted != messageDelivery.cause, isMatched(by: messageDelivery, edge) else {
      return false
    }
    lastCounted = messageDelivery.cause
    left -= 1
    return left <= 0
  }

  private func isMatched(by messageDelivery: MessageDelivery, _ edge: Trigger.Edge) -> Bool {
    switch trigger {
    case .after: false
    case let .count(_, client, flow):
      edge == .after && client == messageDelivery.client && flow.includes(messageDelivery.message)
    case let .message(frame, client, _, wanted):
      edge == wanted && client ?? messageDelivery.client == messageDelivery.client
        && frame.matches(messageDelivery)
    }
  }
}

extension [ArmedFault] {
  /// Takes out the faults that a message which passes sets off, in the order of their arming.
  package mutating func take(
    at messageDelivery: MessageDelivery, _ edge: Trigger.Edge
  ) -> [ArmedFault] {
    var matched: [ArmedFault] = []
    for index in indices where self[index].counts(messageDelivery, edge) {
      matched.append(self[index])
    }
    if matched.isEmpty { return [] }
    removeAll { element in matched.contains { $0.mark == element.mark } }
    return matched
  }
}

/// A message that is being delivered.
package struct MessageDelivery: Sendable {
  /// The message, by its direction.
  package enum Message: Sendable {
    case toServer(ClientMessage)
    case toClient(ServerMessage)
  }

  /// Whose connection it passes.
  package let client: ClientIndex
  package let message: Message
  /// What sent it: a number that no other message has, and that this one keeps while it waits.
  package let cause: Int
  /// The action of the request that is answered, as far as it is known.
  package let answered: Request.Action?

  /// A message that arrives now.
  package init(client: ClientIndex, message: Message, cause: Int, answered: Request.Action?) {
    self.client = client
    self.message = message
    self.cause = cause
    self.answered = answered
  }
}

extension FaultDirection {
  fileprivate func includes(_ message: MessageDelivery.Message) -> Bool {
    switch (self, message) {
    case (.both, _), (.toServer, .toServer), (.toClient, .toClient): true
    case (.toServer, .toClient), (.toClient, .toServer): false
    }
  }
}

extension Trigger.Frame {
  fileprivate func matches(_ messageDelivery: MessageDelivery) -> Bool {
    switch messageDelivery.message {
    case let .toServer(.request(_, request)):
      if case let .request(action) = self {
        action ?? request.action == request.action
      } else {
        false
      }
    case .toServer(.ping): self == .ping
    case let .toClient(.response(response)):
      matches(response, answering: messageDelivery.answered)
    case let .toClient(message): self == message.frame
    }
  }

  private func matches(
    _ response: ServerMessage.Response, answering action: Request.Action?
  ) -> Bool {
    switch self {
    case .answer(nil): true
    case let .answer(wanted?): wanted == action
    case .acknowledgement: response.status == "ok" && (action == .put || action == .merge)
    case .request, .ping, .data, .hello, .revoked, .credentialRevoked, .shutdown, .reset, .pong:
      false
    }
  }
}

extension ServerMessage {
  /// The kind of a message that is no answer; `nil` for one that no trigger names.
  fileprivate var frame: Trigger.Frame? {
    switch self {
    case .hello: .hello
    case .put, .merge: .data
    case .revoked: .revoked
    case .credentialRevoked: .credentialRevoked
    case .shutdown: .shutdown
    case .reset: .reset
    case .pong: .pong
    case .response, .notice, .other: nil
    }
  }
}
