internal import ClientInterface
internal import Scenario
internal import Tree

extension Relocation {
  /// - Throws: `UnsupportedReason` for questions whose answers depend on where the root is.
  func inspection(_ inspection: Inspection) throws(UnsupportedReason) -> Inspection {
    try check(inspection)
    var moved = inspection
    moved.part = try relative(inspection.part)
    moved.argument = try argument(of: inspection)
    switch inspection.subject {
    case let .reference(original): moved.subject = .reference(try path(original))
    case .address, .snapshot, .completion: break
    case let .mutableData(value, changes):
      moved.subject = .mutableData(renaming(value), changes: try changes.map(change))
    case let .query(original, steps):
      moved.subject = .query(try path(original), steps: try steps.map(condition))
    }
    return moved
  }

  private func check(_ inspection: Inspection) throws(UnsupportedReason) {
    if case .address = inspection.subject {
      throw UnsupportedReason("an absolute address is inspected")
    }
    if ["url", "description"].contains(inspection.question) {
      throw UnsupportedReason("an inspection asks for an absolute address")
    }
    guard movesRoot, ["key", "parent"].contains(inspection.question) else { return }
    if case .mutableData = inspection.subject { return }
    if inspection.subject.name != nil { return }
    if case let .reference(path) = inspection.subject,
      !path.isRoot || !inspection.part.isRoot
    {
      return
    }
    throw UnsupportedReason("an inspection asks what the root is called or what is above it")
  }

  private func argument(of inspection: Inspection) throws(UnsupportedReason) -> JSON {
    switch inspection.question {
    case "child", "hasChild":
      guard let text = inspection.argument.string else { return inspection.argument }
      return .string(try relative(Path(text)).relativeText)
    case "equals":
      guard let text = inspection.argument.string else { return inspection.argument }
      return .string(try path(Path(text)).description)
    case "valid":
      guard let conditions = inspection.argument.elements else { return inspection.argument }
      return .array(try conditions.map(condition))
    default: return inspection.argument
    }
  }

  private func change(_ change: JSON) throws(UnsupportedReason) -> JSON {
    var members: [JSON.Member] = []
    for member in change.members ?? [] {
      switch (member.name, member.value) {
      case let ("child", .string(text)):
        members.append(.init("child", .string(try relative(Path(text)).relativeText)))
      case ("value", _): members.append(.init("value", renaming(member.value)))
      default: members.append(member)
      }
    }
    return .object(members)
  }

  /// One step of a query that is being built. Only what it is ordered by is a location.
  private func condition(_ condition: JSON) throws(UnsupportedReason) -> JSON {
    var members: [JSON.Member] = []
    for member in condition.members ?? [] {
      if member.name == "orderBy", case let .string(text) = member.value, !text.hasPrefix(".") {
        let path = Path(text)
        let moved = path.problem == nil ? try relative(path).relativeText : text
        members.append(.init(member.name, .string(moved)))
      } else {
        members.append(member)
      }
    }
    return .object(members)
  }

  /// What the answer to an inspection must look like.
  ///
  /// - Throws: `UnsupportedReason` when the answer contains the location of the root.
  func answer(_ pattern: Pattern, to inspection: Inspection?) throws(UnsupportedReason) -> Pattern {
    switch inspection?.question {
    case "key":
      if movesRoot, inspection?.subject.name != nil, pattern.texts.allSatisfy(\.isEmpty) {
        throw UnsupportedReason("an inspection asks what the root is called or what is above it")
      }
      return pattern.mappingTexts { renaming($0) }
    case "parent", "child", "ref":
      for text in pattern.texts { _ = try path(Path(text)) }
      return pattern.mappingTexts { ((try? path(Path($0))) ?? .root).description }
    case "children" where inspection?.argument == .null:
      return pattern.mappingTexts { renaming($0) }
    case "value", "export", "children": return renaming(pattern)
    default: return pattern
    }
  }
}

extension Pattern {
  /// The texts that `mappingTexts` rewrites.
  fileprivate var texts: [String] {
    switch self {
    case let .exactly(.string(text)): [text]
    case let .oneOf(patterns): patterns.flatMap(\.texts)
    case let .all(patterns), let .list(patterns), let .unordered(patterns):
      patterns.flatMap(\.texts)
    case let .not(pattern), let .each(pattern): pattern.texts
    case .exactly, .mapping, .subset, .any, .type, .gte, .lte, .approx, .bind, .ref, .pushID,
      .serverTime:
      []
    }
  }
}
