internal import ClientEngine
internal import ClientInterface
internal import Hosting
internal import Tree

extension SDKGlue {
  /// Answers a question with the documented interface, unless it refuses.
  func inspect(_ inspection: Inspection, as call: CallID) {
    var answer = JSON.null
    let refusal = refusals.refusal { answer = self.answer(inspection) }
    if let refusal { return refusals.record(refusal) }
    environment.answer(call, answer)
  }

  private func answer(_ inspection: Inspection) -> JSON {
    let (part, question, argument) = (
      inspection.part.relativeText, inspection.question, inspection.argument
    )
    switch inspection.subject {
    case let .reference(path):
      return answer(
        reference(path).child(byAppendingPath: part), question, argument)
    case let .address(text):
      return answer(Reference.make(url: text).child(byAppendingPath: part), question, argument)
    case let .snapshot(listener, nth):
      let handed = snapshots[listener] ?? []
      let index = (nth ?? handed.count) - 1
      guard handed.indices.contains(index) else { return refused("no_snapshot") }
      return answer(handed[index].childSnapshot(forPath: part), question, argument)
    case let .completion(call):
      if let result = results[call] {
        return answer(result.childSnapshot(forPath: part), question, argument)
      }
      guard let reference = references[call] else { return refused("no_snapshot") }
      return question == "ref" ? path(of: reference) : answer(reference, question, argument)
    case let .mutableData(value, changes):
      let data = Reference.makeData(MutableTree(.empty, of: root.engine))
      data.value = value.plain
      for change in changes { apply(change, to: data) }
      return contents(Contents(data.childData(byAppendingPath: part)), question, argument)
    case let .query(path, steps):
      return answer(query(path, steps), question, argument)
    }
  }

  private func refused(_ code: ErrorCode) -> JSON {
    refuse(code)
    return .null
  }

  private func answer(_ reference: Reference, _ question: String, _ argument: JSON) -> JSON {
    switch question {
    case "key": reference.key.isEmpty ? .null : .string(reference.key)
    case "parent": reference.anyParent.map { path(of: $0) } ?? .null
    case "root": path(of: reference.root)
    case "child": path(of: reference.child(byAppendingPath: text(argument)))
    case "equals":
      .bool(
        reference.description()
          == root.child(byAppendingPath: text(argument)).description())
    case "url", "description": .string(reference.description())
    default: refused("not_supported")
    }
  }

  private func answer(_ snapshot: Snapshot, _ question: String, _ argument: JSON) -> JSON {
    switch question {
    case "exists": .bool(snapshot.exists())
    case "ref": path(of: snapshot.ref)
    default: contents(Contents(snapshot), question, argument)
    }
  }

  private func answer(_ query: Query, _ question: String, _ argument: JSON) -> JSON {
    switch question {
    case "ref": return path(of: query.ref)
    case "valid":
      for step in argument.elements ?? [] { _ = adding(step, to: query) }
      return true
    default: return refused("not_supported")
    }
  }

  private func contents(_ contents: Contents, _ question: String, _ argument: JSON) -> JSON {
    switch question {
    case "value": JSON(plain: contents.value) ?? .null
    case "export": JSON(plain: contents.export()) ?? .null
    case "key": contents.key.isEmpty ? .null : .string(contents.key)
    case "priority": JSON(plain: contents.priority) ?? .null
    case "hasChild": .bool(contents.holds(text(argument)))
    case "hasChildren": .bool(contents.hasChildren)
    case "childrenCount": .number(Double(contents.childrenCount))
    case "children":
      .array(
        contents.children().map { self.contents($0, argument.string ?? "key", .null) })
    default: refused("not_supported")
    }
  }

  private func apply(_ change: JSON, to data: Reference.MutableData) {
    let part = data.childData(byAppendingPath: text(change["child"] ?? ""))
    if let value = change["value"] {
      part.value = value.plain
    } else {
      part.priority = (change["priority"] ?? .null).plain
    }
  }

  private func text(_ argument: JSON) -> String {
    if let text = argument.string { return text }
    refuse("invalid_path")
    return ""
  }

  private func path(of reference: Reference) -> JSON {
    .string(DatabaseAddress.parse(reference.description())?.1.description ?? "/")
  }
}

/// What a snapshot and the data of a transaction answer alike.
private struct Contents {
  let value: Any?
  let priority: Any?
  let export: () -> Any?
  let key: String
  let childrenCount: UInt
  let hasChildren: Bool
  let holds: (String) -> Bool
  let children: () -> [Contents]

  init(_ snapshot: some _DocumentedSnapshot) {
    (value, priority, export) = (snapshot.value, snapshot.priority, snapshot.valueInExportFormat)
    (key, childrenCount) = (snapshot.key, snapshot.childrenCount)
    (hasChildren, holds) = (snapshot.hasChildren(), snapshot.hasChild)
    children = { snapshot.children.map { Contents($0) } }
  }

  init(_ data: some _DocumentedMutableData) {
    (value, priority, export) = (data.value, data.priority, { data.export })
    (key, childrenCount) = (data.key ?? "", data.childrenCount)
    (hasChildren, holds) = (data.hasChildren(), data.hasChild)
    children = { data.children.map { Contents($0) } }
  }
}

extension _DocumentedMutableData {
  /// The data with their priorities, put together from what the interface shows of them.
  fileprivate var export: Any? {
    var members = children.map { JSON.Member($0.key ?? "", JSON(plain: $0.export) ?? .null) }
    if members.isEmpty, let value {
      if priority == nil { return value }
      members.append(.init(".value", JSON(plain: value) ?? .null))
    }
    if let priority = JSON(plain: priority), priority != .null {
      members.append(.init(".priority", priority))
    }
    return members.isEmpty ? nil : JSON.object(members).plain
  }
}
