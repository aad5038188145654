import ClientInterface
import Document
import Scenario
import Tree

extension Inspection {
  /// What is looked at. A query is one at a path.
  fileprivate static let subjects = OneOf<Subject>(
    [
      .init(
        FieldKey("path", Schema.text, "A reference to this location."),
        beside: [FieldKey("query", "A query at the path, built condition by condition.")],
        read: { reading, node, fields in
          let steps = fields["query"].map { reading.querySteps($0, "query") }
          return reading.path(node).map { path in
            steps.map { .query(path, steps: $0) } ?? .reference(path)
          }
        },
        write: { subject in
          switch subject {
          case let .reference(path): YAML.pathEntry(path)
          case let .query(path, steps):
            YAML.pathEntry(path) + [.init("query", .value(.array(steps)))]
          case .address, .snapshot, .completion, .mutableData: nil
          }
        }),
      .init(
        "url", .text, "A reference made from an absolute address.", { .address($0) },
        of: { if case let .address(text) = $0 { text } else { nil } }),
      .init(
        FieldKey("snapshot", Schema.text, "What an event of this listener handed over."),
        beside: [
          FieldKey(
            "nth", Form.count(from: 1).schema,
            "Which event of the listener; the last unless stated.")
        ],
        read: { reading, node, fields in
          let name = reading.listenerName(node, "snapshot", of: reading.caller)
          let nth = fields["nth"].flatMap { reading.count($0, "nth", atLeast: 1) }
          return name.map { .snapshot(ListenerID($0), nth: nth) }
        },
        write: { subject in
          guard case let .snapshot(listener, nth) = subject else { return nil }
          return [.init("snapshot", .text(listener.name))]
            + (nth.map { [.init("nth", .word("\($0)"))] } ?? [])
        }),
      .init(
        "completion", .callName, "What the completion of this call handed over.",
        { .completion(CallID($0)) },
        of: { if case let .completion(call) = $0 { call.name } else { nil } }),
      .init(
        FieldKey("mutable", "Mutable data that hold this value."),
        beside: [
          FieldKey("changes", "The changes of the mutable data that come before the question.")
        ],
        read: { reading, node, fields in
          reading.checkStored(node, at: .root, .argument)
          let changes = fields["changes"].map { reading.list($0, "changes", of: "changes") } ?? []
          for change in changes { reading.checkChange(change) }
          return .mutableData(node.json, changes: changes.map(\.json))
        },
        write: { subject in
          guard case let .mutableData(value, changes) = subject else { return nil }
          return [.init("mutable", .value(value))]
            + (changes.isEmpty ? [] : [.init("changes", .value(.array(changes)))])
        }),
    ], .init(none: "nothing is inspected; expected"))

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
