internal import ClientInterface
public import Tree

// Keys that a scenario cannot know, such as those of pushes: a `$bind` of an expectation names one,
// and `$ref(NAME)` stands for it in the paths of later calls.

extension Key {
  /// The name in `$ref(NAME)`; `nil` for other keys. No key of the database contains a `$` (KEY-1).
  public var referredName: String? {
    guard string.hasPrefix("$ref("), string.hasSuffix(")") else { return nil }
    return String(string.dropFirst(5).dropLast())
  }
}

extension Action.Call {
  /// The call with the keys that have been named in place of `$ref(NAME)` in its paths. A name without
  /// a key stays.
  public func resolved(by bindings: Bindings) -> Action.Call {
    if bindings.values.isEmpty { return self }
    var call = self
    call.operation = operation.mapArguments { given in
      given.path = given.path?.resolved(by: bindings)
      switch given.inspection?.subject {
      case let .reference(path)?:
        given.inspection?.subject = .reference(path.resolved(by: bindings))
      case let .query(path, steps)?:
        given.inspection?.subject = .query(path.resolved(by: bindings), steps: steps)
      case .address?, .snapshot?, .completion?, .mutableData?, nil: break
      }
    }
    return call
  }
}

extension Path {
  fileprivate func resolved(by bindings: Bindings) -> Path {
    guard keys.contains(where: { $0.referredName != nil }) else { return self }
    return Path(
      keys.map { key in
        guard let name = key.referredName, case let .string(text)? = bindings.values[name]?.scalar
        else { return key }
        return Key(text.string)
      })
  }
}
