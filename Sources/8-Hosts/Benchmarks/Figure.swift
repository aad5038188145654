/// One thing that `kennel bench` measures.
package struct Figure: Sendable {
  /// The name by which it can be asked for.
  package let name: String
  package let remark: String
  /// What it should come to, if anybody said.
  package var target: Target?
  package let measure: @Sendable (_ rounds: Int) -> Double?
  /// How a measured number reads, for example `58.1 ns a step`.
  package let text: @Sendable (Double) -> String

  package enum Target: Sendable {
    case atMost(Double)
    case atLeast(Double)

    package func isReached(by value: Double) -> Bool {
      switch self {
      case let .atMost(limit): value <= limit
      case let .atLeast(limit): value >= limit
      }
    }
  }

  package init(
    _ name: String, _ remark: String, target: Target? = nil,
    text: @escaping @Sendable (Double) -> String,
    measure: @escaping @Sendable (_ rounds: Int) -> Double?
  ) {
    self.name = name
    self.remark = remark
    self.target = target
    self.text = text
    self.measure = measure
  }

  /// `<= 60 ns a step`; nothing without a target.
  package var targetText: String {
    switch target {
    case nil: ""
    case let .atMost(limit)?: "<= \(text(limit))"
    case let .atLeast(limit)?: ">= \(text(limit))"
    }
  }

  /// Whether the target is reached, in words; nothing without a target.
  package func verdict(on value: Double?) -> String {
    guard let target, let value else { return "" }
    return target.isReached(by: value) ? "reached: \(targetText)" : "missed: \(targetText)"
  }
}
