internal import ClientInterface
internal import Tree

/// Answers for what an application looks at without the server.
///
/// Each kind of subject is a value of its own that knows its answers; no question changes
/// anything.
extension ReferenceClient {
  mutating func inspect(_ inspection: Inspection, as call: CallID) {
    do {
      outputs.append(.answered(call, try answer(to: inspection)))
    } catch {
      outputs.append(.threw(call, error.code))
    }
  }

  private func answer(to inspection: Inspection) throws(Refusal) -> JSON {
    let (part, question) = (inspection.part, inspection.question)
    if part.problem != nil { throw Refusal(code: "invalid_path") }
    switch inspection.subject {
    case let .reference(path):
      return try reference(to: path.appending(part)).answer(question, inspection.argument)
    case let .address(text):
      guard let address = Address(text), address.host == host else {
        throw Refusal(code: "invalid_url")
      }
      return try reference(to: address.path.appending(part)).answer(question, inspection.argument)
    case let .snapshot(listener, nth):
      guard let snapshot = snapshots[listener]?.snapshot(nth)?.child(at: part) else {
        throw .noSnapshot
      }
      return try snapshot.answer(question, inspection.argument, profile.arrays)
    case let .completion(call):
      guard let completion = completions.last(where: { $0.call == call }) else {
        throw .noSnapshot
      }
      return try completion.answer(inspection, profile.arrays)
    case let .mutableData(value, changes):
      let data = try MutableData(value, changes)
      return try data.child(at: part).answer(question, inspection.argument, profile.arrays)
    case let .query(path, steps):
      return try QueryBuilder(at: path, steps).answer(question, inspection.argument)
    }
  }

  private func reference(to path: Path) throws(Refusal) -> Reference {
    if path.problem != nil { throw Refusal(code: "invalid_path") }
    return Reference(path: path, host: host, rootParent: profile.rootParent)
  }
}

extension Refusal {
  /// The client does not know the question.
  static let unknownQuestion = Refusal(code: "not_supported")
  /// Nothing was handed to the application.
  static let noSnapshot = Refusal(code: "no_snapshot")
}

extension JSON {
  /// The relative path that a question names; refused where no place can have it.
  var namedPath: Path {
    get throws(Refusal) {
      guard let text = string else { throw Refusal(code: "invalid_path") }
      let path = Path(text)
      if path.problem != nil { throw Refusal(code: "invalid_path") }
      return path
    }
  }
}
