import ClientInterface
import Document
import Scenario
import Tree

extension Reading {
  static let inspectionKeys: [FieldKey] = [
    .init("path", Schema.text, "A reference to this location."),
    .init("url", Schema.text, "A reference made from an absolute address."),
    .init("snapshot", Schema.text, "What an event of this listener handed over."),
    .init("completion", Schema.text, "What the completion of this call handed over."),
    .init("mutable", "Mutable data that hold this value."),
    .init("query", "A query at the path, built condition by condition."),
    .init("changes", "The changes of the mutable data that come before the question."),
    .init(
      "nth", Form.count(from: 1).schema, "Which event of the listener; the last unless stated."),
    .init("of", Schema.text, "The part that the question is about, as a relative path."),
    .init("ask", Schema.text, isRequired: true, "The question."),
    .init("with", "What the question needs besides."),
  ]
  private static let subjects = ["path", "url", "snapshot", "completion", "mutable"]

  /// `{path: a/b, ask: key}`, `{snapshot: feed, of: a, ask: exists}` and their like.
  mutating func inspection(_ fields: Fields) -> Inspection? {
    let client = caller
    let kind = inspectionKind(fields)
    let subject = kind.flatMap { inspectionSubject($0, fields, of: client) }
    let part = inspectedPart(fields, kind)
    guard let kind, let question = question(fields, about: kind) else { return nil }
    let argument = argument(of: question, fields)
    guard let subject, let part, let argument else { return nil }
    return Inspection(subject, of: part, question.name, argument)
  }

  /// What is looked at. A query is one at a path.
  private mutating func inspectionKind(_ fields: Fields) -> Inspection.Kind? {
    let given = fields.entries.filter { Self.subjects.contains($0.key) }
    if let second = given.dropFirst().first {
      report(
        second.keyPosition,
        "\(given[0].key) and \(second.key) are both given; expected one of them")
    }
    guard let name = given.first?.key, let kind = Inspection.Kind(rawValue: name) else {
      report(
        fields.position, "nothing is inspected; expected \(alternatives(Self.subjects))")
      return nil
    }
    refuse("changes", without: .mutableData, fields, kind)
    refuse("query", without: .reference, fields, kind)
    refuse("nth", without: .snapshot, fields, kind)
    return kind == .reference && fields["query"] != nil ? .query : kind
  }

  private mutating func refuse(
    _ key: String, without needed: Inspection.Kind, _ fields: Fields, _ kind: Inspection.Kind
  ) {
    guard let entry = fields.entry(key), kind != needed else { return }
    report(
      entry.keyPosition,
      "\(key) stands beside \(kind.rawValue); expected it beside \(needed.rawValue) alone")
  }

  private mutating func inspectionSubject(
    _ kind: Inspection.Kind, _ fields: Fields, of client: String
  ) -> Inspection.Subject? {
    switch kind {
    case .reference: return fields["path"].flatMap { path($0) }.map { .reference($0) }
    case .address: return fields["url"].flatMap { string($0, "url") }.map { .address($0) }
    case .snapshot:
      guard let node = fields["snapshot"], let name = listenerName(node, "snapshot", of: client)
      else { return nil }
      return .snapshot(
        ListenerID(name), nth: fields["nth"].flatMap { count($0, "nth", atLeast: 1) })
    case .completion:
      guard let node = fields["completion"], let name = string(node, "completion") else {
        return nil
      }
      addForwardName(name, .call, of: client, at: node.position)
      return .completion(CallID(name))
    case .mutableData:
      guard let node = fields["mutable"] else { return nil }
      checkStored(node, at: .root, .argument)
      let changes = fields["changes"].map { list($0, "changes", of: "changes") } ?? []
      for change in changes { checkChange(change) }
      return .mutableData(node.json, changes: changes.map(\.json))
    case .query:
      guard let target = fields["path"].flatMap({ path($0) }), let query = fields["query"] else {
        return nil
      }
      return .query(target, steps: querySteps(query, "query"))
    }
  }

