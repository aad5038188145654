public import Tree

/// What a transaction does with the value it finds. It is data, so that every language can run it.
public enum TransactionFunction: Hashable, Sendable {
  /// The number that is there plus this one; this one where there is no number.
  case increment(Double)
  case set(JSON)
  /// Sets where there is nothing, else aborts.
  case setIfNull(JSON)
  /// Sets the named children and leaves the others.
  case merge(JSON)
  case abort
  /// Breaks down: what an exception is in languages that have them (TXN-25).
  case fail
  /// Sets where there is nothing, else breaks down.
  case setIfNullOrFail(JSON)

  /// How a run of the function ends.
  public enum Result: Hashable, Sendable {
    case returned(JSON)
    case aborted
    case failed
  }

  /// What the function does with `input`.
  ///
  /// The input is the value as applications see it: no priorities, lists where keys look like
  /// indexes.
  public func callAsFunction(_ input: JSON) -> Result {
    switch self {
    case let .increment(delta): .returned(.number((input.number ?? 0) + delta))
    case let .set(value): .returned(value)
    case let .setIfNull(value): input == .null ? .returned(value) : .aborted
    case let .merge(changes): .returned(Self.merged(input, with: changes))
    case .abort: .aborted
    case .fail: .failed
    case let .setIfNullOrFail(value): input == .null ? .returned(value) : .failed
    }
  }

  private static func merged(_ input: JSON, with changes: JSON) -> JSON {
    var members = input.members ?? []
    for (index, element) in (input.elements ?? []).enumerated() where element != .null {
      members.append(.init(String(index), element))
    }
    for change in changes.members ?? [] {
      members.removeAll { Text($0.name) == Text(change.name) }
      members.append(change)
    }
    return .object(members)
  }
}

extension TransactionFunction {
  /// The function as scenarios, recordings and the adapter protocol write it, `{"increment": 1}`.
  public var json: JSON {
    switch self {
    case let .increment(delta): ["increment": .number(delta)]
    case let .set(value): ["set": value]
    case let .setIfNull(value): ["setIfNull": value]
    case let .merge(changes): ["merge": changes]
    case .abort: ["abort": true]
    case .fail: ["fail": true]
    case let .setIfNullOrFail(value): ["setIfNullOrFail": value]
    }
  }
}
