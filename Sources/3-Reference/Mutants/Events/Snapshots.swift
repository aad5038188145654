internal import ClientInterface
internal import Interception
internal import Tree

// What is handed over with an event.

extension Mutant {
  static let snapshotMutants = [
    Mutant(
      "snapshot-lacks-a-child", "The children of a snapshot are all but the last of many.",
      from: "H11", violating: "MUT-10 SNP-16"
    ) { step in
      step.answers { question, answer in
        guard question == "children", let elements = answer.elements, elements.count > 2 else {
          return answer
        }
        return .array(Array(elements.dropLast()))
      }
    },
    Mutant(
      "children-counted-deeply", "The number of children counts what is below them as well.",
      from: "H11", violating: "SNP-4"
    ) { step in
      guard case let .inspect(inspection)? = step.operation,
        case let .snapshot(listener, _) = inspection.subject,
        inspection.question == "childrenCount",
        let value = step.before.listeners[listener]?.value
      else { return step.outputs }
      return step.answers { _, _ in .number(Double(value[inspection.part].leaves)) }
    },
    Mutant(
      "lists-of-the-first-edition",
      "A mapping reads as a list by the rule of the first edition.", from: "R73",
      violating: "SNP-7",
      in: [.wilddog2, .firebase], reading: { $0.arrays = .moreThanHalf }),
    Mutant(
      "lists-of-the-second-edition",
      "A mapping reads as a list by the rule of later editions.", from: "R73", violating: "SNP-6",
      in: [.wilddog1],
      reading: { $0.arrays = .belowTwiceTheCount }),
    Mutant(
      "numbers-in-single-precision", "Numbers are sent with the precision of 32 bits.",
      from: "R72", violating: "VAL-6"
    ) { input, _ in
      guard case let .call(call, .set(path, node)) = input else { return [input] }
      return [.call(call, .set(path, node.mappingScalars(\.shortened)))]
    },
  ]
}

extension InterceptedStep {
  fileprivate func answers(_ change: (String, JSON) -> JSON) -> [ClientOutput] {
    guard case let .inspect(inspection)? = operation else { return outputs }
    return outputs.map { output in
      guard case let .answered(call, answer) = output else { return output }
      return .answered(call, change(inspection.question, answer))
    }
  }
}

extension Node {
  /// The same with every value below replaced.
  func mappingScalars(_ change: (Scalar) -> Scalar) -> Node {
    if let scalar { return Node(change(scalar), priority: priority) }
    if isEmpty { return self }
    return Node(
      Children(children.map { ($0.key, $0.node.mappingScalars(change)) }), priority: priority)
  }
}

extension Node {
  fileprivate var leaves: Int {
    isScalar ? 1 : children.reduce(0) { $0 + $1.node.leaves }
  }
}

extension Scalar {
  fileprivate var shortened: Scalar {
    if case let .number(number) = self { .number(Double(Float(number))) } else { self }
  }
}
