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
  /// Returns what it was given.
  case keep
  /// Changes the data that it was given, and then aborts.
  case setThenAbort(JSON)

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
    case .keep: .returned(input)
    case .setThenAbort: .aborted
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
  /// The functions by name, as scenarios, recordings and the adapter protocol write them. The order is
  /// that of their numbers in trace hashes.
  public enum Kind: String, CaseIterable, Sendable {
    case increment, set, setIfNull, merge, abort, fail, setIfNullOrFail, keep, setThenAbort

    /// What the argument is.
    public enum Argument: Sendable {
      /// A number, a value, or a mapping from children to values.
      case number, value, children
      /// None; `true` is written in its place.
      case none
    }

    /// What the argument of this function is.
    public var argument: Argument {
      switch self {
      case .increment: .number
      case .set, .setIfNull, .setIfNullOrFail, .setThenAbort: .value
      case .merge: .children
      case .abort, .fail, .keep: .none
      }
    }
  }

  /// Makes a function of its name and its argument, which is ignored where there is none; a number
  /// that is missing is 1.
  public init(_ kind: Kind, _ argument: JSON) {
    switch kind {
    case .increment: self = .increment(argument.number ?? 1)
    case .set: self = .set(argument)
    case .setIfNull: self = .setIfNull(argument)
    case .merge: self = .merge(argument)
    case .abort: self = .abort
    case .fail: self = .fail
    case .setIfNullOrFail: self = .setIfNullOrFail(argument)
    case .keep: self = .keep
    case .setThenAbort: self = .setThenAbort(argument)
    }
  }

  /// Its name.
  public var kind: Kind {
    switch self {
    case .increment: .increment
    case .set: .set
    case .setIfNull: .setIfNull
    case .merge: .merge
    case .abort: .abort
    case .fail: .fail
    case .setIfNullOrFail: .setIfNullOrFail
    case .keep: .keep
    case .setThenAbort: .setThenAbort
    }
  }

  /// Its argument; `true` where it has none.
  public var argument: JSON {
    switch self {
    case let .increment(delta): .number(delta)
    case let .set(value), let .setIfNull(value), let .merge(value), let .setIfNullOrFail(value),
      let .setThenAbort(value):
      value
    case .abort, .fail, .keep: true
    }
  }

  /// The same function with other values in its argument; numbers to be added stay.
  public func mapValues<E>(_ transform: (JSON) throws(E) -> JSON) throws(E) -> TransactionFunction {
    switch kind.argument {
    case .value, .children: TransactionFunction(kind, try transform(argument))
    case .number, .none: self
    }
  }

  /// The function as scenarios, recordings and the adapter protocol write it, `{"increment": 1}`.
  public var json: JSON { .object([.init(kind.rawValue, argument)]) }
}

extension TransactionFunction.Kind {
  /// How the function is written, and what it does, in Markdown.
  package var explanation: (example: String, effect: String) {
    switch self {
    case .increment: ("{increment: 1}", "adds to the number that is there, or to zero")
    case .set: ("{set: V}", "writes V")
    case .setIfNull: ("{setIfNull: V}", "writes V where there is nothing, else aborts")
    case .merge: ("{merge: {…}}", "writes the named children and keeps the others")
    case .abort: ("{abort: true}", "aborts")
    case .fail: ("{fail: true}", "breaks down, as an exception does")
    case .setIfNullOrFail:
      ("{setIfNullOrFail: V}", "writes V where there is nothing, else breaks down")
    case .keep: ("{keep: true}", "returns what it was given")
    case .setThenAbort:
      ("{setThenAbort: V}", "changes the data that it was given to V, and then aborts")
    }
  }
}

extension TransactionFunction {
  /// What the function does with the value that it is given.
  package var words: String {
    switch self {
    case let .increment(delta): "adds \(canonicalText(of: delta))"
    case let .set(value): "returns \(value.text)"
    case let .setIfNull(value): "returns \(value.text) if nothing is there, and else aborts"
    case let .merge(changes): "sets the children \(changes.text)"
    case .abort: "aborts"
    case .fail: "throws"
    case let .setIfNullOrFail(value): "returns \(value.text) if nothing is there, and else throws"
    case .keep: "returns what it was given"
    case .setThenAbort: "changes what it was given, and aborts"
    }
  }
}
