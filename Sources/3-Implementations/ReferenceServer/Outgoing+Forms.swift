internal import Tree
public import Wire

extension ReferenceServer.Outgoing {
  /// What a message conveys, where it can be worded in several forms.
  enum Content: Hashable, Sendable {
    /// A change of what a listen covers.
    case change(Change)
    /// The data of a listen that begins; whether the client has said by its hash that it has them.
    case beginning(isKnown: Bool)
  }

  /// What became of everything that one listen covers.
  struct Change: Hashable, Sendable {
    let path: Path
    let tag: Int?
    let before: Node
    let after: Node
  }

  /// Whether there are several forms.
  public var hasForms: Bool { content != nil }

  /// The messages that convey it in this form, in the order in which they are sent.
  public func messages(as form: WireForm) -> [ServerMessage] {
    switch content {
    case nil: [message]
    case let .change(change): change.messages(as: form, asWritten: message)
    case let .beginning(isKnown):
      switch form {
      case .asWritten: isKnown ? [] : [message]
      case .whole: [message]
      case .twice: isKnown ? [] : [message, message]
      case .children, .child, .deep, .deepest, .reversed:
        isKnown && !message.removes ? [] : [message]
      }
    }
  }
}

extension ReferenceServer.Outgoing.Change {
  fileprivate func messages(
    as form: WireForm, asWritten message: ServerMessage
  ) -> [ServerMessage] {
    switch form {
    case .asWritten: return [message]
    case .twice: return [message, message]
    case .whole: return [.put(path, after, tag: tag)]
    case .reversed:
      guard case let .merge(path, parts, tag) = message else { return [message] }
      return [.merge(path, parts.reversed(), tag: tag)]
    case .children, .child, .deep, .deepest: break
    }
    let parts = parts(as: form)
    guard let first = parts.first else { return [message] }
    if parts.count == 1, form == .child || form == .deepest {
      return [.put(path.appending(first.path), first.node, tag: tag)]
    }
    guard form == .deepest else { return [.merge(path, parts, tag: tag)] }
    let common = parts.dropFirst().reduce(first.path) { $0.commonAncestor(with: $1.path) }
    let below = parts.map { Assignment($0.path.dropFirst(common.count), $0.node) }
    return [.merge(path.appending(common), below, tag: tag)]
  }

  /// The differences as parts of a merge; none where only a put can convey them.
  private func parts(as form: WireForm) -> [Assignment] {
    guard before.canBeMerged(into: after, mustStay: false) else { return [] }
    let isDeep = form == .deep || form == .deepest
    return Self.differences(
      from: before, to: after, isDeep: isDeep, mustStay: before.priority != nil)
  }

  private static func differences(
    from old: Node, to new: Node, isDeep: Bool, mustStay: Bool
  ) -> [Assignment] {
    new.children.differences(from: old.children).flatMap { difference -> [Assignment] in
      let key = Path([difference.key])
      guard isDeep, !difference.old.isEmpty, !difference.new.isEmpty,
        difference.old.canBeMerged(into: difference.new, mustStay: mustStay)
      else { return [Assignment(key, difference.new)] }
      return differences(
        from: difference.old, to: difference.new, isDeep: true,
        mustStay: mustStay || difference.old.priority != nil
      ).map { Assignment(key.appending($0.path), $0.node) }
    }
  }
}

extension ServerMessage {
  /// Whether it says that nothing is there.
  fileprivate var removes: Bool {
    if case let .put(_, node, _) = self { node.isEmpty } else { false }
  }
}

extension Node {
  /// Whether the way from this node to the other one is a change of children.
  ///
  /// A priority goes with the last child (VAL-4), so that one must stay throughout: of this node,
  /// and of each above that has a priority (`mustStay`). A client that does the parts one after the
  /// other then gets the same (PRI-16).
  fileprivate func canBeMerged(into other: Node, mustStay: Bool) -> Bool {
    !isScalar && !other.isScalar && priority == other.priority
      && (priority == nil && !mustStay || other.children.contains { !children[$0.key].isEmpty })
  }
}

extension ReferenceServer {
  /// Whether what is sent may be worded in several forms. A server with a defect has its own.
  var hasForms: Bool { offersForms && defect == nil }
}