  private mutating func inspectedPart(_ fields: Fields, _ kind: Inspection.Kind?) -> Path? {
    guard let entry = fields.entry("of") else { return .root }
    if kind == .query {
      report(entry.keyPosition, "of is given with query; expected none, a query has no parts")
    }
    return string(entry.value, "of").map { Path($0) }
  }
}

extension Reading {
  /// `{value: V}` or `{priority: P}`, with `child: path` for a part.
  private mutating func checkChange(_ node: DocumentNode) {
    let keys = ["child", "value", "priority"]
    guard let fields = fields(of: node, "a change", keys: keys) else { return }
    if let child = fields["child"] { _ = string(child, "child") }
    if let value = fields["value"] { checkStored(value, at: .root, .argument) }
    if let priority = fields["priority"] { checkPriority(priority, .argument) }
    if fields["value"] != nil, let second = fields.entry("priority") {
      report(second.keyPosition, "value and priority are both given; expected one of them")
    } else if fields["value"] == nil, fields["priority"] == nil {
      report(node.position, "a change has neither value nor priority; expected one of them")
    }
  }

  /// `[{orderBy: x}, {limitToFirst: 2}]`: the conditions one after the other, also wrong ones.
  private mutating func querySteps(_ node: DocumentNode, _ what: String) -> [JSON] {
    let steps = list(node, what, of: "conditions such as {limitToFirst: 2}")
    for step in steps {
      guard let fields = fields(of: step, "a condition", keys: Query.table.names) else { continue }
      if fields.entries.count != 1 {
        report(
          step.position,
          "a condition has \(fields.entries.count) keys; expected one in each element")
      }
    }
    return steps.map(\.json)
  }
}

extension Reading {
  private mutating func question(
    _ fields: Fields, about kind: Inspection.Kind
  ) -> Inspection.Question? {
    guard let node = fields["ask"], let name = string(node, "ask") else { return nil }
    let questions = Inspection.questions(about: kind)
    let question = questions.first { $0.name == name }
    if question == nil {
      unknown("question", name, at: node.position, among: questions.map(\.name))
    }
    return question
  }

  /// What is in `with`; null where nothing does, and `nil` when it cannot be read.
  private mutating func argument(of question: Inspection.Question, _ fields: Fields) -> JSON? {
    guard let entry = fields.entry("with") else {
      guard question.argument == .required else { return .null }
      report(fields.position, "\(question.name) has no with; expected with: PATH")
      return nil
    }
    switch question.name {
    case _ where question.argument == .none:
      report(entry.keyPosition, "\(question.name) has a with; expected none with this question")
      return nil
    case "valid": return .array(querySteps(entry.value, "with"))
    case "children":
      let questions = ["key", "value", "export", "priority", "hasChildren", "childrenCount"]
      guard let name = string(entry.value, "with") else { return nil }
      guard questions.contains(name) else {
        unknown("question", name, at: entry.value.position, among: questions)
        return nil
      }
      return .string(name)
    default: return string(entry.value, "with").map { .string($0) }
    }
  }
}

extension YAML {
  static func fields(of inspection: Inspection) -> [Entry] {
    var fields: [Entry] =
      switch inspection.subject {
      case let .reference(path): pathEntry(path)
      case let .address(text): [Entry("url", .text(text))]
      case let .snapshot(listener, nth):
        [Entry("snapshot", .text(listener.name))]
          + (nth.map { [Entry("nth", .word("\($0)"))] } ?? [])
      case let .completion(call): [Entry("completion", .text(call.name))]
      case let .mutableData(value, changes):
        [Entry("mutable", .value(value))]
          + (changes.isEmpty ? [] : [Entry("changes", .value(.array(changes)))])
      case let .query(path, steps): pathEntry(path) + [Entry("query", .value(.array(steps)))]
      }
    if !inspection.part.isRoot { fields.append(Entry("of", .path(inspection.part))) }
    fields.append(Entry("ask", .text(inspection.question)))
    if inspection.argument != .null { fields.append(Entry("with", .value(inspection.argument))) }
    return fields
  }
}
