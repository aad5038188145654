package import Conformance
internal import Document
package import Tree

extension Divergence {
  /// The divergence as reports for programs have it. Names of members never change and always come
  /// in the same order; members may be added.
  package var json: JSON {
    var members: [JSON.Member] = [
      .init("kind", .string(kind.name)),
      .init("sentence", .string(sentence)),
      .init("subject", .string(subject.text)),
      .init("step", .number(Double(step))),
      .init("file", .string(file)),
      .init("line", .number(Double(position.line))),
      .init("column", .number(Double(position.column))),
      .init("rules", .array(rules.map { .string($0) })),
      .init("weight", .string(weight.rawValue)),
      .init("event", evidence.map { .number(Double($0)) } ?? .null),
      .init("rows", .array(rows.map(row))),
    ]
    if !stack.isEmpty { members.append(.init("stack", .array(stack.map { .string($0) }))) }
    return .object(members)
  }

  private func row(_ row: Row) -> JSON {
    let names = EventText(path: subject.path)
    let (side, number, entry) =
      switch row {
      case let .same(number, entry): ("same", number, entry)
      case let .expected(number, entry): ("expected", number, entry)
      case let .observed(number, entry): ("observed", number, entry)
      }
    return [
      "side": .string(side), "number": .number(Double(number)),
      "text": .string(names.text(entry)),
    ]
  }
}
