internal import ClientInterface
internal import Tree

extension Scalar {
  fileprivate var isNumber: Bool {
    if case .number = self { true } else { false }
  }
}

extension CallInference {
  /// A function that makes of each value what was made of it; one that just sets, if none is found.
  ///
  /// Where several clients contend for a number, each of them adds to it: values that are just set
  /// would depend on an order that a run need not have. SDKs send several transactions as one, so the
  /// last attempt counts.
  static func function(
    _ samples: [(base: Node?, made: Node)], isContended: Bool
  ) -> TransactionFunction {
    guard let first = samples.first, let last = samples.last else { return .abort }
    let made = first.made.json
    let isConstant = samples.allSatisfy { $0.made == first.made }
    if isConstant, samples.count > 1 { return .set(made) }
    if isContended, last.base.map({ $0.isEmpty || $0.scalar?.isNumber == true }) == true,
      let delta = delta(last)
    {
      return .increment(delta)
    }
    if isConstant { return .set(made) }
    if let delta = delta(first) {
      let isOne = samples.allSatisfy { sample in
        self.delta(sample).map { abs($0 - delta) < 1e-9 } ?? false
      }
      if isOne { return .increment(delta) }
    }
    let changes = changes(first)
    if let changes, samples.allSatisfy({ self.changes($0) == changes }) { return .merge(changes) }
    return .set(samples.last?.made.json ?? made)
  }

  private static func delta(_ sample: (base: Node?, made: Node)) -> Double? {
    guard case let .number(made)? = sample.made.scalar, let base = sample.base else { return nil }
    if case let .number(number)? = base.scalar { return made - number }
    return made
  }

  /// The children that were given another value.
  private static func changes(_ sample: (base: Node?, made: Node)) -> JSON? {
    guard let base = sample.base, !sample.made.isScalar else { return nil }
    let differences = sample.made.children.differences(from: base.children)
    return .object(differences.map { JSON.Member($0.key.string, $0.new.json) })
  }
}
