import ClientInterface
import Document
import Scenario
import Tree

extension Inspection {
  /// What is looked at. A query is one at a path.
  fileprivate static let subjects = OneOf<Subject>(
    [
      .init(
        location, from: { _, _ in (.root, nil) },
        { location in
          location.steps.map { .query(location.path, steps: $0) } ?? .reference(location.path)
        },
        of: { subject in
          switch subject {
          case let .reference(path): (path, nil)
          case let .query(path, steps): (path, steps)
          case .address, .snapshot, .completion, .mutableData: nil
          }
        }),
      .init(
        "url", .text, "A reference made from an absolute address.", { .address($0) },
        of: { if case let .address(text) = $0 { text } else { nil } }),
      .init(
        snapshot, from: { _, _ in ("", nil) },
        { .snapshot(ListenerID($0.listener), nth: $0.nth) },
        of: { subject in
          guard case let .snapshot(listener, nth) = subject else { return nil }
          return (listener.name, nth)
        }),
      .init(
        "completion", .callName, "What the completion of this call handed over.",
        { .completion(CallID($0)) },
        of: { if case let .completion(call) = $0 { call.name } else { nil } }),
      .init(
        mutableData, from: { _, _ in (.null, []) },
        { .mutableData($0.value, changes: $0.changes) },
        of: { subject in
          guard case let .mutableData(value, changes) = subject else { return nil }
          return (value, changes)
        }),
    ], .init(none: "nothing is inspected; expected"))

  private static let location = Table<(path: Path, steps: [JSON]?)>([
    Field("path", .path, \.path, "A reference to this location."),
    Field(
      "query", summary: "A query at the path, built condition by condition.",
      read: { $2.steps = $0.querySteps($1, "query") },
      write: { $0.steps.map { .value(.array($0)) } }),
  ])

  private static let snapshot = Table<(listener: String, nth: Int?)>([
    Field(
      "snapshot", Schema.text, summary: "What an event of this listener handed over.",
      read: { $2.listener = $0.listenerName($1, "snapshot", of: $0.caller) ?? "" },
      write: { .text($0.listener) }),
    Field(
      "nth", .count(from: 1), \.nth, "Which event of the listener; the last unless stated."),
  ])

  private static let mutableData = Table<(value: JSON, changes: [JSON])>([
    Field(
      "mutable", summary: "Mutable data that hold this value.",
      read: { reading, node, data in
        reading.checkStored(node, at: .root, .argument)
        data.value = node.json
      }, write: { .value($0.value) }),
    Field(
      "changes", summary: "The changes of the mutable data that come before the question.",
      read: { reading, node, data in
        let changes = reading.list(node, "changes", of: "changes")
        for change in changes { reading.checkChange(change) }
        data.changes = changes.map(\.json)
      }, write: { $0.changes.isEmpty ? nil : .value(.array($0.changes)) }),
  ])

  /// `{path: a/b, ask: key}`, `{snapshot: feed, of: a, ask: exists}` and their like.
  static let field = Field<Operation.Arguments>(
    subjects.keys + questionKeys, read: { $2.inspection = $0.inspection($1) },
    write: { given in
      guard let inspection = given.inspection else { return [] }
      return subjects.entries(of: inspection.subject) + inspection.questionEntries
    })

  private static let questionKeys: [FieldKey] = [
    .init("of", Schema.text, "The part that the question is about, as a relative path."),
    .init("ask", Schema.text, isRequired: true, "The question."),
    .init("with", "What the question needs besides."),
  ]

  private var questionEntries: [YAML.Entry] {
    var entries = [YAML.Entry("ask", .text(question))]
    if !part.isRoot { entries.insert(.init("of", .path(part)), at: 0) }
    if argument != .null { entries.append(.init("with", .value(argument))) }
    return entries
  }

  /// What the mapping asks about, whether or not the rest of it is right.
  fileprivate static func kind(_ fields: Fields) -> Kind? {
    let name = fields.entries.first { subjects.names.contains($0.key) }?.key
    let kind = name.flatMap { Kind(rawValue: $0) }
    return kind == .reference && fields["query"] != nil ? .query : kind
  }
}

extension Reading {
  fileprivate mutating func inspection(_ fields: Fields) -> Inspection? {
    let subject = Inspection.subjects.read(&self, fields)
    let kind = Inspection.kind(fields)
    let part = inspectedPart(fields, kind)
    guard let kind, let question = question(fields, about: kind) else { return nil }
    let argument = argument(of: question, fields)
    guard let subject, let part, let argument else { return nil }
    return Inspection(subject, of: part, question.name, argument)
  }

  private mutating func inspectedPart(_ fields: Fields, _ kind: Inspection.Kind?) -> Path? {
    guard let entry = fields.entry("of") else { return .root }
    if kind == .query {
      report(entry.keyPosition, "of is given with query; expected none, a query has no parts")
    }
    return string(entry.value, "of").map { Path($0) }
  }

  /// `{value: V}` or `{priority: P}`, with `child: path` for a part.
  fileprivate mutating func checkChange(_ node: DocumentNode) {
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
  fileprivate mutating func querySteps(_ node: DocumentNode, _ what: String) -> [JSON] {
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
    let questions = Inspection.questions(about: kind)
    let name = fields["ask"].flatMap {
      word($0, "ask", as: "question", among: questions.map(\.name))
    }
    return questions.first { $0.name == name }
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
      return word(entry.value, "with", as: "question", among: questions).map { .string($0) }
    default: return string(entry.value, "with").map { .string($0) }
    }
  }
}
