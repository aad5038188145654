import Document
import Scenario

extension Reading {
  /// `[{invariant: INV-3, because: TEXT}]`, each invariant once. An exception without a reason is
  /// none: it would be unknown later whether it is still needed.
  mutating func readExceptions(_ node: DocumentNode) -> [Scenario.Exception] {
    var exceptions: [Scenario.Exception] = []
    for element in list(node, "without", of: "{invariant, because}") {
      guard let exception = exception(element) else { continue }
      if exceptions.contains(where: { $0.invariant == exception.invariant }) {
        report(
          exception.position,
          "\(exception.invariant.id) occurs twice in without; expected it once")
      } else {
        exceptions.append(exception)
      }
    }
    return exceptions
  }

  private mutating func exception(_ node: DocumentNode) -> Scenario.Exception? {
    let keys = ["invariant", "because"]
    let what = "an element of without"
    guard let fields = fields(of: node, what, keys: keys, required: keys) else { return nil }
    let reason = fields["because"].flatMap { string($0, "because") }
    if let node = fields["because"], reason?.isEmpty == true {
      report(node.position, "because is empty; expected the reason for the exception")
    }
    guard let node = fields["invariant"], let id = string(node, "invariant") else { return nil }
    guard let invariant = Invariant.all.first(where: { $0.id == id }) else {
      report(
        node.position,
        "unknown invariant \(quoted(id)); expected one from INV-1 to "
          + (Invariant.all.last?.id ?? "INV-1")
          + hint(for: id, among: Invariant.all.map(\.id)))
      return nil
    }
    return Scenario.Exception(invariant, because: reason ?? "", position: node.position)
  }
}
